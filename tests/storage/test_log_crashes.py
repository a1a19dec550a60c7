"""Power losses, kills and failing disks at every file operation of a history. `bench.log_crashes` does more."""

from __future__ import annotations

import errno

import pytest

from kwire.testing.log_crashes import (
    PLAIN,
    PLAIN_AND_COMPACTED,
    LostPromiseError,
    crash_everywhere,
    crash_once,
    fail_everywhere,
    kill_everywhere,
    run_history,
)

STEPS = 45


def test_power_loss_after_every_operation() -> None:
    assert crash_everywhere(1, STEPS, PLAIN_AND_COMPACTED, outcomes=1) > 300


def test_power_loss_with_flipped_bits() -> None:
    # Not on a compacted log: there a gap between offsets is no fault, and a batch's base offset has no checksum.
    assert crash_everywhere(3, STEPS, PLAIN, outcomes=1, bit_flips=3) > 250


def test_kill_after_every_operation() -> None:
    assert kill_everywhere(4, STEPS, PLAIN_AND_COMPACTED) > 300


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC])
def test_a_disk_that_fails_in_any_operation(error: int) -> None:
    assert fail_everywhere(5, STEPS, PLAIN_AND_COMPACTED, error, every=4) > 70


def test_the_history_holds_what_may_happen() -> None:
    """A history that skips a kind of file operation would prove less than it seems to."""
    counts = run_history(1, 200, PLAIN_AND_COMPACTED).files.counts
    for kind in ("create", "write", "truncate", "sync", "sync_directory", "rename", "remove", "remove_directory"):
        assert counts[kind], kind


def test_a_broken_promise_is_noticed() -> None:
    """The checks fail when they should: a record that was never appended is promised here."""
    history = run_history(1, STEPS, PLAIN)
    for partition_history in history.partitions.values():
        for offset in list(partition_history.versions):
            record = partition_history.versions[offset][-1].record
            partition_history.versions[offset][-1].record = record._replace(value=b"another")
    with pytest.raises(LostPromiseError, match="seed 1, operation"):
        crash_once(history, 1, history.files.operations, 0, 0)
