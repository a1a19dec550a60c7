"""StreamsGroupTargetAssignmentMemberValue: record type 21, versions 0, flexible 0+.

Generated from protocol_specs/record_streams_group_target_assignment_member.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class TaskIds(Struct):
    __slots__ = ("subtopology_id", "partitions")

    def __init__(
        self,
        subtopology_id: str = "",
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class StreamsGroupTargetAssignmentMemberValue(Message):
    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks")

    SCHEMA: ClassVar = MessageSchema(
        "StreamsGroupTargetAssignmentMemberValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("active_tasks", "TaskIds", array=True, default=()),
            Field("standby_tasks", "TaskIds", array=True, default=()),
            Field("warmup_tasks", "TaskIds", array=True, default=()),
        ),
        (
            StructSchema(
                "TaskIds",
                (
                    Field("subtopology_id", "string", default=""),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TaskIds": TaskIds}

    def __init__(
        self,
        active_tasks: Sequence[TaskIds] = (),
        standby_tasks: Sequence[TaskIds] = (),
        warmup_tasks: Sequence[TaskIds] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.active_tasks: Final = active_tasks
        self.standby_tasks: Final = standby_tasks
        self.warmup_tasks: Final = warmup_tasks
        self.unknown_tags = unknown_tags
