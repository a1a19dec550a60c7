"""What the checks ask of a foreign client: the few words that all of them have, whatever they call them.

Every folder here has one class that says these words to its client and takes the answers back. It adds nothing: no
retries, no defaults of its own beside room for large records. An error of the broker comes out as `RefusedError`, with
Kafka's error code, so that one check reads the same for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

# More than the broker takes by default, so that it is the broker that refuses.
REQUEST_BYTES_MAX = 4 * 1024 * 1024
# How long a client may take for what it was asked: a bound for a broken broker, never waited for with a working one.
DEADLINE_S = 60

Headers = tuple[tuple[str, bytes | None], ...]
Acks = Literal["0", "1", "all", "idempotent"]
OffsetReset = Literal["none", "earliest"]


@dataclass(frozen=True, slots=True)
class Message:
    """What is produced. Without a partition the client chooses one; without a timestamp it takes its own clock's."""

    value: bytes | None
    key: bytes | None = None
    headers: Headers = ()
    timestamp_ms: int | None = None
    partition: int | None = 0


@dataclass(frozen=True, slots=True)
class Received:
    """What is read back."""

    partition: int
    offset: int
    timestamp_ms: int
    timestamp_type: int
    key: bytes | None
    value: bytes | None
    headers: Headers


CREATE_TIME, LOG_APPEND_TIME = 0, 1


class RefusedError(Exception):
    """The broker said no; `error_code` is Kafka's."""

    def __init__(self, error_code: int, text: str = "") -> None:
        super().__init__(f"error {error_code}: {text}")
        self.error_code = error_code


class Reader(Protocol):
    """A consumer with partitions assigned to it by hand."""

    def seek_to_beginning(self) -> None: ...
    def seek_to_end(self) -> None:
        """Returns when the client knows where the end is: what is produced afterwards lies behind it."""
        ...

    def seek(self, offset: int) -> None: ...
    def seek_to_time(self, timestamp_ms: int) -> None: ...
    def read(self, count: int) -> list[Received]:
        """The next `count` records; `TimeoutError` if they do not come."""
        ...


class Client(Protocol):
    """A client library, connected to one broker."""

    def produce(
        self, topic: str, messages: Sequence[Message], *, compression: str = "none", acks: Acks = "all"
    ) -> list[int]:
        """Produces in order and waits for the acknowledgements: the offsets, -1 where there are none."""
        ...

    def reader(
        self, topic: str, partitions: Sequence[int] = (0,), *, reset: OffsetReset = "none"
    ) -> AbstractContextManager[Reader]: ...

    def create_topic(self, topic: str, partitions: int = 1, configs: Mapping[str, str] | None = None) -> None: ...
    def list_topics(self) -> list[str]: ...
    def describe_topic(self, topic: str) -> list[int]:
        """The partitions' numbers."""
        ...

    def add_partitions(self, topic: str, total: int) -> None: ...
    def delete_topic(self, topic: str) -> None: ...
    def delete_records(self, topic: str, before_offset: int) -> None: ...
    def describe_configs(self, topic: str) -> dict[str, str | None]: ...
    def alter_configs(self, topic: str, configs: Mapping[str, str]) -> None: ...
