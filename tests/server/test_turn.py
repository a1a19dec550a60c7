"""Turns, one after the other."""

from __future__ import annotations

import trio
import trio.testing

from broker_fixture import finish
from kwire.server.turn import Turn


def test_without_anybody_else_no_event_loop_is_needed() -> None:
    async def work() -> str:
        turn = Turn()
        for _ in range(2):
            async with turn:
                pass
        return "done"

    assert finish(work()) == "done"


def test_first_come_first_served_and_who_gives_up_is_passed_over() -> None:
    turn, order = Turn(), list[str]()

    async def work(name: str, scope: trio.CancelScope) -> None:
        with scope:
            async with turn:
                order.append(name)
                await trio.testing.wait_all_tasks_blocked()

    async def main() -> None:
        scopes = {name: trio.CancelScope() for name in "abc"}
        async with turn, trio.open_nursery() as nursery:
            for name, scope in scopes.items():
                nursery.start_soon(work, name, scope)
                await trio.testing.wait_all_tasks_blocked()
            scopes["b"].cancel()
            await trio.testing.wait_all_tasks_blocked()
            assert order == []
            await turn.__aexit__(None, None, None)
            await trio.testing.wait_all_tasks_blocked()
            await turn.__aenter__()
        assert order == ["a", "c"]
        async with turn:
            order.append("free again")

    trio.run(main)
    assert order[-1] == "free again"
