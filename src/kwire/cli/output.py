"""What commands print: tables for people, one JSON object per line for machines.

A row is a mapping from column to value. The same rows are printed either way, so that both say the same.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence

import click

Value = str | int | float | bool | None | Sequence[object] | Mapping[str, object]
Row = Mapping[str, Value]

_UNITS = ("B", "kB", "MB", "GB", "TB")


def to_json(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def show_rows(rows: Iterable[Row], as_json: bool) -> None:
    """All rows, as a table or as JSON."""
    if as_json:
        for row in rows:
            click.echo(to_json(row))
        return
    for line in table(list(rows)):
        click.echo(line)


def table(rows: Sequence[Row]) -> list[str]:
    """Lines with aligned columns under a heading, numbers to the right; no lines for no rows."""
    if not rows:
        return []
    columns = list(rows[0])
    cells = [[_cell(row[column]) for column in columns] for row in rows]
    numeric = [all(type(row[column]) in (int, float, type(None)) for row in rows) for column in columns]
    headings = [column.replace("_", " ") for column in columns]
    widths = [max(map(len, column)) for column in zip(headings, *cells, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in [headings, *cells]
    ]


def _cell(value: Value) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:,.2f}"
        case str() | int():
            return str(value)
        case Mapping():
            return " ".join(f"{key}={item}" for key, item in value.items()) or "-"
        case _:
            return ",".join(map(str, value)) or "-"


def human_bytes(count: float) -> str:
    """1,234,567 -> 1.2 MB. Decimal, as disks and networks are sold."""
    size = float(count)
    for unit in _UNITS[:-1]:
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} {_UNITS[-1]}"


def uuid_text(uuid: bytes) -> str:
    """A topic id as Kafka writes it: base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(uuid).decode().rstrip("=")
