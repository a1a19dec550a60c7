"""The small text files beside the logs, in Kafka's formats: offset checkpoints, ids, and the mark of a clean stop.

In every log directory:

    recovery-point-offset-checkpoint     up to where each log is on disk: recovery starts there
    log-start-offset-checkpoint          where each log starts, if records were deleted before it
    replication-offset-checkpoint        each partition's high watermark
    cleaner-offset-checkpoint            up to where each log was compacted

        0                                version
        2                                count of lines that follow
        topic 0 4711                     topic, partition, offset
        topic 1 12

    meta.properties                      whose directory it is (a Java properties file)
    .kafka_cleanshutdown                 {"version":0,"brokerEpoch":15}, without a line end: the last stop was clean

In every partition's directory:

    partition.metadata                   version: 0
                                         topic_id: l-2O0Cc8TYGlJKfVSn9Gtw     (base64, url-safe, no line end)

Every file is written beside its place, synced, moved there and the directory synced, so that a reader after a crash
finds the old one or the new one. An empty checkpoint counts as one without lines, since Kafka creates them empty.
"""

from __future__ import annotations

import base64
import binascii
import json
import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar, cast

from kwire.errors import BrokerError, ErrorCode
from kwire.storage.file_system import Access, FileSystem

RECOVERY_POINT_CHECKPOINT = "recovery-point-offset-checkpoint"
LOG_START_OFFSET_CHECKPOINT = "log-start-offset-checkpoint"
HIGH_WATERMARK_CHECKPOINT = "replication-offset-checkpoint"
CLEANER_CHECKPOINT = "cleaner-offset-checkpoint"
PARTITION_METADATA = "partition.metadata"
META_PROPERTIES = "meta.properties"
CLEAN_SHUTDOWN = ".kafka_cleanshutdown"

TEMPORARY_SUFFIX = ".tmp"

_VERSION = 0
_META_PROPERTIES_VERSION = 1

T = TypeVar("T")


class TopicPartition(NamedTuple):
    """A partition by its topic's name."""

    topic: str
    partition: int


class MalformedFileError(BrokerError):
    """A file of ours that does not have its format. Says which, and in which line (from 1)."""

    def __init__(self, path: str, line_number: int, reason: str) -> None:
        super().__init__(ErrorCode.KAFKA_STORAGE_ERROR, f"{path}, line {line_number}: {reason}")
        self.path = path
        self.line_number = line_number
        self.reason = reason


@dataclass(frozen=True, slots=True)
class MetaProperties:
    """Whose log directory it is. `directory_id` is missing in directories from before Kafka 3.7."""

    cluster_id: str
    node_id: int
    directory_id: bytes | None


def write_atomically(files: FileSystem, path: str, content: bytes) -> None:
    """Make `path` hold `content`: after a crash there is the old content or the new, never a part."""
    temporary = files.open(path + TEMPORARY_SUFFIX, Access.CREATE)
    try:
        temporary.truncate(0)  # one may be left from a crash
        temporary.write(content)
        temporary.sync()
    finally:
        temporary.close()
    files.rename(path + TEMPORARY_SUFFIX, path)
    files.sync_directory(posixpath.dirname(path))


def read_whole(files: FileSystem, path: str) -> bytes:
    """The content of a small file; `FileNotFoundError` if there is none."""
    file = files.open(path, Access.READ)
    try:
        return file.read_at(file.size_bytes, 0)
    finally:
        file.close()


# Checkpoints: a version, a count, and lines of fields.


def read_checkpoint(files: FileSystem, path: str, parse: Callable[[list[str]], T]) -> list[T]:
    """The entries of a checkpoint file, each line's fields through `parse`; none if the file is missing or empty.

    `parse` raises `ValueError` for what it cannot read.
    """
    try:
        lines = _lines(files, path)
    except FileNotFoundError:
        return []
    if not lines:
        return []
    version = _number(path, lines, 0, "the version")
    if version != _VERSION:
        raise MalformedFileError(path, 1, f"version {version} is not known")
    count = _number(path, lines, 1, "the number of entries")
    entries: list[T] = []
    for line_number, line in enumerate(lines[2:], start=3):
        try:
            entries.append(parse(line.split()))
        except ValueError:
            raise MalformedFileError(path, line_number, f"{line!r} is no entry") from None
    if len(entries) != count:
        raise MalformedFileError(path, len(lines), f"{count} entries expected, {len(entries)} found")
    return entries


def write_checkpoint(files: FileSystem, path: str, lines: Iterable[str]) -> None:
    """Write a checkpoint file with these entries."""
    entries = list(lines)
    content = "".join(f"{line}\n" for line in (_VERSION, len(entries), *entries))
    write_atomically(files, path, content.encode())


def read_offsets(files: FileSystem, path: str) -> dict[TopicPartition, int]:
    """An offset checkpoint's entries."""
    return dict(read_checkpoint(files, path, _parse_offset))


def write_offsets(files: FileSystem, path: str, offsets: Mapping[TopicPartition, int]) -> None:
    """Write an offset checkpoint, in the order of the mapping (Kafka's own order is that of its hash table)."""
    write_checkpoint(files, path, [f"{topic} {partition} {offset}" for (topic, partition), offset in offsets.items()])


def _parse_offset(fields: list[str]) -> tuple[TopicPartition, int]:
    topic, partition, offset = fields
    return TopicPartition(topic, int(partition)), int(offset)


# Ids.


def encode_id(value: bytes) -> str:
    """A 16-byte id as Kafka writes it: base64, url-safe, without padding."""
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def decode_id(text: str) -> bytes:
    """The 16 bytes that `encode_id` wrote, or `ValueError`."""
    try:
        value = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        raise ValueError(f"{text!r} is not base64") from None
    if len(value) != 16:
        raise ValueError(f"{text!r} is not an id of 16 bytes")
    return value


def read_partition_metadata(files: FileSystem, directory: str) -> bytes | None:
    """The topic's id that a partition's directory belongs to; None if nothing says so."""
    path = posixpath.join(directory, PARTITION_METADATA)
    try:
        lines = _lines(files, path)
    except FileNotFoundError:
        return None
    values: list[str] = []
    for line_number, name in enumerate(("version", "topic_id"), start=1):
        fields = lines[line_number - 1].split() if line_number <= len(lines) else []
        if len(fields) != 2 or fields[0] != f"{name}:":
            raise MalformedFileError(path, line_number, f"{name}: is missing")
        values.append(fields[1])
    if values[0] != str(_VERSION):
        raise MalformedFileError(path, 1, f"version {values[0]} is not known")
    try:
        return decode_id(values[1])
    except ValueError as error:
        raise MalformedFileError(path, 2, str(error)) from None


def write_partition_metadata(files: FileSystem, directory: str, topic_id: bytes) -> None:
    """Note the topic's id in a partition's directory."""
    content = f"version: {_VERSION}\ntopic_id: {encode_id(topic_id)}"
    write_atomically(files, posixpath.join(directory, PARTITION_METADATA), content.encode())


def read_meta_properties(files: FileSystem, directory: str) -> MetaProperties | None:
    """Whose log directory it is; None if it is nobody's yet."""
    path = posixpath.join(directory, META_PROPERTIES)
    try:
        lines = _lines(files, path)
    except FileNotFoundError:
        return None
    properties: dict[str, tuple[str, int]] = {}
    for line_number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and text[0] not in "#!":
            name, equals, value = text.partition("=")
            if not equals:
                raise MalformedFileError(path, line_number, f"{text!r} is not name=value")
            properties[name.strip()] = value.strip().replace("\\", ""), line_number

    def get(name: str, read: Callable[[str], T]) -> T:
        if name not in properties:
            raise MalformedFileError(path, len(lines), f"{name} is missing")
        value, line_number = properties[name]
        try:
            return read(value)
        except ValueError as error:
            raise MalformedFileError(path, line_number, f"{name}: {error}") from None

    version = get("version", int)
    if version != _META_PROPERTIES_VERSION:
        # 0 is a broker that kept its metadata in ZooKeeper.
        raise MalformedFileError(path, properties["version"][1], f"version {version} is not known")
    return MetaProperties(
        cluster_id=get("cluster.id", str),
        node_id=get("node.id", int),
        directory_id=get("directory.id", decode_id) if "directory.id" in properties else None,
    )


def write_meta_properties(files: FileSystem, directory: str, properties: MetaProperties, now_ms: int) -> None:
    """Note whose log directory it is. Keys in the order in which Kafka's hash table has them; the comment is Java's."""
    # Written out by hand, since strftime's names follow the locale.
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    day = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[now.weekday()]
    month = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")[now.month - 1]
    lines = [
        "#",
        f"#{day} {month} {now.day:02} {now.hour:02}:{now.minute:02}:{now.second:02} UTC {now.year}",
        f"node.id={properties.node_id}",
        *([f"directory.id={encode_id(properties.directory_id)}"] if properties.directory_id else []),
        f"version={_META_PROPERTIES_VERSION}",
        f"cluster.id={properties.cluster_id}",
    ]
    content = "".join(f"{line}\n" for line in lines)
    write_atomically(files, posixpath.join(directory, META_PROPERTIES), content.encode())


# The mark of a clean stop.


def has_clean_shutdown(files: FileSystem, directory: str) -> bool:
    """Whether the last stop was clean: then no log of the directory needs a look."""
    return files.exists(posixpath.join(directory, CLEAN_SHUTDOWN))


def read_broker_epoch(files: FileSystem, directory: str) -> int | None:
    """The broker epoch at the clean stop. What cannot be read counts as unknown, as in Kafka."""
    try:
        found: object = json.loads(read_whole(files, posixpath.join(directory, CLEAN_SHUTDOWN)))
    except (FileNotFoundError, ValueError):
        return None
    if not isinstance(found, dict):
        return None
    epoch = cast(dict[str, object], found).get("brokerEpoch")
    return epoch if isinstance(epoch, int) else None


def write_clean_shutdown(files: FileSystem, directory: str, broker_epoch: int) -> None:
    """Note that all logs of the directory were flushed and closed. The last thing that a stop does."""
    content = f'{{"version":{_VERSION},"brokerEpoch":{broker_epoch}}}'
    write_atomically(files, posixpath.join(directory, CLEAN_SHUTDOWN), content.encode())


def remove_clean_shutdown(files: FileSystem, directory: str) -> None:
    """Take the mark away, durably: the first thing that a start does after reading it."""
    try:
        files.remove(posixpath.join(directory, CLEAN_SHUTDOWN))
    except FileNotFoundError:
        return
    files.sync_directory(directory)


def _lines(files: FileSystem, path: str) -> list[str]:
    content = read_whole(files, path)
    try:
        return content.decode().splitlines()
    except UnicodeDecodeError as error:
        raise MalformedFileError(path, content.count(b"\n", 0, error.start) + 1, "not UTF-8") from None


def _number(path: str, lines: list[str], index: int, what: str) -> int:
    text = lines[index] if index < len(lines) else ""
    try:
        return int(text)
    except ValueError:
        raise MalformedFileError(path, index + 1, f"{what} expected, {text!r} found") from None
