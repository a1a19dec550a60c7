"""CRC-32C, the checksum of a batch.

Only the compiled half of the crc32c package is loaded: its `__init__` asks importlib.metadata for its version, which
costs 50 to 70 ms and 7 MB at every start of the broker. Where the package is built otherwise, it is imported whole.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from types import ModuleType


def _load() -> ModuleType:
    package = PathFinder.find_spec("crc32c")
    locations = package.submodule_search_locations if package else None
    extension: ModuleSpec | None = PathFinder.find_spec("_crc32c", locations) if locations else None
    if extension is None or extension.loader is None:
        return import_module("crc32c")
    module = module_from_spec(extension)
    extension.loader.exec_module(module)
    return module


# crc32c(data, value): `value` is the checksum of the bytes before, to go on from.
crc32c: Callable[..., int] = _load().crc32c
