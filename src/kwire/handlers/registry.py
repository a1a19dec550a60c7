"""Which APIs this broker serves, in which versions. ApiVersions answers from this table, so that it cannot lie.

A handler registers itself where it is written:

    @serves(18, 0, 4)
    def api_versions(request: ApiVersionsRequest, version: int) -> ApiVersionsResponse: ...
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from kwire.protocol.messages import APIS
from kwire.protocol.registry import Api
from kwire.protocol.schema import Message, Versions

HANDLER_MODULES = ("api_versions",)
"""The modules with handlers; importing them fills the table."""

Handle = Callable[[Any, int], Message]


class Served(NamedTuple):
    """One API of ours: what it is, the versions we answer, and by whom."""

    api: Api
    versions: Versions
    handle: Handle


_served: dict[int, Served] = {}


def serves(api_key: int, low: int, high: int) -> Callable[[Handle], Handle]:
    """Registers a handler. Versions that the protocol does not know, or calls unstable, are refused here."""
    api = APIS[api_key]
    for version in range(low, high + 1):
        assert version in api.versions, f"{api.name} has no version {version}"
        assert version not in api.unstable, f"{api.name} version {version} is unstable"

    def register(handle: Handle) -> Handle:
        assert api_key not in _served, f"two handlers for {api.name}"
        _served[api_key] = Served(api, Versions(low, high), handle)
        return handle

    return register


def served_apis() -> dict[int, Served]:
    """All APIs that are served, by key."""
    for module in HANDLER_MODULES:
        import_module(f"kwire.handlers.{module}")
    return dict(sorted(_served.items()))
