"""StreamsGroupHeartbeatRequest: API key 88, versions 0, flexible 0+.

Generated from protocol_specs/088_streams_group_heartbeat.kspec by `make generate`; do not edit.
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


class CopartitionGroup(Struct):
    __slots__ = ("source_topics", "source_topic_regex", "repartition_source_topics")

    def __init__(
        self,
        source_topics: Sequence[int] = (),
        source_topic_regex: Sequence[int] = (),
        repartition_source_topics: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.source_topics: Final = source_topics
        self.source_topic_regex: Final = source_topic_regex
        self.repartition_source_topics: Final = repartition_source_topics
        self.unknown_tags = unknown_tags


class Subtopology(Struct):
    __slots__ = ("subtopology_id", "source_topics", "source_topic_regex", "state_changelog_topics", "repartition_sink_topics", "repartition_source_topics", "copartition_groups")

    def __init__(
        self,
        subtopology_id: str = "",
        source_topics: Sequence[str] = (),
        source_topic_regex: Sequence[str] = (),
        state_changelog_topics: Sequence[TopicInfo] = (),
        repartition_sink_topics: Sequence[str] = (),
        repartition_source_topics: Sequence[TopicInfo] = (),
        copartition_groups: Sequence[CopartitionGroup] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.source_topics: Final = source_topics
        self.source_topic_regex: Final = source_topic_regex
        self.state_changelog_topics: Final = state_changelog_topics
        self.repartition_sink_topics: Final = repartition_sink_topics
        self.repartition_source_topics: Final = repartition_source_topics
        self.copartition_groups: Final = copartition_groups
        self.unknown_tags = unknown_tags


class Topology(Struct):
    __slots__ = ("epoch", "subtopologies")

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: Sequence[Subtopology] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.epoch: Final = epoch
        self.subtopologies: Final = subtopologies
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


class StreamsGroupHeartbeatRequest(Message):
    __slots__ = ("group_id", "member_id", "member_epoch", "endpoint_information_epoch", "instance_id", "rack_id", "rebalance_timeout_ms", "topology", "active_tasks", "standby_tasks", "warmup_tasks", "process_id", "user_endpoint", "client_tags", "task_offsets", "task_end_offsets", "shutdown_application")

    SCHEMA: ClassVar = MessageSchema(
        "StreamsGroupHeartbeatRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("group_id", "string", default=""),
            Field("member_id", "string", default=""),
            Field("member_epoch", "int32", default=0),
            Field("endpoint_information_epoch", "int32", default=0),
            Field("instance_id", "string", nullable=ALWAYS),
            Field("rack_id", "string", nullable=ALWAYS),
            Field("rebalance_timeout_ms", "int32", default=-1),
            Field("topology", "Topology", nullable=ALWAYS),
            Field("active_tasks", "TaskIds", array=True, nullable=ALWAYS),
            Field("standby_tasks", "TaskIds", array=True, nullable=ALWAYS),
            Field("warmup_tasks", "TaskIds", array=True, nullable=ALWAYS),
            Field("process_id", "string", nullable=ALWAYS),
            Field("user_endpoint", "Endpoint", nullable=ALWAYS),
            Field("client_tags", "KeyValue", array=True, nullable=ALWAYS),
            Field("task_offsets", "TaskOffset", array=True, nullable=ALWAYS),
            Field("task_end_offsets", "TaskOffset", array=True, nullable=ALWAYS),
            Field("shutdown_application", "bool", default=False),
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
                "CopartitionGroup",
                (
                    Field("source_topics", "int16", array=True, default=()),
                    Field("source_topic_regex", "int16", array=True, default=()),
                    Field("repartition_source_topics", "int16", array=True, default=()),
                ),
            ),
            StructSchema(
                "Subtopology",
                (
                    Field("subtopology_id", "string", default=""),
                    Field("source_topics", "string", array=True, default=()),
                    Field("source_topic_regex", "string", array=True, default=()),
                    Field("state_changelog_topics", "TopicInfo", array=True, default=()),
                    Field("repartition_sink_topics", "string", array=True, default=()),
                    Field("repartition_source_topics", "TopicInfo", array=True, default=()),
                    Field("copartition_groups", "CopartitionGroup", array=True, default=()),
                ),
            ),
            StructSchema(
                "Topology",
                (
                    Field("epoch", "int32", default=0),
                    Field("subtopologies", "Subtopology", array=True, default=()),
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
                "TaskOffset",
                (
                    Field("subtopology_id", "string", default=""),
                    Field("partition", "int32", default=0),
                    Field("offset", "int64", default=0),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"KeyValue": KeyValue, "TopicInfo": TopicInfo, "CopartitionGroup": CopartitionGroup, "Subtopology": Subtopology, "Topology": Topology, "TaskIds": TaskIds, "Endpoint": Endpoint, "TaskOffset": TaskOffset}

    def __init__(
        self,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        endpoint_information_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        topology: Topology | None = None,
        active_tasks: Sequence[TaskIds] | None = None,
        standby_tasks: Sequence[TaskIds] | None = None,
        warmup_tasks: Sequence[TaskIds] | None = None,
        process_id: str | None = None,
        user_endpoint: Endpoint | None = None,
        client_tags: Sequence[KeyValue] | None = None,
        task_offsets: Sequence[TaskOffset] | None = None,
        task_end_offsets: Sequence[TaskOffset] | None = None,
        shutdown_application: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.endpoint_information_epoch: Final = endpoint_information_epoch
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.rebalance_timeout_ms: Final = rebalance_timeout_ms
        self.topology: Final = topology
        self.active_tasks: Final = active_tasks
        self.standby_tasks: Final = standby_tasks
        self.warmup_tasks: Final = warmup_tasks
        self.process_id: Final = process_id
        self.user_endpoint: Final = user_endpoint
        self.client_tags: Final = client_tags
        self.task_offsets: Final = task_offsets
        self.task_end_offsets: Final = task_end_offsets
        self.shutdown_application: Final = shutdown_application
        self.unknown_tags = unknown_tags
