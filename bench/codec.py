"""Messages: decode and encode, beside kafka-python 3 and kio (whose decoder is native code), in one run.

Each message is measured with its header, as it goes over the wire, and the body alone. Where our decoder leaves an
array to be decoded as it is read, a further row reads every field that there is, with each library.
Before anything is timed, all three must decode the same values and produce the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any

from bench.codec_contestants import Contestant, contestants
from bench.codec_samples import Sample, samples
from bench.report import Figure, Part, Row, publish
from bench.timing import side_by_side
from kwire.protocol.rows import Rows
from kwire.protocol.schema import Field, MessageSchema, split_fields

# At least this many times as fast as the other.
ASKED = {
    "decode": {"kafka-python": 3.0, "kio": 0.5},
    "encode": {"kafka-python": 3.0, "kio": 3.0},
}
ROUNDS = 150
ROUNDS_QUICK = 15

NOTES = """
Microseconds of CPU time per message: the best of many short samples taken in turns, with their median in parentheses.
*Whole* is header and body, *body* the body alone. kio's decoder is native code, its encoder is not.
"""

Measured = list[Callable[[], object]]


def main(arguments: list[str]) -> int:
    rounds = ROUNDS_QUICK if "--quick" in arguments else ROUNDS
    rows = [row for sample in samples() for row in measure(sample, rounds)]
    groups = list(dict.fromkeys(["decode, whole", "encode, whole", *(row.group for row in rows)]))
    rows.sort(key=lambda row: groups.index(row.group))
    return publish(Part("codec", "Codec: kwire beside kafka-python and kio", rows, NOTES), arguments)


def measure(sample: Sample, rounds: int) -> list[Row]:
    sides = contestants(sample)
    check(sample, sides)
    whole, body = sides[0].encode_whole(), sides[0].encode_body()
    found: dict[tuple[str, str], Measured] = {
        ("decode, whole", "decode"): [partial(side.decode_whole, whole) for side in sides],
        ("encode, whole", "encode"): [side.encode_whole for side in sides],
        ("decode, body", "decode"): [partial(side.decode_body, body) for side in sides],
        ("encode, body", "encode"): [side.encode_body for side in sides],
    }
    if holds_rows(sides[0].decode_body(body)):
        found["decode and read every field, body", "decode"] = [
            decode_and_read(side, sample, body) for side in sides
        ]
    return [
        row(sample.name, group, ASKED[direction], [side.name for side in sides], side_by_side(functions, rounds))
        for (group, direction), functions in found.items()
    ]


def row(name: str, group: str, asked: dict[str, float], names: list[str], seconds: list[Figure]) -> Row:
    figures = [Figure(taken.best * 1e6, (taken.median or 0) * 1e6) for taken in seconds]
    return Row(name, figures[0], dict(zip(names[1:], figures[1:], strict=True)), asked, "µs", group=group)


# ---- the same values, the same bytes -------------------------------------------------------------------------------


def check(sample: Sample, sides: list[Contestant]) -> None:
    """Ends the run if the three do not do the same work."""
    ours = sides[0]
    whole, body = ours.encode_whole(), ours.encode_body()
    wanted = values(sample.message, sample, ours)
    for side in sides:
        same = {
            "encodes a body": side.encode_body() == body,
            "encodes a whole message": side.encode_whole() == whole,
            "decodes a body": values(side.decode_body(body), sample, side) == wanted,
            "decodes a whole message": values(side.body_of_whole(side.decode_whole(whole)), sample, side) == wanted,
        }
        for what, is_same in same.items():
            if not is_same:
                raise SystemExit(f"bench: {sample.name}: {side.name} {what} differently, so there is nothing to compare")


def values(message: Any, sample: Sample, side: Contestant) -> Any:
    """All values of a message as nested lists in the order of the wire."""

    def of_struct(struct: Any, fields: tuple[Field, ...]) -> list[Any]:
        plain, tagged, _ = split_fields(fields, sample.version)
        return [of_field(getattr(struct, side.field(field.name)), field) for field in [*plain, *tagged]]

    def of_field(value: Any, field: Field) -> Any:
        inner = schema.struct(field.type).fields if field.is_struct else None
        if field.array and value is not None:
            return [of_struct(item, inner) if inner else side.plain(item, field) for item in value]
        if inner is None or value is None:
            return side.plain(value, field)
        # kafka-python has None for a tagged struct that was not sent, the others its default.
        return None if field.tag is not None and value == type(value)() else of_struct(value, inner)

    schema = sample.message.SCHEMA
    return of_struct(message, schema.fields)


# ---- reading every field -------------------------------------------------------------------------------------------


def holds_rows(value: Any) -> bool:
    """Whether an array somewhere in a message of ours is decoded as it is read."""
    if isinstance(value, Rows):
        return True
    if isinstance(value, (list, tuple)):
        return any(map(holds_rows, value))
    return any(holds_rows(getattr(value, name)) for name in getattr(value, "__slots__", ()))


def decode_and_read(side: Contestant, sample: Sample, body: bytes) -> Callable[[], None]:
    read = field_reader(sample.message.SCHEMA, sample.message.SCHEMA.fields, sample.version, side)

    def decode_then_read() -> None:
        read(side.decode_body(body))

    return decode_then_read


def field_reader(
    schema: MessageSchema, fields: tuple[Field, ...], version: int, side: Contestant
) -> Callable[[Any], None]:
    """A function that gets every attribute of a struct, and of all structs in it, and does nothing with them."""
    plain, tagged, _ = split_fields(fields, version)
    present = [*plain, *tagged]
    get = attrgetter(*(side.field(field.name) for field in present))
    nested = [
        (side.field(field.name), field_reader(schema, schema.struct(field.type).fields, version, side))
        for field in present
        if field.is_struct and field.array
    ]

    def read(struct: Any) -> None:
        get(struct)
        for name, read_item in nested:
            for item in getattr(struct, name) or ():
                read_item(item)

    return read
