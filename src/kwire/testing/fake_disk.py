"""The state of a disk and of the page cache above it, and what a power loss leaves of the two.

Every file and every directory has what is durable, what is visible, and the changes between the two in order. A sync
applies the changes to the durable state. After a power loss each file and each directory shows, on its own, what is
durable and some of its changes, which is all that POSIX promises; real file systems promise more, each something else:

- of a file: no change, all of them, the first few with the last one torn at any byte, or any of the 512-byte sectors
  at any of the sizes that the file had meanwhile, zeros where nothing arrived;
- of a directory: the first few changes, or any of them. A rename is one change, and so never half done.

A file that no surviving directory names is gone, synced or not. Nothing here decides when: that is `fake_files`.
"""

from __future__ import annotations

import errno
import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

SECTOR_BYTES = 512
ROOT = 1

Write: TypeAlias = tuple[int, bytes]
"""Bytes at a position."""

Change: TypeAlias = Write | int
"""What can happen to a file's content: a write, or a new size."""

Entries: TypeAlias = dict[str, int]
"""A directory's names, and the numbers of what they stand for."""

EntryChange: TypeAlias = tuple[str | None, str | None, int]
"""A name that goes, a name that comes, what it stands for. A creation has no first, a removal no second."""


def _missing(path: str) -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, "No such file or directory", path)


@dataclass(slots=True)
class FileNode:
    """One file's content. `visible` is shared as bytes between copies of a disk until someone writes to it."""

    durable: bytes = b""
    visible: bytes | bytearray = b""
    changes: list[Change] = field(default_factory=list[Change])
    modified_ms: int = 0

    def change(self, change: Change) -> None:
        if not isinstance(self.visible, bytearray):
            self.visible = bytearray(self.visible)
        _apply(self.visible, change)
        self.changes.append(change)

    def sync(self) -> None:
        if self.changes:
            content = bytearray(self.durable)
            for change in self.changes:
                _apply(content, change)
            self.durable = bytes(content)
            self.changes.clear()

    def copy(self) -> FileNode:
        # Frozen on both sides, so that a disk which is copied often does not copy what nobody writes to.
        self.visible = bytes(self.visible)
        return FileNode(self.durable, self.visible, list(self.changes), self.modified_ms)

    def after_power_loss(self, rng: Random, bit_flips: int) -> FileNode:
        if not self.changes:
            return FileNode(self.durable, self.durable, [], self.modified_ms)
        content = _SURVIVALS[rng.randrange(len(_SURVIVALS))](self, rng)
        writes = [change for change in self.changes if not isinstance(change, int) and change[1]]
        for _ in range(bit_flips if writes else 0):
            start, data = rng.choice(writes)
            position = start + rng.randrange(len(data))
            if position < len(content):
                content[position] ^= 1 << rng.randrange(8)
        return FileNode(bytes(content), bytes(content), [], self.modified_ms)


@dataclass(slots=True)
class DirectoryNode:
    """One directory's entries."""

    durable: Entries = field(default_factory=Entries)
    visible: Entries = field(default_factory=Entries)
    changes: list[EntryChange] = field(default_factory=list[EntryChange])

    def change(self, change: EntryChange) -> None:
        _apply_entry(self.visible, change)
        self.changes.append(change)

    def sync(self) -> None:
        for change in self.changes:
            _apply_entry(self.durable, change)
        self.changes.clear()

    def copy(self) -> DirectoryNode:
        return DirectoryNode(dict(self.durable), dict(self.visible), list(self.changes))

    def after_power_loss(self, rng: Random) -> DirectoryNode:
        entries = dict(self.durable)
        if rng.randrange(2):
            survivors = self.changes[: rng.randint(0, len(self.changes))]
        else:
            survivors = [change for change in self.changes if rng.randrange(2)]
        for change in survivors:
            _apply_entry(entries, change)
        return DirectoryNode(dict(entries), entries, [])


class FakeDisk:
    """A tree of files and directories below `/`. Changes are methods; each may be replayed on a copy."""

    __slots__ = ("_next_number", "directories", "files")

    def __init__(self) -> None:
        self.files: dict[int, FileNode] = {}
        self.directories: dict[int, DirectoryNode] = {ROOT: DirectoryNode()}
        self._next_number = ROOT + 1

    def copy(self) -> FakeDisk:
        twin = FakeDisk()
        twin.files = {number: node.copy() for number, node in self.files.items()}
        twin.directories = {number: node.copy() for number, node in self.directories.items()}
        twin._next_number = self._next_number
        return twin

    def after_power_loss(self, rng: Random, bit_flips: int) -> FakeDisk:
        """One of the states that the disk may show when the power is back."""
        found = FakeDisk()
        found._next_number = self._next_number
        found.directories = {number: node.after_power_loss(rng) for number, node in self.directories.items()}
        reachable: set[int] = set()
        todo = [ROOT]
        while todo:
            for number in found.directories[todo.pop()].visible.values():
                reachable.add(number)
                if number in found.directories:
                    todo.append(number)
        found.directories = {n: node for n, node in found.directories.items() if n == ROOT or n in reachable}
        found.files = {n: node.after_power_loss(rng, bit_flips) for n, node in self.files.items() if n in reachable}
        return found

    # Looking.

    def find(self, path: str) -> int | None:
        """The number of what is at `path`."""
        number = ROOT
        for name in path.split("/"):
            if name:
                directory = self.directories.get(number)
                found = directory.visible.get(name) if directory else None
                if found is None:
                    return None
                number = found
        return number

    def file(self, path: str) -> int:
        """The number of the file at `path`."""
        number = self.find(path)
        if number is None:
            raise _missing(path)
        if number not in self.files:
            raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
        return number

    def directory(self, path: str) -> DirectoryNode:
        """The directory at `path`."""
        number = self.find(path)
        if number is None:
            raise _missing(path)
        if number not in self.directories:
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory", path)
        return self.directories[number]

    def used_bytes(self) -> int:
        """What all files that have a name take together."""
        named = {number for node in self.directories.values() for number in node.visible.values()}
        return sum(len(node.visible) for number, node in self.files.items() if number in named)

    # Changing.

    def create(self, path: str, now_ms: int) -> None:
        parent, name = self._parent(path)
        self.files[self._next_number] = FileNode(modified_ms=now_ms)
        parent.change((None, name, self._next_number))
        self._next_number += 1

    def make_directory(self, path: str) -> None:
        parent, name = self._parent(path)
        self.directories[self._next_number] = DirectoryNode()
        parent.change((None, name, self._next_number))
        self._next_number += 1

    def remove(self, path: str) -> None:
        number = self.file(path)
        parent, name = self._parent(path)
        parent.change((name, None, number))

    def remove_directory(self, path: str) -> None:
        if self.directory(path).visible:
            raise OSError(errno.ENOTEMPTY, "Directory not empty", path)
        parent, name = self._parent(path)
        parent.change((name, None, parent.visible[name]))

    def rename(self, source: str, target: str) -> None:
        source_parent, source_name = self._parent(source)
        target_parent, target_name = self._parent(target)
        number = source_parent.visible.get(source_name)
        if number is None:
            raise _missing(source)
        if source_parent is not target_parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link", source, None, target)
        if source_name != target_name:
            source_parent.change((source_name, target_name, number))

    def sync_directory(self, path: str) -> None:
        self.directory(path).sync()

    def _parent(self, path: str) -> tuple[DirectoryNode, str]:
        head, name = posixpath.split(path.rstrip("/"))
        return self.directory(head), name


def _apply(content: bytearray, change: Change) -> None:
    if isinstance(change, int):
        if change < len(content):
            del content[change:]
        else:
            content.extend(bytes(change - len(content)))
        return
    position, data = change
    if position > len(content):
        content.extend(bytes(position - len(content)))
    content[position : position + len(data)] = data


def _apply_entry(entries: Entries, change: EntryChange) -> None:
    goes, comes, number = change
    if goes is not None:
        entries.pop(goes, None)
    if comes is not None:
        entries[comes] = number


def _nothing_survives(node: FileNode, rng: Random) -> bytearray:
    return bytearray(node.durable)


def _everything_survives(node: FileNode, rng: Random) -> bytearray:
    return _after(node, len(node.changes))


def _a_torn_prefix_survives(node: FileNode, rng: Random) -> bytearray:
    count = rng.randrange(len(node.changes))
    content = _after(node, count)
    torn = node.changes[count]
    if not isinstance(torn, int):
        position, data = torn
        _apply(content, (position, data[: rng.randint(0, len(data))]))
    return content


def _single_sectors_survive(node: FileNode, rng: Random) -> bytearray:
    full = _everything_survives(node, rng)
    size = len(_after(node, rng.randint(0, len(node.changes))))
    content = bytearray(node.durable[:size])
    content.extend(bytes(size - len(content)))
    touched = {
        sector
        for change in node.changes
        if not isinstance(change, int)
        for sector in range(change[0] // SECTOR_BYTES, -(-(change[0] + len(change[1])) // SECTOR_BYTES))
    }
    for sector in sorted(touched):
        start = sector * SECTOR_BYTES
        if start < size and rng.randrange(2):
            piece = full[start : min(start + SECTOR_BYTES, size)]
            content[start : start + len(piece)] = piece
    return content


def _after(node: FileNode, count: int) -> bytearray:
    content = bytearray(node.durable)
    for change in node.changes[:count]:
        _apply(content, change)
    return content


_SURVIVALS: tuple[Callable[[FileNode, Random], bytearray], ...] = (
    _nothing_survives,
    _everything_survives,
    _a_torn_prefix_survives,
    _single_sectors_survive,
)
