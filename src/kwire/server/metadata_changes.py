"""Changes to the metadata, one after the other: decide, commit, make it true, answer.

A decision is made on the image of its moment and committed with what it rests on; if somebody else was faster, it is
made again. The answer goes out when the change is durable and the partitions are there, so that a client that has seen
its topic created can produce to it. A change that cannot be written costs its client the connection: nobody knows
whether it was made, and the client finds out by asking again.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import trio

from kwire.config import BrokerConfig
from kwire.handlers.context import Context
from kwire.handlers.reply import ConnectionMustCloseError, Later
from kwire.metadata.decision import Decision
from kwire.metadata.image import MetadataImage
from kwire.metadata.store import CompactedError, ConflictError, MetadataStore, StoreError
from kwire.metadata.values import Resource, ResourceType
from kwire.protocol.schema import Message
from kwire.server.partition_keeper import InWorker, PartitionKeeper

log = logging.getLogger("kwire.server")

Decide = Callable[[MetadataImage], Decision[Any]]


class Job(NamedTuple):
    decide: Decide
    respond: Callable[[Decision[Any]], Message]
    later: Later


class MetadataChanges:
    """The queue of changes, and the one task that works it off."""

    def __init__(
        self, store: MetadataStore, keeper: PartitionKeeper, in_worker: InWorker = trio.to_thread.run_sync
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._in_worker = in_worker
        self._jobs: deque[Job] = deque()
        self._wake = trio.Event()

    def submit(self, decide: Decide, respond: Callable[[Decision[Any]], Message]) -> Later:
        """The response, once what `decide` comes to has been done."""
        job = Job(decide, respond, Later())
        self._jobs.append(job)
        self._wake.set()
        return job.later

    async def run(self, context: Context) -> None:
        while True:
            while self._jobs:
                job = self._jobs.popleft()
                try:
                    response = job.respond(await self.apply(context, job.decide))
                except StoreError as error:
                    log.error("a change of the metadata failed: %s", error)
                    job.later.fail(ConnectionMustCloseError("the metadata cannot be changed"))
                except Exception:
                    log.exception("a mistake of ours while changing the metadata")
                    job.later.fail(ConnectionMustCloseError("the metadata cannot be changed"))
                else:
                    job.later.complete(response)
            self._wake = trio.Event()
            await self._wake.wait()

    async def apply(self, context: Context, decide: Decide) -> Decision[Any]:
        while True:
            decision = decide(context.image)
            if not decision.changes:
                return decision
            try:
                await self._in_worker(self._store.commit, decision.changes, decision.expected)
            except ConflictError:
                pass
            else:
                await self._catch_up(context)
                return decision
            await self._catch_up(context)

    async def _catch_up(self, context: Context) -> None:
        """Brings the image, and all that follows from it, up to the store's newest revision."""
        before = after = context.image
        try:
            for commit in await self._in_worker(self._store.watch, before.revision):
                after = after.apply(commit)
        except CompactedError:
            after = MetadataImage.of(await self._in_worker(self._store.snapshot))
        if after is before:
            return
        self._take_broker_config(context, before, after)
        await self._keeper.follow(before, after, context.config)
        context.image = after
        topics = [
            resource.name
            for resource in {**before.configs, **after.configs}
            if resource.type is ResourceType.TOPIC and before.configs.get(resource) is not after.configs.get(resource)
        ]
        if topics:
            self._keeper.take_config(after, context.config, topics)

    def _take_broker_config(self, context: Context, before: MetadataImage, after: MetadataImage) -> None:
        if all(before.configs.get(one) is after.configs.get(one) for one in broker_resources(context.node_id)):
            return
        context.config = with_dynamic_config(context.config, after, context.node_id)
        self._keeper.take_config(after, context.config)


def broker_resources(node_id: int) -> tuple[Resource, Resource]:
    """What holds settings of this broker: that for all brokers, and its own."""
    return Resource(ResourceType.BROKER, ""), Resource(ResourceType.BROKER, str(node_id))


def with_dynamic_config(config: BrokerConfig, image: MetadataImage, node_id: int) -> BrokerConfig:
    """The configuration with what the metadata says of this broker."""
    return config.with_dynamic(*map(image.config, broker_resources(node_id)))
