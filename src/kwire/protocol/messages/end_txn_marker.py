"""EndTxnMarker: versions 0.

Generated from protocol_specs/control_records.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class EndTxnMarker(Message):
    __slots__ = ("coordinator_epoch",)

    SCHEMA: ClassVar = MessageSchema(
        "EndTxnMarker",
        Versions(0, 0),
        NEVER,
        (
            Field("coordinator_epoch", "int32", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        coordinator_epoch: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.coordinator_epoch: Final = coordinator_epoch
        self.unknown_tags = unknown_tags
