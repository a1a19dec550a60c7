"""ConsumerGroupRegularExpressionKey: record type 16, versions 0.

Generated from protocol_specs/record_consumer_group_regular_expression.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class ConsumerGroupRegularExpressionKey(Message):
    __slots__ = ("group_id", "regular_expression")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupRegularExpressionKey",
        Versions(0, 0),
        NEVER,
        (
            Field("group_id", "string", default=""),
            Field("regular_expression", "string", default=""),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        group_id: str = "",
        regular_expression: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.regular_expression: Final = regular_expression
        self.unknown_tags = unknown_tags
