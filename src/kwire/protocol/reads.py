"""Fixed-width reads of a decode function under construction, held back until they can be done together.

One `unpack_from` for many values costs little more than one for a single value. So a fixed-width field only queues its
read; what needs its value at once, such as a length, takes all that is queued along.

A length may also be queued as a guess: we go on as if it were 0 or 1, null or empty, which for some fields is nearly
always true, and look at it when the fields behind it have been read in the same step. If it was more, all from there on
is read again, with care. A Fetch response's partition is so read in one step instead of two, a Produce response's in
one instead of four:

    o.index, o.error_code, …, o.log_start_offset, n1, n2, t, = unpack_from_ihqqqBBB(b, p)
    if n1 | n2 > 1:
        …                                     # from record_errors on, field by field
    else:
        o.record_errors = []                  # after `if not n1: raise NullError`
        o.error_message = '' if n2 else None
        p += 33

A message that is whole has the bytes that this takes, whatever the lengths are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kwire.protocol.schema import FIXED
from kwire.protocol.source import Source


class Guess(NamedTuple):
    """A string or an array: where it goes, its empty value, whether it can be null, how it is read if it is more."""

    target: str
    empty: str
    nullable: bool
    emit_reading: Callable[[], None]


class Read(NamedTuple):
    """A read that is not yet emitted: struct format, where the value goes, and which field it belongs to."""

    layout: str
    target: str
    where: str
    guess: Guess | None = None


class Reads:
    """The queue. In the code that it emits, `b` is the buffer and `p` the position of the first read in the queue."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.queued: list[Read] = []

    @property
    def saves_a_step(self) -> bool:
        """Whether something is queued that one more byte can join for next to nothing."""
        return any(read.layout != "B" for read in self.queued)

    def queue(self, layout: str, target: str) -> None:
        self.queued.append(Read(layout, target, self.source.where))

    def queue_guess(self, guess: Guess) -> None:
        self.queued.append(Read("B", self.source.fresh("n"), self.source.where, guess))

    def read(self, layout: str, target: str) -> None:
        """A read whose value is needed at once."""
        self.queue(layout, target)
        self.flush()

    def flush(self) -> None:
        self.emit_queued(0)

    def emit_queued(self, back: int) -> None:
        """Emits all that is queued, and leaves `p` that many bytes before its end."""
        reads, self.queued = self.queued, []
        if not reads:
            return
        guesses = [index for index, read in enumerate(reads) if read.guess]
        if not guesses:
            self._unpack(reads)
            self._advance(reads, back)
        elif all(read.layout == "B" for read in reads):
            # One by one, bytes are as cheap as together.
            self._queue_again(reads, self._emit_null_first)
            self.emit_queued(back)
        else:
            self._unpack(reads)
            self._check_guesses(reads, guesses[0], back)

    def _check_guesses(self, reads: list[Read], first: int, back: int) -> None:
        source = self.source
        with source.block(f"if {' | '.join(read.target for read in reads if read.guess)} > 1:"):
            self._advance(reads[:first], 0)
            self._queue_again(reads[first:], lambda guess: guess.emit_reading())
            self.emit_queued(back)
        with source.block("else:"):
            for read in reads:
                if read.guess:
                    self._assign_empty(read.target, read.where, read.guess)
            self._advance(reads, back)

    def _assign_empty(self, length: str, where: str, guess: Guess) -> None:
        source = self.source
        if guess.nullable:
            source.emit(f"{guess.target} = {guess.empty} if {length} else None")
            return
        with source.at(where), source.block(f"if not {length}:"):
            source.emit("raise NullError")
        source.emit(f"{guess.target} = {guess.empty}")

    def _queue_again(self, reads: list[Read], emit_guess: Callable[[Guess], None]) -> None:
        """What was guessed is emitted, and takes along what is before it; the rest is queued once more."""
        for read in reads:
            with self.source.at(read.where):
                if read.guess:
                    emit_guess(read.guess)
                else:
                    self.queue(read.layout, read.target)

    def _emit_null_first(self, guess: Guess) -> None:
        if not guess.nullable:
            guess.emit_reading()
            return
        with self.source.block("if b[p]:"):
            guess.emit_reading()
        with self.source.block("else:"):
            self.source.emit("p += 1")
            self.source.emit(f"{guess.target} = None")

    def _unpack(self, reads: list[Read]) -> None:
        """The read itself. `p` is on the first field, so that is where a message ends that is too short."""
        layout = "".join(read.layout for read in reads)
        targets = ", ".join(read.target for read in reads)
        with self.source.at(reads[0].where):
            if layout == "B":
                self.source.emit(f"{targets} = b[p]")
            else:
                self.source.emit(f"{targets}, = {self.source.packer(layout, 'unpack_from')}(b, p)")

    def _advance(self, reads: list[Read], back: int) -> None:
        size = sum(_SIZES[read.layout] for read in reads) - back
        if size:
            self.source.emit(f"p += {size}")


_SIZES = dict(FIXED.values()) | {"B": 1}
