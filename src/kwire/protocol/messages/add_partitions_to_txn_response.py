"""AddPartitionsToTxnResponse: API key 24, versions 0-5, flexible 3+.

Generated from protocol_specs/024_add_partitions_to_txn.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class AddPartitionsToTxnPartitionResult(Struct):
    __slots__ = ("partition_index", "partition_error_code")

    def __init__(
        self,
        partition_index: int = 0,
        partition_error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.partition_error_code: Final = partition_error_code
        self.unknown_tags = unknown_tags


class AddPartitionsToTxnTopicResult(Struct):
    __slots__ = ("name", "results_by_partition")

    def __init__(
        self,
        name: str = "",
        results_by_partition: Sequence[AddPartitionsToTxnPartitionResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.results_by_partition: Final = results_by_partition
        self.unknown_tags = unknown_tags


class AddPartitionsToTxnResult(Struct):
    __slots__ = ("transactional_id", "topic_results")

    def __init__(
        self,
        transactional_id: str = "",
        topic_results: Sequence[AddPartitionsToTxnTopicResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.topic_results: Final = topic_results
        self.unknown_tags = unknown_tags


class AddPartitionsToTxnResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "results_by_transaction", "results_by_topic_v3_and_below")

    SCHEMA: ClassVar = MessageSchema(
        "AddPartitionsToTxnResponse",
        Versions(0, 5),
        Versions(3, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", versions=Versions(4, LATEST), default=0, ignorable=True),
            Field("results_by_transaction", "AddPartitionsToTxnResult", array=True, versions=Versions(4, LATEST), default=()),
            Field("results_by_topic_v3_and_below", "AddPartitionsToTxnTopicResult", array=True, versions=Versions(0, 3), default=()),
        ),
        (
            StructSchema(
                "AddPartitionsToTxnPartitionResult",
                (
                    Field("partition_index", "int32", default=0, key=True),
                    Field("partition_error_code", "int16", default=0),
                ),
            ),
            StructSchema(
                "AddPartitionsToTxnTopicResult",
                (
                    Field("name", "string", default="", key=True),
                    Field("results_by_partition", "AddPartitionsToTxnPartitionResult", array=True, default=()),
                ),
            ),
            StructSchema(
                "AddPartitionsToTxnResult",
                (
                    Field("transactional_id", "string", default="", key=True),
                    Field("topic_results", "AddPartitionsToTxnTopicResult", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AddPartitionsToTxnPartitionResult": AddPartitionsToTxnPartitionResult, "AddPartitionsToTxnTopicResult": AddPartitionsToTxnTopicResult, "AddPartitionsToTxnResult": AddPartitionsToTxnResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results_by_transaction: Sequence[AddPartitionsToTxnResult] = (),
        results_by_topic_v3_and_below: Sequence[AddPartitionsToTxnTopicResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.results_by_transaction: Final = results_by_transaction
        self.results_by_topic_v3_and_below: Final = results_by_topic_v3_and_below
        self.unknown_tags = unknown_tags
