"""StreamsGroupMetadataValue: record type 17, versions 0, flexible 0+.

Generated from protocol_specs/record_streams_group_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class LastAssignmentConfig(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = "",
        value: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.key: Final = key
        self.value: Final = value
        self.unknown_tags = unknown_tags


class StreamsGroupMetadataValue(Message):
    __slots__ = ("epoch", "metadata_hash", "validated_topology_epoch", "last_assignment_configs")

    SCHEMA: ClassVar = MessageSchema(
        "StreamsGroupMetadataValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("epoch", "int32", default=0),
            Field("metadata_hash", "int64", default=0),
            Field("validated_topology_epoch", "int32", tag=0, default=-1),
            Field("last_assignment_configs", "LastAssignmentConfig", array=True, nullable=ALWAYS, tag=1, default=()),
        ),
        (
            StructSchema(
                "LastAssignmentConfig",
                (
                    Field("key", "string", default=""),
                    Field("value", "string", default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"LastAssignmentConfig": LastAssignmentConfig}

    def __init__(
        self,
        epoch: int = 0,
        metadata_hash: int = 0,
        validated_topology_epoch: int = -1,
        last_assignment_configs: Sequence[LastAssignmentConfig] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.epoch: Final = epoch
        self.metadata_hash: Final = metadata_hash
        self.validated_topology_epoch: Final = validated_topology_epoch
        self.last_assignment_configs: Final = last_assignment_configs
        self.unknown_tags = unknown_tags
