"""Encodes and decodes messages: compiles one flat function for one message in one version, at its first use.

    request = decode(FetchRequest, 12, frame_body)
    data = encode(response, 12)

Bad bytes raise `DecodeError`, and nothing else. A message that cannot be written in a version raises `EncodeError`:
that is our own mistake, never a peer's.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, TypeVar

from kwire.protocol.decoding import DECODING_NAMES, Decoding
from kwire.protocol.encoding import ENCODING_NAMES, Encoding
from kwire.protocol.schema import Buffer, Message, Records

M = TypeVar("M", bound=Message)

Piece = Records
Decoder = Callable[[Buffer, int], tuple[M, int]]
Encoder = Callable[[M, Callable[[Piece], object]], None]


# What is compiled, by class and version: two plain dictionaries in a row are found 60 ns faster than one entry of
# functools.cache.
_decoders: dict[type[Message], dict[int, Decoder[Any]]] = {}
_encoders: dict[type[Message], dict[int, Encoder[Any]]] = {}


class DecodeError(Exception):
    """Bytes that are not what they claim to be: which message, which field, at which byte, and what is wrong."""

    def __init__(self, message: str, version: int, field: str, position: int, reason: str) -> None:
        where = (
            f"{message} v{version}: {field} at byte {position}" if field else f"{message} v{version} at byte {position}"
        )
        super().__init__(f"{where}: {reason}")
        self.message = message
        self.version = version
        self.field = field
        self.position = position
        self.reason = reason


class EncodeError(Exception):
    """A message that its version cannot carry: which message, which field, and why."""

    def __init__(self, message: str, version: int, field: str, reason: str) -> None:
        super().__init__(f"{message} v{version}: {field}: {reason}")
        self.message = message
        self.version = version
        self.field = field


def decode(message: type[M], version: int, data: Buffer, position: int = 0) -> M:
    """The message that starts at `position`. Bytes behind it are left alone, as Kafka does."""
    try:
        function = _decoders[message][version]
    except KeyError:
        function = decoder(message, version)
    return function(data, position)[0]


def encode(message: Message, version: int) -> bytes:
    """The message as bytes. Its records, if it has any, must be in memory."""
    pieces: list[Any] = []
    try:
        function = _encoders[type(message)][version]
    except KeyError:
        function = encoder(type(message), version)
    function(message, pieces.append)
    return b"".join(pieces)


def encode_pieces(message: Message, version: int) -> list[Piece]:
    """The message in pieces, to be sent one after the other. Records are pieces of their own, whatever they are."""
    pieces: list[Piece] = []
    try:
        function = _encoders[type(message)][version]
    except KeyError:
        function = encoder(type(message), version)
    function(message, pieces.append)
    return pieces


def decoder(message: type[M], version: int) -> Decoder[M]:
    """The function (buffer, position) -> (message, next position) for one version.

    Records come out as views of the buffer if that is bytes or a bytearray, and of a copy if it is a memoryview.
    """
    try:
        return _decoders[message][version]
    except KeyError:
        function = _decoders.setdefault(message, {})[version] = _compile_decoder(message, version)
        return function


def _compile_decoder(message: type[Message], version: int) -> Decoder[Any]:
    _check_version(message, version)
    names: dict[str, Any] = {**DECODING_NAMES, "FAULTS": _DECODING_FAULTS}
    source = Decoding(message, version, names).function()
    name, paths = message.SCHEMA.name, source.paths

    def fault(error: BaseException, position: int, end: int) -> DecodeError:
        line = error.__traceback__.tb_lineno if error.__traceback__ else 1
        reason = str(error) if isinstance(error, ValueError) and position <= end else _ENDS
        if isinstance(error, UnicodeDecodeError):
            reason = "a string that is not UTF-8"
        elif isinstance(error, (struct.error, IndexError)):
            reason = _ENDS
        return DecodeError(name, version, paths[line - 1], min(position, end), reason)

    names["fault"] = fault
    return source.compile("decode", f"decode {name} v{version}")


def encoder(message: type[M], version: int) -> Encoder[M]:
    """The function (message, append) that appends the pieces of a message in one version."""
    try:
        return _encoders[message][version]
    except KeyError:
        function = _encoders.setdefault(message, {})[version] = _compile_encoder(message, version)
        return function


def _compile_encoder(message: type[Message], version: int) -> Encoder[Any]:
    _check_version(message, version)
    names: dict[str, Any] = {**ENCODING_NAMES, "FAULTS": _ENCODING_FAULTS}
    source = Encoding(message, version, names).function()
    name, paths = message.SCHEMA.name, source.paths

    def fault(error: BaseException) -> EncodeError:
        line = error.__traceback__.tb_lineno if error.__traceback__ else 1
        return EncodeError(name, version, paths[line - 1], str(error))

    names["fault"] = fault
    return source.compile("encode", f"encode {name} v{version}")


def _check_version(message: type[Message], version: int) -> None:
    if version not in message.SCHEMA.versions:
        raise ValueError(f"{message.SCHEMA.name} has versions {message.SCHEMA.versions}, not {version}")


_ENDS = "the message ends inside a field"
# MalformedError and UnicodeDecodeError are ValueErrors.
_DECODING_FAULTS = (struct.error, IndexError, ValueError)
_ENCODING_FAULTS = (struct.error, ValueError, TypeError, AttributeError, IndexError)
