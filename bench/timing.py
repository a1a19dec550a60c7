"""Timing several pieces of code beside each other on a machine that has other work to do.

They take turns (A B C A B C …) in samples of about a millisecond, so that a slow moment of the machine meets all of
them. What counts is the shortest sample of each: interference only ever adds. The median is kept beside it to show how
much interference there was. As always with `timeit`, the garbage collector stands still while a sample runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from timeit import Timer

from bench.report import Figure

SAMPLE_SECONDS = 0.001


def side_by_side(timers: Sequence[Timer], rounds: int) -> list[Figure]:
    """Seconds per run of each, over that many rounds. Give the timers `process_time`, which leaves out preemption."""
    counts = [_runs_per_sample(timer) for timer in timers]
    samples: list[list[float]] = [[] for _ in timers]
    for _ in range(rounds):
        for timer, count, taken in zip(timers, counts, samples, strict=True):
            taken.append(timer.timeit(count) / count)
    return [Figure(min(taken), median(taken)) for taken in samples]


def _runs_per_sample(timer: Timer) -> int:
    timer.timeit(1)  # what is compiled at first use is compiled here
    count = 1
    while (taken := timer.timeit(count)) < SAMPLE_SECONDS / 4:
        count *= 2
    return max(1, round(count * SAMPLE_SECONDS / taken))
