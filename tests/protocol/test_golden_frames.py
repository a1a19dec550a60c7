"""Real frames: what stock clients sent to Apache Kafka 4.3 and what it answered, recorded from the wire.

golden/*.hex holds one frame each, size prefix and header included; golden/manifest.tsv says who sent it and what it is.
Each is decoded whole, byte by byte, and with the next frame behind it, and encoded again to the same bytes.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

import interpreter
from catalogue import SCHEMAS
from kwire.protocol.codec import decoder, encode
from kwire.protocol.frames import (
    FrameReader,
    decode_request_body,
    decode_request_head,
    decode_response,
    encode_request,
    encode_response,
)
from kwire.protocol.messages import APIS
from kwire.protocol.messages.request_header import RequestHeader
from kwire.protocol.messages.response_header import ResponseHeader
from kwire.protocol.registry import Api
from kwire.protocol.schema import Message

GOLDEN = Path(__file__).with_name("golden")
SIZE_MAX = 10_000


class Golden(NamedTuple):
    """One recorded frame."""

    name: str
    client: str
    api: Api
    version: int
    kind: str
    correlation_id: int
    frame: bytes

    @property
    def body(self) -> bytes:
        return self.frame[4:]

    @property
    def header(self) -> tuple[type[Message], int]:
        if self.kind == "request":
            return RequestHeader, self.api.request_header_version(self.version)
        return ResponseHeader, self.api.response_header_version(self.version)

    @property
    def message(self) -> type[Message]:
        return self.api.request if self.kind == "request" else self.api.response


def _load() -> list[Golden]:
    by_name = {api.name: api for api in APIS.values()}
    with (GOLDEN / "manifest.tsv").open() as manifest:
        return [
            Golden(
                row["file"],
                row["client"],
                by_name[row["api"]],
                int(row["version"]),
                row["kind"],
                int(row["correlation_id"]),
                bytes.fromhex((GOLDEN / row["file"]).read_text()),
            )
            for row in csv.DictReader(manifest, delimiter="\t")
        ]


FRAMES = _load()
every_frame = pytest.mark.parametrize("golden", FRAMES, ids=lambda golden: golden.name.removesuffix(".hex"))
every_pair = pytest.mark.parametrize(
    ("golden", "following"),
    list(zip(FRAMES, [*FRAMES[1:], FRAMES[0]], strict=True)),
    ids=lambda golden: golden.name.removesuffix(".hex"),
)


def test_manifest_and_files_agree() -> None:
    assert sorted(golden.name for golden in FRAMES) == sorted(path.name for path in GOLDEN.glob("*.hex"))
    assert len(FRAMES) == 153
    clients = Counter(golden.client for golden in FRAMES)
    assert set(clients) == {
        "Apache Kafka 4.3.0 broker",
        "Apache Kafka 4.3.0 tools",
        "aiokafka 0.14.0",
        "confluent-kafka 2.16.1",
        "kafka-python 3.0.12",
    }
    assert min(clients.values()) >= 8


@every_frame
def test_codec_reads_and_writes_the_same_bytes(golden: Golden) -> None:
    header_class, header_version = golden.header
    header, position = decoder(header_class, header_version)(golden.body, 0)
    message, end = decoder(golden.message, golden.version)(golden.body, position)
    assert end == len(golden.body)
    assert header.correlation_id == golden.correlation_id  # pyright: ignore[reportAttributeAccessIssue]
    if isinstance(header, RequestHeader):
        assert (header.request_api_key, header.request_api_version) == (golden.api.key, golden.version)
    assert encode(header, header_version) + encode(message, golden.version) == golden.body


@every_frame
def test_interpreter_reads_the_same(golden: Golden) -> None:
    header_class, header_version = golden.header
    header, position = interpreter.decode(SCHEMAS[header_class.SCHEMA.name], header_version, golden.body)
    plain, end = interpreter.decode(SCHEMAS[golden.message.SCHEMA.name], golden.version, golden.body, position)
    assert end == len(golden.body)
    assert header["correlation_id"] == golden.correlation_id
    message, _ = decoder(golden.message, golden.version)(golden.body, position)
    assert interpreter.as_dict(message) == plain


@every_frame
def test_frames_read_and_write_the_same_bytes(golden: Golden) -> None:
    body = bytearray(golden.body)
    if golden.kind == "request":
        head = decode_request_head(body)
        assert (head.api_key, head.api_version, head.correlation_id) == (
            golden.api.key,
            golden.version,
            golden.correlation_id,
        )
        request = decode_request_body(head, body)
        pieces = encode_request(golden.api, golden.version, head.correlation_id, head.client_id, request)
    else:
        correlation_id, response = decode_response(golden.api, golden.version, body)
        assert correlation_id == golden.correlation_id
        pieces = encode_response(golden.api, golden.version, correlation_id, response)
    assert b"".join(bytes(piece) for piece in pieces) == golden.frame  # pyright: ignore[reportArgumentType]


@every_frame
def test_whole(golden: Golden) -> None:
    assert FrameReader(SIZE_MAX).feed(golden.frame) == [golden.body]
    assert FrameReader(len(golden.body)).feed(golden.frame) == [golden.body]


@every_frame
def test_byte_by_byte(golden: Golden) -> None:
    reader = FrameReader(SIZE_MAX)
    for index in range(len(golden.frame) - 1):
        assert reader.feed(golden.frame[index : index + 1]) == []
    assert reader.feed(golden.frame[-1:]) == [golden.body]
    assert not reader.under_way


@every_pair
def test_with_the_next_frame_behind_it(golden: Golden, following: Golden) -> None:
    stream = golden.frame + following.frame
    assert FrameReader(SIZE_MAX).feed(stream) == [golden.body, following.body]
    for cut in range(1, len(stream), 1 + len(stream) // 100):
        reader = FrameReader(SIZE_MAX)
        first, second = reader.feed(memoryview(stream)[:cut]), reader.feed(memoryview(stream)[cut:])
        assert first + second == [golden.body, following.body]
        assert len(first) == (cut >= len(golden.frame))
