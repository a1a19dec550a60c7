"""Names of segment files, taken apart and put together."""

from __future__ import annotations

import pytest

from kwire.storage.segment_files import parse_segment_file_name, segment_file_name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("00000000000000000042.log", (42, ".log", "")),
        ("00000000000000000000.index", (0, ".index", "")),
        ("09223372036854775807.timeindex", (2**63 - 1, ".timeindex", "")),
        ("00000000000000000042.txnindex.cleaned", (42, ".txnindex", ".cleaned")),
        ("00000000000000000042.log.swap", (42, ".log", ".swap")),
        ("00000000000000000042.snapshot.deleted", (42, ".snapshot", ".deleted")),
    ],
)
def test_names_of_segment_files(name: str, parts: tuple[int, str, str]) -> None:
    assert parse_segment_file_name(name) == parts
    assert segment_file_name(*parts) == name


@pytest.mark.parametrize(
    "name",
    [
        "leader-epoch-checkpoint",
        "partition.metadata",
        "42.log",
        "00000000000000000042",
        "00000000000000000042.log.bak",
        "00000000000000000042.txt",
        "0000000000000000004२.log",
        "000000000000000000042.log",
        "",
    ],
)
def test_other_names(name: str) -> None:
    assert parse_segment_file_name(name) is None
