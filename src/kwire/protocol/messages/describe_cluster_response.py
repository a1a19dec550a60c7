"""DescribeClusterResponse: API key 60, versions 0-2, flexible 0+.

Generated from protocol_specs/060_describe_cluster.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DescribeClusterBroker(Struct):
    __slots__ = ("broker_id", "host", "port", "rack", "is_fenced")

    def __init__(
        self,
        broker_id: int = 0,
        host: str = "",
        port: int = 0,
        rack: str | None = None,
        is_fenced: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.broker_id: Final = broker_id
        self.host: Final = host
        self.port: Final = port
        self.rack: Final = rack
        self.is_fenced: Final = is_fenced
        self.unknown_tags = unknown_tags


class DescribeClusterResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "endpoint_type", "cluster_id", "controller_id", "brokers", "cluster_authorized_operations")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeClusterResponse",
        Versions(0, 2),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS),
            Field("endpoint_type", "int8", versions=Versions(1, LATEST), default=1),
            Field("cluster_id", "string", default=""),
            Field("controller_id", "int32", default=-1),
            Field("brokers", "DescribeClusterBroker", array=True, default=()),
            Field("cluster_authorized_operations", "int32", default=-2147483648),
        ),
        (
            StructSchema(
                "DescribeClusterBroker",
                (
                    Field("broker_id", "int32", default=0, key=True),
                    Field("host", "string", default=""),
                    Field("port", "int32", default=0),
                    Field("rack", "string", nullable=ALWAYS),
                    Field("is_fenced", "bool", versions=Versions(2, LATEST), default=False),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribeClusterBroker": DescribeClusterBroker}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        endpoint_type: int = 1,
        cluster_id: str = "",
        controller_id: int = -1,
        brokers: Sequence[DescribeClusterBroker] = (),
        cluster_authorized_operations: int = -2147483648,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.endpoint_type: Final = endpoint_type
        self.cluster_id: Final = cluster_id
        self.controller_id: Final = controller_id
        self.brokers: Final = brokers
        self.cluster_authorized_operations: Final = cluster_authorized_operations
        self.unknown_tags = unknown_tags
