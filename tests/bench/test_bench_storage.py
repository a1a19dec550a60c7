"""The parts of `python -m bench storage`, at sizes that take no time."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import storage
from bench.open_logs import BATCHES, OPEN_FILES_MAX, TOPIC, make_partitions, measure, open_manager

from kwire.storage.checkpoints import TopicPartition


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "cache_directory", lambda: tmp_path / "cache")


def test_append_is_measured_beside_a_bare_write_and_leaves_nothing(tmp_path: Path) -> None:
    row = storage.append_row("tiny", 200, 3, rounds=2)("µs", "less", lambda seconds: seconds * 1e6)
    assert row.theirs.keys() == {"os.write"}
    assert row.ours.best > 0 < row.theirs["os.write"].best
    assert list((tmp_path / "cache").iterdir()) == []


def test_recovery_is_measured_over_the_whole_segment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "SCAN_BYTES", 10_000)
    row = storage.recovery_row("tiny", [storage.batch_of(500), storage.batch_of(900)], runs=2)
    assert row.asked == {"limit": 1.0}
    assert row.ours.best > 0
    assert list((tmp_path / "cache").iterdir()) == []


def test_the_partitions_that_were_made_open_as_after_a_clean_stop(tmp_path: Path) -> None:
    make_partitions(tmp_path / "data", 3)
    manager = open_manager(tmp_path / "data")
    assert [log_dir.had_clean_shutdown for log_dir in manager.log_dirs] == [True]
    assert manager.logs.keys() == {TopicPartition(TOPIC, number) for number in range(3)}
    for log in manager.logs.values():
        assert (log.high_watermark, log.log_end_offset, log.recovery_point) == (BATCHES, BATCHES, BATCHES)
        assert [state.next_sequence for state in log.producers] == [BATCHES]
    manager.shutdown(0, broker_epoch=1)
    found = measure(tmp_path / "data")
    assert found["logs"] == 3
    assert found["resident_mb"] >= found["resident_before_mb"] > 0
    assert 0 < found["descriptors_after_appends"] <= OPEN_FILES_MAX + 1
