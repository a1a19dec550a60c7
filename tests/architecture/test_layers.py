"""The order of packages, and what the pure ones must not know."""

from __future__ import annotations

import pytest

from source_tree import SOURCE, Import, all_imports, imports_of

# Lowest first. A package may import those on lines above its own, and itself.
ORDER = [
    {"errors", "config", "metrics", "server_properties"},
    {"protocol"},
    {"records"},
    {"storage", "metadata", "groups", "transactions", "security"},
    {"partitions"},
    {"handlers"},
    {"server"},
    {"client"},
    {"cli", "http", "testing"},
]
RANK = {package: rank for rank, packages in enumerate(ORDER) for package in packages}

# Decides only: handed time, randomness and bytes. Everything else may know the outside world.
SHELL = {"server", "client", "cli", "http", "testing"}
IMPURE = {"trio", "time", "random", "socket", "os", "threading", "subprocess", "asyncio", "secrets", "tempfile"}
# The one door to the file system, and the embedded metadata store, which worker threads commit to.
DOORS = {"kwire.storage.files": {"os"}, "kwire.metadata.embedded": {"os", "threading"}}


def package_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def breaks_order(item: Import) -> bool:
    importer, imported = package_of(item.module), package_of(item.imported)
    if not item.imported.startswith("kwire.") or importer in ("", imported):
        return False
    same_row_of_single_modules = RANK[importer] == 0 and imported == "errors"
    return RANK[imported] >= RANK[importer] and not same_row_of_single_modules


def breaks_purity(item: Import) -> bool:
    root = item.imported.split(".")[0]
    pure = package_of(item.module) not in SHELL
    return pure and root in IMPURE and root not in DOORS.get(item.module, set())


def test_every_package_has_a_place_in_the_order() -> None:
    here = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert here - {"__init__"} <= RANK.keys()


def test_imports_go_one_way() -> None:
    assert [item for item in all_imports() if breaks_order(item)] == []


def test_pure_packages_stay_pure() -> None:
    assert [item for item in all_imports() if breaks_purity(item)] == []


@pytest.mark.parametrize(
    ("module", "text", "order", "purity"),
    [
        ("kwire.protocol.codec", "from kwire.server.broker import Broker", True, False),
        ("kwire.records.batch", "import kwire.storage.log", True, False),
        ("kwire.config", "from kwire.errors import UsageError", False, False),
        ("kwire.errors", "from kwire.config import ConfigKey", True, False),
        ("kwire.storage.log", "import time", False, True),
        ("kwire.storage.log", "def f():\n    from os import path", False, True),
        ("kwire.storage.files", "import os", False, False),
        ("kwire.handlers.fetch", "import trio", False, True),
        ("kwire.server.listener", "import trio, os", False, False),
    ],
)
def test_the_rules_notice(module: str, text: str, order: bool, purity: bool) -> None:
    items = imports_of(text, module)
    assert any(map(breaks_order, items)) == order
    assert any(map(breaks_purity, items)) == purity


def test_files_stay_readable() -> None:
    long = {
        str(path.relative_to(SOURCE)): count
        for path in SOURCE.rglob("*.py")
        if "messages" not in path.parts and (count := len(path.read_text().splitlines())) > 600
    }
    assert long == {}
