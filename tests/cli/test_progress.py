"""A line of progress, on terminals only."""

from __future__ import annotations

import io

from kwire.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_line_that_is_wiped_at_the_end() -> None:
    terminal = Terminal()
    with Progress("produce", 200, terminal) as progress:
        progress.advance(50, 1000)
    written = terminal.getvalue()
    assert written.startswith("\rproduce [######------------------] 25%")
    assert "50 records" in written
    assert written.endswith("\r\x1b[K")


def test_it_is_not_written_for_every_record() -> None:
    terminal = Terminal()
    with Progress("produce", None, terminal) as progress:
        for _ in range(10_000):
            progress.advance(1, 10)
    assert progress.records == 10_000
    assert terminal.getvalue().count("produce") < 1000


def test_nothing_is_written_elsewhere() -> None:
    out = io.StringIO()
    with Progress("produce", 10, out) as progress:
        progress.advance(10, 10)
    assert (out.getvalue(), progress.records, progress.size_bytes) == ("", 10, 10)


def test_the_line() -> None:
    progress = Progress("consume", 10, io.StringIO())
    progress.advance(20, 3_000_000)
    assert progress.line(2.0) == "consume [########################] 100%  20 records  1.5 MB/s"
    endless = Progress("produce", None, io.StringIO())
    endless.advance(1234, 0)
    assert endless.line(1.0) == "produce  1,234 records  0 B/s"
