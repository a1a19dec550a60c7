"""What deciding about metadata comes to: changes to commit, what they rest on, and a row of reply for each thing asked.

A decision is a pure function of the image, the request's values and the randomness it is handed. Whoever asked commits
`changes` with `expected` (or not, if it was to be validated only), and replies with `rows` once that is durable. On
`ConflictError` somebody else was faster: decide again on a newer image.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from kwire.errors import ErrorCode
from kwire.metadata.store import Change

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Decision(Generic[R]):
    """`rows` has one row for each thing that was asked for, in the order of the request."""

    changes: tuple[Change, ...]
    expected: Mapping[str, int]
    rows: tuple[R, ...]

    def without_changes(self) -> Decision[R]:
        """The same answer, for a request that was only to be validated."""
        return replace(self, changes=(), expected={})


@dataclass(slots=True)
class Draft:
    """A decision in the making."""

    changes: list[Change] = field(default_factory=list[Change])
    expected: dict[str, int] = field(default_factory=dict[str, int])

    def decide(self, rows: list[R]) -> Decision[R]:
        return Decision(tuple(self.changes), self.expected, tuple(rows))


class RefusedError(Exception):
    """One thing of a request that cannot be done: becomes its row's error code and message."""

    def __init__(self, code: ErrorCode, message: str | None = None) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
