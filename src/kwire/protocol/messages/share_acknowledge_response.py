"""ShareAcknowledgeResponse: API key 79, versions 1-2, flexible 1+.

Generated from protocol_specs/079_share_acknowledge.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class LeaderIdAndEpoch(Struct):
    __slots__ = ("leader_id", "leader_epoch")

    def __init__(
        self,
        leader_id: int = 0,
        leader_epoch: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch
        self.unknown_tags = unknown_tags


LeaderIdAndEpoch.DEFAULT = LeaderIdAndEpoch()


class PartitionData(Struct):
    __slots__ = ("partition_index", "error_code", "error_message", "current_leader")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        current_leader: LeaderIdAndEpoch = LeaderIdAndEpoch.DEFAULT,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.current_leader: Final = current_leader
        self.unknown_tags = unknown_tags


class ShareAcknowledgeTopicResponse(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
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


class ShareAcknowledgeResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "acquisition_lock_timeout_ms", "responses", "node_endpoints")

    SCHEMA: ClassVar = MessageSchema(
        "ShareAcknowledgeResponse",
        Versions(1, 2),
        Versions(1, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS),
            Field("acquisition_lock_timeout_ms", "int32", versions=Versions(2, LATEST), default=0, ignorable=True),
            Field("responses", "ShareAcknowledgeTopicResponse", array=True, default=()),
            Field("node_endpoints", "NodeEndpoint", array=True, default=()),
        ),
        (
            StructSchema(
                "LeaderIdAndEpoch",
                (
                    Field("leader_id", "int32", default=0),
                    Field("leader_epoch", "int32", default=0),
                ),
            ),
            StructSchema(
                "PartitionData",
                (
                    Field("partition_index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                    Field("current_leader", "LeaderIdAndEpoch", default=...),
                ),
            ),
            StructSchema(
                "ShareAcknowledgeTopicResponse",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID, key=True),
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
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"LeaderIdAndEpoch": LeaderIdAndEpoch, "PartitionData": PartitionData, "ShareAcknowledgeTopicResponse": ShareAcknowledgeTopicResponse, "NodeEndpoint": NodeEndpoint}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        acquisition_lock_timeout_ms: int = 0,
        responses: Sequence[ShareAcknowledgeTopicResponse] = (),
        node_endpoints: Sequence[NodeEndpoint] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.acquisition_lock_timeout_ms: Final = acquisition_lock_timeout_ms
        self.responses: Final = responses
        self.node_endpoints: Final = node_endpoints
        self.unknown_tags = unknown_tags
