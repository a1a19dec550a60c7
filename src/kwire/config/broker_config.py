"""A broker's configuration: checked once, resolved, and immutable. A changed setting is a new object.

Three layers of text, the later ones before the earlier: `static` (server.properties and --set), `dynamic_default` (set
for all brokers while they run) and `dynamic` (for this one). Attributes are what follows from all three; keys that are
the defaults of topics stay text in `effective`, for whoever resolves a topic's settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from kwire.config.broker_keys import BROKER_KEYS, NO_LIMIT
from kwire.config.ignored_keys import IGNORED_BROKER_KEYS, is_ignored
from kwire.config.keys import UpdateMode, Value, nearest
from kwire.config.listeners import Listener, parse_protocol_map, resolve_advertised, resolve_listeners
from kwire.config.topic_keys import topic_settings
from kwire.errors import UsageError

T = TypeVar("T")


def _setting(kind: type[T], name: str) -> T:
    """A field whose default is the declared one of the broker's key."""
    return cast(T, field(default=BROKER_KEYS[name].default))


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerConfig:
    """What a broker is told about itself. `BrokerConfig.resolve({})` has all the defaults."""

    node_id: int
    log_dirs: tuple[str, ...]
    listeners: tuple[Listener, ...]
    advertised_listeners: tuple[Listener, ...]
    """One for each listener, in the same order. Host "" and port 0 are left for the server to fill in."""
    inter_broker_listener_name: str

    broker_rack: str | None = None
    num_partitions: int = _setting(int, "num.partitions")
    default_replication_factor: int = _setting(int, "default.replication.factor")
    auto_create_topics_enable: bool = _setting(bool, "auto.create.topics.enable")
    delete_topic_enable: bool = _setting(bool, "delete.topic.enable")
    socket_request_max_bytes: int = _setting(int, "socket.request.max.bytes")
    socket_send_buffer_bytes: int = _setting(int, "socket.send.buffer.bytes")
    socket_receive_buffer_bytes: int = _setting(int, "socket.receive.buffer.bytes")
    socket_listen_backlog_size: int = _setting(int, "socket.listen.backlog.size")
    connections_max_idle_ms: int = _setting(int, "connections.max.idle.ms")
    max_connections: int = _setting(int, "max.connections")
    max_connections_per_ip: int = _setting(int, "max.connections.per.ip")
    queued_max_request_bytes: int = _setting(int, "queued.max.request.bytes")
    fetch_max_bytes: int = _setting(int, "fetch.max.bytes")
    max_incremental_fetch_session_cache_slots: int = _setting(int, "max.incremental.fetch.session.cache.slots")
    max_request_partition_size_limit: int = _setting(int, "max.request.partition.size.limit")
    log_retention_check_interval_ms: int = _setting(int, "log.retention.check.interval.ms")
    log_flush_offset_checkpoint_interval_ms: int = _setting(int, "log.flush.offset.checkpoint.interval.ms")
    log_flush_start_offset_checkpoint_interval_ms: int = _setting(int, "log.flush.start.offset.checkpoint.interval.ms")
    replica_high_watermark_checkpoint_interval_ms: int = _setting(int, "replica.high.watermark.checkpoint.interval.ms")
    log_cleaner_enable: bool = _setting(bool, "log.cleaner.enable")
    log_cleaner_backoff_ms: int = _setting(int, "log.cleaner.backoff.ms")
    log_cleaner_dedupe_buffer_size: int = _setting(int, "log.cleaner.dedupe.buffer.size")
    log_cleaner_io_buffer_load_factor: float = _setting(float, "log.cleaner.io.buffer.load.factor")
    producer_id_expiration_ms: int = _setting(int, "producer.id.expiration.ms")

    static: Mapping[str, str] = field(default_factory=dict[str, str])
    dynamic_default: Mapping[str, str] = field(default_factory=dict[str, str])
    dynamic: Mapping[str, str] = field(default_factory=dict[str, str])
    effective: Mapping[str, str] = field(default_factory=dict[str, str])
    """All that is set, as text, whichever layer it is from: what a topic's settings are resolved with."""
    ignored: tuple[str, ...] = ()
    """The keys that were given and mean nothing here: for one warning."""

    @classmethod
    def resolve(cls, properties: Mapping[str, str], overrides: Mapping[str, str] | None = None) -> BrokerConfig:
        """The configuration that server.properties and the command line's --set (which goes first) describe.

        `UsageError` names the first key that is unknown, does not take its value, or contradicts another.
        """
        given = {**properties, **(overrides or {})}
        unknown = [name for name in given if name not in BROKER_KEYS and not is_ignored(name)]
        if unknown:
            hint = nearest(unknown[0], [*BROKER_KEYS, *IGNORED_BROKER_KEYS])
            raise UsageError(f"unknown configuration key {unknown[0]}", hint)
        return _resolve(
            {name: text for name, text in given.items() if name in BROKER_KEYS},
            {},
            {},
            tuple(sorted(name for name in given if name not in BROKER_KEYS)),
        )

    def with_dynamic(self, default: Mapping[str, str], own: Mapping[str, str]) -> BrokerConfig:
        """The configuration when these are set while it runs: for all brokers, and for this one.

        Keys that mean nothing here, and those that only a start can change, are passed over.
        """
        return _resolve(self.static, _dynamic(default), _dynamic(own), self.ignored)

    def value(self, name: str) -> Value | None:
        """A key's value, of whichever layer it is; None if it is not set and has no default."""
        key = BROKER_KEYS[name]
        text = self.effective.get(name)
        return key.default if text is None else key.parse(text)


def _dynamic(texts: Mapping[str, str]) -> dict[str, str]:
    return {
        name: text
        for name, text in texts.items()
        if name in BROKER_KEYS and BROKER_KEYS[name].update is not UpdateMode.READ_ONLY
    }


def _resolve(
    static: Mapping[str, str], default: Mapping[str, str], own: Mapping[str, str], ignored: tuple[str, ...]
) -> BrokerConfig:
    effective = {**static, **default, **own}
    values: dict[str, Value] = {name: BROKER_KEYS[name].parse(text) for name, text in effective.items()}
    _check(values)
    topic_settings({}, effective)

    listeners = resolve_listeners(
        _list(values, "listeners"),
        parse_protocol_map("listener.security.protocol.map", _text(values, "listener.security.protocol.map")),
        _list(values, "controller.listener.names"),
    )
    attributes: dict[str, Any] = {
        attribute: value for name, value in values.items() if (attribute := name.replace(".", "_")) in _SIMPLE
    }
    return BrokerConfig(
        **attributes,
        node_id=_node_id(values),
        broker_rack=_text(values, "broker.rack") or None,
        log_dirs=_log_dirs(values),
        listeners=listeners,
        advertised_listeners=resolve_advertised(_list(values, "advertised.listeners"), listeners),
        inter_broker_listener_name=_inter_broker_listener(values, listeners),
        static=static,
        dynamic_default=default,
        dynamic=own,
        effective=effective,
        ignored=ignored,
    )


_RESOLVED = {"node_id", "log_dirs", "listeners", "advertised_listeners", "inter_broker_listener_name", "broker_rack"}
_SIMPLE = {name for key in BROKER_KEYS if (name := key.replace(".", "_")) in BrokerConfig.__slots__} - _RESOLVED
"""The attributes that are a key's value and nothing more."""


def _list(values: Mapping[str, Value], name: str) -> Sequence[str]:
    value = values.get(name, BROKER_KEYS[name].default)
    return value if isinstance(value, list) else ()


def _text(values: Mapping[str, Value], name: str) -> str:
    value = values.get(name, BROKER_KEYS[name].default)
    return value if isinstance(value, str) else ""


def _node_id(values: Mapping[str, Value]) -> int:
    node_id, broker_id = values.get("node.id"), values.get("broker.id")
    if node_id is not None and broker_id is not None and node_id != broker_id:
        raise UsageError(f"broker.id={broker_id}: must be the same as node.id={node_id}", "give only node.id")
    found = BROKER_KEYS["node.id"].default if node_id is None and broker_id is None else node_id
    found = broker_id if found is None else found
    assert isinstance(found, int)
    if found < 0:
        raise UsageError(f"broker.id={found}: must be at least 0")
    return found


def _log_dirs(values: Mapping[str, Value]) -> tuple[str, ...]:
    name = "log.dirs" if "log.dirs" in values else "log.dir"
    found = _list(values, name)
    if not found:
        raise UsageError(f"{name}: at least one directory is needed")
    if len(set(found)) < len(found):
        raise UsageError(f"{name}={','.join(found)}: a directory is named twice")
    return tuple(found)


def _inter_broker_listener(values: Mapping[str, Value], listeners: Sequence[Listener]) -> str:
    names = [listener.name for listener in listeners]
    given = _text(values, "inter.broker.listener.name").upper()
    if given and given not in names:
        raise UsageError(
            f"inter.broker.listener.name={given}: there is no listener of that name", nearest(given, names)
        )
    return given or names[0]


def _check(values: Mapping[str, Value]) -> None:
    """What Kafka checks beyond a key's own range."""
    for name in ("log.retention.ms", "log.retention.minutes", "log.retention.hours"):
        if values.get(name) == 0:
            raise UsageError(f"{name}=0: must be at least 1, or negative for no limit")
    for name in ("socket.send.buffer.bytes", "socket.receive.buffer.bytes"):
        size = values.get(name, 1)
        if isinstance(size, int) and size < 1 and size != NO_LIMIT:
            raise UsageError(f"{name}={size}: must be at least 1, or -1 for the system's choice")
    budget = values.get("queued.max.request.bytes")
    largest = values.get("socket.request.max.bytes", BROKER_KEYS["socket.request.max.bytes"].default)
    if isinstance(budget, int) and isinstance(largest, int) and budget != NO_LIMIT and budget < largest:
        raise UsageError(
            f"queued.max.request.bytes={budget}: must be at least socket.request.max.bytes={largest}, or -1"
        )
