"""A line of progress on stderr, for people: nothing is printed where stderr is no terminal.

    with Progress("produce", total=100_000) as progress:
        progress.advance(records=500, size_bytes=50_000)

The line is written anew at most ten times a second, and wiped at the end.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self, TextIO

from kwire.cli.output import human_bytes

REDRAW_S = 0.1
_BAR_WIDTH = 24


class Progress:
    def __init__(self, label: str, total: int | None = None, stream: TextIO | None = None) -> None:
        self.records = 0
        self.size_bytes = 0
        self._label = label
        self._total = total
        self._stream = stream or sys.stderr
        self._shown = self._stream.isatty()
        self._started_s = time.monotonic()
        self._next_s = self._started_s

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def advance(self, records: int, size_bytes: int) -> None:
        self.records += records
        self.size_bytes += size_bytes
        if self._shown and time.monotonic() >= self._next_s:
            self._next_s = time.monotonic() + REDRAW_S
            elapsed_s = max(time.monotonic() - self._started_s, 1e-6)
            self._stream.write(f"\r{self.line(elapsed_s)}\x1b[K")
            self._stream.flush()

    def line(self, elapsed_s: float) -> str:
        """produce [#######-----] 58 %  58,000 records  12.3 MB/s"""
        parts = [self._label]
        if self._total:
            done = min(1.0, self.records / self._total)
            filled = round(done * _BAR_WIDTH)
            parts.append(f"[{'#' * filled}{'-' * (_BAR_WIDTH - filled)}] {done:.0%}")
        parts.append(f" {self.records:,} records")
        parts.append(f" {human_bytes(self.size_bytes / elapsed_s)}/s")
        return " ".join(parts)
