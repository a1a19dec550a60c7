"""Changes to the metadata, one after the other: decide, commit, make it true, answer.

A decision is made on the image of its moment and committed with what it rests on; if somebody else was faster, it is
made again. The answer goes out when the change is durable and the partitions are there, so that a client that has seen
its topic created can produce to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import trio

from kwire.handlers.context import Context
from kwire.handlers.reply import Later
from kwire.metadata.decision import Decision
from kwire.metadata.image import MetadataImage
from kwire.metadata.store import ConflictError, MetadataStore
from kwire.metadata.values import Resource, ResourceType
from kwire.protocol.schema import Message
from kwire.server.partition_keeper import InWorker, PartitionKeeper

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
                decision = await self.apply(context, job.decide)
                job.later.complete(job.respond(decision))
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
        for commit in await self._in_worker(self._store.watch, before.revision):
            after = after.apply(commit)
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
        mine = Resource(ResourceType.BROKER, str(context.node_id))
        default = Resource(ResourceType.BROKER, "")
        if all(before.configs.get(one) is after.configs.get(one) for one in (mine, default)):
            return
        context.config = context.config.with_dynamic(after.config(default), after.config(mine))
        self._keeper.take_config(after, context.config)
