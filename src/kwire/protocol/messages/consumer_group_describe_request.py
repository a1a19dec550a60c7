"""ConsumerGroupDescribeRequest: API key 69, versions 0-1, flexible 0+.

Generated from protocol_specs/069_consumer_group_describe.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions


class ConsumerGroupDescribeRequest(Message):
    __slots__ = ("group_ids", "include_authorized_operations")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupDescribeRequest",
        Versions(0, 1),
        ALWAYS,
        (
            Field("group_ids", "string", array=True, default=()),
            Field("include_authorized_operations", "bool", default=False),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        group_ids: Sequence[str] = (),
        include_authorized_operations: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_ids: Final = group_ids
        self.include_authorized_operations: Final = include_authorized_operations
        self.unknown_tags = unknown_tags
