"""The three codecs, each used through its own public functions as its users use them.

What is measured are statements, as one would write them, so that no wrapper of ours adds to anybody's time. A statement
that decodes leaves `message`, one that encodes leaves `data`. A whole message is header and body as they follow the
frame's size on the wire; every contestant makes the header anew for each message, because a correlation id is never the
same twice. What a library lets its users look up once (kio's readers and writers, kafka-python's versioned classes) is
looked up once; ours are looked up at each call, because that is their API.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from io import BytesIO
from typing import Any, NamedTuple
from uuid import UUID

from kafka.protocol import consumer, metadata, producer
from kio.schema.errors import ErrorCode
from kio.serial import entity_reader, entity_writer

from bench.codec_samples import Sample
from kwire.protocol.codec import decode, decoder, encode, encode_pieces
from kwire.protocol.messages.request_header import RequestHeader
from kwire.protocol.messages.response_header import ResponseHeader
from kwire.protocol.schema import Field

API_KEYS = {"Produce": 0, "Fetch": 1, "Metadata": 3, "JoinGroup": 11}

# What all statements may refer to, besides what their contestant gives them and the bytes `body` and `whole`.
COMMON: dict[str, Any] = {"correlation_id": 123_456, "client_id": "bench-client"}


class Contestant(NamedTuple):
    """`plain` brings one value of a field to what all three agree on; `field` is how this library calls one of ours."""

    name: str
    names: dict[str, Any]
    statements: dict[str, str]
    field: Callable[[str], str]
    plain: Callable[[Any, Field], Any]


def contestants(sample: Sample) -> list[Contestant]:
    """Ours first. The others encode what they decoded from our bytes: the check before timing shows it is the same."""
    body = encode(sample.message, sample.version)
    sides = [_kwire(sample), _kafka_python(sample, body), _kio(sample, body)]
    for side in sides:
        side.names.update(COMMON, body=body)
    ours = sides[0].names
    exec(sides[0].statements["encode, whole"], ours)
    for side in sides:
        side.names["whole"] = ours["data"]
    return sides


# ---- kwire ---------------------------------------------------------------------------------------------------------

KWIRE_BODY = {
    "decode, body": "message = decode(cls, version, body)",
    "encode, body": "data = encode(sample, version)",
}
KWIRE_REQUEST = {
    "decode, whole": """
header, position = decoder(RequestHeader, 2)(whole, 0)
message = decode(cls, header.request_api_version, whole, position)
""",
    "encode, whole": """
header = RequestHeader(key, version, correlation_id, client_id)
data = b"".join([*encode_pieces(header, 2), *encode_pieces(sample, version)])
""",
}
KWIRE_RESPONSE = {
    "decode, whole": """
header, position = decoder(ResponseHeader, 1)(whole, 0)
message = decode(cls, version, whole, position)
""",
    "encode, whole": """
data = b"".join([*encode_pieces(ResponseHeader(correlation_id), 1), *encode_pieces(sample, version)])
""",
}


def _kwire(sample: Sample) -> Contestant:
    names = {
        "cls": type(sample.message),
        "decode": decode,
        "decoder": decoder,
        "encode": encode,
        "encode_pieces": encode_pieces,
        "key": API_KEYS[sample.api],
        "RequestHeader": RequestHeader,
        "ResponseHeader": ResponseHeader,
        "sample": sample.message,
        "version": sample.version,
    }
    return Contestant(
        "kwire",
        names,
        KWIRE_BODY | (KWIRE_REQUEST if sample.is_request else KWIRE_RESPONSE),
        lambda name: name,
        lambda value, _: bytes(value) if isinstance(value, memoryview) else value,
    )


# ---- kafka-python --------------------------------------------------------------------------------------------------

KAFKA_PYTHON = {
    "decode, whole": "message = versioned.decode(whole, header=True)",
    "encode, whole": """
sample.with_header(correlation_id=correlation_id, client_id=client_id)
data = sample.encode(header=True)
""",
    "decode, body": "message = versioned.decode(body)",
    "encode, body": "data = sample.encode()",
}
_KAFKA_PYTHON_MODULES = {"Produce": producer, "Fetch": consumer, "Metadata": metadata, "JoinGroup": consumer}


def _kafka_python(sample: Sample, body: bytes) -> Contestant:
    versioned = getattr(_KAFKA_PYTHON_MODULES[sample.api], sample.message.SCHEMA.name)[sample.version]
    return Contestant(
        "kafka-python",
        {"versioned": versioned, "sample": versioned.decode(body)},
        KAFKA_PYTHON,
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

KIO_BODY = {
    "decode, body": "message, _ = read(body, 0)",
    "encode, body": """
buffer = BytesIO()
write(buffer, sample)
data = buffer.getvalue()
""",
}
_KIO_DECODE_WHOLE = """
header, size = read_header(whole, 0)
message, _ = read(whole, size)
"""
KIO_REQUEST = {
    "decode, whole": _KIO_DECODE_WHOLE,
    "encode, whole": """
buffer = BytesIO()
write_header(
    buffer,
    Header(request_api_key=key, request_api_version=version, correlation_id=correlation_id, client_id=client_id),
)
write(buffer, sample)
data = buffer.getvalue()
""",
}
KIO_RESPONSE = {
    "decode, whole": _KIO_DECODE_WHOLE,
    "encode, whole": """
buffer = BytesIO()
write_header(buffer, Header(correlation_id=correlation_id))
write(buffer, sample)
data = buffer.getvalue()
""",
}


def _kio(sample: Sample, body: bytes) -> Contestant:
    package = re.sub(r"(?<!^)([A-Z])", r"_\1", sample.api).lower()
    module = import_module(f"kio.schema.{package}.v{sample.version}.{'request' if sample.is_request else 'response'}")
    entity = getattr(module, sample.message.SCHEMA.name)
    read = entity_reader(entity)
    names = {
        "BytesIO": BytesIO,
        "Header": entity.__header_schema__,
        "key": entity.__api_key__,
        "read": read,
        "read_header": entity_reader(entity.__header_schema__),
        "sample": read(body, 0)[0],
        "version": entity.__version__,
        "write": entity_writer(entity),
        "write_header": entity_writer(entity.__header_schema__),
    }
    fields = {
        name
        for value in vars(module).values()
        if hasattr(value, "__dataclass_fields__")
        for name in value.__dataclass_fields__
    }
    return Contestant(
        "kio",
        names,
        KIO_BODY | (KIO_REQUEST if sample.is_request else KIO_RESPONSE),
        # kio knows the units of durations: throttle_time_ms is throttle_time there, and a timedelta.
        lambda name: name if name in fields else name.removesuffix("_ms"),
        _plain_kio,
    )


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
