"""StreamsGroupHeartbeatResponse: API key 88, versions 0, flexible 0+.

Generated from protocol_specs/088_streams_group_heartbeat.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class Status(Struct):
    __slots__ = ("status_code", "status_detail")

    def __init__(
        self,
        status_code: int = 0,
        status_detail: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.status_code: Final = status_code
        self.status_detail: Final = status_detail
        self.unknown_tags = unknown_tags


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


class Endpoint(Struct):
    __slots__ = ("host", "port")

    def __init__(
        self,
        host: str = "",
        port: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.host: Final = host
        self.port: Final = port
        self.unknown_tags = unknown_tags


Endpoint.DEFAULT = Endpoint()


class TopicPartition(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = "",
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class EndpointToPartitions(Struct):
    __slots__ = ("user_endpoint", "active_partitions", "standby_partitions")

    def __init__(
        self,
        user_endpoint: Endpoint = Endpoint.DEFAULT,
        active_partitions: Sequence[TopicPartition] = (),
        standby_partitions: Sequence[TopicPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.user_endpoint: Final = user_endpoint
        self.active_partitions: Final = active_partitions
        self.standby_partitions: Final = standby_partitions
        self.unknown_tags = unknown_tags


class StreamsGroupHeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "member_id", "member_epoch", "heartbeat_interval_ms", "acceptable_recovery_lag", "task_offset_interval_ms", "status", "active_tasks", "standby_tasks", "warmup_tasks", "endpoint_information_epoch", "partitions_by_user_endpoint")

    SCHEMA: ClassVar = MessageSchema(
        "StreamsGroupHeartbeatResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS),
            Field("member_id", "string", default=""),
            Field("member_epoch", "int32", default=0),
            Field("heartbeat_interval_ms", "int32", default=0),
            Field("acceptable_recovery_lag", "int32", default=0),
            Field("task_offset_interval_ms", "int32", default=0),
            Field("status", "Status", array=True, nullable=ALWAYS, default=()),
            Field("active_tasks", "TaskIds", array=True, nullable=ALWAYS),
            Field("standby_tasks", "TaskIds", array=True, nullable=ALWAYS),
            Field("warmup_tasks", "TaskIds", array=True, nullable=ALWAYS),
            Field("endpoint_information_epoch", "int32", default=0),
            Field("partitions_by_user_endpoint", "EndpointToPartitions", array=True, nullable=ALWAYS),
        ),
        (
            StructSchema(
                "Status",
                (
                    Field("status_code", "int8", default=0),
                    Field("status_detail", "string", default=""),
                ),
            ),
            StructSchema(
                "TaskIds",
                (
                    Field("subtopology_id", "string", default=""),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "Endpoint",
                (
                    Field("host", "string", default=""),
                    Field("port", "uint16", default=0),
                ),
            ),
            StructSchema(
                "TopicPartition",
                (
                    Field("topic", "string", default=""),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "EndpointToPartitions",
                (
                    Field("user_endpoint", "Endpoint", default=...),
                    Field("active_partitions", "TopicPartition", array=True, default=()),
                    Field("standby_partitions", "TopicPartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"Status": Status, "TaskIds": TaskIds, "Endpoint": Endpoint, "TopicPartition": TopicPartition, "EndpointToPartitions": EndpointToPartitions}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str = "",
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        acceptable_recovery_lag: int = 0,
        task_offset_interval_ms: int = 0,
        status: Sequence[Status] | None = (),
        active_tasks: Sequence[TaskIds] | None = None,
        standby_tasks: Sequence[TaskIds] | None = None,
        warmup_tasks: Sequence[TaskIds] | None = None,
        endpoint_information_epoch: int = 0,
        partitions_by_user_endpoint: Sequence[EndpointToPartitions] | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.heartbeat_interval_ms: Final = heartbeat_interval_ms
        self.acceptable_recovery_lag: Final = acceptable_recovery_lag
        self.task_offset_interval_ms: Final = task_offset_interval_ms
        self.status: Final = status
        self.active_tasks: Final = active_tasks
        self.standby_tasks: Final = standby_tasks
        self.warmup_tasks: Final = warmup_tasks
        self.endpoint_information_epoch: Final = endpoint_information_epoch
        self.partitions_by_user_endpoint: Final = partitions_by_user_endpoint
        self.unknown_tags = unknown_tags
