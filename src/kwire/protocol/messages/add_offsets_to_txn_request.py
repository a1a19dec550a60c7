"""AddOffsetsToTxnRequest: API key 25, versions 0-4, flexible 3+.

Generated from protocol_specs/025_add_offsets_to_txn.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class AddOffsetsToTxnRequest(Message):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "group_id")

    SCHEMA: ClassVar = MessageSchema(
        "AddOffsetsToTxnRequest",
        Versions(0, 4),
        Versions(3, LATEST),
        (
            Field("transactional_id", "string", default=""),
            Field("producer_id", "int64", default=0),
            Field("producer_epoch", "int16", default=0),
            Field("group_id", "string", default=""),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        transactional_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        group_id: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.group_id: Final = group_id
        self.unknown_tags = unknown_tags
