"""Hostile bytes: nothing but `DecodeError` comes out, little memory is taken, and the interpreter sees them the same.

A small run of bench/hostile.py, which has the full one. Time is measured there and not here.
"""

from __future__ import annotations

import tracemalloc
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from bench import hostile
from bench.hostile import LENGTHS, MUTATIONS, PEAK_BYTES_MAX, Hostile, Sample

import interpreter
from catalogue import MESSAGE_VERSIONS, SCHEMAS, identify
from kwire.protocol.codec import DecodeError, decode, decoder, encode
from kwire.protocol.messages.create_topics_request import CreateTopicsRequest
from kwire.protocol.messages.delete_groups_request import DeleteGroupsRequest
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.protocol.messages.heartbeat_request import HeartbeatRequest
from kwire.protocol.messages.metadata_response import MetadataResponse, MetadataResponsePartition, MetadataResponseTopic
from kwire.protocol.schema import Message

SAMPLES = {(sample.message, sample.version): sample for sample in hostile.samples(seed=7)}
every_message_version = pytest.mark.parametrize(("message", "version"), MESSAGE_VERSIONS, ids=identify)


def test_every_message_version_is_attacked() -> None:
    assert set(SAMPLES) == set(MESSAGE_VERSIONS)


def test_hostile_frames_are_refused_or_mean_something() -> None:
    report = Hostile(seed=1).run(2_000)
    assert report.violations == []
    assert report.largest[0] < PEAK_BYTES_MAX, report.largest
    # Both must happen, or the mutations are too weak or too strong to show anything.
    assert report.accepted > 200
    assert report.frames - report.accepted > 1_000


@every_message_version
def test_codec_and_interpreter_refuse_and_accept_the_same(message: type[Message], version: int) -> None:
    """Five broken messages for each version: over 3,000 together."""
    random = Random(f"{message.__name__} {version}")
    sample, schema = SAMPLES[message, version], SCHEMAS[message.SCHEMA.name]
    for mutation in random.sample(MUTATIONS, 5):
        other = SAMPLES[random.choice(MESSAGE_VERSIONS)]
        data = mutation(sample.data, other.data, random)
        try:
            slow: object = interpreter.decode(schema, version, data)
        except interpreter.BadBytesError:
            slow = "refused"
        try:
            decoded, position = decoder(message, version)(data, 0)
            fast: object = (interpreter.as_dict(decoded), position)
        except DecodeError:
            fast = "refused"
        # By their text: a NaN is not equal to itself.
        assert repr(fast) == repr(slow), (mutation.__name__, data.hex())


# ---- one by one ---------------------------------------------------------------------------------------------------


@every_message_version
def test_a_huge_count_takes_no_memory(message: type[Message], version: int) -> None:
    """Wherever a length may stand in a valid message, the greatest ones are put there, and the message ends."""
    data = SAMPLES[message, version].data
    decode(message, version, data)  # compiled before memory is measured
    data = data[:200]
    places = range(0, len(data) + 1, 1 + len(data) // 16)
    tracemalloc.start()
    for place in places:
        for length in (b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff\x07", b"\xff\xff\xff\xff\x0f"):
            with suppress(DecodeError):
                decode(message, version, data[:place] + length)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak_bytes < 1 << 20


COUNT = b"\xff\xff\xff\xff\x07"  # 2**31 - 1


@pytest.mark.parametrize(
    ("message", "version", "data", "reason"),
    [
        (DeleteGroupsRequest, 2, COUNT + b"\x01" * 9, "an array of 2147483646 elements"),
        (DeleteGroupsRequest, 0, b"\x7f\xff\xff\xff" + bytes(99), "an array of 2147483647 elements"),
        (HeartbeatRequest, 4, b"\x01\x00\x00\x00\x01\x01\x00" + COUNT + b"\x09\x00", "the message ends inside a field"),
        (HeartbeatRequest, 4, b"\x01\x00\x00\x00\x01\x01\x00\x01\x09" + COUNT, "a tagged field of 2147483647 bytes"),
        (HeartbeatRequest, 4, COUNT, "a string of 2147483646 bytes, over the limit of 32767"),
        (CreateTopicsRequest, 7, b"\x02" + bytes(12), "null where a value is needed"),
    ],
)
def test_a_tiny_frame_with_a_huge_claim(message: type[Message], version: int, data: bytes, reason: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(message, version, data)
    assert caught.value.reason == reason


def test_a_count_that_just_fits_is_read() -> None:
    # The check before the loop must not refuse what is there: 200 empty names in 200 bytes.
    assert decode(DeleteGroupsRequest, 2, b"\xc9\x01" + b"\x01" * 200 + b"\x00").groups_names == [""] * 200
    with pytest.raises(DecodeError, match="an array of 202 elements"):
        decode(DeleteGroupsRequest, 2, b"\xcb\x01" + b"\x01" * 200)
    # A count of one byte is not worth the check: the elements run out by themselves.
    with pytest.raises(DecodeError, match="the message ends inside a field"):
        decode(DeleteGroupsRequest, 2, b"\x07" + b"\x01" * 5)
    assert decode(DeleteGroupsRequest, 0, b"\x00\x00\x00\x03" + bytes(6)).groups_names == [""] * 3
    with pytest.raises(DecodeError, match="an array of 4 elements"):
        decode(DeleteGroupsRequest, 0, b"\x00\x00\x00\x04" + bytes(6))


def test_a_tag_that_comes_twice_counts_once() -> None:
    data = b"\x01\x00\x00\x00\x01\x01\x00" + b"\x03" + b"\x09\x01a" + b"\x09\x01b" + b"\x08\x00"
    assert decode(HeartbeatRequest, 4, data).unknown_tags == {9: b"b", 8: b""}


def _peak_of_decoding(message: type[Any], version: int, data: bytes) -> tuple[Any, int]:
    decode(message, version, data)  # compiled before memory is measured
    tracemalloc.start()
    decoded = decode(message, version, data)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return decoded, peak_bytes


def test_numbers_by_the_thousand_stay_bytes() -> None:
    """A frame of numbers costs about its own size, not an object for each."""
    nodes = [index * 1_000 for index in range(50_000)]
    partition = MetadataResponsePartition(replica_nodes=nodes)
    data = encode(MetadataResponse(topics=[MetadataResponseTopic(name="t", partitions=[partition])]), 12)
    decoded, peak_bytes = _peak_of_decoding(MetadataResponse, 12, data)
    assert decoded.topics[0].partitions[0].replica_nodes == nodes
    assert peak_bytes < 2 * len(data)


def test_rows_by_the_thousand_stay_bytes() -> None:
    partitions = [FetchPartition(partition=index, fetch_offset=index) for index in range(20_000)]
    data = encode(FetchRequest(topics=[FetchTopic("t", partitions=partitions)]), 12)
    decoded, peak_bytes = _peak_of_decoding(FetchRequest, 12, data)
    assert decoded.topics[0].partitions == partitions
    assert peak_bytes < 2 * len(data)


# ---- the engine ---------------------------------------------------------------------------------------------------


def test_the_same_seed_makes_the_same_frames() -> None:
    first, second, other = (list(Hostile(seed).frames(50)) for seed in (3, 3, 4))
    assert first == second
    assert [frame.data for frame in first] != [frame.data for frame in other]


def test_a_violation_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(sample: Sample, data: bytes) -> list[tuple[Message, int]]:
        raise KeyError("not a DecodeError")

    attack = Hostile(1)
    monkeypatch.setattr(hostile, "_decode_message", broken)
    report = attack.run(20)
    assert report.violations
    assert "KeyError('not a DecodeError')" in report.violations[0]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_every_mutation_copes_with_any_message(mutation: object) -> None:
    random = Random(5)
    changed = 0
    for data in (b"", b"\x00", bytes(range(40))):
        for other in (b"", b"abc"):
            for _ in range(20):
                mutated = mutation(data, other, random)  # pyright: ignore[reportCallIssue]
                assert isinstance(mutated, bytes)
                changed += mutated != data
    assert changed > 20
    assert b"\x7f\xff\xff\xff" in LENGTHS


@pytest.mark.parametrize(("limit_ms", "status", "verdict"), [(1e9, 0, "0 violations"), (-1, 1, "VIOLATION too slow")])
def test_the_command_reports(
    limit_ms: float, status: int, verdict: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hostile, "CPU_MS_MAX", limit_ms)
    assert hostile.main(["--frames=50", "--seed=9", "--option-of-another-part"]) == status
    printed = capsys.readouterr().out
    assert printed.startswith("50 hostile frames for 213 messages in 632 versions, seed 9")
    assert verdict in printed
