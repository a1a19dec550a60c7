"""All producers of one log: what has to be known to refuse, repeat or take a batch, and where transactions stand.

A batch with a producer id goes through `check` before it is written and through `append` afterwards; a follower and a
recovery append without checking. A transaction is open from its producer's first transactional batch to the marker that
ends it. Until the marker is replicated too, its records are not stable:

    first_unstable_offset = the first offset of the oldest transaction that is open, or ended at or above the high
                            watermark; readers under read_committed stop there

The table is a function of the batches in the log up to `end_offset`: replaying them gives the same table, but for
producers that have expired and for batches before the snapshot from which a replay starts (see `producer_snapshots`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kwire.records.batch import TRANSACTIONAL_FLAG, BatchHeader
from kwire.records.control import ControlType, EndTransactionMarker
from kwire.storage.file_system import File, FileSystem
from kwire.storage.producer_snapshots import ProducerSnapshots
from kwire.storage.producer_state import BatchMetadata, ProducerState

PRODUCER_ID_EXPIRATION_MS = 24 * 60 * 60 * 1000
"""The default of producer.id.expiration.ms."""


class CompletedTransaction(NamedTuple):
    """A transaction that a marker, at `last_offset`, has ended. The first four fields are the aborted index's."""

    producer_id: int
    first_offset: int
    last_offset: int
    last_stable_offset: int
    is_aborted: bool


class ProducerTable:
    """The producers of one log, up to `end_offset`, which the log moves on for batches that have no producer id."""

    __slots__ = (
        "_expiration_ms",
        "_last_snapshot_offset",
        "_open",
        "_states",
        "_unreplicated",
        "end_offset",
        "first_unstable_offset",
        "snapshots",
    )

    def __init__(
        self,
        files: FileSystem,
        directory: str,
        names: Iterable[str] | None = None,
        expiration_ms: int = PRODUCER_ID_EXPIRATION_MS,
    ) -> None:
        """An empty table at offset 0. `names` is a listing of the directory, if there is one already."""
        self.snapshots = ProducerSnapshots(files, directory, names)
        self.end_offset: int = 0
        self.first_unstable_offset: int | None = None
        self._expiration_ms = expiration_ms
        self._last_snapshot_offset: int = 0
        self._states: dict[int, ProducerState] = {}
        # First offset to producer id, in rising order; ordered so that the oldest is found at once.
        self._open: OrderedDict[int, int] = OrderedDict()
        # First offset to marker offset, of transactions that ended at or above the high watermark.
        self._unreplicated: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._states)

    def __iter__(self) -> Iterator[ProducerState]:
        return iter(self._states.values())

    def get(self, producer_id: int) -> ProducerState | None:
        """What is known of a producer."""
        return self._states.get(producer_id)

    def has_open_transaction(self, producer_id: int, producer_epoch: int) -> bool:
        """Whether the producer has, in this epoch, begun a transaction here."""
        state = self._states.get(producer_id)
        return state is not None and state.epoch == producer_epoch and state.transaction_start_offset >= 0

    @property
    def first_undecided_offset(self) -> int | None:
        """The first offset of the oldest open transaction: compaction does not pass it."""
        return next(iter(self._open), None)

    # Before the write.

    def check(self, header: BatchHeader) -> BatchMetadata | None:
        """Whether a client's batch may be appended: the batch it repeats, None if it may, `BrokerError` if not.

        Only for batches with a producer id.
        """
        state = self._states.get(header.producer_id)
        if state is None:
            return None
        if (
            header.base_sequence == state.next_sequence
            and header.producer_epoch == state.epoch
            and (state.transaction_start_offset < 0 or header.attributes & TRANSACTIONAL_FLAG)
        ):
            return None
        return state.check(header)

    def check_epoch(self, header: BatchHeader) -> None:
        """Whether a coordinator's batch, which has no sequence, may be appended; `BrokerError` if not."""
        state = self._states.get(header.producer_id)
        if state is not None:
            state.check_epoch(header)

    def check_marker(
        self, producer_id: int, producer_epoch: int, coordinator_epoch: int, transaction_version: int
    ) -> None:
        """Whether a transaction's marker may be appended; `BrokerError` if not."""
        state = self._states.get(producer_id)
        if state is not None:
            state.check_marker(producer_epoch, coordinator_epoch, transaction_version)

    # After the write.

    def append(self, header: BatchHeader, base_offset: int) -> None:
        """Remember a data batch that was appended at `base_offset`."""
        _, _, _, _, _, attributes, delta, _, timestamp, producer_id, epoch, base_sequence, _ = header
        state = self._states.get(producer_id)
        if state is None:
            state = self._states[producer_id] = ProducerState(producer_id)
        last_offset = base_offset + delta
        state.append(epoch, base_sequence, last_offset, delta, timestamp)
        if attributes & TRANSACTIONAL_FLAG and state.transaction_start_offset < 0:
            state.transaction_start_offset = base_offset
            self._open[base_offset] = producer_id
            if self.first_unstable_offset is None:
                self.first_unstable_offset = base_offset
        self.end_offset = last_offset + 1

    def append_marker(
        self, header: BatchHeader, base_offset: int, marker: EndTransactionMarker
    ) -> CompletedTransaction | None:
        """Remember a marker that was appended at `base_offset`; the transaction that it ends, if one was open here."""
        producer_id = header.producer_id
        state = self._states.get(producer_id)
        if state is None:
            state = self._states[producer_id] = ProducerState(producer_id)
        first_offset = state.transaction_start_offset
        state.end_transaction(header.producer_epoch, marker.coordinator_epoch, header.max_timestamp)
        self.end_offset = base_offset + 1
        if first_offset < 0:
            return None
        del self._open[first_offset]
        self._unreplicated[first_offset] = base_offset
        last_stable_offset = next(iter(self._open), base_offset + 1)
        is_aborted = marker.type is ControlType.ABORT
        return CompletedTransaction(producer_id, first_offset, base_offset, last_stable_offset, is_aborted)

    def on_high_watermark(self, high_watermark: int) -> None:
        """Markers below the high watermark are replicated: their transactions are stable."""
        if self._unreplicated:
            for first_offset, marker_offset in list(self._unreplicated.items()):
                if marker_offset < high_watermark:
                    del self._unreplicated[first_offset]
            self._find_first_unstable()

    def remove_expired(self, now_ms: int) -> int:
        """Forget producers that were silent for producer.id.expiration.ms and have no open transaction; how many."""
        expired = [state.producer_id for state in self._states.values() if self._is_expired(state, now_ms)]
        for producer_id in expired:
            del self._states[producer_id]
        return len(expired)

    # Snapshots, truncation.

    def take_snapshot(self) -> File | None:
        """Write the table as of `end_offset`, unless that is there; the file, to be synced off the loop and closed."""
        if self.end_offset <= self._last_snapshot_offset:
            return None
        file = self.snapshots.write(self.end_offset, self._states.values())
        self._last_snapshot_offset = self.end_offset
        return file

    def truncate_and_reload(self, log_start_offset: int, log_end_offset: int, now_ms: int) -> None:
        """Fit the table to a log with these ends: from the newest snapshot within them, or empty at its start.

        Afterwards the batches from `end_offset` on have to be appended anew. Snapshots that do not fit are removed.
        """
        self.snapshots.remove_outside(log_start_offset, log_end_offset)
        if log_end_offset == self.end_offset:
            self.on_log_start_offset(log_start_offset)
            return
        self._clear()
        loaded = self.snapshots.load_latest()
        if loaded is None:
            self.end_offset = self._last_snapshot_offset = log_start_offset
            return
        self.end_offset = self._last_snapshot_offset = loaded[0]
        for state in loaded[1]:
            if not self._is_expired(state, now_ms):
                self._states[state.producer_id] = state
        opened = sorted((s.transaction_start_offset, s.producer_id) for s in self if s.transaction_start_offset >= 0)
        self._open.update(opened)
        self._find_first_unstable()

    def truncate_fully_and_start_at(self, offset: int) -> None:
        """Forget everything, snapshots included: the log is empty and starts at `offset`."""
        self._clear()
        for snapshot_offset in self.snapshots.offsets:
            self.snapshots.remove(snapshot_offset)
        self._last_snapshot_offset = 0
        self.end_offset = offset

    def on_log_start_offset(self, log_start_offset: int) -> None:
        """The log starts there now. Producers stay: what they wrote counts, though it may be gone."""
        self.on_high_watermark(log_start_offset)
        self.end_offset = max(self.end_offset, log_start_offset)
        latest = self.snapshots.latest_offset
        self._last_snapshot_offset = log_start_offset if latest is None else latest

    def _clear(self) -> None:
        self._states.clear()
        self._open.clear()
        self._unreplicated.clear()
        self.first_unstable_offset = None

    def _find_first_unstable(self) -> None:
        first_open = next(iter(self._open), None)
        first_unreplicated = min(self._unreplicated, default=None)
        candidates = [offset for offset in (first_open, first_unreplicated) if offset is not None]
        self.first_unstable_offset = min(candidates, default=None)

    def _is_expired(self, state: ProducerState, now_ms: int) -> bool:
        return state.transaction_start_offset < 0 and now_ms - state.last_timestamp >= self._expiration_ms
