"""TransactionLogValue: record type 0, versions 0-1, flexible 1+.

Generated from protocol_specs/record_transaction_log.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class PartitionsSchema(Struct):
    __slots__ = ("topic", "partition_ids")

    def __init__(
        self,
        topic: str = "",
        partition_ids: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.partition_ids: Final = partition_ids
        self.unknown_tags = unknown_tags


class TransactionLogValue(Message):
    __slots__ = ("producer_id", "previous_producer_id", "next_producer_id", "producer_epoch", "next_producer_epoch", "transaction_timeout_ms", "transaction_status", "transaction_partitions", "transaction_last_update_timestamp_ms", "transaction_start_timestamp_ms", "client_transaction_version")

    SCHEMA: ClassVar = MessageSchema(
        "TransactionLogValue",
        Versions(0, 1),
        Versions(1, LATEST),
        (
            Field("producer_id", "int64", default=0),
            Field("previous_producer_id", "int64", versions=Versions(1, LATEST), tag=0, default=-1),
            Field("next_producer_id", "int64", versions=Versions(1, LATEST), tag=1, default=-1),
            Field("producer_epoch", "int16", default=0),
            Field("next_producer_epoch", "int16", versions=Versions(1, LATEST), tag=3, default=-1),
            Field("transaction_timeout_ms", "int32", default=0),
            Field("transaction_status", "int8", default=0),
            Field("transaction_partitions", "PartitionsSchema", array=True, nullable=ALWAYS, default=()),
            Field("transaction_last_update_timestamp_ms", "int64", default=0),
            Field("transaction_start_timestamp_ms", "int64", default=0),
            Field("client_transaction_version", "int16", versions=Versions(1, LATEST), tag=2, default=0),
        ),
        (
            StructSchema(
                "PartitionsSchema",
                (
                    Field("topic", "string", default=""),
                    Field("partition_ids", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionsSchema": PartitionsSchema}

    def __init__(
        self,
        producer_id: int = 0,
        previous_producer_id: int = -1,
        next_producer_id: int = -1,
        producer_epoch: int = 0,
        next_producer_epoch: int = -1,
        transaction_timeout_ms: int = 0,
        transaction_status: int = 0,
        transaction_partitions: Sequence[PartitionsSchema] | None = (),
        transaction_last_update_timestamp_ms: int = 0,
        transaction_start_timestamp_ms: int = 0,
        client_transaction_version: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.producer_id: Final = producer_id
        self.previous_producer_id: Final = previous_producer_id
        self.next_producer_id: Final = next_producer_id
        self.producer_epoch: Final = producer_epoch
        self.next_producer_epoch: Final = next_producer_epoch
        self.transaction_timeout_ms: Final = transaction_timeout_ms
        self.transaction_status: Final = transaction_status
        self.transaction_partitions: Final = transaction_partitions
        self.transaction_last_update_timestamp_ms: Final = transaction_last_update_timestamp_ms
        self.transaction_start_timestamp_ms: Final = transaction_start_timestamp_ms
        self.client_transaction_version: Final = client_transaction_version
        self.unknown_tags = unknown_tags
