"""What the benchmark makes of figures: ratios, tables, the page and the plot, and the exit code."""

from __future__ import annotations

import platform
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from bench.report import Figure, Part, Row, markdown, plot, publish, replace_section, text_table

SLOWER = Row("slow message", Figure(2.0, 3.0), {"kio": Figure(1.0), "other": Figure(9.0)}, {"kio": 0.6, "other": 3.0})
FASTER = Row("fast message", Figure(500.0), {"kio": Figure(100.0)}, {"kio": 4.0}, "MB/s", "more", "the other way")
PART = Part("part", "A part & its rows", [SLOWER, FASTER], "About it.")


def test_a_ratio_says_how_many_times_better_in_either_direction() -> None:
    assert SLOWER.ratio("kio") == 0.5
    assert SLOWER.ratio("other") == 4.5
    assert FASTER.ratio("kio") == 5.0


def test_a_ratio_below_what_is_asked_is_missed() -> None:
    assert SLOWER.missed("kio")
    assert not SLOWER.missed("other")
    assert PART.missed == ["slow message: 0.50x kio, asked 0.6x"]


def test_an_other_of_which_nothing_is_asked_cannot_be_missed() -> None:
    assert not SLOWER._replace(asked={}).missed("kio")


def test_spread_is_the_largest_distance_of_a_median() -> None:
    assert SLOWER.spread == pytest.approx(0.5)
    assert FASTER.spread == 0


def test_the_table_is_aligned_and_marks_what_was_missed() -> None:
    lines = text_table(PART).splitlines()
    header, slow, gap, group, fast = lines
    assert (gap, group) == ("", "the other way")
    assert "2 (3) µs" in slow
    assert "MISSED 0.50x" in slow
    assert "MISSED" not in fast
    assert header.index("kwire") + len("kwire") == slow.index("µs") + 2 == fast.index("MB/s") + 4


def test_the_page_says_where_it_was_measured_but_not_on_which_machine() -> None:
    page = markdown(PART)
    assert f"CPython {platform.python_version()}" in page
    assert " core" in page
    assert platform.node() not in page
    assert str(Path.cwd()) not in page
    assert "| slow message | 2 (3) µs | 1 µs | **MISSED** 0.50x | 0.6x | 9 µs | 4.50x | 3x | 50% |" in page


# ---- the document ---------------------------------------------------------------------------------------------------


def test_a_section_replaces_its_own_and_leaves_the_rest() -> None:
    before = (
        "# Top\n\n<!-- bench:a -->\nold\n<!-- /bench:a -->\n\nbetween\n\n<!-- bench:b -->\nkept\n<!-- /bench:b -->\n"
    )
    after = replace_section(before, "a", "new \\1 text")
    assert after == before.replace("old", "new \\1 text")


def test_a_section_without_a_place_goes_to_the_end() -> None:
    assert replace_section("# Top\n", "a", "new") == "# Top\n\n<!-- bench:a -->\nnew\n<!-- /bench:a -->\n"


def test_a_whole_run_is_written_and_fails_if_something_was_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert publish(PART, []) == 1
    assert "MISSED slow message: 0.50x kio, asked 0.6x" in capsys.readouterr().out
    page = (tmp_path / "docs/PERFORMANCE.md").read_text(encoding="utf-8")
    assert page.startswith("# Performance\n")
    assert "![A part & its rows: ratios](plots/part.svg)" in page
    assert (tmp_path / "docs/plots/part.svg").exists()
    assert publish(PART, []) == 1
    assert (tmp_path / "docs/PERFORMANCE.md").read_text(encoding="utf-8") == page


def test_a_quick_run_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert publish(PART._replace(rows=[FASTER]), ["--quick"]) == 0
    assert list(tmp_path.iterdir()) == []


# ---- the plot -------------------------------------------------------------------------------------------------------


def test_the_plot_is_well_formed_and_has_a_bar_for_every_ratio() -> None:
    root = ET.fromstring(plot(PART))
    texts = ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "A part & its rows" in texts
    assert [text for text in texts if text in ("0.5 MISSED", "4.5", "5")] == ["0.5 MISSED", "4.5", "5"]


def test_bars_start_at_one_and_twice_as_fast_is_as_long_as_half_as_fast() -> None:
    rows = [Row("a", Figure(1.0), {"x": Figure(2.0)}), Row("b", Figure(2.0), {"x": Figure(1.0)})]
    root = ET.fromstring(plot(Part("p", "P", rows)))
    bars = [
        element.attrib
        for element in root.iter("{http://www.w3.org/2000/svg}rect")
        if element.get("height") == "9"  # neither the background nor a legend
    ]
    (right, left) = bars
    assert float(right["width"]) == pytest.approx(float(left["width"]), abs=0.2)
    assert float(left["x"]) + float(left["width"]) == pytest.approx(float(right["x"]), abs=0.2)
