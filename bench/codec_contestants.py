"""The three codecs behind one face, each used through its own public functions as its users use them.

A whole message is header and body as they follow the frame's size on the wire. Every contestant makes the header anew
for each message, because a correlation id is never the same twice. What can be looked up once (kio's readers and
writers, kafka-python's versioned classes) is looked up once; ours is looked up at each call, because that is its API.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any, NamedTuple
from uuid import UUID

from kafka.protocol import consumer, metadata, producer
from kio.schema.errors import ErrorCode
from kio.serial import entity_reader, entity_writer

from bench.codec_samples import Sample
from kwire.protocol.codec import decode, decoder, encode, encode_pieces
from kwire.protocol.messages.request_header import RequestHeader
from kwire.protocol.messages.response_header import ResponseHeader
from kwire.protocol.schema import Field, Message

CORRELATION_ID = 123_456
CLIENT_ID = "bench-client"

API_KEYS = {"Produce": 0, "Fetch": 1, "Metadata": 3, "JoinGroup": 11}


class Contestant(NamedTuple):
    """`plain` brings one value of a field to what all three agree on; `field` is how this library calls one of ours."""

    name: str
    decode_body: Callable[[bytes], Any]
    decode_whole: Callable[[bytes], Any]
    body_of_whole: Callable[[Any], Any]
    encode_body: Callable[[], bytes]
    encode_whole: Callable[[], bytes]
    field: Callable[[str], str]
    plain: Callable[[Any, Field], Any]


def contestants(sample: Sample) -> list[Contestant]:
    """Ours first. The others encode what they decoded from our bytes: the check before timing shows it is the same."""
    body = encode(sample.message, sample.version)
    return [_kwire(sample), _kafka_python(sample, body), _kio(sample, body)]


# ---- kwire ---------------------------------------------------------------------------------------------------------


def _kwire(sample: Sample) -> Contestant:
    message, version, cls = sample.message, sample.version, type(sample.message)
    key = API_KEYS[sample.api]

    def decode_body(data: bytes) -> Message:
        return decode(cls, version, data)

    def encode_body() -> bytes:
        return encode(message, version)

    return Contestant(
        "kwire",
        decode_body,
        kwire_decode_request(cls) if sample.is_request else kwire_decode_response(cls, version),
        lambda whole: whole[1],
        encode_body,
        kwire_encode_request(message, key, version) if sample.is_request else kwire_encode_response(message, version),
        lambda name: name,
        lambda value, _: bytes(value) if isinstance(value, memoryview) else value,
    )


def kwire_decode_request(cls: type[Message]) -> Callable[[bytes], tuple[RequestHeader, Message]]:
    def decode_whole(data: bytes) -> tuple[RequestHeader, Message]:
        header, position = decoder(RequestHeader, 2)(data, 0)
        return header, decode(cls, header.request_api_version, data, position)

    return decode_whole


def kwire_decode_response(cls: type[Message], version: int) -> Callable[[bytes], tuple[ResponseHeader, Message]]:
    def decode_whole(data: bytes) -> tuple[ResponseHeader, Message]:
        header, position = decoder(ResponseHeader, 1)(data, 0)
        return header, decode(cls, version, data, position)

    return decode_whole


def kwire_encode_request(message: Message, key: int, version: int) -> Callable[[], bytes]:
    def encode_whole() -> bytes:
        header = RequestHeader(key, version, CORRELATION_ID, CLIENT_ID)
        return b"".join([*encode_pieces(header, 2), *encode_pieces(message, version)])

    return encode_whole


def kwire_encode_response(message: Message, version: int) -> Callable[[], bytes]:
    def encode_whole() -> bytes:
        return b"".join([*encode_pieces(ResponseHeader(CORRELATION_ID), 1), *encode_pieces(message, version)])

    return encode_whole


# ---- kafka-python --------------------------------------------------------------------------------------------------

_KAFKA_PYTHON_MODULES = {"Produce": producer, "Fetch": consumer, "Metadata": metadata, "JoinGroup": consumer}


def _kafka_python(sample: Sample, body: bytes) -> Contestant:
    versioned = getattr(_KAFKA_PYTHON_MODULES[sample.api], sample.message.SCHEMA.name)[sample.version]
    message = versioned.decode(body)

    def decode_whole(data: bytes) -> Any:
        return versioned.decode(data, header=True)

    def encode_whole() -> bytes:
        message.with_header(correlation_id=CORRELATION_ID, client_id=CLIENT_ID)
        return message.encode(header=True)

    return Contestant(
        "kafka-python",
        versioned.decode,
        decode_whole,
        lambda whole: whole,
        message.encode,
        encode_whole,
        lambda name: "authorized_operations" if name == "topic_authorized_operations" else name,
        _plain_kafka_python,
    )


def _plain_kafka_python(value: Any, field: Field) -> Any:
    if value is None and field.name == "topic_authorized_operations":
        return -(1 << 31)  # not asked for
    if isinstance(value, UUID):
        return value.bytes
    return bytes(value) if isinstance(value, memoryview) else value


# ---- kio -----------------------------------------------------------------------------------------------------------


def _kio(sample: Sample, body: bytes) -> Contestant:
    package = re.sub(r"(?<!^)([A-Z])", r"_\1", sample.api).lower()
    module = import_module(f"kio.schema.{package}.v{sample.version}.{'request' if sample.is_request else 'response'}")
    entity = getattr(module, sample.message.SCHEMA.name)
    header_entity = entity.__header_schema__
    read, write = entity_reader(entity), entity_writer(entity)
    read_header, write_header = entity_reader(header_entity), entity_writer(header_entity)
    message = read(body, 0)[0]
    header_fields: dict[str, Any] = {"correlation_id": CORRELATION_ID}
    if sample.is_request:
        header_fields |= {
            "request_api_key": entity.__api_key__,
            "request_api_version": entity.__version__,
            "client_id": CLIENT_ID,
        }

    def decode_body(data: bytes) -> Any:
        return read(data, 0)[0]

    def decode_whole(data: bytes) -> Any:
        header, size = read_header(data, 0)
        return header, read(data, size)[0]

    def encode_body() -> bytes:
        buffer = io.BytesIO()
        write(buffer, message)
        return buffer.getvalue()

    def encode_whole() -> bytes:
        buffer = io.BytesIO()
        write_header(buffer, header_entity(**header_fields))
        write(buffer, message)
        return buffer.getvalue()

    names = set(_slots(entity, module))
    return Contestant(
        "kio",
        decode_body,
        decode_whole,
        lambda whole: whole[1],
        encode_body,
        encode_whole,
        # kio knows the units of durations: throttle_time_ms is throttle_time there, and a timedelta.
        lambda name: name if name in names else name.removesuffix("_ms"),
        _plain_kio,
    )


def _slots(entity: Any, module: Any) -> list[str]:
    """The names of all fields of all entities in the module."""
    classes = [entity, *(value for value in vars(module).values() if hasattr(value, "__dataclass_fields__"))]
    return [name for cls in classes for name in cls.__dataclass_fields__]


def _plain_kio(value: Any, field: Field) -> Any:
    if value is None and field.type == "int64":
        return -1  # no time
    if isinstance(value, ErrorCode):
        return value.value
    if isinstance(value, timedelta):
        return value // timedelta(milliseconds=1)
    if isinstance(value, UUID):
        return value.bytes
    return value
