"""Brokers that answer what a test tells them to, over memory streams and under a virtual clock.

    network = ScriptedNetwork()
    network.broker("one", 9092).on("Metadata", lambda request: MetadataResponse(...))
    run(network, scenario)       # scenario(cluster) with time that passes by itself

ApiVersions is answered by itself, from the versions that a broker is given; everything else by the functions given
with `on`. A function returns the response, `None` to say nothing, or raises `HangUp` to close the connection.
"""

from __future__ import annotations

import errno
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import trio
from trio.testing import MockClock, memory_stream_pair

from kwire.client.background import background_tasks
from kwire.client.cluster import Cluster, ClusterSettings, open_cluster
from kwire.protocol.frames import FrameReader, decode_request_body, decode_request_head, encode_response
from kwire.protocol.messages import APIS
from kwire.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from kwire.protocol.messages.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from kwire.protocol.schema import Message, Versions

Answer = Callable[[Any], Message | Awaitable[Message | None] | None]
ALL_VERSIONS = {api.key: api.versions for api in APIS.values()}
KEYS = {api.name: api.key for api in APIS.values()}


class HangUp(Exception):  # noqa: N818 - not an error: a broker may do that
    """The broker closes the connection instead of answering."""


class ScriptedBroker:
    """One broker: what it answers, and the requests it has had, ApiVersions left out."""

    def __init__(self, versions: Mapping[int, Versions]) -> None:
        self.versions = versions
        self.requests: list[Message] = []
        self.connections = 0
        self._answers: dict[str, Answer] = {}

    def on(self, name: str, answer: Answer) -> ScriptedBroker:
        self._answers[name] = answer
        return self

    def asked(self, name: str) -> list[Any]:
        return [request for request in self.requests if request.SCHEMA.name == f"{name}Request"]

    async def serve(self, stream: trio.abc.Stream) -> None:
        self.connections += 1
        reader = FrameReader(1 << 30)
        try:
            async with stream:
                while data := await stream.receive_some():
                    for frame in reader.feed(data):
                        head = decode_request_head(frame)
                        api = APIS[head.api_key]
                        request = decode_request_body(head, frame)
                        response = await self._answer(api.name, request)
                        if response is not None:
                            pieces: list[Any] = encode_response(api, head.api_version, head.correlation_id, response)
                            await stream.send_all(b"".join(pieces))
        except (HangUp, trio.BrokenResourceError):
            pass

    async def _answer(self, name: str, request: Message) -> Message | None:
        if name == "ApiVersions":
            rows = [ApiVersion(key, low, high) for key, (low, high) in sorted(self.versions.items())]
            return ApiVersionsResponse(0, rows)
        self.requests.append(request)
        answer = self._answers[name](request)
        return await answer if isinstance(answer, Awaitable) else answer


class ScriptedNetwork:
    """Brokers by address. `connect` is what a cluster opens its streams with."""

    def __init__(self) -> None:
        self.brokers: dict[tuple[str, int], ScriptedBroker] = {}
        self.nursery: trio.Nursery | None = None
        self.attempts: list[tuple[str, int]] = []

    def broker(self, host: str, port: int = 9092, versions: Mapping[str, Versions] | None = None) -> ScriptedBroker:
        """Adds a broker; `versions` are those in which it differs from knowing everything."""
        own = {KEYS[name]: range_ for name, range_ in (versions or {}).items()}
        broker = self.brokers[host, port] = ScriptedBroker({**ALL_VERSIONS, **own})
        return broker

    async def connect(self, host: str, port: int) -> trio.abc.Stream:
        self.attempts.append((host, port))
        broker = self.brokers.get((host, port))
        if broker is None or self.nursery is None:
            raise OSError(errno.ECONNREFUSED, "Connection refused")
        ours, theirs = memory_stream_pair()
        self.nursery.start_soon(broker.serve, theirs)
        return ours

    @asynccontextmanager
    async def cluster(self, bootstrap: str = "one:9092", settings: ClusterSettings | None = None):
        async with background_tasks() as nursery:
            self.nursery = nursery
            async with open_cluster(bootstrap, settings, connect=self.connect, rng=Random(1)) as cluster:
                yield cluster


def run(
    network: ScriptedNetwork,
    scenario: Callable[[Cluster], Awaitable[None]],
    settings: ClusterSettings | None = None,
    bootstrap: str = "one:9092",
) -> None:
    """Runs a scenario with a cluster on the network. The clock jumps whenever all are waiting."""

    async def main() -> None:
        async with network.cluster(bootstrap, settings) as cluster:
            await scenario(cluster)

    trio.run(main, clock=MockClock(autojump_threshold=0))


def topic_id(name: str) -> bytes:
    return name.encode().ljust(16, b"\0")


def metadata(
    topics: Mapping[str, list[int]], nodes: Mapping[int, str] | None = None, epoch: int = 0, controller: int = 1
) -> MetadataResponse:
    """Metadata of topics given as the leaders of their partitions, and nodes given as id -> host."""
    nodes = nodes or {1: "one"}
    rows = [
        MetadataResponseTopic(
            0,
            name,
            topic_id(name),
            partitions=[
                MetadataResponsePartition(0, index, leader, epoch, [leader], [leader])
                for index, leader in enumerate(leaders)
            ],
        )
        for name, leaders in topics.items()
    ]
    brokers = [MetadataResponseBroker(node_id, host, 9092) for node_id, host in nodes.items()]
    return MetadataResponse(brokers=brokers, cluster_id="test", controller_id=controller, topics=rows)


def missing_topic(name: str, code: int = 3) -> MetadataResponseTopic:
    return MetadataResponseTopic(code, name)
