"""What a part of the benchmark found, on the terminal and in docs/PERFORMANCE.md.

A part makes rows; a row has one figure of ours, those of others, and the least ratio that is asked for to each of
them. The ratio is always "how many times better", whichever direction is better, so that a bar is missed when the ratio
is below it. A plain limit is a row whose other is called "limit", with 1 asked.

In the document a part owns what stands between its markers, and nothing else is touched:

    <!-- bench:codec -->
    …
    <!-- /bench:codec -->
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from bench.plot import Bar, Group, bar_plot

DOCUMENT = Path("docs/PERFORMANCE.md")
PLOTS = Path("docs/plots")

_HEADING = """# Performance

Every table below is written by `make bench`. Ratios say how many times better kwire is than the other in that row;
`MISSED` marks one below what is asked.
"""


class Figure(NamedTuple):
    """A measured value: the best of all samples, and the median if there were several."""

    best: float
    median: float | None = None

    @property
    def spread(self) -> float:
        """How far the median lies from the best: 0 on a quiet machine."""
        return abs(self.median / self.best - 1) if self.median and self.best else 0.0


class Row(NamedTuple):
    """`asked` maps the name of an other to the least ratio; an other without one is there to be looked at."""

    name: str
    ours: Figure
    theirs: Mapping[str, Figure]
    asked: Mapping[str, float] = {}
    unit: str = "µs"
    better: Literal["less", "more"] = "less"
    group: str = ""

    def ratio(self, other: str) -> float:
        ours, theirs = self.ours.best, self.theirs[other].best
        over, under = (theirs, ours) if self.better == "less" else (ours, theirs)
        return over / under if under else float("inf")

    def missed(self, other: str) -> bool:
        return self.ratio(other) < self.asked.get(other, 0)

    @property
    def spread(self) -> float:
        return max(figure.spread for figure in (self.ours, *self.theirs.values()))


class Part(NamedTuple):
    name: str
    title: str
    rows: Sequence[Row]
    notes: str = ""

    @property
    def missed(self) -> list[str]:
        """What was missed, one line for each."""
        return [
            f"{row.group + ': ' if row.group else ''}{row.name}: {row.ratio(other):.2f}x {other}, asked {asked:g}x"
            for row in self.rows
            for other, asked in row.asked.items()
            if row.missed(other)
        ]


def publish(part: Part, options: Sequence[str]) -> int:
    """Prints the part, writes it to docs/ unless options made the run less than a whole one, returns the exit code."""
    print(f"\n{part.title}\n")
    print(text_table(part))
    for line in part.missed:
        print(f"MISSED {line}")
    if not options:
        write(part)
    return 1 if part.missed else 0


# ---- as text -------------------------------------------------------------------------------------------------------


def text_table(part: Part) -> str:
    header, body = _table(part)
    widths = [max(len(line[column]) for line in [header, *body]) for column in range(len(header))]
    lines: list[str] = []
    group = ""
    for row, line in zip([None, *part.rows], [header, *body], strict=True):
        if row is not None and row.group != group:
            group = row.group
            lines.append(f"\n{group}")
        first, *others = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        lines.append("  ".join([first, *others]).rstrip())
    return "\n".join(lines) + "\n"


def _table(part: Part) -> tuple[list[str], list[list[str]]]:
    """Header and rows as text: name, our figure, and for each other its figure and the ratio."""
    others = _others(part)
    header = ["", "kwire"]
    for other in others:
        header += [other, "ratio", "asked"]
    header.append("spread")
    return header, [_cells(row, others) for row in part.rows]


def _cells(row: Row, others: Iterable[str]) -> list[str]:
    cells = [row.name, f"{_number(row.ours)} {row.unit}"]
    for other in others:
        if other not in row.theirs:
            cells += ["", "", ""]
            continue
        ratio = f"{row.ratio(other):.2f}x"
        asked = row.asked.get(other)
        cells += [
            f"{_number(row.theirs[other])} {row.unit}",
            f"MISSED {ratio}" if row.missed(other) else ratio,
            f"{asked:g}x" if asked is not None else "",
        ]
    cells.append(f"{row.spread:.0%}")
    return cells


def _number(figure: Figure) -> str:
    return (
        _significant(figure.best)
        if figure.median is None
        else f"{_significant(figure.best)} ({_significant(figure.median)})"
    )


def _significant(value: float) -> str:
    """Three figures, without the exponent that `%g` falls into."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _others(part: Part) -> list[str]:
    return list(dict.fromkeys(other for row in part.rows for other in row.theirs))


# ---- as a document -------------------------------------------------------------------------------------------------


def write(part: Part, document: Path = DOCUMENT, plots: Path = PLOTS) -> None:
    plots.mkdir(parents=True, exist_ok=True)
    (plots / f"{part.name}.svg").write_text(plot(part), encoding="utf-8")
    text = document.read_text(encoding="utf-8") if document.exists() else _HEADING
    document.write_text(replace_section(text, part.name, markdown(part)), encoding="utf-8")


def replace_section(text: str, name: str, section: str) -> str:
    """The text with what stands between the part's markers replaced, or with markers and section put at its end."""
    opening, closing = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    whole = f"{opening}\n{section}\n{closing}"
    found = re.compile(f"{re.escape(opening)}.*?{re.escape(closing)}", re.DOTALL)
    if found.search(text):
        return found.sub(lambda _: whole, text)
    return f"{text.rstrip()}\n\n{whole}\n"


def markdown(part: Part) -> str:
    header, body = _table(part)
    header[0] = "measured"
    lines = [f"## {part.title}", "", part.notes.strip(), "", f"Measured on {machine()}, at commit {commit()}.", ""]
    lines += [f"![{part.title}: ratios](plots/{part.name}.svg)", ""]
    lines += [_markdown_line(header), _markdown_line(["---"] + ["--:"] * (len(header) - 1))]
    group = ""
    for row, cells in zip(part.rows, body, strict=True):
        if row.group != group:
            group = row.group
            lines.append(_markdown_line([f"**{group}**"] + [""] * (len(header) - 1)))
        lines.append(_markdown_line([cell.replace("MISSED", "**MISSED**") for cell in cells]))
    return "\n".join(lines)


def _markdown_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def plot(part: Part) -> str:
    others = _others(part)
    groups: dict[str, list[Row]] = {}
    for row in part.rows:
        groups.setdefault(row.group, []).append(row)
    return bar_plot(
        part.title,
        [f"ratio to {other}" for other in others],
        [
            Group(
                name,
                [
                    (
                        row.name,
                        [
                            Bar(others.index(other), row.ratio(other), row.asked.get(other))
                            for other in others
                            if other in row.theirs
                        ],
                    )
                    for row in rows
                ],
            )
            for name, rows in groups.items()
        ],
    )


# ---- where it was measured -----------------------------------------------------------------------------------------


def machine() -> str:
    """Python, processor and its cores: nothing that tells one machine of that kind from another."""
    implementation = platform.python_implementation()
    cores = len(os.sched_getaffinity(0))
    return f"{implementation} {platform.python_version()}, {_processor()}, {cores} core{'s' if cores > 1 else ''}"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def commit() -> str:
    """The short commit, marked when files under version control differ from it."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--abbrev=10", "--exclude=*", "--dirty=, with changes"],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()
