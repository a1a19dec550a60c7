"""README.md is true: its Python runs, its commands exist."""

from __future__ import annotations

import re

from source_tree import PROJECT

README = (PROJECT / "README.md").read_text()
MAKEFILE = (PROJECT / "Makefile").read_text()


def test_the_python_examples_run() -> None:
    examples = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert examples
    for example in examples:
        exec(example, {})


def test_the_make_targets_exist() -> None:
    named = set(re.findall(r"\bmake ([a-z]+)", README))
    assert {"run", "test"} <= named
    assert [target for target in named if not re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)] == []


def test_make_help_lists_every_public_target() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    undocumented = [name for name in phony[1].split() if not re.search(rf"^{name}:.*## \w", MAKEFILE, re.MULTILINE)]
    assert undocumented == []
