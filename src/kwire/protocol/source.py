"""Writing Python source for the codec: indented lines, each remembering which field it serves.

The compiled functions have no error handling of their own in between: an exception's line number leads back to the
field, so knowing where a message is broken costs nothing while messages are whole.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from typing import Any

ARRAY_COUNT_MAX = 64
"""Up to how many numbers an array's struct is kept for next time, and a decoded array is a list."""


class ArrayPackers(dict[int, Callable[..., Any]]):
    """Count -> a method of the struct for that many values of one layout."""

    def __init__(self, layout: str, method: str) -> None:
        super().__init__()
        self.layout = layout
        self.method = method

    def __missing__(self, count: int) -> Callable[..., Any]:
        packer = getattr(struct.Struct(">" + self.layout * count), self.method)
        if count <= ARRAY_COUNT_MAX:
            self[count] = packer
        return packer


@cache
def array_packers(layout: str, method: str) -> ArrayPackers:
    return ArrayPackers(layout, method)


class Source:
    """A function under construction: its lines, the field behind each line, and the names it refers to."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names
        self.lines: list[str] = []
        self.paths: list[str] = []
        self.path: list[str] = []
        self.depth = 0
        self.counter = 0

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)
        self.paths.append(self.where)

    @property
    def where(self) -> str:
        """The field that lines are now written for, with those that it is in: `topics.partitions.records`."""
        return ".".join(self.path)

    @contextmanager
    def block(self, head: str) -> Generator[None]:
        self.emit(head)
        self.depth += 1
        yield
        self.depth -= 1

    @contextmanager
    def field(self, name: str) -> Generator[None]:
        self.path.append(name)
        yield
        self.path.pop()

    @contextmanager
    def at(self, where: str) -> Generator[None]:
        """Lines for a field that was left some time ago."""
        path, self.path = self.path, [where]
        yield
        self.path = path

    def fresh(self, prefix: str) -> str:
        """A local name that nothing else uses: structs nest, and each level has its own variables."""
        self.counter += 1
        return f"{prefix}{self.counter}"

    def constant(self, prefix: str, value: object) -> str:
        """A name bound to `value`, the same name for the same object."""
        for name, bound in self.names.items():
            if bound is value:
                return name
        name = self.fresh(prefix)
        self.names[name] = value
        return name

    def packer(self, layout: str, method: str) -> str:
        """A name bound to a method of `struct.Struct('>' + layout)`."""
        name = f"{method}_{layout.replace('?', 't')}"
        if name not in self.names:
            self.names[name] = getattr(struct.Struct(">" + layout), method)
        return name

    def compile(self, function: str, title: str) -> Callable[..., Any]:
        # No file of that name exists; it only shows in tracebacks of mistakes in the generator itself.
        code = compile("\n".join(self.lines), f"<{title}>", "exec")
        exec(code, self.names)
        return self.names[function]
