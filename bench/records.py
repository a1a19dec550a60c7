"""What the hot paths of kwire.records cost, and what their unusual shape buys: `python -m bench.records`.

CPU time of this thread, the best of several runs, so that a busy machine disturbs little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from kwire.records.batch import BatchHeader, check_crc, patch_offsets, read_header
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType, compress, decompress
from kwire.records.record import iter_records, iter_spans, iter_timestamps, read_section
from kwire.records.validation import ValidationRules, validate_produce
from kwire.records.varint import decode_varint, varlong_tail
from kwire.storage.cleaned_transactions import CleanedTransactions
from kwire.storage.compaction import CompactionPlan, build_offset_map, compact_batches
from kwire.storage.offset_map import OffsetMap

NOW = 1_700_000_000_000
RECORDS = 1000
RUNS = 7


def cost_us(work: Callable[[], object], repeat: int) -> float:
    """Microseconds of CPU for one call."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.thread_time()
        for _ in range(repeat):
            work()
        best = min(best, time.thread_time() - start)
    return best / repeat * 1e6


def one_call_per_field(section: bytes, header: BatchHeader) -> Iterator[tuple[int, int, bytes | None, int]]:
    """`iter_spans` as one would write it first, to compare with."""
    at = 0
    for _ in range(header.record_count):
        length, at = decode_varint(section, at)
        end = at + length
        first = section[at + 1]
        timestamp, at = varlong_tail(section, at + 2, first) if first >= 0x80 else (first >> 1 ^ -(first & 1), at + 2)
        offset, at = decode_varint(section, at)
        size, at = decode_varint(section, at)
        key = None if size < 0 else section[at : at + size]
        at += max(size, 0)
        size, at = decode_varint(section, at)
        at += max(size, 0)
        _, at = decode_varint(section, at)
        assert at == end
        yield timestamp, offset, key, size


def consume(items: Iterator[object]) -> None:
    for _ in items:
        pass


def build(count: int, value_bytes: int, codec: CompressionType = CompressionType.NONE) -> bytearray:
    builder = BatchBuilder(codec=codec)
    for number in range(count):
        builder.append(NOW + number, b"user-%06d" % number, (b"%d" % (number * number)) * (value_bytes // 4))
    return builder.build()


def main() -> None:
    """Prints a line for every figure."""
    one, many = build(1, 100), build(RECORDS, 100)
    header = read_header(many)
    section = read_section(many, 0, header)
    megabyte = build(2500, 350)
    megabyte_header = read_header(megabyte)
    rules = ValidationRules()
    rows: list[tuple[str, float, str]] = [
        ("read_header", cost_us(lambda: read_header(one), 20_000), "us"),
        ("patch_offsets", cost_us(lambda: patch_offsets(one, 0, 0, -1), 20_000), "us"),
        ("check_crc", cost_us(lambda: check_crc(megabyte, 0, megabyte_header), 50) * 1e6 / len(megabyte), "us/MB"),
        ("validate_produce, 1 record", cost_us(lambda: validate_produce(one, rules, NOW), 10_000), "us"),
        ("validate_produce, 1000 records", cost_us(lambda: validate_produce(many, rules, NOW), 2000), "us"),
        ("iter_spans", cost_us(lambda: consume(iter_spans(section, header)), 5) / RECORDS, "us/record"),
        (
            "  one call per field",
            cost_us(lambda: consume(one_call_per_field(section, header)), 5) / RECORDS,
            "us/record",
        ),
        ("iter_timestamps", cost_us(lambda: consume(iter_timestamps(section, header)), 5) / RECORDS, "us/record"),
        ("iter_records", cost_us(lambda: consume(iter_records(many, 0, header)), 5) / RECORDS, "us/record"),
        ("BatchBuilder", cost_us(lambda: build(RECORDS, 100), 3) / RECORDS, "us/record"),
    ]
    data = bytes(megabyte[61:])
    scale = 1e6 / len(data)
    for codec in CompressionType:
        compressed = compress(codec, data)
        rows += (
            (f"compress {codec.name.lower()}", cost_us(lambda c=codec: compress(c, data), 2) * scale, "us/MB"),
            (
                f"decompress {codec.name.lower()}",
                cost_us(lambda c=codec, z=compressed: decompress(c, z), 3) * scale,
                "us/MB",
            ),
        )
    offsets = OffsetMap(10_000 * 24)
    plan = CompactionPlan(NOW, 1000, RECORDS)
    rows += (
        (
            "build_offset_map",
            cost_us(lambda: consume(build_offset_map([many], offsets, 0, CleanedTransactions())), 3) / RECORDS,
            "us/record",
        ),
        (
            "compact_batches",
            cost_us(lambda: consume(compact_batches([many], offsets, plan, CleanedTransactions())), 3) / RECORDS,
            "us/record",
        ),
    )
    for name, figure, unit in rows:
        print(f"{name:34s} {figure:10.2f} {unit}")


if __name__ == "__main__":
    main()
