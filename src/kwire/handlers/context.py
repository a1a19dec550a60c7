"""What handlers work on: the image of the metadata, the partitions, the clock, and ways to come back later.

One object for the whole broker. It holds nothing of its own; the server puts it together, and tests do so with a
virtual clock and files in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from typing import Any as BrokerConfig
from kwire.handlers.fetch_sessions import FetchSessions
from kwire.metadata.image import MetadataImage
from kwire.metrics import BrokerMetrics
from kwire.partitions.table import PartitionTable
from kwire.partitions.timers import Timers
from kwire.partitions.waits import ReadyQueue
from kwire.storage.files import StorageError


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
    now_ms: Callable[[], int]
    storage_failed: Callable[[StorageError], object]
    fetch_bytes_max: int
