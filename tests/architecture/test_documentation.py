"""The reference pages say what the code says, and every public thing is on one of them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kwire.cli.main import COMMANDS, main
from kwire.cli.reference import command_contexts, pages
from kwire.config import BROKER_KEYS, IGNORED_BROKER_KEYS, TOPIC_KEYS
from kwire.metrics import METRICS, BrokerMetrics
from source_tree import PROJECT

HELP = {context.command_path: context.command.get_help(context) for context in command_contexts()}
COMMAND_PATHS = list(HELP)


@pytest.mark.parametrize("page", sorted(pages()))
def test_reference_page_is_up_to_date(page: str) -> None:
    assert (PROJECT / "docs" / page).read_text() == pages()[page], "run `make docs`"


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("CONFIGURATION.md", [f"| `{name}` |" for name in (*BROKER_KEYS, *TOPIC_KEYS)]),
        ("CONFIGURATION.md", [f"`{name}`" for name in IGNORED_BROKER_KEYS]),
        ("METRICS.md", [f"`{name}`" for name in METRICS]),
        ("COMMANDS.md", [f"## {path}\n" for path in COMMAND_PATHS]),
    ],
)
def test_everything_public_is_documented(page: str, names: list[str]) -> None:
    text = (PROJECT / "docs" / page).read_text()
    assert [name for name in names if name not in text] == []


def test_every_key_metric_and_command_says_what_it_is() -> None:
    keys = [*BROKER_KEYS.values(), *TOPIC_KEYS.values()]
    assert [key.name for key in keys if not key.doc.endswith(".")] == []
    assert [metric.name for metric in METRICS.values() if not metric.doc.endswith(".")] == []
    assert [name for name in COMMANDS if not COMMANDS[name][1].endswith(".")] == []


@pytest.mark.parametrize("path", COMMAND_PATHS)
def test_every_command_has_help_with_examples_of_itself(path: str) -> None:
    result = CliRunner().invoke(main, [*path.split()[1:], "--help"])
    assert result.exit_code == 0
    examples = result.output.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert examples
    assert [line for line in examples if path not in line and not path.startswith("kwire completion")] == []


@pytest.mark.parametrize("path", COMMAND_PATHS)
def test_every_example_is_a_command_that_parses(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in sorted(re.findall(r"kwire-data/\S+|\S+\.tsv", HELP[path]), key=len, reverse=True):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    examples = HELP[path].partition("Examples:\n")[2].partition("\n\n")[0]
    for example in re.findall(r"\bkwire ([^|<>)]+)", examples):
        words = shlex.split(re.split(r"\s{2,}", example.strip())[0])
        assert parses(words), example


def parses(words: list[str]) -> bool:
    """Whether click takes these arguments, without running anything."""
    context, command = click.Context(main, info_name="kwire"), main
    while isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        if found is None:
            return False
        command, words = found, words[1:]
        context = click.Context(command, parent=context)
    try:
        with command.make_context("kwire", list(words), parent=context.parent):
            pass
    except click.UsageError:
        return False
    return True


def test_every_declared_metric_is_counted_somewhere() -> None:
    source = "\n".join(path.read_text() for path in (PROJECT / "src").rglob("*.py") if path.name != "metrics.py")
    assert [name for name in METRICS if not re.search(rf"metrics\.{name} [+-]= ", source)] == []
    assert BrokerMetrics().requests == 0


def links_of(page: Path) -> list[str]:
    return [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()) if "://" not in link]


def test_links_between_pages_lead_somewhere() -> None:
    pages_ = [*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md")]
    assert [(page.name, link) for page in pages_ for link in links_of(page) if not (page.parent / link).exists()] == []
