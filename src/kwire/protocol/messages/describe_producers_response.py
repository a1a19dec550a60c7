"""DescribeProducersResponse: API key 61, versions 0, flexible 0+.

Generated from protocol_specs/061_describe_producers.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ProducerState(Struct):
    __slots__ = ("producer_id", "producer_epoch", "last_sequence", "last_timestamp", "coordinator_epoch", "current_txn_start_offset")

    def __init__(
        self,
        producer_id: int = 0,
        producer_epoch: int = 0,
        last_sequence: int = -1,
        last_timestamp: int = -1,
        coordinator_epoch: int = 0,
        current_txn_start_offset: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.last_sequence: Final = last_sequence
        self.last_timestamp: Final = last_timestamp
        self.coordinator_epoch: Final = coordinator_epoch
        self.current_txn_start_offset: Final = current_txn_start_offset
        self.unknown_tags = unknown_tags


class PartitionResponse(Struct):
    __slots__ = ("partition_index", "error_code", "error_message", "active_producers")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        active_producers: Sequence[ProducerState] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.active_producers: Final = active_producers
        self.unknown_tags = unknown_tags


class TopicResponse(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[PartitionResponse] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class DescribeProducersResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeProducersResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("topics", "TopicResponse", array=True, default=()),
        ),
        (
            StructSchema(
                "ProducerState",
                (
                    Field("producer_id", "int64", default=0),
                    Field("producer_epoch", "int32", default=0),
                    Field("last_sequence", "int32", default=-1),
                    Field("last_timestamp", "int64", default=-1),
                    Field("coordinator_epoch", "int32", default=0),
                    Field("current_txn_start_offset", "int64", default=-1),
                ),
            ),
            StructSchema(
                "PartitionResponse",
                (
                    Field("partition_index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                    Field("active_producers", "ProducerState", array=True, default=()),
                ),
            ),
            StructSchema(
                "TopicResponse",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "PartitionResponse", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ProducerState": ProducerState, "PartitionResponse": PartitionResponse, "TopicResponse": TopicResponse}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: Sequence[TopicResponse] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
