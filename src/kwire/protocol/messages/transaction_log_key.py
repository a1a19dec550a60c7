"""TransactionLogKey: record type 0, versions 0.

Generated from protocol_specs/record_transaction_log.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class TransactionLogKey(Message):
    __slots__ = ("transactional_id",)

    SCHEMA: ClassVar = MessageSchema(
        "TransactionLogKey",
        Versions(0, 0),
        NEVER,
        (
            Field("transactional_id", "string", default=""),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        transactional_id: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.unknown_tags = unknown_tags
