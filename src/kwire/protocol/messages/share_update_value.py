"""ShareUpdateValue: record type 1, versions 0, flexible 0+.

Generated from protocol_specs/record_share_update.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class StateBatch(Struct):
    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count")

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        delivery_state: int = 0,
        delivery_count: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.first_offset: Final = first_offset
        self.last_offset: Final = last_offset
        self.delivery_state: Final = delivery_state
        self.delivery_count: Final = delivery_count
        self.unknown_tags = unknown_tags


class ShareUpdateValue(Message):
    __slots__ = ("snapshot_epoch", "leader_epoch", "start_offset", "delivery_complete_count", "state_batches")

    SCHEMA: ClassVar = MessageSchema(
        "ShareUpdateValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("snapshot_epoch", "int32", default=0),
            Field("leader_epoch", "int32", default=0),
            Field("start_offset", "int64", default=0),
            Field("delivery_complete_count", "int32", tag=0, default=-1),
            Field("state_batches", "StateBatch", array=True, default=()),
        ),
        (
            StructSchema(
                "StateBatch",
                (
                    Field("first_offset", "int64", default=0),
                    Field("last_offset", "int64", default=0),
                    Field("delivery_state", "int8", default=0),
                    Field("delivery_count", "int16", default=0),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"StateBatch": StateBatch}

    def __init__(
        self,
        snapshot_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        delivery_complete_count: int = -1,
        state_batches: Sequence[StateBatch] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.snapshot_epoch: Final = snapshot_epoch
        self.leader_epoch: Final = leader_epoch
        self.start_offset: Final = start_offset
        self.delivery_complete_count: Final = delivery_complete_count
        self.state_batches: Final = state_batches
        self.unknown_tags = unknown_tags
