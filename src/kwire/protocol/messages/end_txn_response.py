"""EndTxnResponse: API key 26, versions 0-5, flexible 3+.

Generated from protocol_specs/026_end_txn.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class EndTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "producer_id", "producer_epoch")

    SCHEMA: ClassVar = MessageSchema(
        "EndTxnResponse",
        Versions(0, 5),
        Versions(3, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("producer_id", "int64", versions=Versions(5, LATEST), default=-1, ignorable=True),
            Field("producer_epoch", "int16", versions=Versions(5, LATEST), default=-1, ignorable=True),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.unknown_tags = unknown_tags
