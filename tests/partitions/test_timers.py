"""Deadlines on a clock that the test turns."""

from __future__ import annotations

from random import Random

import pytest

from kwire.partitions.timers import CANCELLED_MAX, Timers


class Clock:
    def __init__(self) -> None:
        self.now_ms = 1000.0

    def __call__(self) -> float:
        return self.now_ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_what_is_due_is_done_in_the_order_of_its_time_and_then_of_its_setting(clock: Clock) -> None:
    timers, done = Timers(clock), list[str]()
    timers.after(20, lambda: done.append("late"))
    timers.after(10, lambda: done.append("first"))
    timers.at(1010, lambda: done.append("second of the same time"))
    clock.now_ms = 1009.9
    assert timers.run_due() is False
    assert (done, timers.next_ms()) == ([], 1010)
    clock.now_ms = 1010
    timers.run_due()
    assert done == ["first", "second of the same time"]
    clock.now_ms = 5000
    timers.run_due()
    assert done[2:] == ["late"]
    assert (timers.next_ms(), len(timers)) == (None, 0)


def test_what_is_cancelled_is_not_done_and_forgets_its_action_at_once(clock: Clock) -> None:
    timers, done = Timers(clock), list[str]()
    timer = timers.after(10, lambda: done.append("no"))
    timers.after(20, lambda: done.append("yes"))
    timer.cancel()
    timer.cancel()
    assert (timer.is_pending, len(timers), timers.next_ms()) == (False, 1, 1020)
    clock.now_ms = 1020
    timers.run_due()
    assert done == ["yes"]
    assert (len(timers), timers.cancelled) == (0, 0)


def test_an_action_may_set_and_cancel_deadlines(clock: Clock) -> None:
    timers, done = Timers(clock), list[str]()

    def first() -> None:
        done.append("first")
        other.cancel()
        timers.after(0, lambda: done.append("set while running"))

    timers.after(1, first)
    other = timers.after(2, lambda: done.append("cancelled while running"))
    clock.now_ms = 1002
    timers.run_due()
    assert done == ["first", "set while running"]
    assert len(timers) == 0


def test_no_more_is_done_at_once_than_asked_for(clock: Clock) -> None:
    timers, done = Timers(clock), list[int]()
    for number in range(5):
        timers.after(1, lambda number=number: done.append(number))
    clock.now_ms = 1001
    assert timers.run_due(3) is True
    assert done == [0, 1, 2]
    assert timers.run_due(3) is False
    assert done == [0, 1, 2, 3, 4]


def test_who_sleeps_is_told_of_an_earlier_deadline_and_of_no_other(clock: Clock) -> None:
    told: list[float] = []
    timers = Timers(clock)
    timers.on_earlier = lambda: told.append(timers.next_ms() or 0)
    timers.after(100, lambda: None)
    timers.after(200, lambda: None)
    timers.after(50, lambda: None)
    assert told == [1100, 1050]


def test_cancelled_entries_leave_the_heap_though_their_time_never_comes(clock: Clock) -> None:
    timers = Timers(clock)
    for _ in range(20 * CANCELLED_MAX):
        timers.after(1e9, lambda: None).cancel()
    assert timers.cancelled <= CANCELLED_MAX + 1
    assert len(timers._heap) <= 2 * CANCELLED_MAX
    assert len(timers) == 0


@pytest.mark.parametrize("seed", range(5))
def test_any_mix_does_what_a_sorted_list_would(clock: Clock, seed: int) -> None:
    rng, timers = Random(seed), Timers(clock)
    expected: dict[int, float] = {}
    done: list[int] = []
    handles = {}
    for number in range(3000):
        match rng.randrange(3):
            case 0 if handles:
                chosen = rng.choice(list(handles))
                handles.pop(chosen).cancel()
                expected.pop(chosen, None)
            case 1 if rng.random() < 0.2:
                clock.now_ms += rng.randrange(40)
                while timers.run_due(7):
                    pass
                due = sorted((at, one) for one, at in expected.items() if at <= clock.now_ms)
                assert done == [one for _, one in due]
                for _, one in due:
                    del expected[one], handles[one]
                done.clear()
            case _:
                delay = rng.randrange(60)
                expected[number] = clock.now_ms + delay
                handles[number] = timers.after(delay, lambda number=number: done.append(number))
        assert len(timers) == len(expected)
