"""FetchRequest: API key 1, versions 4-18, flexible 12+.

Generated from protocol_specs/001_fetch.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class ReplicaState(Struct):
    __slots__ = ("replica_id", "replica_epoch")

    def __init__(
        self,
        replica_id: int = -1,
        replica_epoch: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.replica_id: Final = replica_id
        self.replica_epoch: Final = replica_epoch
        self.unknown_tags = unknown_tags


ReplicaState.DEFAULT = ReplicaState()


class FetchPartition(Struct):
    __slots__ = ("partition", "current_leader_epoch", "fetch_offset", "last_fetched_epoch", "log_start_offset", "partition_max_bytes", "replica_directory_id", "high_watermark")

    def __init__(
        self,
        partition: int = 0,
        current_leader_epoch: int = -1,
        fetch_offset: int = 0,
        last_fetched_epoch: int = -1,
        log_start_offset: int = -1,
        partition_max_bytes: int = 0,
        replica_directory_id: bytes = ZERO_UUID,
        high_watermark: int = 9223372036854775807,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition: Final = partition
        self.current_leader_epoch: Final = current_leader_epoch
        self.fetch_offset: Final = fetch_offset
        self.last_fetched_epoch: Final = last_fetched_epoch
        self.log_start_offset: Final = log_start_offset
        self.partition_max_bytes: Final = partition_max_bytes
        self.replica_directory_id: Final = replica_directory_id
        self.high_watermark: Final = high_watermark
        self.unknown_tags = unknown_tags


class FetchTopic(Struct):
    __slots__ = ("topic", "topic_id", "partitions")

    def __init__(
        self,
        topic: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[FetchPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class ForgottenTopic(Struct):
    __slots__ = ("topic", "topic_id", "partitions")

    def __init__(
        self,
        topic: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class FetchRequest(Message):
    __slots__ = ("cluster_id", "replica_id", "replica_state", "max_wait_ms", "min_bytes", "max_bytes", "isolation_level", "session_id", "session_epoch", "topics", "forgotten_topics_data", "rack_id")

    SCHEMA: ClassVar = MessageSchema(
        "FetchRequest",
        Versions(4, 18),
        Versions(12, LATEST),
        (
            Field("cluster_id", "string", versions=Versions(12, LATEST), nullable=Versions(12, LATEST), tag=0, ignorable=True),
            Field("replica_id", "int32", versions=Versions(4, 14), default=-1),
            Field("replica_state", "ReplicaState", versions=Versions(15, LATEST), tag=1, default=...),
            Field("max_wait_ms", "int32", default=0),
            Field("min_bytes", "int32", default=0),
            Field("max_bytes", "int32", default=2147483647, ignorable=True),
            Field("isolation_level", "int8", default=0, ignorable=True),
            Field("session_id", "int32", versions=Versions(7, LATEST), default=0, ignorable=True),
            Field("session_epoch", "int32", versions=Versions(7, LATEST), default=-1, ignorable=True),
            Field("topics", "FetchTopic", array=True, default=()),
            Field("forgotten_topics_data", "ForgottenTopic", array=True, versions=Versions(7, LATEST), default=()),
            Field("rack_id", "string", versions=Versions(11, LATEST), default="", ignorable=True),
        ),
        (
            StructSchema(
                "ReplicaState",
                (
                    Field("replica_id", "int32", default=-1),
                    Field("replica_epoch", "int64", default=-1),
                ),
            ),
            StructSchema(
                "FetchPartition",
                (
                    Field("partition", "int32", default=0),
                    Field("current_leader_epoch", "int32", versions=Versions(9, LATEST), default=-1, ignorable=True),
                    Field("fetch_offset", "int64", default=0),
                    Field("last_fetched_epoch", "int32", versions=Versions(12, LATEST), default=-1),
                    Field("log_start_offset", "int64", versions=Versions(5, LATEST), default=-1, ignorable=True),
                    Field("partition_max_bytes", "int32", default=0),
                    Field("replica_directory_id", "uuid", versions=Versions(17, LATEST), tag=0, default=ZERO_UUID, ignorable=True),
                    Field("high_watermark", "int64", versions=Versions(18, LATEST), tag=1, default=9223372036854775807, ignorable=True),
                ),
            ),
            StructSchema(
                "FetchTopic",
                (
                    Field("topic", "string", versions=Versions(4, 12), default="", ignorable=True),
                    Field("topic_id", "uuid", versions=Versions(13, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("partitions", "FetchPartition", array=True, default=()),
                ),
            ),
            StructSchema(
                "ForgottenTopic",
                (
                    Field("topic", "string", versions=Versions(7, 12), default="", ignorable=True),
                    Field("topic_id", "uuid", versions=Versions(13, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ReplicaState": ReplicaState, "FetchPartition": FetchPartition, "FetchTopic": FetchTopic, "ForgottenTopic": ForgottenTopic}

    def __init__(
        self,
        cluster_id: str | None = None,
        replica_id: int = -1,
        replica_state: ReplicaState = ReplicaState.DEFAULT,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        isolation_level: int = 0,
        session_id: int = 0,
        session_epoch: int = -1,
        topics: Sequence[FetchTopic] = (),
        forgotten_topics_data: Sequence[ForgottenTopic] = (),
        rack_id: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.cluster_id: Final = cluster_id
        self.replica_id: Final = replica_id
        self.replica_state: Final = replica_state
        self.max_wait_ms: Final = max_wait_ms
        self.min_bytes: Final = min_bytes
        self.max_bytes: Final = max_bytes
        self.isolation_level: Final = isolation_level
        self.session_id: Final = session_id
        self.session_epoch: Final = session_epoch
        self.topics: Final = topics
        self.forgotten_topics_data: Final = forgotten_topics_data
        self.rack_id: Final = rack_id
        self.unknown_tags = unknown_tags
