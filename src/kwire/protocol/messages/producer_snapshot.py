"""ProducerSnapshot: versions 1.

Generated from protocol_specs/producer_snapshot.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, StructSchema, Tags, Versions


class ProducerEntry(Struct):
    __slots__ = ("producer_id", "epoch", "last_sequence", "last_offset", "offset_delta", "timestamp", "coordinator_epoch", "current_txn_first_offset")

    def __init__(
        self,
        producer_id: int = 0,
        epoch: int = 0,
        last_sequence: int = 0,
        last_offset: int = 0,
        offset_delta: int = 0,
        timestamp: int = 0,
        coordinator_epoch: int = 0,
        current_txn_first_offset: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.producer_id: Final = producer_id
        self.epoch: Final = epoch
        self.last_sequence: Final = last_sequence
        self.last_offset: Final = last_offset
        self.offset_delta: Final = offset_delta
        self.timestamp: Final = timestamp
        self.coordinator_epoch: Final = coordinator_epoch
        self.current_txn_first_offset: Final = current_txn_first_offset
        self.unknown_tags = unknown_tags


class ProducerSnapshot(Message):
    __slots__ = ("crc", "producer_entries")

    SCHEMA: ClassVar = MessageSchema(
        "ProducerSnapshot",
        Versions(1, 1),
        NEVER,
        (
            Field("crc", "uint32", default=0),
            Field("producer_entries", "ProducerEntry", array=True, default=()),
        ),
        (
            StructSchema(
                "ProducerEntry",
                (
                    Field("producer_id", "int64", default=0),
                    Field("epoch", "int16", default=0),
                    Field("last_sequence", "int32", default=0),
                    Field("last_offset", "int64", default=0),
                    Field("offset_delta", "int32", default=0),
                    Field("timestamp", "int64", default=0),
                    Field("coordinator_epoch", "int32", default=0),
                    Field("current_txn_first_offset", "int64", default=0),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ProducerEntry": ProducerEntry}

    def __init__(
        self,
        crc: int = 0,
        producer_entries: Sequence[ProducerEntry] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.crc: Final = crc
        self.producer_entries: Final = producer_entries
        self.unknown_tags = unknown_tags
