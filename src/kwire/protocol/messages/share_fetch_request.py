"""ShareFetchRequest: API key 78, versions 1-2, flexible 1+.

Generated from protocol_specs/078_share_fetch.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class AcknowledgementBatch(Struct):
    __slots__ = ("first_offset", "last_offset", "acknowledge_types")

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        acknowledge_types: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.first_offset: Final = first_offset
        self.last_offset: Final = last_offset
        self.acknowledge_types: Final = acknowledge_types
        self.unknown_tags = unknown_tags


class FetchPartition(Struct):
    __slots__ = ("partition_index", "acknowledgement_batches")

    def __init__(
        self,
        partition_index: int = 0,
        acknowledgement_batches: Sequence[AcknowledgementBatch] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.acknowledgement_batches: Final = acknowledgement_batches
        self.unknown_tags = unknown_tags


class FetchTopic(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[FetchPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class ForgottenTopic(Struct):
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


class ShareFetchRequest(Message):
    __slots__ = ("group_id", "member_id", "share_session_epoch", "max_wait_ms", "min_bytes", "max_bytes", "max_records", "batch_size", "share_acquire_mode", "is_renew_ack", "topics", "forgotten_topics_data")

    SCHEMA: ClassVar = MessageSchema(
        "ShareFetchRequest",
        Versions(1, 2),
        Versions(1, LATEST),
        (
            Field("group_id", "string", nullable=ALWAYS),
            Field("member_id", "string", nullable=ALWAYS, default=""),
            Field("share_session_epoch", "int32", default=0),
            Field("max_wait_ms", "int32", default=0),
            Field("min_bytes", "int32", default=0),
            Field("max_bytes", "int32", default=2147483647),
            Field("max_records", "int32", default=0),
            Field("batch_size", "int32", default=0),
            Field("share_acquire_mode", "int8", versions=Versions(2, LATEST), default=0, ignorable=True),
            Field("is_renew_ack", "bool", versions=Versions(2, LATEST), default=False),
            Field("topics", "FetchTopic", array=True, default=()),
            Field("forgotten_topics_data", "ForgottenTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "AcknowledgementBatch",
                (
                    Field("first_offset", "int64", default=0),
                    Field("last_offset", "int64", default=0),
                    Field("acknowledge_types", "int8", array=True, default=()),
                ),
            ),
            StructSchema(
                "FetchPartition",
                (
                    Field("partition_index", "int32", default=0, key=True),
                    Field("acknowledgement_batches", "AcknowledgementBatch", array=True, default=()),
                ),
            ),
            StructSchema(
                "FetchTopic",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID, key=True),
                    Field("partitions", "FetchPartition", array=True, default=()),
                ),
            ),
            StructSchema(
                "ForgottenTopic",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AcknowledgementBatch": AcknowledgementBatch, "FetchPartition": FetchPartition, "FetchTopic": FetchTopic, "ForgottenTopic": ForgottenTopic}

    def __init__(
        self,
        group_id: str | None = None,
        member_id: str | None = "",
        share_session_epoch: int = 0,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        max_records: int = 0,
        batch_size: int = 0,
        share_acquire_mode: int = 0,
        is_renew_ack: bool = False,
        topics: Sequence[FetchTopic] = (),
        forgotten_topics_data: Sequence[ForgottenTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.share_session_epoch: Final = share_session_epoch
        self.max_wait_ms: Final = max_wait_ms
        self.min_bytes: Final = min_bytes
        self.max_bytes: Final = max_bytes
        self.max_records: Final = max_records
        self.batch_size: Final = batch_size
        self.share_acquire_mode: Final = share_acquire_mode
        self.is_renew_ack: Final = is_renew_ack
        self.topics: Final = topics
        self.forgotten_topics_data: Final = forgotten_topics_data
        self.unknown_tags = unknown_tags
