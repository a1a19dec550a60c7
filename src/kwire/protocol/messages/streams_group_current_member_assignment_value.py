"""StreamsGroupCurrentMemberAssignmentValue: record type 22, versions 0, flexible 0+.

Generated from protocol_specs/record_streams_group_current_member_assignment.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class TaskIds(Struct):
    __slots__ = ("subtopology_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        subtopology_id: str = "",
        partitions: Sequence[int] = (),
        assignment_epochs: Sequence[int] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.partitions: Final = partitions
        self.assignment_epochs: Final = assignment_epochs
        self.unknown_tags = unknown_tags


class StreamsGroupCurrentMemberAssignmentValue(Message):
    __slots__ = ("member_epoch", "previous_member_epoch", "state", "active_tasks", "standby_tasks", "warmup_tasks", "active_tasks_pending_revocation", "standby_tasks_pending_revocation", "warmup_tasks_pending_revocation")

    SCHEMA: ClassVar = MessageSchema(
        "StreamsGroupCurrentMemberAssignmentValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("member_epoch", "int32", default=0),
            Field("previous_member_epoch", "int32", default=0),
            Field("state", "int8", default=0),
            Field("active_tasks", "TaskIds", array=True, default=()),
            Field("standby_tasks", "TaskIds", array=True, default=()),
            Field("warmup_tasks", "TaskIds", array=True, default=()),
            Field("active_tasks_pending_revocation", "TaskIds", array=True, default=()),
            Field("standby_tasks_pending_revocation", "TaskIds", array=True, default=()),
            Field("warmup_tasks_pending_revocation", "TaskIds", array=True, default=()),
        ),
        (
            StructSchema(
                "TaskIds",
                (
                    Field("subtopology_id", "string", default=""),
                    Field("partitions", "int32", array=True, default=()),
                    Field("assignment_epochs", "int32", array=True, nullable=ALWAYS, tag=0, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TaskIds": TaskIds}

    def __init__(
        self,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        active_tasks: Sequence[TaskIds] = (),
        standby_tasks: Sequence[TaskIds] = (),
        warmup_tasks: Sequence[TaskIds] = (),
        active_tasks_pending_revocation: Sequence[TaskIds] = (),
        standby_tasks_pending_revocation: Sequence[TaskIds] = (),
        warmup_tasks_pending_revocation: Sequence[TaskIds] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.member_epoch: Final = member_epoch
        self.previous_member_epoch: Final = previous_member_epoch
        self.state: Final = state
        self.active_tasks: Final = active_tasks
        self.standby_tasks: Final = standby_tasks
        self.warmup_tasks: Final = warmup_tasks
        self.active_tasks_pending_revocation: Final = active_tasks_pending_revocation
        self.standby_tasks_pending_revocation: Final = standby_tasks_pending_revocation
        self.warmup_tasks_pending_revocation: Final = warmup_tasks_pending_revocation
        self.unknown_tags = unknown_tags
