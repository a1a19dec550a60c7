"""The composition root: puts a broker together from its parts, runs it, and stops it cleanly.

    start   lock and open the log directories, open the metadata, open the logs, listen, register, serve
    stop    stop accepting, answer what is under way, close the logs, note the clean stop

Whatever waits for a disk during start and stop does so in a worker; the loop only puts together what comes back.
"""

from __future__ import annotations

import errno
import logging
import os
import random
import socket
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import trio

from kwire.config import BrokerConfig, Listener
from kwire.errors import UsageError
from kwire.handlers.context import Context
from kwire.handlers.fetch_sessions import FetchSessions
from kwire.handlers.registry import served_apis
from kwire.metadata.embedded import EmbeddedStore
from kwire.metadata.image import MetadataImage
from kwire.metadata.registration import register_node
from kwire.metadata.values import Endpoint, Node
from kwire.metrics import BrokerMetrics
from kwire.partitions.table import PartitionTable
from kwire.partitions.timers import Timers
from kwire.partitions.waits import ReadyQueue
from kwire.server.flusher import Flusher
from kwire.server.housekeeping import Housekeeping
from kwire.server.listener import Connections, listening_sockets
from kwire.server.metadata_changes import MetadataChanges, with_dynamic_config
from kwire.server.partition_keeper import PartitionKeeper, log_config
from kwire.server.shell import Shell
from kwire.server.turn import Turn
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.files import RealFileSystem
from kwire.storage.log_dirs import LogDirs
from kwire.storage.log_manager import LogManager
from kwire.storage.recovery import LogSettings

log = logging.getLogger("kwire.server")

FRAME_DEADLINE_MS = 30_000
"""How long a request that has begun may take to arrive, and answers to be taken: Kafka's clients give up by then."""

LOG_MAKERS = 8
"""Threads that make logs. A new log takes three syncs, and a disk does eight at once in the time of one or two."""

DRAIN_S = 5.0
"""How long a stop waits for answers that are under way."""


def now_ms() -> int:
    """The time of day."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> float:
    """A clock that never goes back, and that tests can turn."""
    return trio.current_time() * 1000


class Broker:
    """A running broker. Made by `run_broker`."""

    def __init__(self, context: Context, connections: Connections, endpoints: dict[str, tuple[str, int]]) -> None:
        self.context = context
        self.connections = connections
        self.endpoints = endpoints
        """Where each listener is reached, by name."""

    @property
    def metrics(self) -> BrokerMetrics:
        return self.context.metrics

    @property
    def port(self) -> int:
        """The port of the first listener."""
        return next(iter(self.endpoints.values()))[1]


@asynccontextmanager
async def run_broker(config: BrokerConfig) -> AsyncGenerator[Broker]:
    """A broker for the length of the block, stopped cleanly at its end."""
    listening = _listen(config)
    try:
        files = RealFileSystem()
        log_dirs = await trio.to_thread.run_sync(lambda: _open_log_dirs(files, config))
        try:
            store = await trio.to_thread.run_sync(_open_store, log_dirs)
            try:
                async with _serve(config, files, log_dirs, store, listening) as broker:
                    yield broker
            finally:
                store.close()
        finally:
            log_dirs.abandon()
    finally:
        for _, sockets in listening:
            for sock in sockets:
                sock.close()


@asynccontextmanager
async def _serve(
    config: BrokerConfig,
    files: RealFileSystem,
    log_dirs: LogDirs,
    store: EmbeddedStore,
    listening: Sequence[tuple[Listener, list[socket.socket]]],
) -> AsyncGenerator[Broker]:
    image = MetadataImage.of(await trio.to_thread.run_sync(store.snapshot))
    config = with_dynamic_config(config, image, config.node_id)

    def config_of(partition: TopicPartition):
        return log_config(partition.topic, image, config)

    settings = LogSettings(files, random.randrange, config.producer_id_expiration_ms)
    manager = await trio.to_thread.run_sync(LogManager.open, settings, log_dirs, config_of, now_ms())
    table = PartitionTable()
    context = Context(
        node_id=config.node_id,
        config=config,
        image=image,
        partitions=table,
        timers=Timers(monotonic_ms),
        ready=ReadyQueue(),
        fetch_sessions=FetchSessions(
            config.max_incremental_fetch_session_cache_slots, lambda: random.randrange(1, 2**31)
        ),
        metrics=BrokerMetrics(),
        logs=manager,
        now_ms=now_ms,
        random_bytes=os.urandom,
    )
    flusher = Flusher(now_ms, context.storage_failed)
    checkpoint_turn, cleaning_turn = Turn(), Turn()
    keeper = PartitionKeeper(
        manager,
        table,
        config.node_id,
        now_ms,
        os.urandom,
        flusher.flush_soon,
        checkpoint_turn=checkpoint_turn,
        cleaning_turn=cleaning_turn,
        makers=LOG_MAKERS,
    )
    changes = MetadataChanges(store, keeper)
    context.on_storage_failed = keeper.storage_failed
    context.on_change = changes.submit
    await keeper.open(image, config)
    await flusher.flush_due()
    node = _node(config, log_dirs, listening)
    await changes.apply(context, lambda image: register_node(image, node, log_dirs.cluster_id, os.urandom))
    try:
        async with trio.open_nursery() as nursery:
            shell = Shell(
                context, served_apis(), nursery, config.socket_request_max_bytes, config.queued_max_request_bytes
            )
            connections = Connections(
                shell,
                config.max_connections,
                config.max_connections_per_ip,
                config.connections_max_idle_ms,
                FRAME_DEADLINE_MS,
            )
            housekeeping = Housekeeping(context, manager, checkpoint_turn, cleaning_turn)
            for task in (shell.run, connections.sweep, flusher.run, housekeeping.run):
                nursery.start_soon(task)
            nursery.start_soon(changes.run, context)
            accepting = trio.CancelScope()
            nursery.start_soon(_accept, accepting, connections, listening)
            endpoints = {name: (one.host, one.port) for name, one in node.endpoints.items()}
            yield Broker(context, connections, endpoints)
            accepting.cancel()
            with trio.move_on_after(DRAIN_S):
                await connections.drain()
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(manager.shutdown, now_ms(), -1)


async def _accept(
    scope: trio.CancelScope, connections: Connections, listening: Sequence[tuple[Listener, list[socket.socket]]]
) -> None:
    with scope:
        async with trio.open_nursery() as nursery:
            for listener, sockets in listening:
                for sock in sockets:
                    nursery.start_soon(connections.accept, sock, listener.name)


def _open_log_dirs(files: RealFileSystem, config: BrokerConfig) -> LogDirs:
    return LogDirs.open(files, config.log_dirs, node_id=config.node_id, new_id=lambda: os.urandom(16), now_ms=now_ms())


def _open_store(log_dirs: LogDirs) -> EmbeddedStore:
    """The metadata lies in the first log directory. Without it, every partition would belong to no topic."""
    first = next(iter(log_dirs))
    if not first.is_online:
        raise UsageError(f"{first.path} has the metadata and cannot be used: {first.error}")
    return EmbeddedStore.open(first.path)


def _listen(config: BrokerConfig) -> list[tuple[Listener, list[socket.socket]]]:
    """Takes all addresses first: a port that is taken is the commonest reason not to start."""
    listening: list[tuple[Listener, list[socket.socket]]] = []
    for listener in config.listeners:
        try:
            sockets = listening_sockets(listener.host, listener.port, config.socket_listen_backlog_size)
        except OSError as error:
            for _, opened in listening:
                for sock in opened:
                    sock.close()
            raise UsageError(*_start_failure(listener, error)) from error
        listening.append((listener, sockets))
    return listening


def _start_failure(listener: Listener, error: OSError) -> tuple[str, str]:
    """(what is wrong, what to do about it)."""
    if error.errno == errno.EADDRINUSE:
        return f"port {listener.port} on {listener.host} is taken", "choose another with --port, or 0 for a free one"
    return f"cannot listen on {listener.host}:{listener.port}: {error.strerror or error}", ""


def _node(config: BrokerConfig, log_dirs: LogDirs, listening: Sequence[tuple[Listener, list[socket.socket]]]) -> Node:
    """This broker as clients are to see it: hosts and ports that were left open are filled in."""
    endpoints: dict[str, Endpoint] = {}
    for (listener, sockets), advertised in zip(listening, config.advertised_listeners, strict=True):
        host = advertised.host
        if advertised.everywhere:
            host = socket.gethostname() if listener.everywhere else listener.host
        port = advertised.port or sockets[0].getsockname()[1]
        endpoints[listener.name] = Endpoint(host, port, advertised.security_protocol)
    directories = tuple(log_dir.directory_id for log_dir in log_dirs.online)
    return Node(config.node_id, endpoints, directories, config.broker_rack)
