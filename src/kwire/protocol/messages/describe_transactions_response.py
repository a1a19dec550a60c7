"""DescribeTransactionsResponse: API key 65, versions 0, flexible 0+.

Generated from protocol_specs/065_describe_transactions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class TopicData(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = "",
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class TransactionState(Struct):
    __slots__ = ("error_code", "transactional_id", "transaction_state", "transaction_timeout_ms", "transaction_start_time_ms", "producer_id", "producer_epoch", "topics")

    def __init__(
        self,
        error_code: int = 0,
        transactional_id: str = "",
        transaction_state: str = "",
        transaction_timeout_ms: int = 0,
        transaction_start_time_ms: int = 0,
        producer_id: int = 0,
        producer_epoch: int = 0,
        topics: Sequence[TopicData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.transactional_id: Final = transactional_id
        self.transaction_state: Final = transaction_state
        self.transaction_timeout_ms: Final = transaction_timeout_ms
        self.transaction_start_time_ms: Final = transaction_start_time_ms
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.topics: Final = topics
        self.unknown_tags = unknown_tags


class DescribeTransactionsResponse(Message):
    __slots__ = ("throttle_time_ms", "transaction_states")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeTransactionsResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("transaction_states", "TransactionState", array=True, default=()),
        ),
        (
            StructSchema(
                "TopicData",
                (
                    Field("topic", "string", default="", key=True),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "TransactionState",
                (
                    Field("error_code", "int16", default=0),
                    Field("transactional_id", "string", default=""),
                    Field("transaction_state", "string", default=""),
                    Field("transaction_timeout_ms", "int32", default=0),
                    Field("transaction_start_time_ms", "int64", default=0),
                    Field("producer_id", "int64", default=0),
                    Field("producer_epoch", "int16", default=0),
                    Field("topics", "TopicData", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicData": TopicData, "TransactionState": TransactionState}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        transaction_states: Sequence[TransactionState] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.transaction_states: Final = transaction_states
        self.unknown_tags = unknown_tags
