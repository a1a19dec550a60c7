"""README.md is true: its Python runs, its commands exist."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from kwire.testing import Broker
from source_tree import PROJECT

README = (PROJECT / "README.md").read_text()
KWIRE = f"{sys.executable} -m kwire.cli.main"
MAKEFILE = (PROJECT / "Makefile").read_text()


def test_the_python_examples_run() -> None:
    examples = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert examples
    for example in examples:
        exec(example, {})


def test_the_first_message_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of the README, one after the other, against a broker of the test's own."""
    (block,) = (text for text in re.findall(r"```console\n(.*?)```", README, re.DOTALL) if "kwire produce" in text)
    commands = [line.removeprefix("$ ").replace(".venv/bin/kwire", KWIRE) for line in block.splitlines()]
    with Broker() as broker:
        monkeypatch.setenv("KWIRE_BOOTSTRAP", broker.bootstrap)
        outputs = [subprocess.run(["sh", "-c", one], capture_output=True, text=True, timeout=60) for one in commands]
    assert [done.returncode for done in outputs] == [0, 0, 0], [done.stderr for done in outputs]
    assert outputs[-1].stdout == "hello\n"


def test_the_make_targets_exist() -> None:
    named = set(re.findall(r"\bmake ([a-z]+)", README))
    assert {"run", "test"} <= named
    assert [target for target in named if not re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)] == []


def test_make_help_lists_every_public_target() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    undocumented = [name for name in phony[1].split() if not re.search(rf"^{name}:.*## \w", MAKEFILE, re.MULTILINE)]
    assert undocumented == []
