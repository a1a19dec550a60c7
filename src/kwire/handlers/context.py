"""What handlers work on: the image of the metadata, the partitions, the clock, and ways to come back later.

One object for the whole broker. It decides nothing; the server puts it together, and tests do so with a virtual clock
and files in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kwire.config import BrokerConfig
from kwire.errors import ErrorCode
from kwire.handlers.fetch_sessions import FetchSessions
from kwire.handlers.producer_id_supply import ProducerIdSupply
from kwire.handlers.reply import Later
from kwire.metadata.decision import Decision
from kwire.metadata.image import MetadataImage
from kwire.metrics import BrokerMetrics
from kwire.partitions.table import PartitionTable
from kwire.partitions.timers import Timers
from kwire.partitions.waits import ReadyQueue
from kwire.protocol.schema import Message
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.files import StorageError
from kwire.storage.log_manager import LogManager

Decide = Callable[[MetadataImage], Decision[Any]]
Respond = Callable[[Any], Message]


def _not_connected(*arguments: object) -> Any:
    raise AssertionError("the context is not connected to a server")


@dataclass(slots=True)
class Context:
    node_id: int
    config: BrokerConfig
    image: MetadataImage
    partitions: PartitionTable
    timers: Timers
    ready: ReadyQueue
    fetch_sessions: FetchSessions
    metrics: BrokerMetrics
    logs: LogManager
    now_ms: Callable[[], int]
    random_bytes: Callable[[int], bytes]
    producer_ids: ProducerIdSupply = field(default_factory=ProducerIdSupply)
    on_storage_failed: Callable[[StorageError], object] = field(default=_not_connected)
    on_change: Callable[[Decide, Respond], Later] = field(default=_not_connected)

    def storage_failed(self, error: StorageError) -> None:
        """A disk failed: its partitions go offline."""
        self.on_storage_failed(error)

    def absence_of(self, topic: str, index: int) -> ErrorCode:
        """What to tell of a partition that is not served: that there is none, or that its disk has failed."""
        home = self.logs.log_dirs.home(TopicPartition(topic, index))
        is_offline = home is not None and not home.is_online
        return ErrorCode.KAFKA_STORAGE_ERROR if is_offline else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION

    def change(self, decide: Decide, respond: Respond) -> Later:
        """Changes the metadata as `decide` comes to on the image of its moment, then answers with `respond` of it."""
        return self.on_change(decide, respond)
