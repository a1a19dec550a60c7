"""A data directory with many partitions, and a process that opens it: `python -m bench.open_logs DIRECTORY`.

It prints what that took as JSON. The process is one of its own, so that its memory is that of a broker that has just
started.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from time import perf_counter, process_time

from kwire.records.batch import read_header
from kwire.records.builder import BatchBuilder
from kwire.records.validation import ValidatedBatch
from kwire.storage import checkpoints
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.files import RealFileSystem
from kwire.storage.log_config import LogConfig
from kwire.storage.log_dirs import LogDirs
from kwire.storage.log_manager import LogManager
from kwire.storage.recovery import LogSettings

TOPIC = "bench"
NOW = 1_700_000_000_000
OPEN_FILES_MAX = 1_000
BATCHES = 10


def make_partitions(directory: Path, count: int) -> None:
    """Partitions of one segment, as after a clean stop: one is made by a log, the others are copies of it."""
    manager = open_manager(directory)
    log = manager.create(TopicPartition(TOPIC, 0), bytes(range(16)), LogConfig(), NOW)
    for number in range(BATCHES):
        log.append_as_leader(_batch(number), 0, NOW)
    log.advance_high_watermark(log.log_end_offset)
    end_offset = log.log_end_offset
    manager.shutdown(NOW, broker_epoch=1)
    for number in range(1, count):
        shutil.copytree(directory / f"{TOPIC}-0", directory / f"{TOPIC}-{number}")
    files = RealFileSystem(100)
    offsets = {TopicPartition(TOPIC, number): end_offset for number in range(count)}
    for name in (checkpoints.RECOVERY_POINT_CHECKPOINT, checkpoints.HIGH_WATERMARK_CHECKPOINT):
        checkpoints.write_offsets(files, str(directory / name), offsets)


def open_manager(directory: Path) -> LogManager:
    files = RealFileSystem(OPEN_FILES_MAX)
    dirs = LogDirs.open(files, [str(directory)], node_id=1, new_id=lambda: bytes(range(1, 17)), now_ms=NOW)
    config = LogConfig()
    return LogManager.open(LogSettings(files, lambda below: 0), dirs, lambda partition: config, NOW)


def _batch(number: int) -> ValidatedBatch:
    """A batch of an idempotent producer, so that there are snapshots to read."""
    builder = BatchBuilder(producer_id=1, producer_epoch=0, base_sequence=number)
    builder.append(NOW, b"key", b"value")
    data = builder.build()
    return ValidatedBatch(read_header(data), memoryview(data))


def resident_mb() -> float:
    """What of this process is in memory."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    raise LookupError("VmRSS")


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd")) - 1  # that of the listing itself


def waited_for_processor_s() -> float:
    """How long this thread was ready to run while others had the processors."""
    return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9


def measure(directory: Path) -> dict[str, float]:
    """Opens the directory, and appends to every log of it. What it wrote is not for keeping."""
    checkpoints.write_clean_shutdown(RealFileSystem(1), str(directory), broker_epoch=1)
    before_mb, before_descriptors = resident_mb(), open_descriptors()
    start, cpu_start, waited_start = perf_counter(), process_time(), waited_for_processor_s()
    manager = open_manager(directory)
    elapsed, waited = perf_counter() - start, waited_for_processor_s() - waited_start
    found = {
        "seconds": elapsed - waited,
        "elapsed_seconds": elapsed,
        "cpu_seconds": process_time() - cpu_start,
        "resident_before_mb": before_mb,
        "resident_mb": resident_mb(),
        "logs": len(manager.logs),
        "descriptors": open_descriptors() - before_descriptors,
    }
    for log in manager.logs.values():
        log.append_as_leader(_batch(BATCHES), 0, NOW)
    return found | {"descriptors_after_appends": open_descriptors() - before_descriptors}


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
