"""InitProducerIdRequest: API key 22, versions 0-6, flexible 2+.

Generated from protocol_specs/022_init_producer_id.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class InitProducerIdRequest(Message):
    __slots__ = ("transactional_id", "transaction_timeout_ms", "producer_id", "producer_epoch", "enable2_pc", "keep_prepared_txn")

    SCHEMA: ClassVar = MessageSchema(
        "InitProducerIdRequest",
        Versions(0, 6),
        Versions(2, LATEST),
        (
            Field("transactional_id", "string", nullable=ALWAYS, default=""),
            Field("transaction_timeout_ms", "int32", default=0),
            Field("producer_id", "int64", versions=Versions(3, LATEST), default=-1),
            Field("producer_epoch", "int16", versions=Versions(3, LATEST), default=-1),
            Field("enable2_pc", "bool", versions=Versions(6, LATEST), default=False),
            Field("keep_prepared_txn", "bool", versions=Versions(6, LATEST), default=False),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        transactional_id: str | None = "",
        transaction_timeout_ms: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
        enable2_pc: bool = False,
        keep_prepared_txn: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.transaction_timeout_ms: Final = transaction_timeout_ms
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.enable2_pc: Final = enable2_pc
        self.keep_prepared_txn: Final = keep_prepared_txn
        self.unknown_tags = unknown_tags
