"""ProduceRequest: API key 0, versions 3-13, flexible 9+.

Generated from protocol_specs/000_produce.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Records, Struct, StructSchema, Tags, Versions, ZERO_UUID


class PartitionProduceData(Struct):
    __slots__ = ("index", "records")

    def __init__(
        self,
        index: int = 0,
        records: Records | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.index: Final = index
        self.records: Final = records
        self.unknown_tags = unknown_tags


class TopicProduceData(Struct):
    __slots__ = ("name", "topic_id", "partition_data")

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partition_data: Sequence[PartitionProduceData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partition_data: Final = partition_data
        self.unknown_tags = unknown_tags


class ProduceRequest(Message):
    __slots__ = ("transactional_id", "acks", "timeout_ms", "topic_data")

    SCHEMA: ClassVar = MessageSchema(
        "ProduceRequest",
        Versions(3, 13),
        Versions(9, LATEST),
        (
            Field("transactional_id", "string", nullable=ALWAYS),
            Field("acks", "int16", default=0),
            Field("timeout_ms", "int32", default=0),
            Field("topic_data", "TopicProduceData", array=True, default=()),
        ),
        (
            StructSchema(
                "PartitionProduceData",
                (
                    Field("index", "int32", default=0),
                    Field("records", "records", nullable=ALWAYS),
                ),
            ),
            StructSchema(
                "TopicProduceData",
                (
                    Field("name", "string", versions=Versions(3, 12), default="", ignorable=True, key=True),
                    Field("topic_id", "uuid", versions=Versions(13, LATEST), default=ZERO_UUID, ignorable=True, key=True),
                    Field("partition_data", "PartitionProduceData", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionProduceData": PartitionProduceData, "TopicProduceData": TopicProduceData}

    def __init__(
        self,
        transactional_id: str | None = None,
        acks: int = 0,
        timeout_ms: int = 0,
        topic_data: Sequence[TopicProduceData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.acks: Final = acks
        self.timeout_ms: Final = timeout_ms
        self.topic_data: Final = topic_data
        self.unknown_tags = unknown_tags
