"""Which APIs this broker serves, in which versions. ApiVersions answers from this table, so that it cannot lie.

A handler registers itself where it is written:

    @serves(12, 0, 4)
    def heartbeat(context: Context, request: HeartbeatRequest, call: Call) -> Reply: ...
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from kwire.protocol.messages import APIS
from kwire.protocol.registry import Api
from kwire.protocol.schema import Versions

if TYPE_CHECKING:
    from kwire.handlers.context import Context
    from kwire.handlers.reply import Reply

HANDLER_MODULES = (
    "alter_configs",
    "alter_partition_reassignments",
    "alter_replica_log_dirs",
    "api_versions",
    "create_partitions",
    "create_topics",
    "delete_records",
    "delete_topics",
    "describe_cluster",
    "describe_configs",
    "describe_log_dirs",
    "describe_topic_partitions",
    "elect_leaders",
    "fetch",
    "incremental_alter_configs",
    "init_producer_id",
    "list_config_resources",
    "list_offsets",
    "list_partition_reassignments",
    "metadata",
    "offset_for_leader_epoch",
    "produce",
    "update_features",
)
"""The modules with handlers; importing them fills the table."""


class Call(NamedTuple):
    """What is known of a request beside its message."""

    version: int
    client_id: str | None
    peer: tuple[str, int]
    listener: str


Handle = Callable[["Context", Any, Call], "Reply"]


class Served(NamedTuple):
    """One API of ours: what it is, the versions we answer, by whom, and the lowest version that ApiVersions tells."""

    api: Api
    versions: Versions
    handle: Handle
    advertised_low: int


_served: dict[int, Served] = {}


def serves(api_key: int, low: int, high: int, advertised_low: int | None = None) -> Callable[[Handle], Handle]:
    """Registers a handler. Versions that the protocol does not know, or calls unstable, are refused here."""
    api = APIS[api_key]
    for version in range(low, high + 1):
        assert version in api.versions, f"{api.name} has no version {version}"
        assert version not in api.unstable, f"{api.name} version {version} is unstable"

    def register(handle: Handle) -> Handle:
        assert api_key not in _served, f"two handlers for {api.name}"
        _served[api_key] = Served(api, Versions(low, high), handle, low if advertised_low is None else advertised_low)
        return handle

    return register


def served_apis() -> dict[int, Served]:
    """All APIs that are served, by key."""
    for module in HANDLER_MODULES:
        import_module(f"kwire.handlers.{module}")
    return dict(sorted(_served.items()))
