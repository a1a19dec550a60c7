"""ProduceResponse: API key 0, versions 3-13, flexible 9+.

Generated from protocol_specs/000_produce.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class BatchIndexAndErrorMessage(Struct):
    __slots__ = ("batch_index", "batch_index_error_message")

    def __init__(
        self,
        batch_index: int = 0,
        batch_index_error_message: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.batch_index: Final = batch_index
        self.batch_index_error_message: Final = batch_index_error_message
        self.unknown_tags = unknown_tags


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


class PartitionProduceResponse(Struct):
    __slots__ = ("index", "error_code", "base_offset", "log_append_time_ms", "log_start_offset", "record_errors", "error_message", "current_leader")

    def __init__(
        self,
        index: int = 0,
        error_code: int = 0,
        base_offset: int = 0,
        log_append_time_ms: int = -1,
        log_start_offset: int = -1,
        record_errors: Sequence[BatchIndexAndErrorMessage] = (),
        error_message: str | None = None,
        current_leader: LeaderIdAndEpoch = LeaderIdAndEpoch.DEFAULT,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.index: Final = index
        self.error_code: Final = error_code
        self.base_offset: Final = base_offset
        self.log_append_time_ms: Final = log_append_time_ms
        self.log_start_offset: Final = log_start_offset
        self.record_errors: Final = record_errors
        self.error_message: Final = error_message
        self.current_leader: Final = current_leader
        self.unknown_tags = unknown_tags


class TopicProduceResponse(Struct):
    __slots__ = ("name", "topic_id", "partition_responses")

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partition_responses: Sequence[PartitionProduceResponse] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partition_responses: Final = partition_responses
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


class ProduceResponse(Message):
    __slots__ = ("responses", "throttle_time_ms", "node_endpoints")

    SCHEMA: ClassVar = MessageSchema(
        "ProduceResponse",
        Versions(3, 13),
        Versions(9, LATEST),
        (
            Field("responses", "TopicProduceResponse", array=True, default=()),
            Field("throttle_time_ms", "int32", default=0, ignorable=True),
            Field("node_endpoints", "NodeEndpoint", array=True, versions=Versions(10, LATEST), tag=0, default=()),
        ),
        (
            StructSchema(
                "BatchIndexAndErrorMessage",
                (
                    Field("batch_index", "int32", default=0),
                    Field("batch_index_error_message", "string", nullable=ALWAYS),
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
                "PartitionProduceResponse",
                (
                    Field("index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("base_offset", "int64", default=0),
                    Field("log_append_time_ms", "int64", default=-1, ignorable=True),
                    Field("log_start_offset", "int64", versions=Versions(5, LATEST), default=-1, ignorable=True),
                    Field("record_errors", "BatchIndexAndErrorMessage", array=True, versions=Versions(8, LATEST), default=(), ignorable=True),
                    Field("error_message", "string", versions=Versions(8, LATEST), nullable=Versions(8, LATEST), ignorable=True),
                    Field("current_leader", "LeaderIdAndEpoch", versions=Versions(10, LATEST), tag=0, default=...),
                ),
            ),
            StructSchema(
                "TopicProduceResponse",
                (
                    Field("name", "string", versions=Versions(3, 12), default="", ignorable=True, key=True),
                    Field("topic_id", "uuid", versions=Versions(13, LATEST), default=ZERO_UUID, ignorable=True, key=True),
                    Field("partition_responses", "PartitionProduceResponse", array=True, default=()),
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
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"BatchIndexAndErrorMessage": BatchIndexAndErrorMessage, "LeaderIdAndEpoch": LeaderIdAndEpoch, "PartitionProduceResponse": PartitionProduceResponse, "TopicProduceResponse": TopicProduceResponse, "NodeEndpoint": NodeEndpoint}

    def __init__(
        self,
        responses: Sequence[TopicProduceResponse] = (),
        throttle_time_ms: int = 0,
        node_endpoints: Sequence[NodeEndpoint] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.responses: Final = responses
        self.throttle_time_ms: Final = throttle_time_ms
        self.node_endpoints: Final = node_endpoints
        self.unknown_tags = unknown_tags
