"""Tables for people and JSON for machines."""

from __future__ import annotations

import json

import pytest

from kwire.cli.output import human_bytes, show_rows, table, uuid_text


def test_a_table_is_aligned_and_numbers_stand_to_the_right() -> None:
    rows = [
        {"name": "a", "size_bytes": 5, "isr": (1, 2), "rack": None, "ok": True, "rate": 1234.5, "configs": {"k": "v"}},
        {"name": "longer", "size_bytes": 12345, "isr": (), "rack": "r", "ok": False, "rate": 0.25, "configs": {}},
    ]
    assert table(rows) == [
        "name    size bytes  isr  rack  ok       rate  configs",
        "a                5  1,2  -     yes  1,234.50  k=v",
        "longer       12345  -    r     no       0.25  -",
    ]


def test_no_rows_no_table() -> None:
    assert table([]) == []


def test_the_same_rows_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"name": "ä", "isr": (1, 2), "rack": None}, {"name": "b", "isr": (), "rack": "r"}]
    show_rows(rows, True)
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in lines] == [
        {"name": "ä", "isr": [1, 2], "rack": None},
        {"name": "b", "isr": [], "rack": "r"},
    ]
    assert "ä" in lines[0]
    show_rows(rows, False)
    assert capsys.readouterr().out.startswith("name  isr  rack\n")


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1_234_567, "1.2 MB"), (5e9, "5.0 GB"), (7e15, "7000.0 TB")],
)
def test_bytes_for_people(count: float, text: str) -> None:
    assert human_bytes(count) == text


def test_ids_are_written_as_kafka_writes_them() -> None:
    assert uuid_text(bytes(range(16))) == "AAECAwQFBgcICQoLDA0ODw"
    assert uuid_text(b"\xff" * 16) == "_____________________w"
