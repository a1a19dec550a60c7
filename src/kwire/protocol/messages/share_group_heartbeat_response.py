"""ShareGroupHeartbeatResponse: API key 76, versions 1, flexible 1+.

Generated from protocol_specs/076_share_group_heartbeat.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class TopicPartitions(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class Assignment(Struct):
    __slots__ = ("topic_partitions",)

    def __init__(
        self,
        topic_partitions: Sequence[TopicPartitions] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_partitions: Final = topic_partitions
        self.unknown_tags = unknown_tags


class ShareGroupHeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "member_id", "member_epoch", "heartbeat_interval_ms", "assignment")

    SCHEMA: ClassVar = MessageSchema(
        "ShareGroupHeartbeatResponse",
        Versions(1, 1),
        Versions(1, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS),
            Field("member_id", "string", nullable=ALWAYS),
            Field("member_epoch", "int32", default=0),
            Field("heartbeat_interval_ms", "int32", default=0),
            Field("assignment", "Assignment", nullable=ALWAYS),
        ),
        (
            StructSchema(
                "TopicPartitions",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "Assignment",
                (
                    Field("topic_partitions", "TopicPartitions", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicPartitions": TopicPartitions, "Assignment": Assignment}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str | None = None,
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        assignment: Assignment | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.heartbeat_interval_ms: Final = heartbeat_interval_ms
        self.assignment: Final = assignment
        self.unknown_tags = unknown_tags
