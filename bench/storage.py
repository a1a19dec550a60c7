"""The log: append beside a bare `os.write`, the scan after a crash, and a broker with 10,000 partitions that starts.

Everything lies in a temporary directory in .cache/, so on the disk of the project, and stays in the page cache: half a
gigabyte at most, removed at the end.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from bench.open_logs import OPEN_FILES_MAX, make_partitions
from bench.report import Figure, Part, Row, publish
from kwire.records.batch import read_header
from kwire.records.builder import BatchBuilder
from kwire.records.validation import ValidatedBatch
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.files import RealFileSystem
from kwire.storage.log import Log
from kwire.storage.log_config import LogConfig
from kwire.storage.recovery import KnownOffsets, LogSettings, Shutdown, open_log
from kwire.testing.maven_jars import cache_directory

MEGABYTE = 1_000_000
NOW = 1_700_000_000_000

LARGE_BYTES = 1024 * 1024
LARGE_BATCHES = 8  # in a round
SMALL_BYTES = 200
SMALL_BATCHES = 5_000
ROUNDS = 30
ROUNDS_QUICK = 5

SCAN_BYTES = 256 * 1024 * 1024
SCAN_RUNS = 5
SCAN_LEAST_MB_S = 500
OPEN_PARTITIONS = 10_000
OPEN_MOST_S = 5
OPEN_MOST_MB = 150
APPEND_LEAST = {"os.write": 0.8}

NOTES = f"""
*Append* is `Log.append_as_leader` of a validated batch, beside `os.write` of the same bytes to a file in the same
directory: CPU time, user and system, the best of rounds taken in turns, with their median in parentheses. *Recovery* is
the CPU time of opening a log of one segment of {SCAN_BYTES // 2**20} MiB after a crash, with nothing known to be
flushed, from the page cache. *Start* is a process of its own that opens {OPEN_PARTITIONS:,} logs of one small segment
after a clean stop: the time by the clock, without the time in which other processes had the processors. Then it appends
to each of them, while {OPEN_FILES_MAX:,} files may be open, beside the lock of the directory.
"""


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(prog="python -m bench storage", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{ROUNDS_QUICK} rounds instead of {ROUNDS}, fewer logs")
    options, _ = parser.parse_known_args(arguments)  # other parts have options of their own
    rounds = ROUNDS_QUICK if options.quick else ROUNDS
    rows = [
        *append_rows(rounds),
        *recovery_rows(1 if options.quick else SCAN_RUNS),
        *start_rows(OPEN_PARTITIONS // 10 if options.quick else OPEN_PARTITIONS),
    ]
    return publish(Part("storage", "Storage: the log beside its disk", rows, NOTES), arguments)


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory on the disk of the project, for as long as the block lasts."""
    cache = cache_directory()
    cache.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="bench-storage-", dir=cache) as path:
        yield Path(path)


def new_log(directory: Path, shutdown: Shutdown = Shutdown.UNCLEAN) -> Log:
    """The log in a directory, with Kafka's default settings."""
    directory.mkdir(exist_ok=True)
    settings = LogSettings(RealFileSystem(100), lambda below: 0)
    return open_log(
        settings,
        TopicPartition("bench", 0),
        str(directory),
        LogConfig(),
        known=KnownOffsets(),
        shutdown=shutdown,
        now_ms=NOW,
    )


def batch_of(size_bytes: int) -> ValidatedBatch:
    """A batch of one record and about that size."""
    builder = BatchBuilder()
    builder.append(NOW, b"key", random.Random(size_bytes).randbytes(size_bytes - 80))
    data = builder.build()
    return ValidatedBatch(read_header(data), memoryview(data))


# ---- append --------------------------------------------------------------------------------------------------------


def append_rows(rounds: int) -> list[Row]:
    large = append_row("1 MiB batches", LARGE_BYTES, LARGE_BATCHES, rounds)
    small = append_row(f"{SMALL_BYTES}-byte batches", SMALL_BYTES, SMALL_BATCHES, rounds)
    return [
        large("MB/s", "more", lambda seconds: LARGE_BYTES / MEGABYTE / seconds)._replace(asked=APPEND_LEAST),
        small("µs", "less", lambda seconds: seconds * 1e6),
    ]


def append_row(name: str, size_bytes: int, count: int, rounds: int) -> Callable[..., Row]:
    """Measures, and returns what makes a row of it."""
    batch = batch_of(size_bytes)
    with scratch() as directory:
        log = new_log(directory / "log")
        fd = os.open(directory / "bare", os.O_WRONLY | os.O_CREAT)
        ours: list[float] = []
        bare: list[float] = []
        try:
            for _ in range(rounds):
                ours.append(_append(log, batch, count))
                bare.append(_write(fd, batch.data, count))
        finally:
            os.close(fd)
            log.close()

    def row(unit: str, better: str, figure: Callable[[float], float]) -> Row:
        values = [Figure(figure(min(taken)), figure(median(taken))) for taken in (ours, bare)]
        return Row(name, values[0], {"os.write": values[1]}, unit=unit, better=better, group="append")

    return row


def _append(log: Log, batch: ValidatedBatch, count: int) -> float:
    append = log.append_as_leader
    start = process_time()
    for _ in range(count):
        append(batch, 0, NOW)
    return (process_time() - start) / count


def _write(fd: int, data: memoryview, count: int) -> float:
    write = os.write
    start = process_time()
    for _ in range(count):
        write(fd, data)
    return (process_time() - start) / count


# ---- recovery ------------------------------------------------------------------------------------------------------


def recovery_rows(runs: int) -> list[Row]:
    spread = random.Random(1)
    mixed = [batch_of(spread.randint(16 * 1024, 1024 * 1024)) for _ in range(40)]
    return [
        recovery_row("batches of 16 kB to 1 MB", mixed, runs),
        recovery_row("batches of 16 kB", [batch_of(16 * 1024)], runs),
        recovery_row("batches of 1 kB", [batch_of(1024)], runs, asked={}),
    ]


def recovery_row(name: str, batches: list[ValidatedBatch], runs: int, asked: dict[str, float] | None = None) -> Row:
    """How fast a segment of such batches is scanned."""
    speeds: list[float] = []
    with scratch() as directory:
        log = new_log(directory / "log")
        number = 0
        while log.size_bytes < SCAN_BYTES:
            log.append_as_leader(batches[number % len(batches)], 0, NOW + number)
            number += 1
        end_offset, size_bytes = log.log_end_offset, log.size_bytes
        log.close()
        for _ in range(runs):
            start = process_time()
            log = new_log(directory / "log")
            speeds.append(size_bytes / MEGABYTE / (process_time() - start))
            assert log.log_end_offset == end_offset
            log.close()
    limit = {"limit": Figure(SCAN_LEAST_MB_S)} if asked is None else {}
    figure = Figure(max(speeds), median(speeds))
    return Row(name, figure, limit, dict.fromkeys(limit, 1.0), unit="MB/s", better="more", group="recovery")


# ---- start ---------------------------------------------------------------------------------------------------------


def start_rows(partitions: int) -> list[Row]:
    with scratch() as directory:
        make_partitions(directory / "data", partitions)
        found: dict[str, float] = json.loads(
            subprocess.run(
                [sys.executable, "-m", "bench.open_logs", str(directory / "data")],
                stdout=subprocess.PIPE,
                check=True,
                text=True,
            ).stdout
        )
    assert found["logs"] == partitions
    limits = [
        (f"opening {partitions:,} logs", found["seconds"], OPEN_MOST_S, "s"),
        ("  other processes included", found["elapsed_seconds"], None, "s"),
        ("  CPU time alone", found["cpu_seconds"], None, "s"),
        ("resident memory then", found["resident_mb"], OPEN_MOST_MB, "MB"),
        ("  of which before", found["resident_before_mb"], None, "MB"),
        ("descriptors open then", found["descriptors"], OPEN_FILES_MAX + 1, "files"),
        ("descriptors open after appending to all", found["descriptors_after_appends"], OPEN_FILES_MAX + 1, "files"),
    ]
    rows: list[Row] = []
    for name, value, limit, unit in limits:
        theirs = {} if limit is None else {"limit": Figure(limit)}
        rows.append(Row(name, Figure(value), theirs, dict.fromkeys(theirs, 1.0), unit=unit, group="start"))
    return rows
