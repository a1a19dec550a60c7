"""DescribeClusterRequest: API key 60, versions 0-2, flexible 0+.

Generated from protocol_specs/060_describe_cluster.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class DescribeClusterRequest(Message):
    __slots__ = ("include_cluster_authorized_operations", "endpoint_type", "include_fenced_brokers")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeClusterRequest",
        Versions(0, 2),
        ALWAYS,
        (
            Field("include_cluster_authorized_operations", "bool", default=False),
            Field("endpoint_type", "int8", versions=Versions(1, LATEST), default=1),
            Field("include_fenced_brokers", "bool", versions=Versions(2, LATEST), default=False),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        include_cluster_authorized_operations: bool = False,
        endpoint_type: int = 1,
        include_fenced_brokers: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.include_cluster_authorized_operations: Final = include_cluster_authorized_operations
        self.endpoint_type: Final = endpoint_type
        self.include_fenced_brokers: Final = include_fenced_brokers
        self.unknown_tags = unknown_tags
