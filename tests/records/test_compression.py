"""The codecs: round trips, what other writers make, bombs, and every way of being cut or garbled."""

from __future__ import annotations

import gzip
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from itertools import zip_longest

import lz4.frame
import pytest
import snappy
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.errors import BrokerError, ErrorCode
from kwire.records.compression import (
    CHUNK_BYTES,
    LEVELS,
    CompressionType,
    DecompressionLimits,
    compress,
    compress_chunks,
    decompress,
    decompress_chunks,
)

MIB = 1024 * 1024
XERIAL = b"\x82SNAPPY\x00" + struct.pack(">ii", 1, 1)

every_codec = pytest.mark.parametrize("codec", list(CompressionType))
every_real_codec = pytest.mark.parametrize("codec", [codec for codec in CompressionType if codec])

# Runs of anything, long enough for several blocks of every codec, and short ones with every edge.
payloads = st.one_of(
    st.binary(max_size=300),
    st.builds(
        lambda unit, size: (unit * (size // len(unit) + 1))[:size],
        st.binary(min_size=1, max_size=50),
        st.sampled_from([1, 32767, 32768, 32769, 65535, 65536, 65537, CHUNK_BYTES, CHUNK_BYTES + 1, 300_000]),
    ),
)


def noise(size: int) -> bytes:
    """Bytes that no codec makes shorter, the same at every run."""
    state = zlib.crc32(b"noise")
    out = bytearray()
    while len(out) < size:
        state = (state * 6364136223846793005 + 1442695040888963407) & (2**64 - 1)
        out += struct.pack(">Q", state)[:5]
    return bytes(out[:size])


def outcome(codec: CompressionType, data: bytes) -> ErrorCode | None:
    """None when the data was read, else the code it was refused with. Any other exception escapes."""
    try:
        decompress(codec, data)
    except BrokerError as error:
        return error.code
    return None


@every_codec
@settings(deadline=None)
@given(payload=payloads)
def test_round_trip(codec: CompressionType, payload: bytes) -> None:
    assert decompress(codec, compress(codec, payload)) == payload
    assert decompress(codec, memoryview(compress(codec, memoryview(payload)))) == payload


@every_codec
@settings(deadline=None)
@given(pieces=st.lists(st.binary(max_size=100), max_size=20))
def test_pieces_make_the_same_stream_as_the_whole(codec: CompressionType, pieces: list[bytes]) -> None:
    assert decompress(codec, b"".join(compress_chunks(codec, pieces))) == b"".join(pieces)


@every_codec
@pytest.mark.parametrize("size", [3 * MIB, 3 * MIB + 17])
def test_long_data_comes_in_short_chunks(codec: CompressionType, size: int) -> None:
    payload = (noise(70_000) + bytes(70_000)) * (size // 140_000 + 1)
    payload = payload[:size]
    compressed = compress(codec, payload)
    chunks = list(decompress_chunks(codec, compressed))
    assert b"".join(chunks) == payload
    assert max(map(len, chunks)) <= CHUNK_BYTES
    assert max(len(chunk) for chunk in compress_chunks(codec, [payload])) <= 2 * CHUNK_BYTES


LEVEL_CASES = [
    (codec, level)
    for codec, levels in LEVELS.items()
    for level in {levels.minimum, levels.default, min(levels.maximum, 19), 1, 2, 5, 9}
]


@pytest.mark.parametrize(("codec", "level"), LEVEL_CASES)
def test_every_level_is_read_back(codec: CompressionType, level: int) -> None:
    payload = bytes(range(256)) * 600
    assert decompress(codec, compress(codec, payload, level)) == payload


@pytest.mark.parametrize("codec", list(LEVELS))
def test_levels_make_a_difference(codec: CompressionType) -> None:
    payload = b"".join(struct.pack(">I", number * number) for number in range(40_000))
    levels = LEVELS[codec]
    assert len(compress(codec, payload, levels.maximum)) < len(compress(codec, payload, levels.minimum))
    assert compress(codec, payload, levels.default) == compress(codec, payload)


def test_snappy_is_framed_as_java_frames_it() -> None:
    compressed = compress(CompressionType.SNAPPY, noise(40_000))
    assert compressed.startswith(XERIAL)
    (size,) = struct.unpack_from(">i", compressed, 16)
    assert snappy.uncompress(compressed[20 : 20 + size]) == noise(40_000)[:32768]


def test_lz4_frames_are_all_that_java_reads() -> None:
    info = lz4.frame.get_frame_info(compress(CompressionType.LZ4, b"x" * 100_000))
    assert info["block_size"] == 65536
    assert not info["block_linked"]
    assert not info["content_checksum"]
    assert not info["block_checksum"]
    assert info["content_size"] == 0


FOREIGN: dict[str, tuple[CompressionType, Callable[[bytes], bytes]]] = {
    "gzip with a file name": (CompressionType.GZIP, lambda data: gzip.compress(data, mtime=1)),
    "gzip of two members": (
        CompressionType.GZIP,
        lambda data: gzip.compress(data[:1000]) + gzip.compress(data[1000:]),
    ),
    "bare snappy": (CompressionType.SNAPPY, snappy.compress),
    "snappy streams in a row": (
        CompressionType.SNAPPY,
        lambda data: compress(CompressionType.SNAPPY, data[:100]) + compress(CompressionType.SNAPPY, data[100:]),
    ),
    "snappy in blocks of any size": (
        CompressionType.SNAPPY,
        lambda data: (
            XERIAL
            + b"".join(
                struct.pack(">i", len(block)) + block
                for block in (snappy.compress(data[start : start + 70_001]) for start in range(0, len(data), 70_001))
            )
        ),
    ),
    "lz4 with everything on": (
        CompressionType.LZ4,
        lambda data: lz4.frame.compress(
            data, block_size=7, block_linked=True, content_checksum=True, block_checksum=True, store_size=True
        ),
    ),
    "lz4 frames in a row": (
        CompressionType.LZ4,
        lambda data: lz4.frame.compress(data[:5]) + lz4.frame.compress(data[5:]),
    ),
    "zstd with size and checksum": (
        CompressionType.ZSTD,
        lambda data: zstandard.ZstdCompressor(write_checksum=True).compress(data),
    ),
    "zstd without either": (
        CompressionType.ZSTD,
        lambda data: zstandard.ZstdCompressor(write_content_size=False).compress(data),
    ),
    "zstd frames in a row, one to skip": (
        CompressionType.ZSTD,
        lambda data: (
            zstandard.compress(data[:200_000])
            + struct.pack("<II", 0x184D2A53, 3)
            + b"abc"
            + zstandard.compress(data[200_000:])
        ),
    ),
}


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("size", [1, 1234, 500_000])
def test_what_others_write_is_read(name: str, size: int) -> None:
    codec, write = FOREIGN[name]
    payload = (noise(90_000) + bytes(90_000)) * 3
    assert decompress(codec, write(payload[:size])) == payload[:size]


@every_real_codec
def test_every_cut_is_refused(codec: CompressionType) -> None:
    compressed = compress(codec, noise(200) + bytes(200))
    for size in range(len(compressed)):
        # A stream of snappy's frames has no end mark: cut between two blocks it is a shorter stream. There is one here.
        if codec is CompressionType.SNAPPY and size == len(XERIAL):
            continue
        with pytest.raises(BrokerError) as error:
            decompress(codec, compressed[:size])
        assert error.value.code == ErrorCode.INVALID_RECORD, size


@pytest.mark.parametrize("codec", [CompressionType.GZIP, CompressionType.LZ4, CompressionType.ZSTD])
def test_bytes_behind_the_end_are_refused(codec: CompressionType) -> None:
    with pytest.raises(BrokerError) as error:
        decompress(codec, compress(codec, b"data") + b"tail of something")
    assert error.value.code == ErrorCode.INVALID_RECORD


@every_real_codec
@settings(deadline=None)
@given(data=st.data())
def test_garbled_bytes_raise_nothing_else(codec: CompressionType, data: st.DataObject) -> None:
    compressed = bytearray(compress(codec, noise(300) + bytes(1000)))
    for _ in range(data.draw(st.integers(1, 4))):
        compressed[data.draw(st.integers(0, len(compressed) - 1))] = data.draw(st.integers(0, 255))
    assert outcome(codec, bytes(compressed)) in (None, ErrorCode.INVALID_RECORD)


@every_real_codec
@settings(deadline=None)
@given(garbage=st.binary(max_size=100))
def test_garbage_raises_nothing_else(codec: CompressionType, garbage: bytes) -> None:
    heads = {
        CompressionType.GZIP: b"\x1f\x8b\x08\x00",
        CompressionType.SNAPPY: XERIAL,
        CompressionType.LZ4: b"\x04\x22\x4d\x18",
        CompressionType.ZSTD: b"\x28\xb5\x2f\xfd",
    }
    for data in (garbage, heads[codec] + garbage):
        assert outcome(codec, data) in (None, ErrorCode.INVALID_RECORD)


def snappy_bomb(size: int) -> bytes:
    block = compress(CompressionType.SNAPPY, bytes(32768))[len(XERIAL) :]
    return XERIAL + block * (size // 32768)


BOMBS: dict[str, tuple[CompressionType, Callable[[int], bytes]]] = {
    "gzip": (CompressionType.GZIP, lambda size: compress(CompressionType.GZIP, bytes(size))),
    "snappy": (CompressionType.SNAPPY, snappy_bomb),
    "bare snappy": (CompressionType.SNAPPY, lambda size: snappy.compress(bytes(size))),
    "lz4": (CompressionType.LZ4, lambda size: compress(CompressionType.LZ4, bytes(size))),
    "lz4 in large blocks": (CompressionType.LZ4, lambda size: lz4.frame.compress(bytes(size), block_size=7)),
    "zstd": (CompressionType.ZSTD, lambda size: compress(CompressionType.ZSTD, bytes(size))),
    "zstd of one long run": (
        CompressionType.ZSTD,
        # RLE blocks: four bytes for 128 KiB, the steepest there is.
        lambda size: (
            b"\x28\xb5\x2f\xfd\x00\x58"
            + b"".join((1 << 1 | 131072 << 3).to_bytes(3, "little") + b"\0" for _ in range(size // 131072))
            + (1 << 1 | 1 | 1 << 3).to_bytes(3, "little")
            + b"\0"
        ),
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_cost_their_cap_and_no_more(name: str) -> None:
    codec, make = BOMBS[name]
    bomb = make(64 * MIB)
    limits = DecompressionLimits(max_bytes=8 * MIB, max_ratio=1_000_000, free_bytes=MIB)
    handed_out: list[int] = []
    tracemalloc.start()
    try:
        with pytest.raises(BrokerError) as error:
            handed_out.extend(len(chunk) for chunk in decompress_chunks(codec, bomb, limits))
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert error.value.code == ErrorCode.INVALID_RECORD
    assert sum(handed_out) <= 8 * MIB
    assert peak_bytes < 2 * MIB


@pytest.mark.parametrize("name", BOMBS)
def test_data_up_to_the_cap_passes(name: str) -> None:
    codec, make = BOMBS[name]
    size = 4 * MIB
    extra = 1 if name == "zstd of one long run" else 0
    limits = DecompressionLimits(max_bytes=size + extra, max_ratio=1_000_000, free_bytes=0)
    assert decompress(codec, make(size), limits) == bytes(size + extra)
    with pytest.raises(BrokerError):
        decompress(codec, make(size), DecompressionLimits(size + extra - 1, 1_000_000, 0))


def test_the_ratio_counts_from_the_free_bytes_on() -> None:
    bomb = compress(CompressionType.ZSTD, bytes(2 * MIB))
    assert len(bomb) < 1000
    generous = DecompressionLimits(max_bytes=8 * MIB, max_ratio=10, free_bytes=2 * MIB)
    assert decompress(CompressionType.ZSTD, bomb, generous) == bytes(2 * MIB)
    with pytest.raises(BrokerError):
        decompress(CompressionType.ZSTD, bomb, DecompressionLimits(max_bytes=8 * MIB, max_ratio=10, free_bytes=MIB))


@pytest.mark.parametrize("number", [5, 6, 7])
def test_unassigned_codecs_are_refused(number: int) -> None:
    with pytest.raises(BrokerError) as error:
        CompressionType.of(number)
    assert error.value.code == ErrorCode.UNSUPPORTED_COMPRESSION_TYPE


@every_codec
def test_codecs_by_number(codec: CompressionType) -> None:
    assert CompressionType.of(int(codec)) is codec


@every_real_codec
def test_two_streams_can_be_read_in_turns(codec: CompressionType) -> None:
    payloads = noise(400_000), bytes(400_000)
    streams = [decompress_chunks(codec, compress(codec, payload)) for payload in payloads]
    turns = list(zip_longest(*streams, fillvalue=b""))
    assert len(turns) > 2
    assert tuple(b"".join(chunks) for chunks in zip(*turns, strict=True)) == payloads
