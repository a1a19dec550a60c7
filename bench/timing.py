"""Timing several functions beside each other on a machine that has other work to do.

The functions take turns (A B C A B C …) in samples of about a millisecond, so that a slow moment of the machine meets
all of them. What counts is the shortest sample of each: interference only ever adds. The median is kept beside it to
show how much interference there was. Time is the process's own CPU time, and the garbage collector stands still while
a sample runs, as in `timeit`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from itertools import repeat
from statistics import median
from time import process_time

from bench.report import Figure

SAMPLE_SECONDS = 0.001


def side_by_side(functions: Sequence[Callable[[], object]], rounds: int) -> list[Figure]:
    """Seconds per call of each function, over that many rounds."""
    counts = [_calls_per_sample(function) for function in functions]
    samples: list[list[float]] = [[] for _ in functions]
    for _ in range(rounds):
        for function, count, taken in zip(functions, counts, samples, strict=True):
            taken.append(_sample(function, count) / count)
    return [Figure(min(taken), median(taken)) for taken in samples]


def _calls_per_sample(function: Callable[[], object]) -> int:
    function()  # what is compiled at first use is compiled here
    count = 1
    while (taken := _sample(function, count)) < SAMPLE_SECONDS / 4:
        count *= 2
    return max(1, round(count * SAMPLE_SECONDS / taken))


def _sample(function: Callable[[], object], count: int) -> float:
    calls = repeat(None, count)
    collecting = gc.isenabled()
    gc.disable()
    try:
        start = process_time()
        for _ in calls:
            function()
        return process_time() - start
    finally:
        if collecting:
            gc.enable()
