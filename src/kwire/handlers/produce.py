"""Produce: v3-v13, and 0-2 in name only.

v3 brings the transactional id and batches of format 2. v5 adds the log start offset. v7 takes zstd. v8 names the
records that are to blame. v9 is flexible. v10 tells the current leader (KIP-951). v11 and v12 belong to KIP-890.
v13 names topics by id (KIP-516).

Versions 0 to 2 stand in ApiVersions only: librdkafka takes their absence for a broker that is too old (KAFKA-18659).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, cast

from kwire.errors import BrokerError, ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import NO_REPLY, ConnectionMustCloseError, Later, Reply
from kwire.partitions.partition import Partition
from kwire.partitions.table import TopicPartitions
from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest
from kwire.protocol.messages.produce_response import (
    BatchIndexAndErrorMessage,
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from kwire.records.batch import COMPRESSION_MASK
from kwire.records.compression import CompressionType
from kwire.records.validation import RecordValidationError
from kwire.storage.files import StorageError

ADMIN_CLIENT_ID = "__admin_client"
"""The one client that Kafka lets write to internal topics."""

ZSTD_SINCE_VERSION = 7


Rows = list[PartitionProduceResponse]


class Unflushed(NamedTuple):
    """An append that must be on disk before it is acknowledged, and where its row stands."""

    partition: Partition
    end_offset: int
    rows: Rows
    position: int


@serves(0, 3, 13, advertised_low=0)
def produce(context: Context, request: ProduceRequest, call: Call) -> Reply:
    version = call.version
    refused = ErrorCode.NONE if request.acks in (-1, 0, 1) else ErrorCode.INVALID_REQUIRED_ACKS
    now_ms = context.now_ms()
    unflushed: list[Unflushed] = []
    topics: list[TopicProduceResponse] = []
    failed = False
    for topic in request.topic_data:
        if version >= 13:
            found = context.partitions.by_id.get(topic.topic_id)
            unknown = ErrorCode.UNKNOWN_TOPIC_ID
        else:
            found = context.partitions.by_name.get(topic.name)
            unknown = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        rows: Rows = []
        for data in topic.partition_data:
            if refused:
                rows.append(error_row(data.index, refused, ""))
            elif found is None:
                rows.append(error_row(data.index, unknown, ""))
            else:
                rows.append(_append(context, found, data, call, now_ms, rows, unflushed))
            failed = failed or rows[-1].error_code != 0
        topics.append(TopicProduceResponse(topic.name, topic.topic_id, rows))
    if request.acks == 0:
        if failed:
            raise ConnectionMustCloseError("a produce request with acks=0 failed, which nobody can be told")
        return NO_REPLY
    response = ProduceResponse(topics)
    return after_flush(response, unflushed) if unflushed else response


def _append(
    context: Context,
    topic: TopicPartitions,
    data: PartitionProduceData,
    call: Call,
    now_ms: int,
    rows: Rows,
    unflushed: list[Unflushed],
) -> PartitionProduceResponse:
    """Appends one partition's batch; its row, which is to be the next of `rows`."""
    index = data.index
    partition = topic.get(index)
    if partition is None:
        return error_row(index, context.absence_of(topic.name, index), "")
    if partition.is_internal and call.client_id != ADMIN_CLIENT_ID:
        return error_row(index, ErrorCode.INVALID_TOPIC_EXCEPTION, f"{partition.topic} is internal")
    records = cast("memoryview[int] | None", data.records)
    if not isinstance(records, memoryview):
        return error_row(index, ErrorCode.INVALID_RECORD, "a produce request needs one batch for each partition")
    if call.version < ZSTD_SINCE_VERSION and is_zstd(records):
        return error_row(index, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, "zstd needs version 7 of produce")
    try:
        info = partition.append(records, now_ms)
    except RecordValidationError as error:
        return record_error_row(index, error)
    except StorageError as error:
        context.storage_failed(error)
        return error_row(index, error.code, "")
    except BrokerError as error:
        return error_row(index, error.code, error.detail)
    if partition.must_flush_before(info.last_offset + 1):
        unflushed.append(Unflushed(partition, info.last_offset + 1, rows, len(rows)))
    return PartitionProduceResponse(index, 0, info.first_offset, info.log_append_time_ms, info.log_start_offset)


def is_zstd(records: memoryview[int]) -> bool:
    """Whether a batch is compressed with zstd, as its attributes tell; they end at byte 23."""
    return len(records) > 22 and records[22] & COMPRESSION_MASK == CompressionType.ZSTD


def after_flush(response: ProduceResponse, unflushed: list[Unflushed]) -> Later:
    """The response, once all that it acknowledges is on disk, or is known not to get there."""
    later = Later()
    left = len(unflushed)

    def flushed(append: Unflushed, code: ErrorCode) -> None:
        nonlocal left
        if code:
            append.rows[append.position] = error_row(append.partition.index, code, "")
        left -= 1
        if left == 0:
            later.complete(response)

    for append in unflushed:
        append.partition.when_flushed(append.end_offset, partial(flushed, append))
    return later


def error_row(index: int, code: ErrorCode, detail: str) -> PartitionProduceResponse:
    return PartitionProduceResponse(index, code, base_offset=-1, error_message=detail or None)


def record_error_row(index: int, error: RecordValidationError) -> PartitionProduceResponse:
    rows = [BatchIndexAndErrorMessage(row.batch_index, row.message) for row in error.record_errors]
    return PartitionProduceResponse(index, error.code, base_offset=-1, record_errors=rows, error_message=error.detail)
