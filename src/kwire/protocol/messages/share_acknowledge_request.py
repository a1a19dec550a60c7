"""ShareAcknowledgeRequest: API key 79, versions 1-2, flexible 1+.

Generated from protocol_specs/079_share_acknowledge.kspec by `make generate`; do not edit.
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


class AcknowledgePartition(Struct):
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


class AcknowledgeTopic(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[AcknowledgePartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class ShareAcknowledgeRequest(Message):
    __slots__ = ("group_id", "member_id", "share_session_epoch", "is_renew_ack", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "ShareAcknowledgeRequest",
        Versions(1, 2),
        Versions(1, LATEST),
        (
            Field("group_id", "string", nullable=ALWAYS),
            Field("member_id", "string", nullable=ALWAYS, default=""),
            Field("share_session_epoch", "int32", default=0),
            Field("is_renew_ack", "bool", versions=Versions(2, LATEST), default=False),
            Field("topics", "AcknowledgeTopic", array=True, default=()),
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
                "AcknowledgePartition",
                (
                    Field("partition_index", "int32", default=0, key=True),
                    Field("acknowledgement_batches", "AcknowledgementBatch", array=True, default=()),
                ),
            ),
            StructSchema(
                "AcknowledgeTopic",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID, key=True),
                    Field("partitions", "AcknowledgePartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AcknowledgementBatch": AcknowledgementBatch, "AcknowledgePartition": AcknowledgePartition, "AcknowledgeTopic": AcknowledgeTopic}

    def __init__(
        self,
        group_id: str | None = None,
        member_id: str | None = "",
        share_session_epoch: int = 0,
        is_renew_ack: bool = False,
        topics: Sequence[AcknowledgeTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.share_session_epoch: Final = share_session_epoch
        self.is_renew_ack: Final = is_renew_ack
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
