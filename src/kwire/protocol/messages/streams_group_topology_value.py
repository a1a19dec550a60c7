"""StreamsGroupTopologyValue: record type 23, versions 0, flexible 0+.

Generated from protocol_specs/record_streams_group_topology.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class TopicConfig(Struct):
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
        topic_configs: Sequence[TopicConfig] = (),
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


class StreamsGroupTopologyValue(Message):
    __slots__ = ("epoch", "subtopologies")

    SCHEMA: ClassVar = MessageSchema(
        "StreamsGroupTopologyValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("epoch", "int32", default=0),
            Field("subtopologies", "Subtopology", array=True, default=()),
        ),
        (
            StructSchema(
                "TopicConfig",
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
                    Field("topic_configs", "TopicConfig", array=True, default=()),
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
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicConfig": TopicConfig, "TopicInfo": TopicInfo, "CopartitionGroup": CopartitionGroup, "Subtopology": Subtopology}

    def __init__(
        self,
        epoch: int = 0,
        subtopologies: Sequence[Subtopology] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.epoch: Final = epoch
        self.subtopologies: Final = subtopologies
        self.unknown_tags = unknown_tags
