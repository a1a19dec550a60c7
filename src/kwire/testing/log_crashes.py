"""Crashes, kills and failing disks at every file operation of a history of logs.

Each function runs one history, given by its seed, and checks what is left at every point (`log_survivors`); how many
points there were is returned, so that a test can say what it has seen. What is wrong is raised as a `LostPromiseError`
that names the seed and the point: `crash_once` then looks at that one alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from kwire.errors import BrokerError, ErrorCode, UsageError
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.log_config import LogConfig
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.log_history import LogHistory
from kwire.testing.log_survivors import check_survivor
from kwire.testing.small_logs import COMPACTED, SMALL

PLAIN_AND_COMPACTED = {TopicPartition("plain", 0): SMALL, TopicPartition("compacted", 1): COMPACTED}
PLAIN = {TopicPartition("plain", 0): SMALL, TopicPartition("plain", 1): SMALL}

Configs = Mapping[TopicPartition, LogConfig]


class LostPromiseError(AssertionError):
    """What a crash left is not what was promised."""

    def __init__(self, seed: int, operation: int, outcome: int, error: BaseException) -> None:
        super().__init__(f"seed {seed}, operation {operation}, outcome {outcome}: {type(error).__name__}: {error}")


def run_history(seed: int, steps: int, configs: Configs) -> LogHistory:
    """The history of that seed."""
    history = LogHistory(FakeFileSystem(), Random(seed), dict(configs))
    history.run(steps)
    return history


def crash_everywhere(seed: int, steps: int, configs: Configs, *, outcomes: int, bit_flips: int = 0) -> int:
    """Power losses after every operation that changed something, with so many outcomes each."""
    history = run_history(seed, steps, configs)
    points = history.files.crash_points()
    for operation in points:
        for outcome in range(outcomes):
            crash_once(history, seed, operation, outcome, bit_flips)
    return len(points) * outcomes


def crash_once(history: LogHistory, seed: int, operation: int, outcome: int, bit_flips: int) -> None:
    """One outcome of a power loss after one operation."""
    rng = Random(f"{seed} {operation} {outcome}")
    try:
        check_survivor(history.files.crash(rng, operation, bit_flips=bit_flips), history, operation)
    except Exception as error:
        raise LostPromiseError(seed, operation, outcome, error) from error


def kill_everywhere(seed: int, steps: int, configs: Configs) -> int:
    """The end of the process after every operation that changed something."""
    history = run_history(seed, steps, configs)
    points = history.files.crash_points()
    for operation in points:
        try:
            check_survivor(history.files.kill(operation), history, operation)
        except Exception as error:
            raise LostPromiseError(seed, operation, 0, error) from error
    return len(points)


def fail_everywhere(seed: int, steps: int, configs: Configs, error: int, *, every: int = 1) -> int:
    """Each operation in turn (or each of so many) fails with an errno, which ends the history; then a new start.

    Nothing but a `StorageError`, or what opening makes of it, may come out of the history.
    """
    operations = run_history(seed, steps, configs).files.operations
    points = range(1, operations + 1, every)
    for operation in points:
        files = FakeFileSystem()
        files.fail(operation, error)
        history = LogHistory(files, Random(seed), dict(configs))
        try:
            _run_to_the_end(history, steps)
            check_survivor(files.kill(), history, files.operations)
            check_survivor(files.crash(Random(operation)), history, files.operations)
        except Exception as raised:
            raise LostPromiseError(seed, operation, error, raised) from raised
    return len(points)


def _run_to_the_end(history: LogHistory, steps: int) -> None:
    try:
        history.run(steps)
    except UsageError:
        pass  # No log directory can be used: the only one failed while it was opened.
    except BrokerError as raised:
        if raised.code is not ErrorCode.KAFKA_STORAGE_ERROR:
            raise
