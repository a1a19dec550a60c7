"""The directories that hold the logs (`log.dirs`): whose they are, what lies in which, and what happens when one fails.

    <log dir>/.lock                          held while a broker uses the directory
    <log dir>/meta.properties                cluster, node and the directory's own id
    <log dir>/.kafka_cleanshutdown           there between a clean stop and the next start
    <log dir>/*-checkpoint                   offsets by partition (see `checkpoints`)
    <log dir>/<topic>-<partition>/           a partition's log
    <log dir>/<topic>-<partition>.<32 hex digits>-delete/   one that is being deleted
    <log dir>/<topic>-<partition>.<32 hex digits>-stray/    one that no topic has, kept for a person to look at

A partition lies in exactly one directory; a new one goes to the directory with the fewest. A directory whose disk fails
is taken offline with its partitions and stays so until the next start, and the others go on. Without any, there is
nothing to start with. Mistakes of the operator (a second broker, another cluster's directory) are refused at opening.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kwire.errors import BrokerError, ErrorCode, UsageError
from kwire.storage import checkpoints
from kwire.storage.checkpoints import MalformedFileError, MetaProperties, TopicPartition
from kwire.storage.file_system import FileLock, FileSystem, StorageError

LOCK = ".lock"
DELETE_SUFFIX = "-delete"
STRAY_SUFFIX = "-stray"
"""Of the directory of a partition that no topic has: moved aside as Kafka does, never deleted by itself."""

_CLUSTER_METADATA = "__cluster_metadata-0"
"""The log of Kafka's own controller, in directories that come from there. Not a partition of ours."""

_NAME_LENGTH_MAX = 255
_RESERVED_IDS = 100
"""Ids below this number mean something special to Kafka's controller (unassigned, lost, migrating)."""


def partition_directory_name(partition: TopicPartition) -> str:
    """The directory of a partition's log."""
    return f"{partition.topic}-{partition.partition}"


def deleted_directory_name(partition: TopicPartition, unique_id: bytes, ending: str = DELETE_SUFFIX) -> str:
    """What the directory of a deleted partition is called until its files are gone. Long topic names are cut."""
    suffix = f"-{partition.partition}.{unique_id.hex()}{ending}"
    return partition.topic[: _NAME_LENGTH_MAX - len(suffix)] + suffix


def parse_partition_directory_name(name: str) -> TopicPartition | None:
    """The partition whose directory this is; None for anything else."""
    topic, _, number = name.rpartition("-")
    if not topic or not number.isdecimal() or not number.isascii() or name == _CLUSTER_METADATA:
        return None
    return TopicPartition(topic, int(number))


@dataclass(slots=True, eq=False)
class LogDir:
    """One log directory. `error` says why it is offline; it is empty as long as the directory works."""

    path: str
    directory_id: bytes = b""
    had_clean_shutdown: bool = False
    broker_epoch: int | None = None
    """As noted at the last clean shutdown."""
    partitions: set[TopicPartition] = field(default_factory=set[TopicPartition])
    leftovers: list[str] = field(default_factory=list[str])
    """Directories of partitions whose deletion was begun and is to be finished."""
    error: str = ""
    lock: FileLock | None = None

    @property
    def is_online(self) -> bool:
        return not self.error

    def partition_path(self, partition: TopicPartition) -> str:
        """Where a partition's log lies, or would, in this directory."""
        return posixpath.join(self.path, partition_directory_name(partition))


class LogDirDescription(NamedTuple):
    """A log directory as DescribeLogDirs tells it. An offline one has neither sizes nor partitions."""

    path: str
    error: ErrorCode
    total_bytes: int
    usable_bytes: int
    partition_sizes: dict[TopicPartition, int]


def _offline_description(path: str) -> LogDirDescription:
    return LogDirDescription(path, ErrorCode.KAFKA_STORAGE_ERROR, -1, -1, {})


class LogDirs:
    """All log directories of a broker, in the order in which they are configured."""

    __slots__ = ("_dirs", "_files", "_homes", "cluster_id")

    def __init__(self, files: FileSystem, cluster_id: str, dirs: Sequence[LogDir]) -> None:
        """See `open`."""
        self._files = files
        self.cluster_id = cluster_id
        self._dirs = tuple(dirs)
        self._homes = {partition: log_dir for log_dir in dirs for partition in log_dir.partitions}

    @classmethod
    def open(
        cls,
        files: FileSystem,
        paths: Iterable[str],
        *,
        node_id: int,
        new_id: Callable[[], bytes],
        now_ms: int,
        cluster_id: str = "",
    ) -> LogDirs:
        """Lock the directories, check whose they are, make those that are missing, and see what is in them.

        Without `cluster_id` it is the one that the directories have, or else a new one. `new_id` gives 16 random
        bytes. A directory that fails is offline from the start; `UsageError` if all do, if one is in use, or if they do
        not belong together.
        """
        dirs = [LogDir(path) for path in paths]
        if len({log_dir.path for log_dir in dirs}) < len(dirs) or not dirs:
            raise UsageError("log.dirs must name at least one directory, and none twice")
        try:
            found = {log_dir.path: _attempt(log_dir, _open_directory, files) for log_dir in dirs}
            known = {properties.cluster_id for properties in found.values() if properties}
            if cluster_id:
                known.add(cluster_id)
            if len(known) > 1:
                raise UsageError(f"the log directories belong to different clusters: {', '.join(sorted(known))}")
            cluster_id = known.pop() if known else checkpoints.encode_id(_fresh_id(new_id))
            for log_dir in dirs:
                properties = found[log_dir.path] or MetaProperties(cluster_id, node_id, None)
                if properties.node_id != node_id:
                    raise UsageError(
                        f"{log_dir.path} belongs to node {properties.node_id}, not {node_id}",
                        "set node.id, or another log directory",
                    )
                _attempt(log_dir, _identify, files, properties, new_id, now_ms)
                _attempt(log_dir, _look_around, files)
            _refuse_doubles(dirs)
        except BaseException:
            _unlock(dirs)
            raise
        if not any(log_dir.is_online for log_dir in dirs):
            raise UsageError("no log directory can be used: " + "; ".join(log_dir.error for log_dir in dirs))
        return cls(files, cluster_id, dirs)

    def __iter__(self) -> Iterator[LogDir]:
        return iter(self._dirs)

    @property
    def online(self) -> list[LogDir]:
        return [log_dir for log_dir in self._dirs if log_dir.is_online]

    @property
    def partitions(self) -> dict[TopicPartition, LogDir]:
        """Every partition, offline ones too, with its directory."""
        return dict(self._homes)

    def home(self, partition: TopicPartition) -> LogDir | None:
        """The directory of a partition that is here."""
        return self._homes.get(partition)

    def holding(self, path: str) -> LogDir | None:
        """The directory under which a file lies, such as that of a `StorageError`."""
        for log_dir in self._dirs:
            if path == log_dir.path or path.startswith(log_dir.path.rstrip("/") + "/"):
                return log_dir
        return None

    def place(self, partition: TopicPartition) -> LogDir:
        """The directory for a new partition: of those online, the one with the fewest. It counts there from now on."""
        assert partition not in self._homes, partition
        online = self.online
        if not online:
            raise BrokerError(ErrorCode.KAFKA_STORAGE_ERROR, "no log directory is online")
        log_dir = min(online, key=_partition_count)
        log_dir.partitions.add(partition)
        self._homes[partition] = log_dir
        return log_dir

    def forget(self, partition: TopicPartition) -> None:
        """The partition was deleted, or could not be created."""
        log_dir = self._homes.pop(partition, None)
        if log_dir is not None:
            log_dir.partitions.discard(partition)

    def take_offline(self, log_dir: LogDir, error: str) -> frozenset[TopicPartition]:
        """The directory's disk failed; the partitions that are offline with it. Empty if it was offline already."""
        if not log_dir.is_online:
            return frozenset()
        log_dir.error = error or "failed"
        return frozenset(log_dir.partitions)

    def read_offsets(self, log_dir: LogDir, name: str) -> dict[TopicPartition, int]:
        """One of the directory's offset checkpoints."""
        return checkpoints.read_offsets(self._files, posixpath.join(log_dir.path, name))

    def write_offsets(self, log_dir: LogDir, name: str, offsets: Mapping[TopicPartition, int]) -> None:
        """Write one of the directory's offset checkpoints: of `offsets`, those whose partition lies there."""
        own = {partition: offset for partition, offset in offsets.items() if partition in log_dir.partitions}
        checkpoints.write_offsets(self._files, posixpath.join(log_dir.path, name), own)

    def outline(self, sizes: Mapping[TopicPartition, int]) -> list[LogDirDescription]:
        """What lies in which directory, of the partitions in `sizes`. `measure` adds what the disks have to say."""
        return [
            LogDirDescription(
                log_dir.path,
                ErrorCode.NONE,
                -1,
                -1,
                {partition: sizes[partition] for partition in sorted(log_dir.partitions) if partition in sizes},
            )
            if log_dir.is_online
            else _offline_description(log_dir.path)
            for log_dir in self._dirs
        ]

    def measure(self, outline: Iterable[LogDirDescription]) -> list[LogDirDescription]:
        """What DescribeLogDirs answers with. Waits for the disk, from any thread: changes nothing here."""
        return [self._measure(row) if row.error is ErrorCode.NONE else row for row in outline]

    def _measure(self, row: LogDirDescription) -> LogDirDescription:
        try:
            usage = self._files.disk_usage(row.path)
        except StorageError:
            return _offline_description(row.path)
        return row._replace(total_bytes=usage.total_bytes, usable_bytes=usage.usable_bytes)

    def close(self, broker_epoch: int) -> None:
        """Note in every directory that works that it was closed cleanly, and unlock all. Logs are closed before."""
        for log_dir in self.online:
            try:
                checkpoints.write_clean_shutdown(self._files, log_dir.path, broker_epoch)
            except StorageError as error:
                self.take_offline(log_dir, str(error))
        self.abandon()

    def abandon(self) -> None:
        """Unlock all directories without a note: at the next start their logs are looked at."""
        _unlock(self._dirs)


def _open_directory(log_dir: LogDir, files: FileSystem) -> MetaProperties | None:
    if not files.is_directory(log_dir.path):
        files.make_directory(log_dir.path)
        files.sync_directory(posixpath.dirname(log_dir.path.rstrip("/")) or "/")
    log_dir.lock = files.lock(posixpath.join(log_dir.path, LOCK))
    return checkpoints.read_meta_properties(files, log_dir.path)


def _identify(
    log_dir: LogDir, files: FileSystem, properties: MetaProperties, new_id: Callable[[], bytes], now_ms: int
) -> None:
    if properties.directory_id is None:
        named = MetaProperties(properties.cluster_id, properties.node_id, _fresh_id(new_id))
        checkpoints.write_meta_properties(files, log_dir.path, named, now_ms)
        properties = named
    log_dir.directory_id = properties.directory_id or b""


def _look_around(log_dir: LogDir, files: FileSystem) -> None:
    for name in files.list_directory(log_dir.path):
        partition = parse_partition_directory_name(name)
        is_leftover = name.endswith(DELETE_SUFFIX)
        if (partition is not None or is_leftover) and files.is_directory(posixpath.join(log_dir.path, name)):
            if partition is not None:
                log_dir.partitions.add(partition)
            else:
                log_dir.leftovers.append(posixpath.join(log_dir.path, name))
    log_dir.had_clean_shutdown = checkpoints.has_clean_shutdown(files, log_dir.path)
    log_dir.broker_epoch = checkpoints.read_broker_epoch(files, log_dir.path)
    # At once, so that a crash while the logs are opened counts as one.
    checkpoints.remove_clean_shutdown(files, log_dir.path)


def _attempt(log_dir: LogDir, step: Callable[..., MetaProperties | None], *arguments: object) -> MetaProperties | None:
    """Do a step of opening, if the directory is still online; what fails takes it offline."""
    if not log_dir.is_online:
        return None
    try:
        return step(log_dir, *arguments)
    except (StorageError, MalformedFileError, NotADirectoryError, FileExistsError) as error:
        log_dir.error = str(error)
        return None


def _refuse_doubles(dirs: Iterable[LogDir]) -> None:
    homes: dict[TopicPartition | bytes, str] = {}
    for log_dir in dirs:
        for item in (*log_dir.partitions, *([log_dir.directory_id] if log_dir.directory_id else ())):
            if item in homes:
                what = (
                    "have the same directory.id" if isinstance(item, bytes) else f"both hold {'-'.join(map(str, item))}"
                )
                raise UsageError(f"{homes[item]} and {log_dir.path} {what}", "one seems to be a copy of the other")
            homes[item] = log_dir.path


def _unlock(dirs: Iterable[LogDir]) -> None:
    for log_dir in dirs:
        if log_dir.lock is not None:
            log_dir.lock.close()
            log_dir.lock = None


def _fresh_id(new_id: Callable[[], bytes]) -> bytes:
    """A random id that is not reserved, and whose text does not look like an option on a command line."""
    while True:
        value = new_id()
        if int.from_bytes(value, "big") >= _RESERVED_IDS and not checkpoints.encode_id(value).startswith("-"):
            return value


def _partition_count(log_dir: LogDir) -> int:
    return len(log_dir.partitions)
