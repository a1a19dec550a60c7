"""A flush in a worker thread while the event loop goes on appending, on real files."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from kwire.storage.files import RealFileSystem
from kwire.storage.flush import FlushScope
from kwire.storage.recovery import KnownOffsets
from kwire.testing.small_logs import NOW_MS, SMALL, append, make_batch, open_small_log, read_records

ROOMY = replace(SMALL, segment_bytes=20_000, segment_index_bytes=4096, index_interval_bytes=500)


def test_appends_rolls_and_deletions_go_on_while_a_worker_syncs(tmp_path: Path) -> None:
    directory = str(tmp_path / "topic-0")
    log = open_small_log(RealFileSystem(open_files_max=6), ROOMY, directory=directory)
    errors: list[BaseException] = []
    for number in range(60):
        for _ in range(25):
            append(log, make_batch(b"%50d" % log.log_end_offset))
        end_offset = log.log_end_offset
        ticket = log.begin_flush(NOW_MS, list(FlushScope)[number % 2])
        assert ticket is not None

        def sync(sync: object = ticket.sync) -> None:
            try:
                assert callable(sync)
                sync()
            except BaseException as error:
                errors.append(error)

        worker = threading.Thread(target=sync)
        worker.start()
        for _ in range(25):
            append(log, make_batch(b"%50d" % log.log_end_offset))
        if len(log.local.segments) > 4:
            log.delete_oldest(1, NOW_MS)
            log.remove_dropped(NOW_MS + 10**6)
        worker.join()
        log.finish_flush(ticket)
        assert errors == []
        assert log.flushed_offset == end_offset
    expected = [record.value for record in read_records(log)]
    assert expected == [b"%50d" % offset for offset in range(log.log_start_offset, log.log_end_offset)]
    known = KnownOffsets(log.log_start_offset, log.recovery_point, log.high_watermark)
    found = open_small_log(RealFileSystem(), ROOMY, directory=directory, known=known)
    assert [record.value for record in read_records(found)] == expected
