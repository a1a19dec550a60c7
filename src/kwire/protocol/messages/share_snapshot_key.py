"""ShareSnapshotKey: record type 0, versions 0.

Generated from protocol_specs/record_share_snapshot.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions, ZERO_UUID


class ShareSnapshotKey(Message):
    __slots__ = ("group_id", "topic_id", "partition")

    SCHEMA: ClassVar = MessageSchema(
        "ShareSnapshotKey",
        Versions(0, 0),
        NEVER,
        (
            Field("group_id", "string", default=""),
            Field("topic_id", "uuid", default=ZERO_UUID),
            Field("partition", "int32", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        group_id: str = "",
        topic_id: bytes = ZERO_UUID,
        partition: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topic_id: Final = topic_id
        self.partition: Final = partition
        self.unknown_tags = unknown_tags
