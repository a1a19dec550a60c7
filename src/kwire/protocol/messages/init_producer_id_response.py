"""InitProducerIdResponse: API key 22, versions 0-6, flexible 2+.

Generated from protocol_specs/022_init_producer_id.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class InitProducerIdResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "producer_id", "producer_epoch", "ongoing_txn_producer_id", "ongoing_txn_producer_epoch")

    SCHEMA: ClassVar = MessageSchema(
        "InitProducerIdResponse",
        Versions(0, 6),
        Versions(2, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0, ignorable=True),
            Field("error_code", "int16", default=0),
            Field("producer_id", "int64", default=-1),
            Field("producer_epoch", "int16", default=0),
            Field("ongoing_txn_producer_id", "int64", versions=Versions(6, LATEST), default=-1),
            Field("ongoing_txn_producer_epoch", "int16", versions=Versions(6, LATEST), default=-1),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = 0,
        ongoing_txn_producer_id: int = -1,
        ongoing_txn_producer_epoch: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.ongoing_txn_producer_id: Final = ongoing_txn_producer_id
        self.ongoing_txn_producer_epoch: Final = ongoing_txn_producer_epoch
        self.unknown_tags = unknown_tags
