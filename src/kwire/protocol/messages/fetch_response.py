"""FetchResponse: API key 1, versions 4-18, flexible 12+.

Generated from protocol_specs/001_fetch.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Records, Struct, StructSchema, Tags, Versions, ZERO_UUID


class EpochEndOffset(Struct):
    __slots__ = ("epoch", "end_offset")

    def __init__(
        self,
        epoch: int = -1,
        end_offset: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.epoch: Final = epoch
        self.end_offset: Final = end_offset
        self.unknown_tags = unknown_tags


EpochEndOffset.DEFAULT = EpochEndOffset()


class LeaderIdAndEpoch(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(
        self,
        leader_id: int = -1,
        leader_epoch: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch
        self.unknown_tags = unknown_tags


LeaderIdAndEpoch.DEFAULT = LeaderIdAndEpoch()


class SnapshotId(Struct):
    __slots__ = ("end_offset", "epoch")

    def __init__(
        self,
        end_offset: int = -1,
        epoch: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.end_offset: Final = end_offset
        self.epoch: Final = epoch
        self.unknown_tags = unknown_tags


SnapshotId.DEFAULT = SnapshotId()


class AbortedTransaction(Struct):
    __slots__ = ("producer_id", "first_offset")

    def __init__(
        self,
        producer_id: int = 0,
        first_offset: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.producer_id: Final = producer_id
        self.first_offset: Final = first_offset
        self.unknown_tags = unknown_tags


class PartitionData(Struct):
    __slots__ = ("partition_index", "error_code", "high_watermark", "last_stable_offset", "log_start_offset", "diverging_epoch", "current_leader", "snapshot_id", "aborted_transactions", "preferred_read_replica", "records")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        high_watermark: int = 0,
        last_stable_offset: int = -1,
        log_start_offset: int = -1,
        diverging_epoch: EpochEndOffset = EpochEndOffset.DEFAULT,
        current_leader: LeaderIdAndEpoch = LeaderIdAndEpoch.DEFAULT,
        snapshot_id: SnapshotId = SnapshotId.DEFAULT,
        aborted_transactions: Sequence[AbortedTransaction] | None = (),
        preferred_read_replica: int = -1,
        records: Records | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.high_watermark: Final = high_watermark
        self.last_stable_offset: Final = last_stable_offset
        self.log_start_offset: Final = log_start_offset
        self.diverging_epoch: Final = diverging_epoch
        self.current_leader: Final = current_leader
        self.snapshot_id: Final = snapshot_id
        self.aborted_transactions: Final = aborted_transactions
        self.preferred_read_replica: Final = preferred_read_replica
        self.records: Final = records
        self.unknown_tags = unknown_tags


class FetchableTopicResponse(Struct):
    __slots__ = ("topic", "topic_id", "partitions")

    def __init__(
        self,
        topic: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class NodeEndpoint(Struct):
    __slots__ = ("node_id", "host", "port", "rack")

    def __init__(
        self,
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        rack: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.node_id: Final = node_id
        self.host: Final = host
        self.port: Final = port
        self.rack: Final = rack
        self.unknown_tags = unknown_tags


class FetchResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "session_id", "responses", "node_endpoints")

    SCHEMA: ClassVar = MessageSchema(
        "FetchResponse",
        Versions(4, 18),
        Versions(12, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0, ignorable=True),
            Field("error_code", "int16", versions=Versions(7, LATEST), default=0, ignorable=True),
            Field("session_id", "int32", versions=Versions(7, LATEST), default=0),
            Field("responses", "FetchableTopicResponse", array=True, default=()),
            Field("node_endpoints", "NodeEndpoint", array=True, versions=Versions(16, LATEST), tag=0, default=()),
        ),
        (
            StructSchema(
                "EpochEndOffset",
                (
                    Field("epoch", "int32", default=-1),
                    Field("end_offset", "int64", default=-1),
                ),
            ),
            StructSchema(
                "LeaderIdAndEpoch",
                (
                    Field("leader_id", "int32", default=-1),
                    Field("leader_epoch", "int32", default=-1),
                ),
            ),
            StructSchema(
                "SnapshotId",
                (
                    Field("end_offset", "int64", default=-1),
                    Field("epoch", "int32", default=-1),
                ),
            ),
            StructSchema(
                "AbortedTransaction",
                (
                    Field("producer_id", "int64", default=0),
                    Field("first_offset", "int64", default=0),
                ),
            ),
            StructSchema(
                "PartitionData",
                (
                    Field("partition_index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("high_watermark", "int64", default=0),
                    Field("last_stable_offset", "int64", default=-1, ignorable=True),
                    Field("log_start_offset", "int64", versions=Versions(5, LATEST), default=-1, ignorable=True),
                    Field("diverging_epoch", "EpochEndOffset", versions=Versions(12, LATEST), tag=0, default=...),
                    Field("current_leader", "LeaderIdAndEpoch", versions=Versions(12, LATEST), tag=1, default=...),
                    Field("snapshot_id", "SnapshotId", versions=Versions(12, LATEST), tag=2, default=...),
                    Field("aborted_transactions", "AbortedTransaction", array=True, nullable=ALWAYS, default=(), ignorable=True),
                    Field("preferred_read_replica", "int32", versions=Versions(11, LATEST), default=-1),
                    Field("records", "records", nullable=ALWAYS),
                ),
            ),
            StructSchema(
                "FetchableTopicResponse",
                (
                    Field("topic", "string", versions=Versions(4, 12), default="", ignorable=True),
                    Field("topic_id", "uuid", versions=Versions(13, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("partitions", "PartitionData", array=True, default=()),
                ),
            ),
            StructSchema(
                "NodeEndpoint",
                (
                    Field("node_id", "int32", default=0, key=True),
                    Field("host", "string", default=""),
                    Field("port", "int32", default=0),
                    Field("rack", "string", nullable=ALWAYS),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"EpochEndOffset": EpochEndOffset, "LeaderIdAndEpoch": LeaderIdAndEpoch, "SnapshotId": SnapshotId, "AbortedTransaction": AbortedTransaction, "PartitionData": PartitionData, "FetchableTopicResponse": FetchableTopicResponse, "NodeEndpoint": NodeEndpoint}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        session_id: int = 0,
        responses: Sequence[FetchableTopicResponse] = (),
        node_endpoints: Sequence[NodeEndpoint] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.session_id: Final = session_id
        self.responses: Final = responses
        self.node_endpoints: Final = node_endpoints
        self.unknown_tags = unknown_tags
