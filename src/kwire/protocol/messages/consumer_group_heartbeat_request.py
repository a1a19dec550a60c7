"""ConsumerGroupHeartbeatRequest: API key 68, versions 0-1, flexible 0+.

Generated from protocol_specs/068_consumer_group_heartbeat.kspec by `make generate`; do not edit.
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


class ConsumerGroupHeartbeatRequest(Message):
    __slots__ = ("group_id", "member_id", "member_epoch", "instance_id", "rack_id", "rebalance_timeout_ms", "subscribed_topic_names", "subscribed_topic_regex", "server_assignor", "topic_partitions")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupHeartbeatRequest",
        Versions(0, 1),
        ALWAYS,
        (
            Field("group_id", "string", default=""),
            Field("member_id", "string", default=""),
            Field("member_epoch", "int32", default=0),
            Field("instance_id", "string", nullable=ALWAYS),
            Field("rack_id", "string", nullable=ALWAYS),
            Field("rebalance_timeout_ms", "int32", default=-1),
            Field("subscribed_topic_names", "string", array=True, nullable=ALWAYS),
            Field("subscribed_topic_regex", "string", versions=Versions(1, LATEST), nullable=Versions(1, LATEST)),
            Field("server_assignor", "string", nullable=ALWAYS),
            Field("topic_partitions", "TopicPartitions", array=True, nullable=ALWAYS),
        ),
        (
            StructSchema(
                "TopicPartitions",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicPartitions": TopicPartitions}

    def __init__(
        self,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        subscribed_topic_names: Sequence[str] | None = None,
        subscribed_topic_regex: str | None = None,
        server_assignor: str | None = None,
        topic_partitions: Sequence[TopicPartitions] | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.rebalance_timeout_ms: Final = rebalance_timeout_ms
        self.subscribed_topic_names: Final = subscribed_topic_names
        self.subscribed_topic_regex: Final = subscribed_topic_regex
        self.server_assignor: Final = server_assignor
        self.topic_partitions: Final = topic_partitions
        self.unknown_tags = unknown_tags
