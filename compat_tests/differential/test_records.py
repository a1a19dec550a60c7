"""Produce, Fetch, ListOffsets, OffsetForLeaderEpoch, DeleteRecords, InitProducerId: Kafka's replies and kwire's."""

from __future__ import annotations

from typing import Any

import pytest

from differential import (
    WORDS,
    Explained,
    Pair,
    both_there,
    case,
    differences,
    exactly,
    left_out_by_kafka,
    only_in_kafka,
    only_in_kwire,
)
from kwire.protocol.messages import incremental_alter_configs_request as configs
from kwire.protocol.messages.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic, ForgottenTopic
from kwire.protocol.messages.init_producer_id_request import InitProducerIdRequest
from kwire.protocol.messages.list_offsets_request import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from kwire.protocol.messages.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from kwire.records.batch import CONTROL_FLAG, patch_crc
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from wire_client import WireClient

pytestmark = pytest.mark.xdist_group("differential")

TIME_MS = 1_700_000_000_000
UNKNOWN_ID = b"not a topic's id"


def batch(
    count: int = 3, *, key: bytes | None = b"key", time_ms: int = TIME_MS, size: int = 20, **options: Any
) -> bytes:
    builder = BatchBuilder(**options)
    for number in range(count):
        builder.append(time_ms + number, key, bytes([65 + number % 26]) * size)
    return bytes(builder.build())


def produces(*topics: tuple[str | bytes, dict[int, bytes | None]], acks: int = -1, transaction: str | None = None):
    rows = [
        TopicProduceData(
            name if isinstance(name, str) else "",
            name if isinstance(name, bytes) else bytes(16),
            [PartitionProduceData(index, data) for index, data in partitions.items()],
        )
        for name, partitions in topics
    ]
    return ProduceRequest(transaction, acks, 10_000, rows)


def with_changed(data: bytes, position: int, value: int, *, crc: bool = True) -> bytes:
    """A batch with one byte changed, and its checksum right all the same."""
    changed = bytearray(data)
    changed[position] = value
    if crc:
        patch_crc(changed, 0, len(changed))
    return bytes(changed)


def test_produce(pair: Pair) -> None:
    plain, compacted, stamped, small = (pair.name("p") for _ in range(4))
    pair.create((plain, 2), (compacted, 1), (stamped, 1), (small, 1))
    settings = {
        compacted: ("cleanup.policy", "compact"),
        stamped: ("message.timestamp.type", "LogAppendTime"),
        small: ("max.message.bytes", "100"),
    }
    for name, (key, value) in settings.items():
        pair.both(
            configs.IncrementalAlterConfigsRequest(
                [configs.AlterConfigsResource(2, name, [configs.AlterableConfig(key, 0, value)])]
            ),
            1,
        )
    old = (3, 12)
    magic, attributes, count, delta = 16, 22, 60, 26
    zstd = batch(codec=CompressionType.ZSTD)
    pair.compare(
        [
            case("one batch", old, produces((plain, {0: batch()}))),
            case("one batch, by id", 13, produces((pair.id(plain), {0: batch()}))),
            case("acks of the leader", old, produces((plain, {0: batch()}), acks=1)),
            case("several partitions", old, produces((plain, {0: batch(), 1: batch(1)}), (compacted, {0: batch()}))),
            *(
                case(f"{codec.name.lower()} compression", (7, 12), produces((plain, {0: batch(codec=codec)})))
                for codec in CompressionType
            ),
            case("zstd too early", (3, 6), produces((plain, {0: zstd}))),
            case("a time of the broker's", old, produces((stamped, {0: batch()}))),
            case("no partitions", old, produces((plain, {}))),
            case("nothing", old, produces()),
            case("unknown ones", old, produces((plain, {9: batch(), 0: batch()}), ("unknown", {0: batch()}))),
            case("an unknown id", 13, produces((UNKNOWN_ID, {0: batch()}), (pair.id(plain), {9: batch()}))),
            *(case(f"acks {acks}", old, produces((plain, {0: batch()}), acks=acks)) for acks in (2, -2)),
            # Records that are null Kafka never answers.
            case("empty records", old, produces((plain, {0: b""}))),
            case("half a batch", old, produces((plain, {0: batch()[:50]}))),
            case("two batches", old, produces((plain, {0: batch() + batch()}))),
            case("a wrong checksum", old, produces((plain, {0: with_changed(batch(), 70, 1, crc=False)}))),
            *(case(f"magic {m}", old, produces((plain, {0: with_changed(batch(), magic, m)}))) for m in (0, 1, 3)),
            case("an unknown compression", old, produces((plain, {0: with_changed(batch(), attributes, 7)}))),
            case("a wrong count", old, produces((plain, {0: with_changed(batch(), count, 9)}))),
            case("a wrong offset delta", old, produces((plain, {0: with_changed(batch(), delta, 9)}))),
            case("a control batch", old, produces((plain, {0: batch(1, flags=CONTROL_FLAG)}))),
            case("too large", old, produces((small, {0: batch(size=200)}))),
            case("without keys on a compacted topic", old, produces((compacted, {0: batch(2, key=None)}))),
            case("too far in the future", old, produces((plain, {0: batch(time_ms=9_000_000_000_000)}))),
            case("an idempotent producer", 12, produces((plain, {1: idempotent(0)}))),
            case("its next", 12, produces((plain, {1: idempotent(3)}))),
            case("its last again", 12, produces((plain, {1: idempotent(3)}))),
            case("a gap", old, produces((plain, {1: idempotent(30)}))),
            case("an older epoch of its", 12, produces((plain, {1: idempotent(0, epoch=1)}))),
            case("an older epoch of its", old, produces((plain, {1: idempotent(3, epoch=0)}))),
        ],
        [
            Explained("responses[*].error_message", WORDS, both_there),
            Explained("responses[*].batch_index_error_message", WORDS, both_there),
            Explained("responses[*].log_append_time_ms", "each has its own clock", both_there, always=False),
            Explained("responses[*].error_message", "kwire says what is wrong", only_in_kwire),
            Explained("responses[*].log_start_offset", "nothing to a client whose batch is refused", exactly(0, -1)),
            Explained("responses[*].error_code", "Kafka trips over an unknown compression", exactly(-1, 76)),
            Explained("responses[*].error_code", "the message format is what is wrong", exactly(87, 43)),
            Explained("responses[*]*", "a topic without partitions is answered too", left_out_by_kafka),
            Explained("responses[*].record_errors*", "a batch's times are judged by its header", only_in_kafka),
        ],
    )


def idempotent(sequence: int, *, epoch: int = 0, flags: int = 0) -> bytes:
    return batch(3, producer_id=123_456, producer_epoch=epoch, base_sequence=sequence, flags=flags)


def fetches(
    *topics: tuple[str | bytes, list[tuple[int, int] | tuple[int, int, int]]],
    partition_max: int = 1 << 20,
    max_bytes: int = 1 << 25,
    isolation: int = 0,
    session: tuple[int, int] = (0, -1),
    forgotten: list[ForgottenTopic] | None = None,
    wait_ms: int = 0,
) -> FetchRequest:
    rows = [
        FetchTopic(
            name if isinstance(name, str) else "",
            name if isinstance(name, bytes) else bytes(16),
            [
                FetchPartition(index, epoch[0] if epoch else -1, offset, partition_max_bytes=partition_max)
                for index, offset, *epoch in partitions
            ],
        )
        for name, partitions in topics
    ]
    return FetchRequest(
        max_wait_ms=wait_ms,
        min_bytes=1 if wait_ms else 0,
        max_bytes=max_bytes,
        isolation_level=isolation,
        session_id=session[0],
        session_epoch=session[1],
        topics=rows,
        forgotten_topics_data=forgotten or (),
    )


def test_fetch(pair: Pair) -> None:
    one, two = pair.name("f"), pair.name("f")
    pair.create((one, 2), (two, 1))
    size = len(batch())
    for _ in range(4):
        pair.compare([case("filled", 9, produces((one, {0: batch(), 1: batch(1)}), (two, {0: batch()})))])
    id_one, id_two = pair.id(one), pair.id(two)
    old, new = (4, 12), (13, 18)
    pair.compare(
        [
            case("from the start", old, fetches((one, [(0, 0)]))),
            case("from the start", new, fetches((id_one, [(0, 0)]))),
            case("from inside a batch", old, fetches((one, [(0, 4)]))),
            case("at the end", old, fetches((one, [(0, 12)]))),
            case("at the end, with a wait", 12, fetches((one, [(0, 12)]), wait_ms=10)),
            case("several", old, fetches((one, [(0, 0), (1, 2)]), (two, [(0, 0)]))),
            case("several", new, fetches((id_one, [(0, 0), (1, 2)]), (id_two, [(0, 0)]))),
            case("committed records only", old, fetches((one, [(0, 0), (1, 9)]), isolation=1)),
            case("too far", old, fetches((one, [(0, 13)]))),
            case("too far", new, fetches((id_one, [(0, 13)]))),
            case("below 0", old, fetches((one, [(0, -1)]))),
            case("unknown ones", old, fetches((one, [(9, 0), (0, 0)]), ("unknown", [(0, 0)]))),
            case("unknown ones", new, fetches((id_one, [(9, 0), (0, 0)]), (UNKNOWN_ID, [(0, 0)]))),
            case("nothing", old, fetches()),
            case("nothing", new, fetches()),
            case("the right epoch", (9, 12), fetches((one, [(0, 0, 0)]))),
            case("an epoch below 0", (9, 12), fetches((one, [(0, 0, -2)]))),
            case("an epoch below 0", new, fetches((id_one, [(0, 0, -2)]))),
            case("an epoch to come", (9, 12), fetches((one, [(0, 0, 5)]))),
            case("an epoch to come", new, fetches((id_one, [(0, 0, 5)]))),
            *(
                case(f"at most {limit} of a partition", 12, fetches((one, [(0, 0), (1, 0)]), partition_max=limit))
                for limit in (0, 1, size, size + 1, 2 * size)
            ),
            *(
                case(f"at most {limit} in all", 12, fetches((one, [(0, 0), (1, 0)]), (two, [(0, 0)]), max_bytes=limit))
                for limit in (0, 1, size, size + 1, 4 * size, 4 * size + 1)
            ),
        ],
        [],
    )


def test_fetch_sessions(pair: Pair) -> None:
    one, two = pair.name("s"), pair.name("s")
    pair.create((one, 2), (two, 1))
    pair.compare([case("filled", 9, produces((one, {0: batch()}), (two, {0: batch()})))])
    ids = pair.id(one), pair.id(two)
    forgotten = [ForgottenTopic("", ids[1], [0])]

    def session(client: WireClient) -> list[Any]:
        """The replies to a session's requests; its id is random."""
        created = client.ask(fetches((ids[0], [(0, 0), (1, 0)]), (ids[1], [(0, 0)]), session=(0, 0)), 13)
        id_ = created.session_id
        assert id_ != 0
        replies = [
            created,
            client.ask(fetches(session=(id_, 1)), 13),
            client.ask(fetches((ids[0], [(0, 3)]), session=(id_, 2)), 13),
            client.ask(fetches((ids[0], [(9, 0)]), session=(id_, 3)), 13),
            client.ask(fetches(session=(id_, 4), forgotten=forgotten), 13),
            client.ask(fetches(session=(id_, 4)), 13),
            client.ask(fetches(session=(id_, 9)), 13),
            client.ask(fetches(session=(id_, 5)), 12),
            client.ask(fetches((ids[0], [(0, 0)]), session=(id_, -1)), 13),
            client.ask(fetches(session=(id_, 5)), 13),
        ]
        return [(reply.session_id == id_, reply) for reply in replies]

    for number, ((kafka_same, kafka), (kwire_same, kwire)) in enumerate(
        zip(session(pair.kafka), session(pair.kwire), strict=True)
    ):
        found = {path: found for path, found in differences(kafka, kwire).items() if path != "session_id"}
        assert (kwire_same, found) == (kafka_same, {}), f"request {number} of a session"


def test_list_offsets(pair: Pair) -> None:
    one = pair.name("offsets")
    pair.create((one, 2))
    for number in range(3):
        data = batch(time_ms=TIME_MS + 100 * number)
        pair.compare([case("filled", 9, produces((one, {0: data})))])

    def asks(*rows: tuple[int, int] | tuple[int, int, int], topic: str = one, isolation: int = 0) -> ListOffsetsRequest:
        partitions = [ListOffsetsPartition(index, epoch[0] if epoch else -1, at) for index, at, *epoch in rows]
        return ListOffsetsRequest(-1, isolation, [ListOffsetsTopic(topic, partitions)])

    pair.compare(
        [
            *(case(f"special time {at}", (1, 11), asks((0, at), (1, at))) for at in range(-1, -8, -1)),
            case("committed", (2, 11), asks((0, -1), isolation=1)),
            *(
                case(f"time {at - TIME_MS:+}", (1, 11), asks((0, at), (1, at)))
                for at in (0, TIME_MS, TIME_MS + 1, TIME_MS + 3, TIME_MS + 202, TIME_MS + 203)
            ),
            case("unknown ones", (1, 11), asks((9, -1), (0, -1))),
            case("an unknown topic", (1, 11), asks((0, -1), topic="unknown")),
            case("the right epoch", (4, 11), asks((0, -1, 0))),
            case("an epoch to come", (4, 11), asks((0, -1, 3))),
            case("an epoch of the past", (4, 11), asks((0, -1, -2))),
            case("a partition twice", (1, 11), asks((0, -1), (0, -2), (1, -1))),
        ],
        [Explained("topics[0].partitions[0#2].*", "what was asked twice is answered twice", left_out_by_kafka)],
    )


def test_offset_for_leader_epoch(pair: Pair) -> None:
    one, empty = pair.name("epochs"), pair.name("epochs")
    pair.create((one, 1), (empty, 1))
    pair.compare([case("filled", 9, produces((one, {0: batch()})))])

    def asks(*topics: tuple[str, list[tuple[int, int, int]]]) -> OffsetForLeaderEpochRequest:
        rows = [OffsetForLeaderTopic(name, [OffsetForLeaderPartition(*row) for row in rows]) for name, rows in topics]
        return OffsetForLeaderEpochRequest(topics=rows)

    pair.compare(
        [
            case("the epoch of all records", (2, 4), asks((one, [(0, -1, 0)]))),
            case("of an empty log", (2, 4), asks((empty, [(0, -1, 0)]))),
            case("with the current epoch", (2, 4), asks((one, [(0, 0, 0)]))),
            case("with an epoch to come", (2, 4), asks((one, [(0, 3, 0)]))),
            case("with an epoch of the past", (2, 4), asks((one, [(0, -2, 0)]))),
            case("an epoch that nobody knows", (2, 4), asks((one, [(0, -1, 7)]), (empty, [(0, -1, 7)]))),
            case("no epoch", (2, 4), asks((one, [(0, -1, -1)]))),
            case("below", (2, 4), asks((one, [(0, -1, -5)]))),
            case("unknown ones", (2, 4), asks((one, [(9, -1, 0), (0, -1, 0)]), ("unknown", [(0, -1, 0)]))),
            case("twice", (2, 4), asks((one, [(0, -1, 0), (0, -1, 1)]), (one, [(0, -1, 2)]))),
            case("nothing", (2, 4), asks()),
        ]
    )


def test_delete_records(pair: Pair) -> None:
    one, compacted = pair.name("deleted"), pair.name("deleted")
    pair.create((one, 3), (compacted, 1))
    row = configs.AlterConfigsResource(2, compacted, [configs.AlterableConfig("cleanup.policy", 0, "compact")])
    pair.both(configs.IncrementalAlterConfigsRequest([row]), 1)
    filled = produces((one, {0: batch(), 1: batch(), 2: batch()}), (compacted, {0: batch()}))
    pair.compare([case("filled", 9, filled)])

    def deletes(*topics: tuple[str, list[tuple[int, int]]]) -> DeleteRecordsRequest:
        rows = [DeleteRecordsTopic(name, [DeleteRecordsPartition(*row) for row in rows]) for name, rows in topics]
        return DeleteRecordsRequest(rows, 10_000)

    pair.compare(
        [
            case("none", (0, 2), deletes((one, [(0, 0)]))),
            case("some", (0, 2), deletes((one, [(0, 1), (1, 2)]))),
            case("fewer than before", (0, 2), deletes((one, [(1, 1)]))),
            case("all", (0, 2), deletes((one, [(2, -1)]))),
            case("more than there are", (0, 2), deletes((one, [(0, 4), (1, 2)]))),
            case("below", (0, 2), deletes((one, [(0, -2)]))),
            case("unknown ones", (0, 2), deletes((one, [(9, 0), (0, 0)]), ("unknown", [(0, 0)]), ("a b", [(0, 0)]))),
            case("of a compacted topic", (0, 2), deletes((compacted, [(0, 1)]))),
            case("nothing", (0, 2), deletes()),
            case("then fetched", 12, fetches((one, [(0, 0), (1, 2), (2, 3)]))),
        ]
    )


def test_init_producer_id(pair: Pair) -> None:
    pair.compare(
        [
            case("an idempotent producer", (0, 5), InitProducerIdRequest(None, 60_000)),
            case("any timeout", (0, 5), InitProducerIdRequest(None, -1)),
            case("with an id that it had", (3, 5), InitProducerIdRequest(None, 60_000, 7, 3)),
            case("an id without epoch", (3, 5), InitProducerIdRequest(None, 60_000, 7, -1)),
            case("an epoch without id", (3, 5), InitProducerIdRequest(None, 60_000, -1, 3)),
            case("an empty transactional id", (0, 5), InitProducerIdRequest("", 60_000)),
        ],
        [Explained("producer_id", "each gives its own", lambda kafka, kwire: kafka >= 0 and kwire >= 0)],
    )
