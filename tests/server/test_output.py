"""The output of a connection, on pairs of sockets: order, partial sends, regions of files, the page cache."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from kwire.metrics import BrokerMetrics
from kwire.server.output import INLINE_REGION_BYTES, PIECES_PER_CALL, REGION_STEP_BYTES, Output
from kwire.storage.file_system import File, FileRegion, Pin
from kwire.storage.files import Access, RealFileSystem

BUFFER_BYTES = 8192


class Wire:
    """An output, the client's end of its socket, and how often it said that it is blocked."""

    def __init__(self) -> None:
        self.ours, self.theirs = socket.socketpair()
        for sock in (self.ours, self.theirs):
            sock.setblocking(False)
        self.ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        self.blocked = 0
        self.metrics = BrokerMetrics()
        self.output = Output(self.ours, self.metrics, self.count)

    def count(self) -> None:
        self.blocked += 1

    def taken(self) -> bytes:
        """What the client can read now."""
        parts: list[bytes] = []
        try:
            while part := self.theirs.recv(1 << 20):
                parts.append(part)
        except BlockingIOError:
            pass
        return b"".join(parts)

    def take_all(self) -> bytes:
        """Reads and resumes as the connection's task would, until nothing is left."""
        parts = [self.taken()]
        for _ in range(100_000):
            if not self.output.blocked:
                break
            if self.output.cold is not None:
                self.output.cold()
            self.output.resume()
            parts.append(self.taken())
        assert not self.output.blocked, "nothing moves any more"
        return b"".join(parts)


@pytest.fixture
def wire() -> Iterator[Wire]:
    wire = Wire()
    yield wire
    wire.ours.close()
    wire.theirs.close()


def test_answers_go_out_at_the_next_flush_in_one_piece(wire: Wire) -> None:
    wire.output.put([b"one"])
    wire.output.put([b"two", memoryview(b"three")])
    assert (wire.taken(), wire.output.waiting) == (b"", 1)
    wire.output.flush()
    assert wire.taken() == b"onetwothree"
    assert (wire.output.waiting, wire.metrics.bytes_sent, wire.blocked) == (0, 11, 0)


def test_an_answer_that_is_not_ready_holds_back_those_behind_it(wire: Wire) -> None:
    output = wire.output
    output.put([b"a"])
    first = output.reserve()
    output.put([b"c"])
    second = output.reserve()
    output.put([b"e"])
    output.flush()
    assert (wire.taken(), output.waiting) == (b"a", 4)
    output.fill(second, [b"d"])
    assert wire.taken() == b""
    output.fill(first, [b"b"])
    assert (wire.taken(), output.waiting) == (b"bcde", 0)


def test_an_answer_without_bytes_only_frees_its_place(wire: Wire) -> None:
    slot = wire.output.reserve()
    wire.output.put([b"next"])
    wire.output.fill(slot, [])
    assert wire.taken() == b"next"


@pytest.mark.parametrize("pieces", [[b""], [b"", b""], [b"", b"x"], [b"x", b""], [memoryview(b""), b"", b"x", b""]])
def test_pieces_without_bytes_do_not_stop_it(wire: Wire, pieces: list[bytes]) -> None:
    wire.output.put(pieces)
    wire.output.flush()
    assert (wire.taken(), wire.output.waiting) == (b"".join(pieces), 0)


@pytest.mark.timeout(60)
def test_a_full_socket_is_waited_for_once_and_nothing_is_lost_or_doubled(wire: Wire) -> None:
    pieces = [bytes([number % 251]) * (number * 37 % 5000) for number in range(300)]
    wire.output.put(pieces)
    wire.output.flush()
    assert (wire.output.blocked, wire.blocked) == (True, 1)
    # What comes meanwhile joins the queue and asks for no second task.
    late = wire.output.reserve()
    wire.output.put([b"end"])
    wire.output.flush()
    wire.output.fill(late, [b"late"])
    assert wire.take_all() == b"".join(pieces) + b"lateend"
    assert (wire.blocked, wire.output.waiting) == (1, 0)
    wire.output.put([b"again"])
    wire.output.flush()
    assert wire.taken() == b"again"


def test_more_pieces_than_one_call_takes(wire: Wire) -> None:
    pieces = [b"%d," % number for number in range(5 * PIECES_PER_CALL + 3)]
    wire.output.put(pieces)
    wire.output.flush()
    assert wire.take_all() == b"".join(pieces)


def test_a_closed_output_sends_nothing(wire: Wire) -> None:
    slot = wire.output.reserve()
    wire.output.closed = True
    wire.output.fill(slot, [b"x"])
    assert wire.taken() == b""


def test_a_client_that_is_gone_is_an_error_of_the_socket(wire: Wire) -> None:
    wire.theirs.close()
    wire.output.put([b"x"])
    with pytest.raises(BrokenPipeError):
        wire.output.flush()


# ---- regions of files ------------------------------------------------------------------------------------------------


@pytest.fixture
def log_file(tmp_path: Path) -> File:
    file = RealFileSystem().open(str(tmp_path / "log"), Access.CREATE)
    file.write(bytes(number % 253 for number in range(2 * REGION_STEP_BYTES + 70_000)))
    return file


@pytest.mark.parametrize(
    "size",
    [1, 100, INLINE_REGION_BYTES, INLINE_REGION_BYTES + 1, REGION_STEP_BYTES, 2 * REGION_STEP_BYTES + 12345],
)
def test_a_region_goes_out_between_the_bytes_around_it(wire: Wire, log_file: File, size: int) -> None:
    expected = log_file.read_at(size, 777)
    wire.output.put([b"head", FileRegion(log_file, 777, size), b"tail"])
    wire.output.put([FileRegion(log_file, 777, size)])
    wire.output.flush()
    assert wire.take_all() == b"head" + expected + b"tail" + expected
    assert wire.metrics.bytes_sent == 8 + 2 * size


def test_small_regions_travel_with_the_bytes_before_them(wire: Wire, log_file: File) -> None:
    wire.output.put([b"a", FileRegion(log_file, 0, 10), b"b", FileRegion(log_file, 10, 10), b"c"])
    wire.output.flush()
    data = log_file.read_at(20, 0)
    assert wire.theirs.recv(1000) == b"a" + data[:10] + b"b" + data[10:] + b"c"


@pytest.mark.parametrize("size", [500, INLINE_REGION_BYTES + 500])
def test_a_file_that_ends_inside_a_region_ends_the_connection(wire: Wire, tmp_path: Path, size: int) -> None:
    # The client was told how many bytes come: anything else would be taken for the next answer.
    file = RealFileSystem().open(str(tmp_path / "short"), Access.CREATE)
    file.write(b"x" * 100)
    wire.output.put([b"head", FileRegion(file, 0, size)])
    with pytest.raises(ConnectionError, match="ends inside a region"):
        wire.output.flush()


class ColdPin:
    """A file that is never in the page cache, as far as it says; or is once somebody has read it."""

    def __init__(self, pin: Pin, *, warms_up: bool) -> None:
        self._pin = pin
        self.warms_up = warms_up
        self.is_warm = False
        self.reads: list[tuple[int, int]] = []

    def fileno(self) -> int:
        return self._pin.fileno()

    def read_at(self, size_bytes: int, position: int) -> bytes:
        self.reads.append((position, size_bytes))
        self.is_warm = self.warms_up
        return self._pin.read_at(size_bytes, position)

    def send_to(self, socket_fd: int, position: int, size_bytes: int) -> int:
        return self._pin.send_to(socket_fd, position, size_bytes)

    def is_cached(self, position: int, size_bytes: int) -> bool:
        return self.is_warm


def cold_region(file: File, size: int, *, warms_up: bool) -> tuple[FileRegion, ColdPin]:
    pin = ColdPin(file.pin(), warms_up=warms_up)
    region = FileRegion(file, 5, size)
    region._pin = pin
    return region, pin


@pytest.mark.parametrize("warms_up", [True, False])
@pytest.mark.parametrize("size", [200, INLINE_REGION_BYTES + 1, REGION_STEP_BYTES + 1000])
def test_what_is_not_in_the_page_cache_is_read_by_a_worker_first(
    wire: Wire, log_file: File, size: int, warms_up: bool
) -> None:
    region, pin = cold_region(log_file, size, warms_up=warms_up)
    wire.output.put([b"head", region, b"tail"])
    wire.output.flush()
    assert (wire.output.blocked, wire.blocked, pin.reads) == (True, 1, [])
    assert wire.output.cold is not None
    assert wire.taken() == b"head"
    assert wire.take_all() == log_file.read_at(size, 5) + b"tail"
    assert pin.reads[0] == (5, min(size, REGION_STEP_BYTES))
