"""ConsumerGroupRegularExpressionValue: record type 16, versions 0, flexible 0+.

Generated from protocol_specs/record_consumer_group_regular_expression.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions


class ConsumerGroupRegularExpressionValue(Message):
    __slots__ = ("topics", "version", "timestamp")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupRegularExpressionValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("topics", "string", array=True, default=()),
            Field("version", "int64", default=0),
            Field("timestamp", "int64", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        topics: Sequence[str] = (),
        version: int = 0,
        timestamp: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.version: Final = version
        self.timestamp: Final = timestamp
        self.unknown_tags = unknown_tags
