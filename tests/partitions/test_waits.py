"""Fetches that wait for bytes, and the queue of those that have enough."""

from __future__ import annotations

import pytest

from kwire.partitions.timers import Timers
from kwire.partitions.waits import DataWait, ReadyQueue


class Watched:
    """What a wait needs of a partition."""

    def __init__(self) -> None:
        self.data_waits: set[DataWait] = set()


def test_the_queue_is_worked_off_in_order_and_a_part_at_a_time() -> None:
    firsts: list[int] = []
    queue = ReadyQueue()
    queue.on_first = lambda: firsts.append(len(queue))
    done: list[int] = []
    for number in range(5):
        queue.add(lambda number=number: done.append(number))
    assert firsts == [1]
    assert queue.run(2) is True
    assert (done, len(queue)) == ([0, 1], 3)
    assert queue.run(100) is False
    assert done == [0, 1, 2, 3, 4]


def test_what_an_action_adds_waits_for_the_next_round() -> None:
    queue, done = ReadyQueue(), list[str]()

    def again() -> None:
        done.append("again")
        queue.add(again)

    queue.add(again)
    assert queue.run(100) is True
    assert done == ["again"]


def test_one_that_raises_leaves_the_others_queued() -> None:
    queue, done = ReadyQueue(), list[str]()
    queue.add(lambda: 1 // 0)
    queue.add(lambda: done.append("next"))
    with pytest.raises(ZeroDivisionError):
        queue.run(10)
    queue.run(10)
    assert done == ["next"]


def test_a_wait_ends_when_enough_has_come_to_its_partitions_together() -> None:
    one, two, queue, done = Watched(), Watched(), ReadyQueue(), list[str]()
    wait = DataWait([one, two], 100, lambda: done.append("answered"), queue)
    assert one.data_waits == two.data_waits == {wait}
    wait.arrived(60)
    assert len(queue) == 0
    wait.arrived(40)
    assert one.data_waits == two.data_waits == set()
    assert done == []  # not while the append that brought the bytes is under way
    queue.run(10)
    assert done == ["answered"]


def test_a_wait_ends_when_its_time_is_over_and_its_timer_is_gone_with_it() -> None:
    now = [0.0]
    timers, queue, partition, done = Timers(lambda: now[0]), ReadyQueue(), Watched(), list[str]()
    DataWait([partition], 1, lambda: done.append("time"), queue).until(timers, 500)
    other = DataWait([partition], 1, lambda: done.append("bytes"), queue)
    other.until(timers, 500)
    other.arrived(1)
    assert len(timers) == 1
    now[0] = 500
    timers.run_due()
    queue.run(10)
    assert done == ["bytes", "time"]
    assert partition.data_waits == set()


def test_a_wait_that_is_cancelled_leaves_nothing_behind() -> None:
    timers, queue, partition = Timers(lambda: 0.0), ReadyQueue(), Watched()
    wait = DataWait([partition, partition], 1, lambda: None, queue)
    wait.until(timers, 500)
    wait.cancel()
    wait.cancel()
    assert (len(timers), len(queue), partition.data_waits) == (0, 0, set())
