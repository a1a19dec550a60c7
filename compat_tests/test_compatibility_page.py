"""The plugin that writes docs/COMPATIBILITY.md, in runs of pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from compat_tests.compatibility_page import TITLES

ROOT = Path(__file__).parents[1]

OUTCOMES = """
import pytest

@pytest.mark.feature("passes")
def test_passes(): pass

@pytest.mark.feature("fails", "fails too")
def test_fails(): assert False

@pytest.mark.feature("skipped")
def test_skipped(): pytest.skip("no")

@pytest.mark.feature("worst counts")
@pytest.mark.parametrize("good", [False, True])
def test_worst(good): assert good

@pytest.mark.feature("setup fails")
def test_setup(no_such_fixture): pass

@pytest.mark.feature("known")
@pytest.mark.xfail(reason="the reason")
def test_known(): assert False
"""
ONE_PASSES = """
import pytest

@pytest.mark.feature("passes")
def test_passes(): pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Folders of all clients; one has a test for every outcome, the others one that passes."""
    for client in TITLES:
        (tmp_path / client).mkdir()
        (tmp_path / client / f"test_{client}.py").write_text(OUTCOMES if client == "aiokafka" else ONE_PASSES)
    return tmp_path


def run(suite: Path, *args: str) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "compat_tests.compatibility_page", "-p", "no:cacheprovider"]
    # A configuration of its own: that of the project is not what is tested.
    command += ["-c", os.devnull, "--rootdir", str(suite), "--import-mode=importlib", f"--page={suite / 'page.md'}"]
    environ = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    return subprocess.run([*command, *args], cwd=suite, env=environ, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("workers", ["0", "2"])
def test_the_table(suite: Path, workers: str) -> None:
    printed = run(suite, "--write-page", "-n", workers)
    page = (suite / "page.md").read_text()
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| ")]
    titles, *found = [[cell.strip() for cell in row] for row in rows]
    assert titles == ["feature", *TITLES.values()], printed
    column = titles.index(TITLES["aiokafka"])
    assert {row[0]: row[column] for row in found} == {
        "passes": "yes",
        "fails": "**no**",
        "fails too": "**no**",
        "skipped": "not run",
        "worst counts": "**no**",
        "setup fails": "**no**",
        "known": "**no**",
    }
    assert next(row[1:] for row in found if row[0] == "passes") == ["yes"] * len(TITLES)
    assert next(row[1] for row in found if row[0] == "fails") == ""
    assert f"- {TITLES['aiokafka']}, known: the reason\n" in page


@pytest.mark.parametrize(
    "args",
    [
        pytest.param([], id="not asked to"),
        pytest.param(["--write-page", "-k", "passes"], id="some tests"),
        pytest.param(["--write-page", "aiokafka"], id="some folders"),
        pytest.param(["--write-page", "-x"], id="stopped"),
        pytest.param(["--write-page", "--collect-only"], id="none"),
    ],
)
def test_no_page_from_less_than_everything(suite: Path, args: list[str]) -> None:
    printed = run(suite, *args)
    assert not (suite / "page.md").exists(), printed
    assert ("the page was not written" in printed) == ("--write-page" in args)
