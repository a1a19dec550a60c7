"""The five codecs of a batch's records, in both directions, in steps of bounded size.

Everything here is a generator of chunks first and a function second. Compaction drives the generators from the event
loop, where no step may take long; the functions join the chunks. Written so that Java, librdkafka and kafka-python
read it, read as generously as they do:

    gzip    RFC 1952, one member or several
    snappy  Xerial framing: 82 'SNAPPY' 00, version 1, compatible 1 (int32 each), then (int32 length, raw snappy)*
            in blocks of 32 KiB. Read: also bare snappy without frames, which Go clients send and Java accepts,
            and several streams in a row
    lz4     LZ4 frames of independent blocks of 64 KiB, all that Java's reader takes. Read: any frame
    zstd    Zstandard frames

What holds true: decompression never holds more than one chunk beyond what it has handed out, and it stops at the cap
on bytes and on the ratio, so that a bomb costs its cap and no more. Whatever is wrong with the input is a `BatchError`
with INVALID_RECORD, not CORRUPT_MESSAGE: the CRC was right, so that a retry would bring the same bytes again.

The libraries are imported where they are first used. Most batches stay opaque, and zstandard alone is 15 ms of a start.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from kwire.errors import ErrorCode
from kwire.records import codec_libraries as libraries
from kwire.records.batch import BatchError, ReadableBuffer

CHUNK_BYTES: Final = 128 * 1024  # zstd's largest block, and less than a millisecond for every codec
_INPUT_BYTES: Final = 64 * 1024

_XERIAL_MAGIC: Final = b"\x82SNAPPY\x00"
_XERIAL_HEADER: Final = _XERIAL_MAGIC + struct.pack(">ii", 1, 1)
_XERIAL_BLOCK_BYTES: Final = 32 * 1024

_pack_int32 = struct.Struct(">i").pack
_unpack_int32 = struct.Struct(">i").unpack_from
_unpack_uint32_le = struct.Struct("<I").unpack_from


class CompressionType(IntEnum):
    """The codecs by their number in a batch's attributes."""

    NONE = 0
    GZIP = 1
    SNAPPY = 2
    LZ4 = 3
    ZSTD = 4

    @classmethod
    def of(cls, number: int) -> CompressionType:
        """The codec with that number. 5 to 7 fit into the attributes, but are none."""
        if number >= len(_BY_NUMBER):
            raise BatchError(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, f"compression type {number}")
        return _BY_NUMBER[number]


_BY_NUMBER: Final = tuple(CompressionType)  # a tenth of the time of asking the enum


@dataclass(frozen=True, slots=True)
class LevelRange:
    """The levels that compression.<codec>.level takes: from `minimum` to `maximum`, and `default`."""

    minimum: int
    maximum: int
    default: int


# gzip's default is zlib's own choice (6). lz4's 9 means the fast compressor and every other level the thorough one,
# which is what Kafka made of it.
LEVELS: Final = {
    CompressionType.GZIP: LevelRange(1, 9, -1),
    CompressionType.LZ4: LevelRange(1, 17, 9),
    CompressionType.ZSTD: LevelRange(-131072, 22, 3),
}


@dataclass(frozen=True, slots=True)
class DecompressionLimits:
    """How much a batch may become: `max_ratio` times its size, but `free_bytes` in any case and `max_bytes` in none.

    Honest small batches reach ratios of thousands (a megabyte of zeros is 50 bytes of zstd), so that the ratio only
    counts from `free_bytes` on.
    """

    max_bytes: int = 128 * 1024 * 1024
    max_ratio: int = 256
    free_bytes: int = 16 * 1024 * 1024

    def allowance(self, compressed_bytes: int) -> int:
        return min(self.max_bytes, max(self.free_bytes, self.max_ratio * compressed_bytes))


DEFAULT_LIMITS: Final = DecompressionLimits()


def compress(codec: CompressionType, data: ReadableBuffer, level: int | None = None) -> bytes:
    """The records of a batch as its codec writes them. Without a level, Kafka's default."""
    return b"".join(compress_chunks(codec, (data,), level))


def compress_chunks(
    codec: CompressionType, pieces: Iterable[ReadableBuffer], level: int | None = None
) -> Iterator[bytes]:
    """`compress`, one step per chunk. A chunk may be empty: the codec has taken input and kept it."""
    return _COMPRESSORS[codec](_inputs(pieces), level)


def decompress(codec: CompressionType, data: ReadableBuffer, limits: DecompressionLimits = DEFAULT_LIMITS) -> bytes:
    """The records of a batch in the clear."""
    return b"".join(decompress_chunks(codec, data, limits))


def decompress_chunks(
    codec: CompressionType, data: ReadableBuffer, limits: DecompressionLimits = DEFAULT_LIMITS
) -> Iterator[bytes]:
    """`decompress`, one step per chunk of at most CHUNK_BYTES. Bare snappy is a single block, and so one step."""
    view = memoryview(data)
    allowance = limits.allowance(len(view))
    if codec is CompressionType.NONE:
        for start in range(0, len(view), CHUNK_BYTES):
            yield bytes(view[start : start + CHUNK_BYTES])
        return
    try:
        for chunk in _DECOMPRESSORS[codec](view, allowance):
            allowance -= len(chunk)
            if allowance < 0:
                raise _bomb(len(view), limits)
            yield chunk
    except libraries.decompression_errors(codec) as error:
        raise BatchError(ErrorCode.INVALID_RECORD, f"{codec.name.lower()}: {error or 'malformed'}") from None


def _bomb(compressed_bytes: int, limits: DecompressionLimits) -> BatchError:
    return BatchError(
        ErrorCode.INVALID_RECORD,
        f"{compressed_bytes} compressed bytes become more than {limits.allowance(compressed_bytes)}",
    )


def _truncated() -> BatchError:
    return BatchError(ErrorCode.INVALID_RECORD, "compressed data ends too early")


def _inputs(pieces: Iterable[ReadableBuffer]) -> Iterator[ReadableBuffer]:
    """The pieces again, none longer than a step can take."""
    for piece in pieces:
        if len(piece) <= _INPUT_BYTES:
            yield piece
        else:
            view = memoryview(piece)
            for start in range(0, len(view), _INPUT_BYTES):
                yield view[start : start + _INPUT_BYTES]


# --- none -------------------------------------------------------------------------------------------------------------


def _copy(pieces: Iterable[ReadableBuffer], _level: int | None) -> Iterator[bytes]:
    return map(bytes, pieces)


# --- gzip -------------------------------------------------------------------------------------------------------------

_GZIP_WBITS: Final = 31  # 15 bits of window, and gzip's header and trailer around it


def _gzip_compress(pieces: Iterable[ReadableBuffer], level: int | None) -> Iterator[bytes]:
    compressor = zlib.compressobj(-1 if level is None else level, zlib.DEFLATED, _GZIP_WBITS)
    for piece in pieces:
        yield compressor.compress(piece)
    yield compressor.flush()


def _gzip_decompress(data: memoryview, _allowance: int) -> Iterator[bytes]:
    member = zlib.decompressobj(_GZIP_WBITS)
    # In slices, because zlib copies what it did not get to into unconsumed_tail at every call.
    for start in range(0, len(data), _INPUT_BYTES):
        pending: ReadableBuffer = data[start : start + _INPUT_BYTES]
        while pending:
            if member.eof:
                member = zlib.decompressobj(_GZIP_WBITS)
            yield member.decompress(pending, CHUNK_BYTES)
            pending = member.unused_data if member.eof else member.unconsumed_tail
    # What zlib still holds of a chunk that was exactly full.
    while not member.eof and (chunk := member.decompress(b"", CHUNK_BYTES)):
        yield chunk
    if not member.eof:
        raise _truncated()


# --- snappy -----------------------------------------------------------------------------------------------------------


def _snappy_compress(pieces: Iterable[ReadableBuffer], _level: int | None) -> Iterator[bytes]:
    yield _XERIAL_HEADER
    pending = bytearray()
    for piece in pieces:
        pending += piece
        while len(pending) >= _XERIAL_BLOCK_BYTES:
            yield _xerial_block(bytes(pending[:_XERIAL_BLOCK_BYTES]))
            del pending[:_XERIAL_BLOCK_BYTES]
    if pending:
        yield _xerial_block(bytes(pending))


def _xerial_block(data: bytes) -> bytes:
    block = libraries.snappy_compress(data)
    return _pack_int32(len(block)) + block


def _snappy_decompress(data: memoryview, allowance: int) -> Iterator[bytes]:
    if bytes(data[: len(_XERIAL_MAGIC)]) != _XERIAL_MAGIC:
        yield _snappy_block(data, allowance)
        return
    position = 0
    end = len(data)
    while position < end:
        if bytes(data[position : position + len(_XERIAL_MAGIC)]) == _XERIAL_MAGIC:
            # A length cannot begin with 0x82: it would be negative. So this is a header, the first or a later one.
            if position + len(_XERIAL_HEADER) > end:
                raise _truncated()
            if _unpack_int32(data, position + len(_XERIAL_MAGIC))[0] < 1:
                raise BatchError(ErrorCode.INVALID_RECORD, "snappy: unknown version of the framing")
            position += len(_XERIAL_HEADER)
            continue
        if position + 4 > end:
            raise _truncated()
        (size,) = _unpack_int32(data, position)
        position += 4
        if not 0 < size <= end - position:
            raise BatchError(ErrorCode.INVALID_RECORD, f"snappy: block of {size} bytes, {end - position} are there")
        chunk = _snappy_block(data[position : position + size], allowance)
        allowance -= len(chunk)
        yield chunk
        position += size


def _snappy_block(block: memoryview, allowance: int) -> bytes:
    """One block, whose length in the clear stands before it and is believed only up to the allowance."""
    size = shift = 0
    for byte in block[:5]:
        size |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
    else:
        raise BatchError(ErrorCode.INVALID_RECORD, "snappy: no length")
    if size > allowance:
        raise BatchError(ErrorCode.INVALID_RECORD, f"snappy: a block says it holds {size} bytes")
    return libraries.snappy_decompress(block)


# --- lz4 --------------------------------------------------------------------------------------------------------------


def _lz4_compress(pieces: Iterable[ReadableBuffer], level: int | None) -> Iterator[bytes]:
    compressor = libraries.lz4_compressor(LEVELS[CompressionType.LZ4].default if level is None else level)
    yield compressor.begin()
    for piece in pieces:
        yield compressor.compress(piece)
    yield compressor.flush()


def _lz4_decompress(data: memoryview, _allowance: int) -> Iterator[bytes]:
    frame = libraries.lz4_decompressor()
    complete = False
    for start in range(0, len(data), _INPUT_BYTES):
        pending = bytes(data[start : start + _INPUT_BYTES])
        while True:
            chunk = frame.decompress(pending, CHUNK_BYTES)
            complete = frame.eof
            yield chunk
            if complete:
                pending = frame.unused_data or b""
                frame = libraries.lz4_decompressor()
                if not pending:
                    break
                complete = False
            elif len(chunk) < CHUNK_BYTES and frame.needs_input:
                break
            else:
                pending = b""
    if not complete:
        raise _truncated()


# --- zstd -------------------------------------------------------------------------------------------------------------

_ZSTD_MAGIC: Final = 0xFD2FB528
_ZSTD_SKIPPABLE_MAGIC: Final = 0x184D2A50  # its last four bits are free
_ZSTD_RLE_BLOCK: Final = 1
_DICTIONARY_ID_BYTES: Final = (0, 1, 2, 4)
_CONTENT_SIZE_BYTES: Final = (0, 2, 4, 8)


def _zstd_compress(pieces: Iterable[ReadableBuffer], level: int | None) -> Iterator[bytes]:
    compressor = libraries.zstd_compressor(LEVELS[CompressionType.ZSTD].default if level is None else level)
    for piece in pieces:
        yield compressor.compress(piece)
    yield compressor.flush()


def _zstd_decompress(data: memoryview, _allowance: int) -> Iterator[bytes]:
    """Frames block by block: the library bounds its output only by its input, and a block is 128 KiB at most."""
    decompressor: libraries.ZstdDecompressor | None = None
    for blocks, is_last in _zstd_blocks(data):
        decompressor = decompressor or libraries.zstd_decompressor()
        yield decompressor.decompress(blocks)
        if is_last:
            if not decompressor.eof:
                raise _truncated()
            decompressor = None


def _zstd_blocks(data: memoryview) -> Iterator[tuple[memoryview, bool]]:
    """Every block, the first with its frame's header, the last with its checksum; and whether it is the last."""
    start = position = 0
    end = len(data)
    if not end:
        raise _truncated()
    while position < end:
        if position + 8 > end:
            raise _truncated()
        (magic,) = _unpack_uint32_le(data, position)
        if magic & ~0xF == _ZSTD_SKIPPABLE_MAGIC:
            start = position = position + 8 + _unpack_uint32_le(data, position + 4)[0]
            if position > end:
                raise _truncated()
            continue
        if magic != _ZSTD_MAGIC:
            raise BatchError(ErrorCode.INVALID_RECORD, "zstd: not a frame")
        descriptor = data[position + 4]
        is_single_segment = descriptor >> 5 & 1  # then a content size of at least a byte stands in for the window
        content_size_bytes = _CONTENT_SIZE_BYTES[descriptor >> 6] or is_single_segment
        position += 5 + (1 - is_single_segment) + _DICTIONARY_ID_BYTES[descriptor & 3] + content_size_bytes
        is_last = False
        while not is_last:
            if position + 3 > end:
                raise _truncated()
            block_header = data[position] | data[position + 1] << 8 | data[position + 2] << 16
            is_last = block_header & 1 == 1
            position += 3 + (1 if block_header >> 1 & 3 == _ZSTD_RLE_BLOCK else block_header >> 3)
            if is_last and descriptor & 4:
                position += 4
            if position > end:
                raise _truncated()
            yield data[start:position], is_last
            start = position


# --- the tables -------------------------------------------------------------------------------------------------------

_COMPRESSORS: Final[dict[CompressionType, Callable[[Iterable[ReadableBuffer], int | None], Iterator[bytes]]]] = {
    CompressionType.NONE: _copy,
    CompressionType.GZIP: _gzip_compress,
    CompressionType.SNAPPY: _snappy_compress,
    CompressionType.LZ4: _lz4_compress,
    CompressionType.ZSTD: _zstd_compress,
}

# Each takes the compressed bytes and how many it may make of them; it need not keep count unless one step could exceed.
_DECOMPRESSORS: Final[dict[CompressionType, Callable[[memoryview, int], Iterator[bytes]]]] = {
    CompressionType.GZIP: _gzip_decompress,
    CompressionType.SNAPPY: _snappy_decompress,
    CompressionType.LZ4: _lz4_decompress,
    CompressionType.ZSTD: _zstd_decompress,
}
