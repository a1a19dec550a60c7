"""The imports of every module in src/kwire, read without importing anything."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "src" / "kwire"


class Import(NamedTuple):
    module: str  # who imports, as kwire.protocol.codec
    imported: str  # what, as kwire.protocol.schema or trio
    line: int


def module_name(path: Path, root: Path = SOURCE) -> str:
    parts = ["kwire", *path.relative_to(root).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(text: str, module: str) -> list[Import]:
    found: list[Import] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [Import(module, alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: relative import"
            found.append(Import(module, node.module or "", node.lineno))
    return found


def all_imports() -> list[Import]:
    return [
        imported
        for path in sorted(SOURCE.rglob("*.py"))
        if "messages" not in path.parts
        for imported in imports_of(path.read_text(), module_name(path))
    ]
