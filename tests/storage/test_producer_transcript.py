"""The producers of a log against a transcript of Apache Kafka's own ProducerStateManager, state by state."""

from __future__ import annotations

from pathlib import Path

from kwire.errors import BrokerError
from kwire.records.batch import CONTROL_FLAG, TRANSACTIONAL_FLAG, BatchHeader
from kwire.records.control import ControlType, EndTransactionMarker
from kwire.storage.producer_table import ProducerTable
from kwire.testing.fake_files import FakeFileSystem

TRANSCRIPT = Path(__file__).parent / "golden" / "producer_state.txt"


class LogOfHeaders:
    """As much of a log as the table needs: batches by offset, to be replayed after a truncation."""

    def __init__(self) -> None:
        files = FakeFileSystem()
        files.make_directory("/t-0")
        self.table = ProducerTable(files, "/t-0", expiration_ms=5000)
        self.batches: dict[int, tuple[BatchHeader, EndTransactionMarker | None]] = {}

    def run(self, command: str) -> str:
        name, *arguments = command.split()
        return getattr(self, name)(*map(int, arguments)) or "ok"

    def append(
        self, producer_id: int, epoch: int, sequence: int, count: int, transactional: int, now_ms: int, offset: int
    ) -> str:
        flags = TRANSACTIONAL_FLAG * transactional
        header = BatchHeader(0, 99, 0, 2, 0, flags, count - 1, now_ms, now_ms, producer_id, epoch, sequence, count)
        duplicate = self.table.check(header)
        if duplicate is not None:
            return f"duplicate {duplicate.first_offset} {duplicate.last_offset}"
        self.table.append(header, offset)
        self.batches[offset] = header, None
        return "ok"

    def marker(
        self, producer_id: int, epoch: int, coordinator_epoch: int, abort: int, now_ms: int, version: int, offset: int
    ) -> str:
        self.table.check_marker(producer_id, epoch, coordinator_epoch, version)
        flags = TRANSACTIONAL_FLAG | CONTROL_FLAG
        header = BatchHeader(0, 99, 0, 2, 0, flags, 0, now_ms, now_ms, producer_id, epoch, -1, 1)
        marker = EndTransactionMarker(ControlType.ABORT if abort else ControlType.COMMIT, coordinator_epoch)
        completed = self.table.append_marker(header, offset, marker)
        self.batches[offset] = header, marker
        if completed is None:
            return "ok"
        assert completed.producer_id == producer_id
        how = "aborted" if completed.is_aborted else "committed"
        return f"completed {completed.first_offset} {completed.last_offset} {completed.last_stable_offset} {how}"

    def high_watermark(self, offset: int) -> None:
        self.table.on_high_watermark(offset)

    def snapshot(self) -> None:
        file = self.table.take_snapshot()
        if file is not None:
            file.close()

    def truncate(self, start: int, end: int, now_ms: int, replay_from: int) -> None:
        self.table.truncate_and_reload(start, end, now_ms)
        assert self.table.end_offset == replay_from
        self.batches = {offset: batch for offset, batch in self.batches.items() if offset < end}
        for offset, (header, marker) in self.batches.items():
            if offset >= replay_from:
                if marker is None:
                    self.table.append(header, offset)
                else:
                    self.table.append_marker(header, offset, marker)
        self.table.end_offset = end

    def expire(self, now_ms: int) -> None:
        self.table.remove_expired(now_ms)

    def start(self, offset: int) -> None:
        self.table.snapshots.remove_before(offset)
        self.table.on_log_start_offset(offset)

    def shown(self) -> str:
        states = [
            f"{s.producer_id}:{s.epoch}:{s.last_sequence}:{s.last_offset}:{s.last_offset_delta}:{s.last_timestamp}:"
            f"{s.coordinator_epoch}:{s.transaction_start_offset}:{len(s.batches)}:"
            f"{s.batches[0].first_sequence if s.batches else -1}:{s.batches[0].first_offset if s.batches else -1}"
            for s in sorted(self.table, key=lambda state: state.producer_id)
        ]
        ends = [self.table.first_unstable_offset, self.table.first_undecided_offset, self.table.end_offset]
        parts = [
            states,
            [str(-1 if offset is None else offset) for offset in ends],
            map(str, self.table.snapshots.offsets),
        ]
        return " | ".join(" ".join(part) for part in parts).strip()


def test_every_step_of_kafkas_transcript_comes_out_alike() -> None:
    log = LogOfHeaders()
    lines = [line for line in TRANSCRIPT.read_text().splitlines() if not line.startswith("#")]
    outcomes: set[str] = set()
    for number, line in enumerate(lines):
        command, answer = line.split(" -> ")
        expected, shown = answer.split(" |", 1)
        try:
            outcome = log.run(command)
        except BrokerError as error:
            outcome = error.code.name
        assert (outcome, log.shown()) == (expected, shown.strip()), f"step {number}: {line}"
        outcomes.add(outcome.split()[0])
    assert outcomes == {
        "ok",
        "duplicate",
        "completed",
        "OUT_OF_ORDER_SEQUENCE_NUMBER",
        "INVALID_PRODUCER_EPOCH",
        "INVALID_TXN_STATE",
        "TRANSACTION_COORDINATOR_FENCED",
    }
