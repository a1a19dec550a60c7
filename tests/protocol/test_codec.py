"""The codec's promises one by one: where errors point, what records and tags become, what is written out."""

from __future__ import annotations

import pytest

from kwire.protocol.codec import DecodeError, EncodeError, decode, decoder, encode, encode_pieces, encoder
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from kwire.protocol.messages.consumer_group_member_metadata_value import (
    ClassicMemberMetadata,
    ConsumerGroupMemberMetadataValue,
)
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic, ReplicaState
from kwire.protocol.messages.fetch_response import FetchableTopicResponse, FetchResponse, PartitionData
from kwire.protocol.messages.heartbeat_request import HeartbeatRequest
from kwire.protocol.messages.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from kwire.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from kwire.protocol.messages.request_header import RequestHeader
from kwire.protocol.messages.streams_group_metadata_value import StreamsGroupMetadataValue
from kwire.protocol.messages.sync_group_request import SyncGroupRequest
from kwire.protocol.rows import Rows

HEARTBEAT = HeartbeatRequest("group", 5, "member")
HEARTBEAT_3 = bytes.fromhex("0005") + b"group" + bytes.fromhex("00000005 0006") + b"member" + bytes.fromhex("ffff")
HEARTBEAT_4 = b"\x06group" + bytes.fromhex("00000005") + b"\x07member" + bytes.fromhex("00 00")


# ---- golden bytes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("version", "data"), [(3, HEARTBEAT_3), (4, HEARTBEAT_4)])
def test_classic_and_compact_heartbeat(version: int, data: bytes) -> None:
    assert encode(HEARTBEAT, version) == data
    assert decode(HeartbeatRequest, version, data) == HEARTBEAT


@pytest.mark.parametrize(
    ("version", "data"),
    [
        (0, "0012 0003 00000007"),
        (1, "0012 0003 00000007 0002 6162"),
        (2, "0012 0003 00000007 0002 6162 00"),  # flexible, and yet the client id has its two-byte length
    ],
)
def test_the_client_id_stays_classic(version: int, data: str) -> None:
    header = RequestHeader(18, 3, 7, "ab" if version else "")
    assert encode(header, version).hex() == bytes.fromhex(data).hex()
    assert decode(RequestHeader, version, bytes.fromhex(data)) == header


@pytest.mark.parametrize(
    ("value", "data"),
    [
        # What Kafka 4.3 itself writes: the absent tag means an empty struct, and null is a 0 here, not a -1.
        (ConsumerGroupMemberMetadataValue(), "010101010101ffffffff0100"),
        (ConsumerGroupMemberMetadataValue(classic_member_metadata=None), "010101010101ffffffff0101000100"),
        (
            ConsumerGroupMemberMetadataValue(classic_member_metadata=ClassicMemberMetadata(7)),
            "010101010101ffffffff0101000701000000070100",
        ),
        (StreamsGroupMetadataValue(), "00000000000000000000000000"),
        (StreamsGroupMetadataValue(last_assignment_configs=None), "00000000000000000000000001010100"),
    ],
)
def test_tagged_fields_that_hold_null(
    value: ConsumerGroupMemberMetadataValue | StreamsGroupMetadataValue, data: str
) -> None:
    assert encode(value, 0).hex() == data
    assert decode(type(value), 0, bytes.fromhex(data)) == value


# ---- tagged fields ------------------------------------------------------------------------------------------------


def test_a_tagged_field_at_its_default_is_left_out() -> None:
    plain = encode(FetchRequest(), 15)
    assert encode(FetchRequest(replica_state=ReplicaState()), 15) == plain
    assert encode(FetchRequest(replica_state=ReplicaState(replica_id=3)), 15) != plain


def test_tags_are_written_in_ascending_order_known_and_unknown() -> None:
    request = FetchRequest(cluster_id="c", replica_state=ReplicaState(1, 2), unknown_tags={9: b"nine", 5: b""})
    data = encode(request, 15)
    state = bytes.fromhex("00000001 0000000000000002 00")
    assert data.endswith(b"\x04" + b"\x00\x02\x02c" + b"\x01\x0d" + state + b"\x05\x00" + b"\x09\x04nine")
    assert decode(FetchRequest, 15, data) == request


def test_an_unknown_tag_survives_a_round_trip_in_a_nested_struct() -> None:
    request = MetadataRequest(topics=[MetadataRequestTopic(name="t", unknown_tags={77: b"seventy-seven"})])
    decoded = decode(MetadataRequest, 12, encode(request, 12))
    assert decoded.topics is not None
    assert decoded.topics[0].unknown_tags == {77: b"seventy-seven"}


@pytest.mark.parametrize("size", [1, 3])
def test_a_tag_must_be_of_the_size_that_it_said(size: int) -> None:
    whole = encode(FetchRequest(cluster_id="c"), 12)
    assert whole.endswith(b"\x01\x00\x02\x02c")
    with pytest.raises(DecodeError, match=r"cluster_id.*size is not that of its value"):
        decode(FetchRequest, 12, whole[:-3] + bytes([size]) + b"\x02c__")


# ---- records ------------------------------------------------------------------------------------------------------

PRODUCE = ProduceRequest(
    acks=-1,
    topic_data=[TopicProduceData("t", partition_data=[PartitionProduceData(0, b"batch"), PartitionProduceData(1)])],
)


def test_records_are_a_view_of_the_frame() -> None:
    frame = bytearray(encode(PRODUCE, 9))
    first, second = decode(ProduceRequest, 9, frame).topic_data[0].partition_data
    assert isinstance(first.records, memoryview)
    assert second.records is None
    first.records[:] = b"BATCH"
    assert b"BATCH" in frame


def test_records_of_a_memoryview_are_a_copy() -> None:
    frame = bytearray(encode(PRODUCE, 9))
    decoded = decode(ProduceRequest, 9, memoryview(frame))
    frame[:] = bytes(len(frame))
    assert decoded == PRODUCE


def test_records_are_a_piece_of_their_own() -> None:
    class FileRegion:
        def __len__(self) -> int:
            return 1000

    region = FileRegion()
    response = FetchResponse(responses=[FetchableTopicResponse("t", partitions=[PartitionData(records=region)])])
    pieces = encode_pieces(response, 11)
    place = pieces.index(region)
    assert bytes(pieces[place - 1]).endswith(bytes.fromhex("000003e8"))


# ---- arrays -------------------------------------------------------------------------------------------------------


def test_a_long_array_of_fixed_width_structs_is_not_made_into_objects() -> None:
    partitions = [FetchPartition(partition=index) for index in range(100)]
    request = FetchRequest(topics=[FetchTopic("t", partitions=partitions)])
    decoded = decode(FetchRequest, 12, encode(request, 12))
    assert isinstance(decoded.topics[0].partitions, Rows)
    assert decoded == request
    assert encode(decoded, 12) == encode(request, 12)


def test_rows_with_a_tag_in_one_of_them_become_objects() -> None:
    partitions = [FetchPartition(partition=index) for index in range(100)]
    partitions[57].high_watermark = 3
    request = FetchRequest(topics=[FetchTopic(partitions=partitions)])
    decoded = decode(FetchRequest, 18, encode(request, 18))
    assert not isinstance(decoded.topics[0].partitions, Rows)
    assert decoded == request


# ---- errors say where ---------------------------------------------------------------------------------------------

NULL = "null where a value is needed"
ENDS = "the message ends inside a field"
JOIN_0 = encode(JoinGroupRequest("g", 1, protocols=[JoinGroupRequestProtocol("range", b"meta")]), 0)


@pytest.mark.parametrize(
    ("message", "version", "data", "field", "position", "reason"),
    [
        (HeartbeatRequest, 3, b"", "group_id", 0, ENDS),
        (HeartbeatRequest, 3, b"\x00\x05grou", "generation_id", 6, ENDS),
        (HeartbeatRequest, 3, b"\xff\xff" + HEARTBEAT_3[7:], "group_id", 2, NULL),
        (HeartbeatRequest, 4, b"\x00" + HEARTBEAT_4[6:], "group_id", 1, NULL),
        (HeartbeatRequest, 3, b"\x00\x01\xff" + HEARTBEAT_3[7:], "group_id", 2, "a string that is not UTF-8"),
        (HeartbeatRequest, 4, b"\x80\x80\x80\x80\x10", "group_id", 1, "a varint of more than 32 bits"),
        (HeartbeatRequest, 4, b"\x82\x80\x02", "group_id", 1, "a string of 32769 bytes, over the limit of 32767"),
        (HeartbeatRequest, 4, HEARTBEAT_4[:-1] + b"\x01\x09\x7f", "tags", 21, "a tagged field of 127 bytes"),
        (JoinGroupRequest, 0, JOIN_0[:-6], "protocols.metadata", 22, ENDS),
        (JoinGroupRequest, 0, JOIN_0[:11] + b"\x7f\xff\xff\xff", "protocols", 15, "an array of 2147483647 elements"),
        # A slice that came out short is noticed at the next read, here the end: no field can be named any more.
        (JoinGroupRequest, 0, JOIN_0[:-1], "", len(JOIN_0) - 1, ENDS),
        (ApiVersionsRequest, 3, b"\x01\x01", "tags", 2, ENDS),
    ],
)
def test_a_decode_error_names_message_field_byte_and_reason(
    message: type[HeartbeatRequest], version: int, data: bytes, field: str, position: int, reason: str
) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(message, version, data)
    error = caught.value
    assert (error.message, error.version) == (message.SCHEMA.name, version)
    assert (error.field, error.reason, error.position) == (field, reason, position)
    place = f"{message.SCHEMA.name} v{version}{': ' + field if field else ''} at byte {position}"
    assert str(error) == f"{place}: {reason}"


@pytest.mark.parametrize(
    ("value", "version", "field"),
    [
        (HeartbeatRequest("g", 2**31, "m"), 3, "member_id"),
        (HeartbeatRequest(group_id=None), 3, "group_id"),
        (HeartbeatRequest("x" * 32768), 3, "group_id"),
        (HeartbeatRequest("x" * 32768), 4, "group_id"),
        (HeartbeatRequest("\ud800"), 4, "group_id"),
        (HeartbeatRequest(group_instance_id="i"), 2, "group_instance_id"),
        (ApiVersionsResponse(api_keys=[ApiVersion(api_key=40000)]), 0, "api_keys"),
        (SyncGroupRequest(assignments=None), 0, "assignments"),
        (
            FetchRequest(topics=[FetchTopic(partitions=[FetchPartition(last_fetched_epoch=1)])]),
            11,
            "last_fetched_epoch",
        ),
    ],
)
def test_an_encode_error_names_message_and_field(value: HeartbeatRequest, version: int, field: str) -> None:
    with pytest.raises(EncodeError) as caught:
        encode(value, version)
    assert (caught.value.message, caught.value.version) == (value.SCHEMA.name, version)
    assert field in caught.value.field.split(".")


@pytest.mark.parametrize("compiled", [decoder, encoder])
@pytest.mark.parametrize("version", [-1, 5, 32767])
def test_a_version_that_does_not_exist_is_refused(compiled: object, version: int) -> None:
    with pytest.raises(ValueError, match=f"HeartbeatRequest has versions 0-4, not {version}"):
        compiled(HeartbeatRequest, version)  # pyright: ignore[reportCallIssue]


def test_functions_are_compiled_once() -> None:
    assert decoder(HeartbeatRequest, 4) is decoder(HeartbeatRequest, 4)
    assert encoder(HeartbeatRequest, 4) is encoder(HeartbeatRequest, 4)
    assert decoder(HeartbeatRequest, 4) is not decoder(HeartbeatRequest, 3)
