"""The compression libraries behind typed functions, each imported when its codec is first used.

lz4 and snappy come without type annotations; this is the one place that knows it. Nothing here decides anything.
"""

from __future__ import annotations

import zlib
from typing import Any, Protocol, cast

from kwire.records.batch import ReadableBuffer

_GZIP, _SNAPPY, _LZ4, _ZSTD = 1, 2, 3, 4
_LZ4_FAST_LEVEL = 9
_LZ4_HC_LEVELS = (3, 12)


class Lz4Compressor(Protocol):
    """One frame being written."""

    def begin(self) -> bytes: ...
    def compress(self, data: ReadableBuffer) -> bytes: ...
    def flush(self) -> bytes: ...


class Lz4Decompressor(Protocol):
    """One frame being read. What a call did not get to is kept, and comes with the next."""

    eof: bool
    needs_input: bool
    unused_data: bytes | None

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class ZstdCompressor(Protocol):
    """One frame being written."""

    def compress(self, data: ReadableBuffer) -> bytes: ...
    def flush(self) -> bytes: ...


class ZstdDecompressor(Protocol):
    """One frame being read."""

    @property
    def eof(self) -> bool: ...
    def decompress(self, data: ReadableBuffer) -> bytes: ...


def decompression_errors(codec: int) -> tuple[type[Exception], ...]:
    """What the library of a codec raises for input that it does not understand. Asked only after it did."""
    if codec == _GZIP:
        return (zlib.error,)
    if codec == _SNAPPY:
        return (cast("type[Exception]", _snappy().UncompressError),)
    if codec == _LZ4:
        return (RuntimeError,)
    if codec == _ZSTD:
        import zstandard

        return (zstandard.ZstdError,)
    return ()


def snappy_compress(data: bytes) -> bytes:
    """One bare block."""
    return cast("bytes", _snappy().compress(data))


def snappy_decompress(block: ReadableBuffer) -> bytes:
    """One bare block. The library allocates what the block says it holds: check that first."""
    return cast("bytes", _snappy().uncompress(block))


def lz4_compressor(level: int) -> Lz4Compressor:
    """A frame as Java's reader demands it: independent blocks, neither content size nor checksums."""
    frame = _lz4_frame()
    lowest, highest = _LZ4_HC_LEVELS
    return cast(
        "Lz4Compressor",
        frame.LZ4FrameCompressor(
            block_size=frame.BLOCKSIZE_MAX64KB,
            block_linked=False,
            compression_level=0 if level == _LZ4_FAST_LEVEL else min(max(level, lowest), highest),
        ),
    )


def lz4_decompressor() -> Lz4Decompressor:
    return cast("Lz4Decompressor", _lz4_frame().LZ4FrameDecompressor())


def zstd_compressor(level: int) -> ZstdCompressor:
    """With a context of its own: the library's objects share that of the compressor they came from."""
    import zstandard

    return cast("ZstdCompressor", zstandard.ZstdCompressor(level=level).compressobj())


def zstd_decompressor() -> ZstdDecompressor:
    """With a context of its own, so that two streams can be read in turns."""
    import zstandard

    return cast("ZstdDecompressor", zstandard.ZstdDecompressor().decompressobj())


def _snappy() -> Any:
    import snappy  # pyright: ignore[reportMissingTypeStubs] - it has none

    return cast("Any", snappy)


def _lz4_frame() -> Any:
    import lz4.frame  # pyright: ignore[reportMissingTypeStubs] - it has none

    return cast("Any", lz4.frame)
