"""Hostile frames: mutated and random bytes against every decoder of the protocol.

    python -m bench hostile [--frames=200000] [--seed=1] [--quick]

Starts from valid messages of all kinds in all versions and breaks them: bits flipped, lengths and counts set to what
hurts, cut, inserted, spliced, repeated. Half goes to the decoder of the message, half travels as a request in a frame
with its header. For every frame it must hold that

 - nothing but `DecodeError` (or `FrameError`, for the frame's size) comes out,
 - what is accepted can be written again, and what is then read is written the same,
 - decoding takes less than 64 MB above what was there before, and less than 50 ms of CPU time.

The same frames come from the same seed, so a violation can be run again by its number.
"""

from __future__ import annotations

import argparse
import resource
import struct
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from random import Random
from typing import NamedTuple

from bench.random_messages import RandomMessages
from kwire.protocol import messages
from kwire.protocol.codec import DecodeError, decoder, encode
from kwire.protocol.frames import FrameError, FrameReader, decode_request_body, decode_request_head, encode_request
from kwire.protocol.messages import APIS
from kwire.protocol.schema import Message

FRAMES_DEFAULT = 200_000
FRAMES_QUICK = 10_000
PEAK_BYTES_MAX = 64 << 20
CPU_MS_MAX = 50.0
REPEATED_BYTES_MAX = 64 << 10
FRAME_BYTES_MAX = 1 << 20


class Sample(NamedTuple):
    """A valid message, alone and as a request in a frame (empty if it is none)."""

    message: type[Message]
    version: int
    data: bytes
    frame: bytes


Decoded = list[tuple[Message, int]]


class Frame(NamedTuple):
    """Broken bytes: what they are, the valid message they came from, and who is to decode them."""

    name: str
    sample: Sample
    data: bytes
    decode: Callable[[Sample, bytes], Decoded]


class Report(NamedTuple):
    """What happened. `slowest` and `largest` are (what was measured, which frame)."""

    frames: int
    accepted: int
    slowest: tuple[float, str]
    largest: tuple[int, str]
    violations: list[str]


# ---- what is broken, and how --------------------------------------------------------------------------------------


def all_messages() -> list[type[Message]]:
    """Every generated message class."""
    found: list[type[Message]] = []
    for module in iter_modules(messages.__path__):
        names = vars(import_module(f"{messages.__name__}.{module.name}"))
        found += [cls for cls in names.values() if isinstance(cls, type) and hasattr(cls, "SCHEMA")]
    return found


def samples(seed: int) -> list[Sample]:
    """One valid message for every version of every message."""
    make = RandomMessages(seed)
    apis = {api.request: api for api in APIS.values()}
    found: list[Sample] = []
    for message in all_messages():
        for version in range(message.SCHEMA.versions.low, message.SCHEMA.versions.high + 1):
            value = make.message(message, version)
            frame = b""
            if message in apis:
                frame = b"".join(encode_request(apis[message], version, 1, "client", value))  # pyright: ignore[reportArgumentType]
            found.append(Sample(message, version, encode(value, version), frame))
    return found


LENGTHS = [
    *(bytes.fromhex(text) for text in ("00", "01", "7f", "80", "ff", "ffff", "7fff", "8000", "0000")),
    *(bytes.fromhex(text) for text in ("7fffffff", "ffffffff", "80000000", "00ffffff", "fffffffe")),
    *(
        bytes.fromhex(text)
        for text in ("ffffffff07", "ffffffff0f", "8080808008", "ffffffffff", "80808001", "8080808000")
    ),
]


def flip_bits(data: bytes, other: bytes, random: Random) -> bytes:
    out = bytearray(data or b"\0")
    for _ in range(random.choice((1, 1, 1, 2, 8))):
        out[random.randrange(len(out))] ^= 1 << random.randrange(8)
    return bytes(out)


def set_length(data: bytes, other: bytes, random: Random) -> bytes:
    length = random.choice(LENGTHS)
    at = random.randrange(len(data) + 1)
    return data[:at] + length + data[at + len(length) :]


def truncate(data: bytes, other: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def insert(data: bytes, other: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice((random.choice(LENGTHS), random.randbytes(random.randrange(40)))) + data[at:]


def remove(data: bytes, other: bytes, random: Random) -> bytes:
    start = random.randrange(len(data) + 1)
    return data[:start] + data[start + random.randrange(9) :]


def splice(data: bytes, other: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]


def repeat(data: bytes, other: bytes, random: Random) -> bytes:
    """A stretch many times over: what a large array of small elements, or a heap of tags, looks like."""
    start = random.randrange(len(data) + 1)
    part = data[start : start + random.randrange(1, 20)] or b"\0"
    times = random.randrange(1, 2 + min(REPEATED_BYTES_MAX, random.choice((100, 1_000, 65_536))) // len(part))
    return data[:start] + random.choice((b"", random.choice(LENGTHS))) + part * times + data[start:]


def huge_count(data: bytes, other: bytes, random: Random) -> bytes:
    """A tiny frame that announces a great many of whatever stands there."""
    return data[: random.randrange(len(data) + 1)] + random.choice(LENGTHS[9:]) + random.randbytes(random.randrange(4))


def tags(data: bytes, other: bytes, random: Random) -> bytes:
    """Tags in the place of the last ones: very many, the same one again and again, sizes that lie, tags in tags."""
    count = random.choice((1, 3, 300, 20_000))
    nest = b"\x01\x00\x7f" * random.randrange(60)
    some = b"".join(
        bytes([random.choice((0, 0, 1, 2, random.randrange(128))), size, *random.randbytes(size)])
        for size in random.choices((0, 1, 2, 9), k=min(count, 300))
    )
    announced = random.choice((b"\xff\xff\xff\xff\x0f", _varint(count), _varint(min(count, 300))))
    return (data[:-1] if data else data) + announced + random.choice((some, nest, some + nest))


def noise(data: bytes, other: bytes, random: Random) -> bytes:
    return random.randbytes(random.choice((0, 3, 10, 50, 300, 3_000)))


MUTATIONS: list[Callable[[bytes, bytes, Random], bytes]] = [
    flip_bits, set_length, truncate, insert, remove, splice, repeat, huge_count, tags, noise,
]  # fmt: skip


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


# ---- the run ------------------------------------------------------------------------------------------------------


class Hostile:
    """The frames of one seed. Compiling the decoders is done once and is not what is measured."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.samples = samples(seed)
        for sample in self.samples:
            decoder(sample.message, sample.version)(sample.data, 0)
        self.requests = [sample for sample in self.samples if sample.frame]

    def frames(self, count: int) -> Iterator[Frame]:
        random = Random(self.seed)
        for number in range(count):
            mutation = random.choice(MUTATIONS)
            if random.random() < 0.5:
                sample, other = random.choice(self.samples), random.choice(self.samples)
                data, what, decode = mutation(sample.data, other.data, random), "", _decode_message
            else:
                sample, other = random.choice(self.requests), random.choice(self.requests)
                data, what, decode = mutation(sample.frame[4:], other.frame[4:], random), "request ", _decode_frame
                # One in ten has a size that is none of its own.
                size = len(data) if random.random() < 0.9 else random.choice((-1, 2**31 - 1, len(data) // 2))
                data = struct.pack(">i", size) + data
            name = f"{mutation.__name__} {what}{sample.message.__name__} v{sample.version}"
            yield Frame(f"frame {number}, {len(data)} bytes, {name}", sample, data, decode)

    def run(self, count: int) -> Report:
        """Decodes all frames twice: once for the time, once for the memory, as tracing allocations takes time."""
        accepted, violations = 0, list[str]()
        slowest, largest = (0.0, ""), (0, "")
        for frame in self.frames(count):
            before_s = time.process_time()
            decoded, complaint = _attempt(frame)
            slowest = max(slowest, ((time.process_time() - before_s) * 1000, frame.name))
            accepted += bool(decoded)
            complaints = [complaint, *map(_rewritten, decoded)]
            violations += [
                f"{frame.name}: {complaint}: {frame.data[:200].hex()}" for complaint in complaints if complaint
            ]
        tracemalloc.start()
        for frame in self.frames(count):
            held_bytes, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            _attempt(frame)
            largest = max(largest, (tracemalloc.get_traced_memory()[1] - held_bytes, frame.name))
        tracemalloc.stop()
        return Report(count, accepted, slowest, largest, violations)


def _attempt(frame: Frame) -> tuple[Decoded, str]:
    """What was decoded, and a complaint about what must not happen."""
    try:
        return frame.decode(frame.sample, frame.data), ""
    except (DecodeError, FrameError):
        return [], ""
    except Exception as error:
        return [], repr(error)


def _decode_message(sample: Sample, data: bytes) -> Decoded:
    return [(decoder(sample.message, sample.version)(data, 0)[0], sample.version)]


def _decode_frame(sample: Sample, data: bytes) -> Decoded:
    """As a broker does: frames, then the header, then the message if the header names one that exists."""
    found: Decoded = []
    for body in FrameReader(FRAME_BYTES_MAX).feed(data):
        head = decode_request_head(body)
        if head.api_key in APIS and head.api_version in APIS[head.api_key].versions:
            found.append((decode_request_body(head, body), head.api_version))
    return found


def _rewritten(decoded: tuple[Message, int]) -> str:
    """What is accepted can be written; and read and written once more, it stays the same."""
    message, version = decoded
    try:
        data = encode(message, version)
        again = encode(decoder(type(message), version)(data, 0)[0], version)
    except Exception as error:
        return f"accepted, and then {error!r}"
    return "" if data == again else "accepted, and then written in two ways"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m bench hostile", allow_abbrev=False)
    parser.add_argument("--frames", type=int, default=FRAMES_DEFAULT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_const", const=FRAMES_QUICK, dest="frames")
    options, _ = parser.parse_known_args(arguments)  # other parts have options of their own
    hostile = Hostile(options.seed)
    report = hostile.run(options.frames)
    resident_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    kinds = len({sample.message for sample in hostile.samples})
    print(
        f"{report.frames:,} hostile frames for {kinds} messages in {len(hostile.samples)} versions, seed {options.seed}"
    )
    print(f"accepted {report.accepted:,}, refused {report.frames - report.accepted:,}")
    print(f"peak memory {report.largest[0] / 2**20:.2f} MiB (limit 64), {report.largest[1]}")
    print(f"resident memory of the whole process {resident_mib:.0f} MiB at most")
    print(f"slowest {report.slowest[0]:.2f} ms of CPU (limit {CPU_MS_MAX:.0f}), {report.slowest[1]}")
    violations = list(report.violations)
    if report.largest[0] > PEAK_BYTES_MAX:
        violations.append(f"too much memory: {report.largest[1]}")
    if report.slowest[0] > CPU_MS_MAX:
        violations.append(f"too slow: {report.slowest[1]}")
    for violation in violations[:20]:
        print(f"VIOLATION {violation}")
    print(f"{len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
