"""A nursery for tasks in the background of a `with` block, which end with it.

The tasks of this package hand their failures to whoever waits for a result, and never raise. So the one exception that
can come out of such a block is the body's own, and it comes out bare, not in a group of one.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import cast

import trio


@asynccontextmanager
async def background_tasks() -> AsyncGenerator[trio.Nursery]:
    """A nursery that is cancelled when the block ends, however it ends."""
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        try:
            yield nursery
        except Exception as error:
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure


def leaves_of(error: BaseException | None) -> Iterator[BaseException]:
    """The exceptions that a group is made of, however deep; an exception that is no group is its own leaf."""
    if isinstance(error, BaseExceptionGroup):
        for part in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from leaves_of(part)
    elif error is not None:
        yield error
