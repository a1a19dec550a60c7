"""Frames: any cut of the bytes gives the same frames, sizes are refused in time, headers of every version."""

from __future__ import annotations

import struct
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.protocol.codec import DecodeError, decode, encode
from kwire.protocol.frames import (
    FIRST_ALLOCATION_BYTES,
    FrameError,
    FrameReader,
    decode_request_body,
    decode_request_head,
    decode_response,
    encode_request,
    encode_response,
)
from kwire.protocol.messages import APIS
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from kwire.protocol.messages.fetch_response import FetchableTopicResponse, FetchResponse, PartitionData
from kwire.protocol.messages.heartbeat_request import HeartbeatRequest
from kwire.protocol.messages.request_header import RequestHeader

LIMIT = 4 * FIRST_ALLOCATION_BYTES


def frame(body: bytes) -> bytes:
    return struct.pack(">i", len(body)) + body


@given(st.lists(st.binary(max_size=40), max_size=6), st.lists(st.integers(1, 30), min_size=1))
def test_any_cut_gives_the_same_frames(bodies: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(map(frame, bodies))
    reader = FrameReader(LIMIT)
    got: list[bytearray] = []
    position = turn = 0
    while position < len(stream):
        size = cuts[turn % len(cuts)]
        got += reader.feed(memoryview(stream)[position : position + size])
        position, turn = position + size, turn + 1
    assert got == bodies
    assert not reader.under_way


def test_a_large_frame_is_received_in_place() -> None:
    body = bytes(range(256)) * (3 * FIRST_ALLOCATION_BYTES // 256) + b"end"
    stream = frame(body) + frame(b"next")
    reader = FrameReader(LIMIT)
    assert reader.feed(stream[:1000]) == []
    assert reader.under_way
    position, got = 1000, None
    while got is None:
        rest = reader.rest()
        count = min(len(rest), 70_000)
        rest[:count] = stream[position : position + count]
        rest.release()
        position += count
        got = reader.advance(count)
    assert got == body
    assert reader.feed(stream[position:]) == [b"next"]


@pytest.mark.parametrize("size", [-1, -(2**31), LIMIT + 1, 2**31 - 1])
@pytest.mark.parametrize("cut", [1, 4, 100])
def test_a_wrong_size_is_refused_and_what_came_before_is_not_lost(size: int, cut: int) -> None:
    stream = frame(b"good") + struct.pack(">i", size) + b"rest"
    reader = FrameReader(LIMIT)
    got: list[bytearray] = []

    def feed_all() -> None:
        for position in range(0, len(stream), cut):
            got.extend(reader.feed(stream[position : position + cut]))

    with pytest.raises(FrameError) as refused:
        feed_all()
    assert got + refused.value.frames == [b"good"]
    assert refused.value.size == size


def test_an_announced_size_takes_no_memory_until_the_bytes_come() -> None:
    tracemalloc.start()
    reader = FrameReader(2**31 - 1)
    assert reader.feed(struct.pack(">i", 2**31 - 1) + b"x") == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * FIRST_ALLOCATION_BYTES
    assert reader.under_way


@pytest.mark.parametrize("client_id", ["client", "", None, "grüße"])
@pytest.mark.parametrize("version", range(5))
def test_requests_round_trip_through_every_header_version(client_id: str | None, version: int) -> None:
    api = APIS[12]
    request = HeartbeatRequest("group", 7, "member", "instance" if version >= 3 else None)
    data = b"".join(encode_request(api, version, 99, client_id, request))  # pyright: ignore
    (body,) = FrameReader(LIMIT).feed(data)
    head = decode_request_head(body)
    assert head[:4] == (12, version, 99, client_id)
    assert decode_request_body(head, body) == request
    header = RequestHeader(12, version, 99, client_id)
    assert body.startswith(encode(header, api.request_header_version(version)))
    assert decode(RequestHeader, api.request_header_version(version), body) == header


def test_header_version_0_has_no_client_id() -> None:
    # Only ControlledShutdown 0 ever used it; the codec knows it for reading old captures.
    header = RequestHeader(7, 0, 3)
    assert encode(header, 0) == bytes.fromhex("0007 0000 00000003")
    assert decode(RequestHeader, 0, encode(header, 0)).correlation_id == 3


def test_tags_in_a_request_header_are_read_over() -> None:
    api = APIS[12]
    request = HeartbeatRequest("group", 7, "member")
    header = RequestHeader(12, 4, 1, "me", unknown_tags={3: b"abc", 200: b""})
    body = encode(header, 2) + encode(request, 4)
    head = decode_request_head(body)
    assert decode_request_body(head, body) == request
    assert api.request_header_version(4) == 2


@pytest.mark.parametrize("size", range(10))
def test_a_request_that_ends_inside_its_header_is_refused(size: int) -> None:
    with pytest.raises(DecodeError, match="RequestHeader"):
        decode_request_head(struct.pack(">hhih", 12, 0, 1, 5)[:size])


@pytest.mark.parametrize(("length", "name"), [(5, b"abc"), (32767, b""), (3, b"\xff\xfe\xfd")])
def test_a_client_id_that_is_not_there_or_not_text_is_refused(length: int, name: bytes) -> None:
    with pytest.raises(DecodeError, match="client_id"):
        decode_request_head(struct.pack(">hhih", 12, 0, 1, length) + name)


def test_a_flexible_request_without_header_tags_is_refused() -> None:
    body = encode(RequestHeader(12, 4, 1, "me"), 1)
    with pytest.raises(DecodeError):
        decode_request_body(decode_request_head(body), body)


@pytest.mark.parametrize("version", range(5))
def test_responses_round_trip(version: int) -> None:
    api = APIS[18]
    response = ApiVersionsResponse(api_keys=[ApiVersion(18, 0, 4)])
    (piece,) = encode_response(api, version, 5, response)
    (body,) = FrameReader(LIMIT).feed(piece)  # pyright: ignore
    assert decode_response(api, version, body) == (5, response)


def test_the_header_of_an_api_versions_response_is_never_flexible() -> None:
    response = ApiVersionsResponse()
    for version in range(5):
        (piece,) = encode_response(APIS[18], version, 5, response)
        assert bytes(piece)[4:10] == struct.pack(">ih", 5, 0)  # pyright: ignore
    assert [APIS[18].response_header_version(version) for version in range(5)] == [0] * 5
    assert [APIS[12].response_header_version(version) for version in range(5)] == [0, 0, 0, 0, 1]
    assert [APIS[18].request_header_version(version) for version in range(5)] == [1, 1, 1, 2, 2]


class Region:
    """Stands for records in a file: it has a length and nothing else."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size


def test_records_that_live_elsewhere_stay_pieces_of_their_own() -> None:
    regions = [Region(1_000_000), Region(5)]
    partitions = [PartitionData(partition_index=i, records=region) for i, region in enumerate(regions)]
    response = FetchResponse(responses=[FetchableTopicResponse(topic="t", partitions=partitions)])
    pieces = encode_response(APIS[1], 12, 5, response)
    assert [piece for piece in pieces if isinstance(piece, Region)] == regions
    assert len(pieces) == 5  # bytes, region, bytes, region, bytes
    filled = b"".join(bytes(len(piece)) if isinstance(piece, Region) else bytes(piece) for piece in pieces)  # pyright: ignore
    (body,) = FrameReader(LIMIT).feed(filled)
    _, got = decode_response(APIS[1], 12, body)
    assert isinstance(got, FetchResponse)
    assert [len(partition.records or b"") for partition in got.responses[0].partitions] == [1_000_000, 5]


def test_records_can_be_changed_in_the_frame_they_came_in() -> None:
    from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData

    data = TopicProduceData("t", partition_data=[PartitionProduceData(0, b"records")])
    pieces = encode_request(APIS[0], 9, 1, "me", ProduceRequest(acks=1, topic_data=[data]))
    (body,) = FrameReader(LIMIT).feed(b"".join(pieces))  # pyright: ignore
    request = decode_request_body(decode_request_head(body), body)
    assert isinstance(request, ProduceRequest)
    records = request.topic_data[0].partition_data[0].records
    assert isinstance(records, memoryview)
    records[:1] = b"R"
    assert b"Records" in body


def test_a_request_for_api_versions_of_a_newer_version_can_be_told_apart() -> None:
    body = encode(RequestHeader(18, 99, 1, "new"), 1) + b"whatever"
    assert decode_request_head(body).api_version == 99
    assert 99 not in APIS[18].versions
    assert ApiVersionsRequest.SCHEMA.versions == APIS[18].versions
