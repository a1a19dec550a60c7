"""The keys of the whole broker, as in server.properties: those that do something here.

Types, ranges and defaults are Kafka 4.3's, but for a few defaults (`DEFAULTS_OF_OUR_OWN`). The defaults of topics come
from `TOPIC_KEYS`: each has a broker key, which is declared from it. Kafka's other keys are in `ignored_keys`.
"""

from __future__ import annotations

from dataclasses import replace

from kwire.config.keys import INT_MAX, ConfigKey, Kind, UpdateMode, key_table
from kwire.config.topic_keys import COARSER_BROKER_NAMES, TOPIC_KEYS

DEFAULTS_OF_OUR_OWN = {
    "node.id": "Kafka has none; one node needs no choosing.",
    "listeners": "Kafka listens on all interfaces; without authentication, loopback is what is safe.",
    "controller.listener.names": "Kafka demands one; there are no controllers here.",
    "log.dir": "Kafka's is under /tmp, where data does not last.",
    "queued.max.request.bytes": "Kafka sets no limit; memory that clients can fill needs one.",
    "socket.send.buffer.bytes": "A size that is set turns off the system's own tuning, which does better.",
    "socket.receive.buffer.bytes": "Likewise.",
    "socket.listen.backlog.size": "Kafka's 50 drops connections when a thousand clients come at once.",
}
"""Where a default is not Kafka's, and why."""

NO_LIMIT = -1

_IDENTITY = [
    ConfigKey("node.id", Kind.INT, 1, "This node's number, unique in its cluster.", low=0),
    ConfigKey("broker.id", Kind.INT, -1, "The old name of node.id. If both are given they must agree."),
    ConfigKey("broker.rack", Kind.STRING, None, "Where this node stands: told to clients, which may read from nearby."),
    ConfigKey(
        "log.dirs",
        Kind.LIST,
        None,
        "The directories that the data is kept in, separated by commas. If not set, log.dir is the only one.",
    ),
    ConfigKey("log.dir", Kind.LIST, ["kwire-data"], "The directory that the data is kept in, if log.dirs is not set."),
]

_LISTENERS = [
    ConfigKey(
        "listeners",
        Kind.LIST,
        ["PLAINTEXT://127.0.0.1:9092"],
        "Where the broker listens, as NAME://host:port. Without a host: on all interfaces. Port 0 takes a free one.",
    ),
    ConfigKey(
        "advertised.listeners",
        Kind.LIST,
        None,
        "The addresses that clients are told to connect to, by the names of the listeners. If not set: the listeners'.",
    ),
    ConfigKey(
        "listener.security.protocol.map",
        Kind.STRING,
        "SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT",
        "The security protocol of each listener, as NAME:PROTOCOL. PLAINTEXT is the one that is served.",
    ),
    ConfigKey(
        "inter.broker.listener.name",
        Kind.STRING,
        None,
        "The listener that nodes use among themselves. If not set: the first one.",
    ),
    ConfigKey(
        "controller.listener.names",
        Kind.LIST,
        [],
        "Listeners for Kafka's controllers. There are none here: listeners of these names are not opened.",
    ),
]

_NETWORK = [
    ConfigKey(
        "socket.request.max.bytes",
        Kind.INT,
        100 * 1024 * 1024,
        "The largest request that is read. A connection that announces a larger one is closed.",
        low=1,
    ),
    ConfigKey(
        "socket.send.buffer.bytes", Kind.INT, NO_LIMIT, "The size of a socket's send buffer; -1: the system's choice."
    ),
    ConfigKey(
        "socket.receive.buffer.bytes",
        Kind.INT,
        NO_LIMIT,
        "The size of a socket's receive buffer; -1: the system's choice.",
    ),
    ConfigKey(
        "socket.listen.backlog.size",
        Kind.INT,
        1024,
        "How many connections may wait to be accepted. The system may have a lower limit.",
        low=1,
    ),
    ConfigKey(
        "connections.max.idle.ms",
        Kind.LONG,
        10 * 60 * 1000,
        "A connection without a request for this long is closed. Negative: never.",
    ),
    ConfigKey(
        "max.connections",
        Kind.INT,
        INT_MAX,
        "How many connections are open at most. Further ones wait until one is closed.",
        low=0,
        update=UpdateMode.CLUSTER_WIDE,
    ),
    ConfigKey(
        "max.connections.per.ip",
        Kind.INT,
        INT_MAX,
        "How many connections are open at most from one address. Further ones are closed.",
        low=0,
        update=UpdateMode.CLUSTER_WIDE,
    ),
    ConfigKey(
        "queued.max.request.bytes",
        Kind.LONG,
        256 * 1024 * 1024,
        "How much memory requests in flight may take. Past it nothing is read until some are answered. -1: no limit.",
    ),
]

_REQUESTS = [
    ConfigKey(
        "fetch.max.bytes",
        Kind.INT,
        55 * 1024 * 1024,
        "The most that one Fetch is answered with, whatever the client allows.",
        low=1024,
    ),
    ConfigKey(
        "max.incremental.fetch.session.cache.slots",
        Kind.INT,
        1000,
        "How many fetch sessions are remembered. Clients without one name all their partitions in every Fetch.",
        low=0,
    ),
    ConfigKey(
        "max.request.partition.size.limit",
        Kind.INT,
        2000,
        "The most partitions that one DescribeTopicPartitions is answered with.",
        low=1,
    ),
    ConfigKey("num.partitions", Kind.INT, 1, "The partitions of a topic that does not ask for a number.", low=1),
    ConfigKey(
        "default.replication.factor", Kind.INT, 1, "The replicas of a topic that does not ask for a number.", low=1
    ),
    ConfigKey(
        "auto.create.topics.enable", Kind.BOOLEAN, True, "Create a topic when a client asks about it by its name."
    ),
    ConfigKey("delete.topic.enable", Kind.BOOLEAN, True, "Allow topics to be deleted."),
]

_LOGS = [
    ConfigKey(
        "log.retention.check.interval.ms",
        Kind.LONG,
        5 * 60 * 1000,
        "How often it is looked for segments that retention deletes.",
        low=1,
    ),
    ConfigKey(
        "log.flush.offset.checkpoint.interval.ms",
        Kind.INT,
        60 * 1000,
        "How often it is written down up to where logs are on disk: recovery after a crash starts there.",
        low=0,
    ),
    ConfigKey(
        "log.flush.start.offset.checkpoint.interval.ms",
        Kind.INT,
        60 * 1000,
        "How often it is written down where logs start after DeleteRecords.",
        low=0,
    ),
    ConfigKey(
        "replica.high.watermark.checkpoint.interval.ms",
        Kind.LONG,
        5000,
        "How often the high watermarks are written down.",
    ),
    ConfigKey("log.cleaner.enable", Kind.BOOLEAN, True, "Compact the logs of topics whose cleanup.policy says so."),
    ConfigKey(
        "log.cleaner.backoff.ms",
        Kind.LONG,
        15 * 1000,
        "How long compaction rests when there was nothing to compact.",
        low=0,
        update=UpdateMode.CLUSTER_WIDE,
    ),
    ConfigKey(
        "log.cleaner.dedupe.buffer.size",
        Kind.LONG,
        128 * 1024 * 1024,
        "The memory that compaction may take to remember keys, 24 bytes each.",
        update=UpdateMode.CLUSTER_WIDE,
    ),
    ConfigKey(
        "log.cleaner.io.buffer.load.factor",
        Kind.DOUBLE,
        0.9,
        "How full compaction's table of keys gets: fuller means more keys in a pass, and more collisions.",
        update=UpdateMode.CLUSTER_WIDE,
    ),
    ConfigKey(
        "producer.id.expiration.ms",
        Kind.INT,
        24 * 60 * 60 * 1000,
        "How long a partition remembers an idempotent producer that no longer writes.",
        low=1,
        update=UpdateMode.CLUSTER_WIDE,
    ),
    ConfigKey("log.retention.minutes", Kind.INT, None, "log.retention.ms in minutes; counts if that is not set."),
    ConfigKey(
        "log.retention.hours", Kind.INT, 168, "log.retention.ms in hours; counts if that and minutes are not set."
    ),
    ConfigKey("log.roll.hours", Kind.INT, 168, "log.roll.ms in hours; counts if that is not set.", low=1),
    ConfigKey("log.roll.jitter.hours", Kind.INT, 0, "log.roll.jitter.ms in hours; counts if that is not set.", low=0),
]

_WITHOUT_DEFAULT = {*(TOPIC_KEYS[name].broker_name for name in COARSER_BROKER_NAMES), "log.flush.interval.ms"}
"""Broker keys that Kafka leaves unset, because keys in coarser units, or the topic's own default, stand behind them."""


def _broker_key(key: ConfigKey) -> ConfigKey:
    """The broker-wide key that sets the default of a topic's key."""
    unset = key.broker_name in _WITHOUT_DEFAULT
    doc = key.doc if key.broker_name == key.name else f"The default of topics' {key.name}. {key.doc}"
    return replace(
        key,
        name=key.broker_name,
        default=None if unset else key.default,
        doc=doc,
        broker_name="",
        update=UpdateMode.CLUSTER_WIDE,
    )


BROKER_KEYS = key_table(
    [*_IDENTITY, *_LISTENERS, *_NETWORK, *_REQUESTS, *_LOGS, *map(_broker_key, TOPIC_KEYS.values())]
)
"""Keys of the whole broker, as in server.properties."""
