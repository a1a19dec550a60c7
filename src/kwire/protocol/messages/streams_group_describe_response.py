"""StreamsGroupDescribeResponse: API key 89, versions 0, flexible 0+.

Generated from protocol_specs/089_streams_group_describe.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class KeyValue(Struct):
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


class TopicInfo(Struct):
    __slots__ = ("name", "partitions", "replication_factor", "topic_configs")

    def __init__(
        self,
        name: str = "",
        partitions: int = 0,
        replication_factor: int = 0,
        topic_configs: Sequence[KeyValue] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.replication_factor: Final = replication_factor
        self.topic_configs: Final = topic_configs
        self.unknown_tags = unknown_tags


class Subtopology(Struct):
    __slots__ = ("subtopology_id", "source_topics", "repartition_sink_topics", "state_changelog_topics", "repartition_source_topics")

    def __init__(
        self,
        subtopology_id: str = "",
        source_topics: Sequence[str] = (),
        repartition_sink_topics: Sequence[str] = (),
        state_changelog_topics: Sequence[TopicInfo] = (),
        repartition_source_topics: Sequence[TopicInfo] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.source_topics: Final = source_topics
        self.repartition_sink_topics: Final = repartition_sink_topics
        self.state_changelog_topics: Final = state_changelog_topics
        self.repartition_source_topics: Final = repartition_source_topics
        self.unknown_tags = unknown_tags


class Topology(Struct):
    __slots__ = ("epoch", "subtopologies")

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: Sequence[Subtopology] | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.epoch: Final = epoch
        self.subtopologies: Final = subtopologies
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


class TaskOffset(Struct):
    __slots__ = ("subtopology_id", "partition", "offset")

    def __init__(
        self,
        subtopology_id: str = "",
        partition: int = 0,
        offset: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.partition: Final = partition
        self.offset: Final = offset
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


class Assignment(Struct):
    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks")

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


Assignment.DEFAULT = Assignment()


class Member(Struct):
    __slots__ = ("member_id", "member_epoch", "instance_id", "rack_id", "client_id", "client_host", "topology_epoch", "process_id", "user_endpoint", "client_tags", "task_offsets", "task_end_offsets", "assignment", "target_assignment", "is_classic")

    def __init__(
        self,
        member_id: str = "",
        member_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        topology_epoch: int = 0,
        process_id: str = "",
        user_endpoint: Endpoint | None = None,
        client_tags: Sequence[KeyValue] = (),
        task_offsets: Sequence[TaskOffset] = (),
        task_end_offsets: Sequence[TaskOffset] = (),
        assignment: Assignment = Assignment.DEFAULT,
        target_assignment: Assignment = Assignment.DEFAULT,
        is_classic: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.topology_epoch: Final = topology_epoch
        self.process_id: Final = process_id
        self.user_endpoint: Final = user_endpoint
        self.client_tags: Final = client_tags
        self.task_offsets: Final = task_offsets
        self.task_end_offsets: Final = task_end_offsets
        self.assignment: Final = assignment
        self.target_assignment: Final = target_assignment
        self.is_classic: Final = is_classic
        self.unknown_tags = unknown_tags


class DescribedGroup(Struct):
    __slots__ = ("error_code", "error_message", "group_id", "group_state", "group_epoch", "assignment_epoch", "topology", "members", "authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = "",
        group_state: str = "",
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        topology: Topology | None = None,
        members: Sequence[Member] = (),
        authorized_operations: int = -2147483648,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.group_id: Final = group_id
        self.group_state: Final = group_state
        self.group_epoch: Final = group_epoch
        self.assignment_epoch: Final = assignment_epoch
        self.topology: Final = topology
        self.members: Final = members
        self.authorized_operations: Final = authorized_operations
        self.unknown_tags = unknown_tags


class StreamsGroupDescribeResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")

    SCHEMA: ClassVar = MessageSchema(
        "StreamsGroupDescribeResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("groups", "DescribedGroup", array=True, default=()),
        ),
        (
            StructSchema(
                "KeyValue",
                (
                    Field("key", "string", default=""),
                    Field("value", "string", default=""),
                ),
            ),
            StructSchema(
                "TopicInfo",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "int32", default=0),
                    Field("replication_factor", "int16", default=0),
                    Field("topic_configs", "KeyValue", array=True, default=()),
                ),
            ),
            StructSchema(
                "Subtopology",
                (
                    Field("subtopology_id", "string", default=""),
                    Field("source_topics", "string", array=True, default=()),
                    Field("repartition_sink_topics", "string", array=True, default=()),
                    Field("state_changelog_topics", "TopicInfo", array=True, default=()),
                    Field("repartition_source_topics", "TopicInfo", array=True, default=()),
                ),
            ),
            StructSchema(
                "Topology",
                (
                    Field("epoch", "int32", default=0),
                    Field("subtopologies", "Subtopology", array=True, nullable=ALWAYS),
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
                "TaskOffset",
                (
                    Field("subtopology_id", "string", default=""),
                    Field("partition", "int32", default=0),
                    Field("offset", "int64", default=0),
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
                "Assignment",
                (
                    Field("active_tasks", "TaskIds", array=True, default=()),
                    Field("standby_tasks", "TaskIds", array=True, default=()),
                    Field("warmup_tasks", "TaskIds", array=True, default=()),
                ),
            ),
            StructSchema(
                "Member",
                (
                    Field("member_id", "string", default=""),
                    Field("member_epoch", "int32", default=0),
                    Field("instance_id", "string", nullable=ALWAYS),
                    Field("rack_id", "string", nullable=ALWAYS),
                    Field("client_id", "string", default=""),
                    Field("client_host", "string", default=""),
                    Field("topology_epoch", "int32", default=0),
                    Field("process_id", "string", default=""),
                    Field("user_endpoint", "Endpoint", nullable=ALWAYS),
                    Field("client_tags", "KeyValue", array=True, default=()),
                    Field("task_offsets", "TaskOffset", array=True, default=()),
                    Field("task_end_offsets", "TaskOffset", array=True, default=()),
                    Field("assignment", "Assignment", default=...),
                    Field("target_assignment", "Assignment", default=...),
                    Field("is_classic", "bool", default=False),
                ),
            ),
            StructSchema(
                "DescribedGroup",
                (
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                    Field("group_id", "string", default=""),
                    Field("group_state", "string", default=""),
                    Field("group_epoch", "int32", default=0),
                    Field("assignment_epoch", "int32", default=0),
                    Field("topology", "Topology", nullable=ALWAYS),
                    Field("members", "Member", array=True, default=()),
                    Field("authorized_operations", "int32", default=-2147483648),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"KeyValue": KeyValue, "TopicInfo": TopicInfo, "Subtopology": Subtopology, "Topology": Topology, "Endpoint": Endpoint, "TaskOffset": TaskOffset, "TaskIds": TaskIds, "Assignment": Assignment, "Member": Member, "DescribedGroup": DescribedGroup}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: Sequence[DescribedGroup] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.groups: Final = groups
        self.unknown_tags = unknown_tags
