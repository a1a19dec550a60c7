"""AddOffsetsToTxnResponse: API key 25, versions 0-4, flexible 3+.

Generated from protocol_specs/025_add_offsets_to_txn.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class AddOffsetsToTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code")

    SCHEMA: ClassVar = MessageSchema(
        "AddOffsetsToTxnResponse",
        Versions(0, 4),
        Versions(3, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags
