"""`python -m bench [part] [options]`: runs one part, or all there are. What follows the part's name goes to the part.

The exit code is 1 if a part missed one of its bars, 2 if a part is unknown or cannot be imported.
"""

from __future__ import annotations

import sys
from importlib import import_module

# In the order they run: what needs only the processor first.
PARTS: dict[str, str] = {
    "codec": "messages: decode and encode beside kafka-python and kio",
    "hostile": "mutated and random frames: errors, memory and time",
    "storage": "the log: append, read, recovery",
}

USAGE = "\n".join(
    [
        "usage: python -m bench [part] [options]",
        "",
        *(f"  {name:<10}{about}" for name, about in PARTS.items()),
        "",
        "  --quick     fewer rounds, and nothing is written to docs/",
    ]
)


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        if {"-h", "--help"} & set(arguments):
            print(USAGE)
            return 0
        return max(run(name, arguments) for name in PARTS)
    name, *options = arguments
    if name not in PARTS:
        print(f"bench: no part is called {name!r}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    return run(name, options)


def run(name: str, options: list[str]) -> int:
    try:
        part = import_module(f"bench.{name}")
    except ModuleNotFoundError as error:
        print(f"bench: {name} cannot run: no module named {error.name} (remedy: make bench)", file=sys.stderr)
        return 2
    return part.main(options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
