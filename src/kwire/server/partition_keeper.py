"""Keeps the partitions that are served in step with the metadata: makes logs, deletes them, hands on settings.

Files are made and deleted in workers; the tables that handlers read change on the loop, in one go.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import trio

from kwire.config import BrokerConfig
from kwire.metadata.image import MetadataImage
from kwire.metadata.values import Resource, ResourceType, Topic
from kwire.partitions.partition import Partition
from kwire.partitions.table import PartitionTable, TopicPartitions
from kwire.server.turn import Turn
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.files import StorageError
from kwire.storage.log import Log
from kwire.storage.log_config import LogConfig
from kwire.storage.log_dirs import DELETE_SUFFIX, STRAY_SUFFIX
from kwire.storage.log_manager import LogManager, NewLog

log = logging.getLogger("kwire.server")

InWorker = Callable[..., Awaitable[Any]]
"""Calls a function with arguments where it may wait for a disk. Tests without an event loop call it right away."""


class PartitionKeeper:
    """Owns the table of partitions and the logs behind it."""

    def __init__(
        self,
        manager: LogManager,
        table: PartitionTable,
        node_id: int,
        now_ms: Callable[[], int],
        random_bytes: Callable[[int], bytes],
        flush_soon: Callable[[Partition], object],
        in_worker: InWorker = trio.to_thread.run_sync,
        checkpoint_turn: Turn | None = None,
        cleaning_turn: Turn | None = None,
        makers: int = 1,
    ) -> None:
        """`makers` is how many logs are made at a time."""
        self._manager = manager
        self._table = table
        self._node_id = node_id
        self._now_ms = now_ms
        self._random_bytes = random_bytes
        self._flush_soon = flush_soon
        self._in_worker = in_worker
        self._checkpoint_turn = checkpoint_turn or Turn()
        self._cleaning_turn = cleaning_turn or Turn()
        self._makers = makers

    async def open(self, image: MetadataImage, config: BrokerConfig) -> None:
        """Serves what the metadata says this broker leads; makes logs that a crash kept from being made."""
        for topic in image.topics.values():
            await self._serve(topic, image, config)
        known = {TopicPartition(topic.name, index) for topic in image.topics.values() for index in topic.partitions}
        strays = [partition for partition in self._manager.logs if partition not in known]
        for stray in strays:
            log.warning("%s-%d belongs to no topic: its directory is moved aside", *stray)
        await self._delete(strays, STRAY_SUFFIX)

    async def follow(self, before: MetadataImage, after: MetadataImage, config: BrokerConfig) -> None:
        """Makes true what a commit to the metadata says."""
        gone = [topic_id for topic_id in before.topics_by_id if topic_id not in after.topics_by_id]
        removed = [partition for topic_id in gone for partition in self._table.remove_topic(topic_id)]
        await self._delete([partition.log.partition for partition in removed], DELETE_SUFFIX)
        for topic_id, topic in after.topics_by_id.items():
            if before.topics_by_id.get(topic_id) is not topic:
                await self._serve(topic, after, config)

    def take_config(self, image: MetadataImage, config: BrokerConfig, names: list[str] | None = None) -> None:
        """Hands changed settings to the logs of these topics, or of all."""
        for name, topic in self._table.by_name.items() if names is None else self._named(names):
            settings = log_config(name, image, config)
            for partition in topic.values():
                partition.set_config(settings)

    def _named(self, names: list[str]) -> list[tuple[str, TopicPartitions]]:
        return [(name, self._table.by_name[name]) for name in names if name in self._table.by_name]

    def storage_failed(self, error: StorageError) -> None:
        """A disk failed: its directory goes offline, with the partitions in it."""
        for partition in self._manager.take_offline(error):
            found = self._table.get(partition.topic, partition.partition)
            if found is not None:
                self._table.remove(found)

    async def _serve(self, topic: Topic, image: MetadataImage, config: BrokerConfig) -> None:
        served = self._table.by_id.get(topic.id) or frozenset[int]()
        mine = [state for state in topic.partitions.values() if self._node_id in state.replicas]
        missing = [state for state in mine if state.index not in served]
        if not missing:
            return
        settings = log_config(topic.name, image, config)
        logs = await self._logs_of(topic, [state.index for state in missing], settings)
        for state in missing:
            found = logs.get(state.index)
            if found is not None:
                self._table.add(
                    Partition(topic.name, topic.id, state.index, state.leader_epoch, found, self._flush_soon)
                )

    async def _logs_of(self, topic: Topic, indexes: list[int], settings: LogConfig) -> dict[int, Log]:
        manager = self._manager
        logs = {
            index: manager.logs[key] for index in indexes if (key := TopicPartition(topic.name, index)) in manager.logs
        }
        missing = [TopicPartition(topic.name, index) for index in indexes if index not in logs]
        homeless = [partition for partition in missing if manager.log_dirs.home(partition) is None]
        if homeless and not manager.log_dirs.online:
            log.error("%s has no log for %d partitions: every log directory has failed", topic.name, len(homeless))
            return logs
        new = [manager.begin_create(partition, topic.id, settings, self._now_ms()) for partition in homeless]
        if not new:
            return logs
        made: list[Log | StorageError] = await self._in_worker(_make_all, new, self._makers)
        failed: list[int] = []
        for one, result in zip(new, made, strict=True):
            if isinstance(result, Log) and one.log_dir.is_online:
                manager.finish_create(result)
                logs[one.partition.partition] = result
                continue
            manager.log_dirs.forget(one.partition)
            failed.append(one.partition.partition)
            if isinstance(result, StorageError):
                self.storage_failed(result)
        if failed:
            logs |= await self._logs_of(topic, failed, settings)
        return logs

    async def _delete(self, partitions: Iterable[TopicPartition], ending: str) -> None:
        """Takes partitions out of their directories. One whose disk has failed stays there, as a stray."""
        async with self._cleaning_turn, self._checkpoint_turn:
            online = [partition for partition in partitions if partition in self._manager.logs]
            for removal in self._manager.begin_delete(online, lambda: self._random_bytes(16), ending):
                try:
                    await self._in_worker(removal.move)
                except StorageError as error:
                    self.storage_failed(error)
                else:
                    self._manager.finish_delete(removal, self._now_ms())


def _make_all(new: list[NewLog], makers: int) -> list[Log | StorageError]:
    """Each log, or why it could not be made: one disk that fails keeps no others from being made."""
    if makers == 1 or len(new) == 1:
        return [_make(one) for one in new]
    with ThreadPoolExecutor(makers, thread_name_prefix="kwire-maker") as threads:
        return list(threads.map(_make, new))


def _make(new: NewLog) -> Log | StorageError:
    try:
        return new.make()
    except StorageError as error:
        return error


def log_config(topic: str, image: MetadataImage, config: BrokerConfig) -> LogConfig:
    """A topic's settings: its own, then the broker's."""
    return LogConfig.parse(image.config(Resource(ResourceType.TOPIC, topic)), config.effective)
