"""The memory that requests under way may hold together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio
import trio.testing

from kwire.server.budget import Budget


def run(scenario: Callable[[trio.Nursery, list[str]], Awaitable[None]]) -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            await scenario(nursery, [])
            nursery.cancel_scope.cancel()

    trio.run(main)


async def take(budget: Budget, size: int, name: str, done: list[str]) -> None:
    await budget.take(size)
    done.append(name)


def test_what_fits_is_taken_at_once_and_what_does_not_waits() -> None:
    async def scenario(nursery: trio.Nursery, done: list[str]) -> None:
        budget = Budget(100)
        await budget.take(60)
        await budget.take(40)
        nursery.start_soon(take, budget, 30, "third", done)
        await trio.testing.wait_all_tasks_blocked()
        assert (done, budget.bytes_used) == ([], 100)
        budget.give_back(40)
        assert budget.bytes_used == 90
        await trio.testing.wait_all_tasks_blocked()
        assert done == ["third"]

    run(scenario)


def test_small_ones_do_not_overtake_a_large_one_for_ever() -> None:
    async def scenario(nursery: trio.Nursery, done: list[str]) -> None:
        budget = Budget(100)
        await budget.take(50)
        nursery.start_soon(take, budget, 90, "large", done)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(take, budget, 10, "small", done)
        await trio.testing.wait_all_tasks_blocked()
        assert done == []
        budget.give_back(50)
        await trio.testing.wait_all_tasks_blocked()
        assert (sorted(done), budget.bytes_used) == (["large", "small"], 100)

    run(scenario)


def test_one_that_is_larger_than_everything_is_let_in_alone() -> None:
    async def scenario(nursery: trio.Nursery, done: list[str]) -> None:
        budget = Budget(100)
        await budget.take(1)
        for size, name in ((5000, "huge"), (1, "next")):
            nursery.start_soon(take, budget, size, name, done)
            await trio.testing.wait_all_tasks_blocked()
        budget.give_back(1)
        await trio.testing.wait_all_tasks_blocked()
        assert (done, budget.bytes_used) == (["huge"], 5000)
        budget.give_back(5000)
        await trio.testing.wait_all_tasks_blocked()
        assert (done, budget.bytes_used) == (["huge", "next"], 1)

    run(scenario)


def test_a_negative_limit_is_none() -> None:
    async def scenario(nursery: trio.Nursery, done: list[str]) -> None:
        budget = Budget(-1)
        for _ in range(10):
            await budget.take(1 << 40)

    run(scenario)


def test_who_gives_up_leaves_its_place_and_what_it_was_given() -> None:
    async def scenario(nursery: trio.Nursery, done: list[str]) -> None:
        budget = Budget(100)
        await budget.take(100)
        scope = trio.CancelScope()

        async def give_up(size: int) -> None:
            with scope:
                await take(budget, size, "never", done)

        nursery.start_soon(give_up, 100)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(take, budget, 10, "behind", done)
        await trio.testing.wait_all_tasks_blocked()
        scope.cancel()
        await trio.testing.wait_all_tasks_blocked()
        assert done == []
        budget.give_back(50)
        await trio.testing.wait_all_tasks_blocked()
        assert (done, budget.bytes_used) == (["behind"], 60)
        # Let in and given up in the same moment.
        scope = trio.CancelScope()
        nursery.start_soon(give_up, 90)
        await trio.testing.wait_all_tasks_blocked()
        budget.give_back(60)
        scope.cancel()
        await trio.testing.wait_all_tasks_blocked()
        assert (done, budget.bytes_used) in ((["behind"], 0), (["behind", "never"], 90))

    run(scenario)
