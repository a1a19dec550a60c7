"""`python -m kwire.protocol.specs SPECS MESSAGES`: writes the message classes from the specs."""

from __future__ import annotations

import sys
from pathlib import Path

from kwire.protocol.specs.generator import generate
from kwire.protocol.specs.parser import SpecError, parse_spec


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: python -m kwire.protocol.specs SPECS MESSAGES", file=sys.stderr)
        return 2
    specs, target = map(Path, arguments)
    try:
        files = generate(parse_spec(path.read_text(), path.name) for path in specs.glob("*.kspec"))
    except SpecError as error:
        print(error, file=sys.stderr)
        return 1
    target.mkdir(exist_ok=True)
    for old in target.glob("*.py"):
        if old.name not in files:
            old.unlink()
    for name, text in files.items():
        (target / name).write_text(text)
    print(f"kwire: wrote {len(files)} files to {target}")
    return 0


sys.exit(main(sys.argv[1:]))
