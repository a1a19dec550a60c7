"""What a handler answers with.

Most know the answer at once and return the response itself. The others return

    Later      the answer comes when something happens: data arrives, an fsync ends, a group rebalances
    Blocking   the answer needs work that may block: a worker thread does it, and the loop goes on meanwhile
    NO_REPLY   the client does not want one (acks=0)

so that handlers stay synchronous and know neither tasks nor threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from kwire.protocol.schema import Message


class ConnectionMustCloseError(Exception):
    """An error that no response can tell: the connection is closed instead, as Kafka does."""


class Later:
    """A response that is not there yet. Completed once; abandoned if the client goes away first.

    `is_poll` says that waiting is what the client wants: nobody need hurry for it, nor a stop wait for it.
    """

    __slots__ = ("_message", "_on_ready", "abandoned", "error", "is_poll", "on_abandon")

    def __init__(self, *, is_poll: bool = False) -> None:
        self.is_poll = is_poll
        self.error: ConnectionMustCloseError | None = None
        self._message: Message | None = None
        self._on_ready: Callable[[], object] | None = None
        self.on_abandon: Callable[[], object] | None = None
        self.abandoned = False

    @property
    def message(self) -> Message | None:
        return self._message

    @property
    def is_open(self) -> bool:
        return self._message is None and self.error is None and not self.abandoned

    def complete(self, message: Message) -> None:
        """Gives the response. Whoever was told to come back is called at once."""
        if not self.is_open:
            return
        self._message = message
        if self._on_ready is not None:
            self._on_ready()

    def fail(self, error: ConnectionMustCloseError) -> None:
        """There will be no response."""
        if not self.is_open:
            return
        self.error = error
        if self._on_ready is not None:
            self._on_ready()

    def when_ready(self, action: Callable[[], object]) -> None:
        """Calls `action` when the response is there, or `error`; now, if it is there already."""
        if self._message is not None or self.error is not None:
            action()
        else:
            self._on_ready = action

    def abandon(self) -> None:
        """Nobody waits for the response any more: lets its maker clean up."""
        if self.is_open:
            self.abandoned = True
            if self.on_abandon is not None:
                self.on_abandon()


@dataclass(frozen=True, slots=True)
class Blocking:
    """Work for a worker thread, and what makes the reply of its result, back on the loop.

    `work` may touch files and the metadata store, and nothing that the loop changes. `then` gets what it returned, or
    the exception that it raised.
    """

    work: Callable[[], Any]
    then: Callable[[Any], Reply]


class NoReply:
    """The client asked for no answer."""


NO_REPLY: Final = NoReply()

Reply = Message | Later | Blocking | NoReply
