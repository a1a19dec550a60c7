"""A bar plot of ratios as SVG, written by hand: a benchmark is no reason for a plotting library.

Bars lie on a logarithmic axis, so that twice as fast and twice as slow are equally long, and start at 1, the other's
own speed. A dark line across a bar's lane is the ratio that is asked; a bar that does not reach it is red.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

# Blue and orange, then green and purple, are told apart with any colour vision; red is kept for what was missed.
COLOURS = ("#3b75af", "#e69f00", "#5a9e6f", "#8e6bb0")
MISSED = "#c8102e"

LABEL_WIDTH = 250
AXIS_WIDTH = 560
RIGHT_MARGIN = 60
TOP = 76
BAR_HEIGHT = 10
LANE_GAP = 6
GROUP_HEIGHT = 26

TEXT = "font-family='system-ui, sans-serif' font-size='12' fill='#222'"


class Bar(NamedTuple):
    """`series` chooses the colour; a ratio is at least `asked`, if anything is asked."""

    series: int
    ratio: float
    asked: float | None = None


class Group(NamedTuple):
    """Lanes under one heading: (label, bars)."""

    name: str
    lanes: Sequence[tuple[str, Sequence[Bar]]]


def bar_plot(title: str, series: Sequence[str], groups: Sequence[Group]) -> str:
    axis = _Axis([bar for group in groups for _, bars in group.lanes for bar in bars])
    body: list[str] = []
    y = TOP
    for group in groups:
        if group.name:
            body.append(_text(8, y + 17, group.name, "font-weight='600'"))
            y += GROUP_HEIGHT
        for label, bars in group.lanes:
            height = BAR_HEIGHT * max(1, len(bars))
            body.append(_text(LABEL_WIDTH - 10, y + height / 2 + 4, label, "text-anchor='end'"))
            for index, bar in enumerate(bars):
                body += _bar(axis, bar, y + index * BAR_HEIGHT)
            y += height + LANE_GAP
    width, height = LABEL_WIDTH + AXIS_WIDTH + RIGHT_MARGIN, y + 12
    return "\n".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height:g}' {TEXT}>",
            "<rect width='100%' height='100%' fill='#fff'/>",
            _text(8, 20, title, "font-size='15' font-weight='600'"),
            *_legend(series),
            *axis.grid(TOP - 4, y),
            *body,
            "</svg>",
            "",
        ]
    )


class _Axis:
    """From a ratio to a place. Its ends are a little outside all that is shown, and 1 is always on it."""

    def __init__(self, bars: Sequence[Bar]) -> None:
        shown = [1.0, *(bar.ratio for bar in bars), *(bar.asked for bar in bars if bar.asked)]
        self.low = min(ratio for ratio in shown if ratio > 0) / 1.15
        self.high = max(ratio for ratio in shown if math.isfinite(ratio)) * 1.15

    def x(self, ratio: float) -> float:
        inside = min(max(ratio, self.low), self.high)
        return LABEL_WIDTH + AXIS_WIDTH * math.log(inside / self.low) / math.log(self.high / self.low)

    def grid(self, top: float, bottom: float) -> Iterator[str]:
        for tick in self._ticks():
            x = self.x(tick)
            colour = "#888" if tick == 1 else "#ddd"
            yield f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{top}' y2='{bottom:g}' stroke='{colour}'/>"
            yield _text(x, top - 5, f"{tick:g}x", "text-anchor='middle' fill='#666' font-size='11'")

    def _ticks(self) -> list[float]:
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        return [
            tick
            for power in powers
            for tick in (10**power, 2 * 10**power, 5 * 10**power)
            if self.low <= tick <= self.high
        ]


def _bar(axis: _Axis, bar: Bar, y: float) -> Iterator[str]:
    missed = bar.asked is not None and bar.ratio < bar.asked
    start, end = sorted((axis.x(1), axis.x(bar.ratio)))
    colour = MISSED if missed else COLOURS[bar.series % len(COLOURS)]
    width = max(end - start, 1)
    yield f"<rect x='{start:.1f}' y='{y + 1:g}' width='{width:.1f}' height='{BAR_HEIGHT - 1}' fill='{colour}'/>"
    label = max(end, axis.x(bar.asked) if missed else 0) + 4
    text = f"{bar.ratio:.3g} MISSED" if missed else f"{bar.ratio:.3g}"
    yield _text(label, y + BAR_HEIGHT - 1, text, f"font-size='9' fill='{MISSED if missed else '#444'}'")
    if bar.asked:
        x = axis.x(bar.asked)
        yield f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{y:g}' y2='{y + BAR_HEIGHT + 1:g}' stroke='#000' stroke-width='2'/>"


def _legend(series: Sequence[str]) -> Iterator[str]:
    x = 8.0
    for index, name in enumerate(series):
        yield f"<rect x='{x:g}' y='32' width='12' height='12' fill='{COLOURS[index % len(COLOURS)]}'/>"
        yield _text(x + 17, 42, name)
        x += 34 + 6.6 * len(name)
    yield f"<line x1='{x + 6:g}' x2='{x + 6:g}' y1='31' y2='45' stroke='#000' stroke-width='2'/>"
    yield _text(x + 17, 42, "asked (logarithmic axis, further right is better)")


def _text(x: float, y: float, text: str, attributes: str = "") -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' {attributes}>{escape(text)}</text>"
