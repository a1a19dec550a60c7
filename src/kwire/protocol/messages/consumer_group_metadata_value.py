"""ConsumerGroupMetadataValue: record type 3, versions 0, flexible 0+.

Generated from protocol_specs/record_consumer_group_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions


class ConsumerGroupMetadataValue(Message):
    __slots__ = ("epoch", "metadata_hash")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupMetadataValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("epoch", "int32", default=0),
            Field("metadata_hash", "int64", tag=0, default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        epoch: int = 0,
        metadata_hash: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.epoch: Final = epoch
        self.metadata_hash: Final = metadata_hash
        self.unknown_tags = unknown_tags
