"""A cluster as a client sees it: connections to its brokers, who leads what, and trying again.

    async with open_cluster("127.0.0.1:9092") as cluster:
        topic = await cluster.topic("orders")

What holds true: one connection per broker, and another for long polls, opened when it is first needed and opened anew
after it has failed. The topology is asked for when it is unknown, too old or was found to be wrong, never on a timer.
Nothing waits without a deadline: a request has its timeout, and an operation that is tried again has one for all its
attempts. If none of the bootstrap servers answers to begin with, that is said at once; once the cluster has been seen,
it may go away for a while.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Container, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import TypeVar

import trio

from kwire.client.background import background_tasks, leaves_of
from kwire.client.bootstrap import parse_bootstrap
from kwire.client.connection import Connection
from kwire.client.errors import ClientError, UnreachableError, check, reply_error
from kwire.client.topology import Node, Partition, Topic, TopicPartition, Topology, format_address, topology_of
from kwire.errors import ErrorCode
from kwire.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from kwire.protocol.messages.metadata_response import MetadataResponse
from kwire.protocol.schema import Message

R = TypeVar("R", bound=Message)
T = TypeVar("T")

Connect = Callable[[str, int], Awaitable[trio.abc.Stream]]
"""Opens a stream to (host, port) or raises OSError: TCP, and memory in tests."""


class Lane(Enum):
    """Requests on one connection are answered one after the other, so that a long poll has a connection of its own."""

    REQUESTS = "requests"
    LONG_POLLS = "long polls"


class Missing(Enum):
    """What the broker is to do about a topic that does not exist."""

    REFUSE = "refuse"
    CREATE = "create"  # if its auto.create.topics.enable allows it


_EMPTY = Topology(None, -1, {}, {})


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    client_id: str = "kwire"
    connect_timeout_s: float = 10
    request_timeout_s: float = 30
    deadline_s: float = 60  # for an operation with all its attempts
    retry_backoff_s: float = 0.1  # before the first repetition; doubles up to the maximum, give or take a fifth
    retry_backoff_max_s: float = 1
    topology_age_max_s: float = 300


def backoff_s(settings: ClusterSettings, failures: int, rng: Random) -> float:
    """How long to wait after the given number of failures in a row, at least one."""
    delay_s = min(settings.retry_backoff_s * 2 ** min(failures - 1, 30), settings.retry_backoff_max_s)
    return delay_s * rng.uniform(0.8, 1.2)


@asynccontextmanager
async def open_cluster(
    bootstrap: str,
    settings: ClusterSettings | None = None,
    *,
    connect: Connect = trio.open_tcp_stream,
    rng: Random | None = None,
) -> AsyncGenerator[Cluster]:
    """A cluster for the length of the block. Its address is tried at the first request."""
    addresses = parse_bootstrap(bootstrap)
    async with background_tasks() as nursery:
        yield Cluster(addresses, settings or ClusterSettings(), nursery, connect, rng or Random())


class Cluster:
    def __init__(
        self,
        bootstrap: tuple[tuple[str, int], ...],
        settings: ClusterSettings,
        nursery: trio.Nursery,
        connect: Connect,
        rng: Random,
    ) -> None:
        self.settings = settings
        self.rng = rng
        self.topology = _EMPTY
        self._bootstrap = bootstrap
        self._nursery = nursery
        self._connect = connect
        self._connections: dict[tuple[str, int, Lane], Connection] = {}
        self._connecting: dict[tuple[str, int, Lane], trio.Lock] = {}
        self._known_since: dict[str, float] = {}  # topic -> when the topology last told about it

    # ---- connections -----------------------------------------------------------------------------------------

    async def any_connection(self) -> Connection:
        """A connection to any broker: an open one, else the first address that answers."""
        for (_, _, lane), connection in self._connections.items():
            if lane is Lane.REQUESTS and not connection.failed:
                return connection
        known = [(node.host, node.port) for node in self.topology.nodes.values()]
        failures: list[ClientError] = []
        for address in dict.fromkeys([*known, *self._bootstrap]):
            try:
                return await self._connection(*address, Lane.REQUESTS)
            except ClientError as error:
                failures.append(error)
        if known:
            raise failures[-1]
        first = failures[0]
        raise UnreachableError(first.message, *([first.hint] if first.hint else []))

    async def connection_to(self, node_id: int, lane: Lane = Lane.REQUESTS) -> Connection:
        """The connection to one broker."""
        if node_id not in self.topology.nodes:
            await self.refresh(())
        node = self.topology.nodes.get(node_id)
        if node is None:
            raise ClientError(ErrorCode.BROKER_NOT_AVAILABLE, f"there is no broker {node_id}", _BROKERS_HINT)
        try:
            return await self._connection(node.host, node.port, lane)
        except ClientError as error:
            message = f"broker {node_id}: {error.message}"
            raise ClientError(error.code, message, error.hint or _advertised_hint(node, self._bootstrap)) from None

    async def controller(self) -> Connection:
        """The connection to the broker that takes changes of topics and configuration."""
        if not self.topology.nodes:
            await self.refresh(())
        if self.topology.controller_id in self.topology.nodes:
            return await self.connection_to(self.topology.controller_id)
        return await self.any_connection()

    async def _connection(self, host: str, port: int, lane: Lane) -> Connection:
        place = (host, port, lane)
        async with self._connecting.setdefault(place, trio.Lock()):
            known = self._connections.get(place)
            if known is not None and not known.failed:
                return known
            connection = await self._open(host, port)
            self._connections[place] = connection
            return connection

    async def _open(self, host: str, port: int) -> Connection:
        peer = format_address(host, port)
        timeout_s = self.settings.connect_timeout_s
        try:
            with trio.fail_after(timeout_s):
                stream = await self._connect(host, port)
        except OSError as error:
            raise _connect_failure(peer, error) from None
        except trio.TooSlowError:
            message = f"cannot connect to {peer}: no answer within {timeout_s:g} s"
            raise ClientError(ErrorCode.NETWORK_EXCEPTION, message) from None
        connection = Connection(stream, peer, self.settings.client_id)
        self._nursery.start_soon(connection.run)
        try:
            await connection.negotiate(self.settings.request_timeout_s)
        except BaseException:
            connection.fail(f"{peer} told no versions")
            raise
        return connection

    # ---- topology --------------------------------------------------------------------------------------------

    async def refresh(self, topics: Iterable[str] | None, missing: Missing = Missing.REFUSE) -> Topology:
        """Asks any broker about the given topics, or about all with None, and remembers what it says."""
        names = None if topics is None else [MetadataRequestTopic(name=name) for name in topics]
        connection = await self.any_connection()
        request = MetadataRequest(topics=names, allow_auto_topic_creation=missing is Missing.CREATE)
        response = await connection.call(request, MetadataResponse, self.settings.request_timeout_s)
        check(f"{connection.peer}: Metadata", response.error_code)
        answer = topology_of(response)
        now = trio.current_time()
        self._known_since.update((name, now) for name in answer.topics)
        topics_known = answer.topics if names is None else {**self.topology.topics, **answer.topics}
        self.topology = Topology(answer.cluster_id, answer.controller_id, answer.nodes, topics_known)
        return answer

    def invalidate(self) -> None:
        """What we know about topics has turned out to be wrong: the next who needs it asks again."""
        self._known_since.clear()

    async def topic(self, name: str, missing: Missing = Missing.REFUSE) -> Topic:
        """A topic as the cluster last described it, or an error."""
        known_since = self._known_since.get(name)
        if known_since is None or trio.current_time() - known_since > self.settings.topology_age_max_s:
            await self.refresh([name], missing)
        topic = self.topology.topics.get(name)
        error = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if topic is None else topic.error
        if topic is None or error:
            self._known_since.pop(name, None)
            raise reply_error(f"topic {name}", error)
        return topic

    async def partition(self, at: TopicPartition) -> Partition:
        topic = await self.topic(at.topic)
        if not 0 <= at.partition < len(topic.partitions):
            hint = f"{at.topic} has partitions 0 to {len(topic.partitions) - 1}"
            raise reply_error(f"partition {at}", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, hint=hint)
        return topic.partitions[at.partition]

    async def leader_of(self, at: TopicPartition) -> int:
        partition = await self.partition(at)
        if partition.leader not in self.topology.nodes:
            self.invalidate()
            raise reply_error(f"partition {at}", ErrorCode.LEADER_NOT_AVAILABLE, "it has no leader at the moment", "")
        return partition.leader

    # ---- requests --------------------------------------------------------------------------------------------

    async def call_any(self, request: Message, response: type[R]) -> R:
        connection = await self.any_connection()
        return await connection.call(request, response, self.settings.request_timeout_s)

    async def call_controller(self, request: Message, response: type[R]) -> R:
        connection = await self.controller()
        return await connection.call(request, response, self.settings.request_timeout_s)

    async def call_node(self, node_id: int, request: Message, response: type[R]) -> R:
        connection = await self.connection_to(node_id)
        return await connection.call(request, response, self.settings.request_timeout_s)

    async def retrying(
        self,
        attempt: Callable[[], Awaitable[T]],
        deadline_s: float | None = None,
        passing: Container[ErrorCode] | None = None,
    ) -> T:
        """The result of `attempt`, which is made again after an error that may pass, until the deadline.

        Which errors may pass is Kafka's to say, unless the caller knows better: `passing`.
        """
        limit_s = self.settings.deadline_s if deadline_s is None else deadline_s
        failure: ClientError | None = None
        failures = 0
        with trio.move_on_after(limit_s):
            while True:
                try:
                    return await attempt()
                except ClientError as error:
                    if not error.retriable or (passing is not None and error.code not in passing):
                        raise
                    failure = error
                failures += 1
                self.invalidate()
                await trio.sleep(backoff_s(self.settings, failures, self.rng))
        if failure is None:
            raise ClientError(ErrorCode.REQUEST_TIMED_OUT, f"the cluster did not answer within {limit_s:g} s")
        raise failure


_BROKERS_HINT = "`kwire cluster brokers` shows which there are"


def _advertised_hint(node: Node, bootstrap: tuple[tuple[str, int], ...]) -> str:
    if (node.host, node.port) in bootstrap:
        return ""
    return "that is the address it advertises: see advertised.listeners"


def _connect_failure(peer: str, error: OSError) -> ClientError:
    """One line about a failed connect: trio tries every address of a name, and groups what happened."""
    cause = next((leaf for leaf in leaves_of(error.__cause__) if isinstance(leaf, OSError)), error)
    number = cause.errno or 0
    if number < 0:  # a name that does not resolve: the codes of getaddrinfo are negative
        message = f"cannot connect to {peer}: {cause.strerror}"
        return ClientError(ErrorCode.NETWORK_EXCEPTION, message, "is the host's name right?")
    reason = os.strerror(number) if number else str(cause)
    return ClientError(ErrorCode.NETWORK_EXCEPTION, f"cannot connect to {peer}: {reason}")
