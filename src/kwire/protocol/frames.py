"""Frames: a four-byte size, a header, a message. Bytes in any cut become frames; frames become requests.

    size int32 | api key int16 | version int16 | correlation id int32 | client id string? | [tags] | request
    size int32 | correlation id int32 | [tags] | response

`FrameReader` holds what has arrived of a frame and nothing else. It refuses a size before it takes memory for it, and
takes memory only as bytes arrive: a peer that announces 100 MiB and sends nothing costs a mebibyte at most.
The header's tags are there when the message's version is flexible; the one exception stands in the spec of
ApiVersions, whose response header has none in any version, so that a client can read it before it knows our versions.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from kwire.protocol.codec import DecodeError, Piece, decoder, encoder
from kwire.protocol.messages import APIS
from kwire.protocol.messages.request_header import RequestHeader
from kwire.protocol.messages.response_header import ResponseHeader
from kwire.protocol.registry import Api
from kwire.protocol.schema import Buffer, Message, has_records

FIRST_ALLOCATION_BYTES = 1 << 20
"""What is allocated at once for a frame under way: room for the usual largest batch. A larger frame doubles it."""

_size = struct.Struct(">i")
_head = struct.Struct(">hhih")
_request_head = struct.Struct(">ihhih")
_response_head = struct.Struct(">ii")
_response_head_flexible = struct.Struct(">iiB")


class FrameError(Exception):
    """A size that no frame has. `frames` are those that were complete before it."""

    def __init__(self, size: int, size_max: int, frames: list[bytearray]) -> None:
        super().__init__(f"a frame of {size} bytes, where 0 to {size_max} are taken")
        self.size = size
        self.frames = frames


class FrameReader:
    """Cuts a stream of bytes into frames, each in memory of its own that the receiver may keep and change.

    Small frames come out of `feed`. While a frame is under way, `rest` is where its missing bytes belong, so that a
    large one is received in place, and `advance` tells how many came.
    """

    __slots__ = ("_filled", "_frame", "_prefix", "_size", "size_max")

    def __init__(self, size_max: int) -> None:
        self.size_max = size_max
        self._prefix = b""  # the part of a size that has arrived
        self._frame: bytearray | None = None  # a frame under way: memory, bytes in it, and its whole size
        self._filled = 0
        self._size = 0

    @property
    def under_way(self) -> bool:
        """Whether a frame has begun and not ended: the peer owes us the rest."""
        return self._frame is not None or bool(self._prefix)

    def feed(self, data: Buffer) -> list[bytearray]:
        """All frames that are complete with these bytes."""
        frames: list[bytearray] = []
        position, end = 0, len(data)
        while position < end:
            if self._frame is not None:
                rest = self.rest()
                taken = min(len(rest), end - position)
                rest[:taken] = data[position : position + taken]
                rest.release()
                position += taken
                frame = self.advance(taken)
                if frame is not None:
                    frames.append(frame)
                continue
            if self._prefix or end - position < 4:
                taken = min(4 - len(self._prefix), end - position)
                self._prefix += bytes(data[position : position + taken])
                position += taken
                if len(self._prefix) < 4:
                    break
                (size,) = _size.unpack(self._prefix)
                self._prefix = b""
            else:
                (size,) = _size.unpack_from(data, position)
                position += 4
            if not 0 <= size <= self.size_max:
                raise FrameError(size, self.size_max, frames)
            if end - position >= size:
                frames.append(bytearray(data[position : position + size]))
                position += size
            else:
                self._size = size
                self._filled = 0
                self._frame = bytearray(min(size, FIRST_ALLOCATION_BYTES))
        return frames

    def rest(self) -> memoryview:
        """Where the next bytes of the frame under way go. Release it before `advance`: the memory may have to grow."""
        assert self._frame is not None
        return memoryview(self._frame)[self._filled :]

    def advance(self, count: int) -> bytearray | None:
        """Takes note of `count` bytes written to `rest`; the frame if these were its last."""
        assert self._frame is not None
        frame = self._frame
        self._filled += count
        if self._filled == self._size:
            self._frame = None
            return frame
        if self._filled == len(frame):
            frame.extend(bytes(min(len(frame), self._size - len(frame))))
        return None


class RequestHead(NamedTuple):
    """What a frame says before its message, and where the message's bytes begin (after the header's fixed part)."""

    api_key: int
    api_version: int
    correlation_id: int
    client_id: str | None
    position: int


def decode_request_head(frame: bytes | bytearray) -> RequestHead:
    """The part of the header that all versions share: readable even if the API or its version is unknown."""
    try:
        api_key, version, correlation_id, length = _head.unpack_from(frame, 0)
        end = 10 + length
        if end > len(frame):
            raise DecodeError("RequestHeader", 1, "client_id", 10, "the message ends inside a field")
        client_id = None if length < 0 else frame[10:end].decode()
    except struct.error:
        raise DecodeError("RequestHeader", 1, "", 0, "the message ends inside a field") from None
    except UnicodeDecodeError:
        raise DecodeError("RequestHeader", 1, "client_id", 10, "a string that is not UTF-8") from None
    return RequestHead(api_key, version, correlation_id, client_id, max(end, 10))


def decode_request_body(head: RequestHead, frame: bytes | bytearray) -> Message:
    """The message of a frame whose head named an API and version that exist."""
    flexible, body = _request_decoder(head.api_key, head.api_version)
    position = head.position
    if flexible:
        # Nearly every header ends in an empty set of tags. One that does not is read again, whole.
        if position < len(frame) and not frame[position]:
            position += 1
        else:
            position = decoder(RequestHeader, 2)(frame, 0)[1]
    return body(frame, position)[0]


def encode_response(api: Api, version: int, correlation_id: int, message: Message) -> list[Piece]:
    """A whole response frame in pieces: few and large ones, and records as they are."""
    pieces: list[Any] = [b""]
    encoder(type(message), version)(message, pieces.append)
    size = sum(map(len, pieces))
    if api.response_header_version(version):
        pieces[0] = _response_head_flexible.pack(size + 5, correlation_id, 0)
    else:
        pieces[0] = _response_head.pack(size + 4, correlation_id)
    return _coalesce(pieces) if _has_records(type(message)) else [b"".join(pieces)]


def encode_request(api: Api, version: int, correlation_id: int, client_id: str | None, message: Message) -> list[Piece]:
    """A whole request frame in pieces, as a client sends it."""
    pieces: list[Any] = [b""]
    encoder(type(message), version)(message, pieces.append)
    name = b"" if client_id is None else client_id.encode()
    flexible = version in api.flexible
    size = sum(map(len, pieces)) + len(name) + (11 if flexible else 10)
    length = -1 if client_id is None else len(name)
    pieces[0] = _request_head.pack(size, api.key, version, correlation_id, length) + name + (b"\0" if flexible else b"")
    return _coalesce(pieces) if _has_records(type(message)) else [b"".join(pieces)]


def decode_response(api: Api, version: int, frame: bytes | bytearray) -> tuple[int, Message]:
    """(correlation id, message) of a response frame, as a client reads it."""
    header, position = decoder(ResponseHeader, api.response_header_version(version))(frame, 0)
    return header.correlation_id, decoder(api.response, version)(frame, position)[0]


def _coalesce(pieces: list[Any]) -> list[Piece]:
    """Joins what lies between records, so that each system call gets something to do."""
    out: list[Piece] = []
    run: list[Any] = []
    for piece in pieces:
        if type(piece) is bytes:
            run.append(piece)
            continue
        if run:
            out.append(b"".join(run))
            run = []
        out.append(piece)
    if run:
        out.append(b"".join(run))
    return out


@cache
def _request_decoder(api_key: int, version: int) -> tuple[bool, Callable[[Buffer, int], tuple[Message, int]]]:
    api = APIS[api_key]
    return version in api.flexible, decoder(api.request, version)


@cache
def _has_records(message: type[Message]) -> bool:
    return has_records(message.SCHEMA)
