"""Messages: decode and encode, beside kafka-python 3 and kio (whose decoder is native code), in one run.

Each message is measured with its header, as it goes over the wire, and the body alone. Where our decoder leaves an
array to be decoded as it is read, a further row reads every field that there is, with each library.
Before anything is timed, all three must decode the same values and produce the same bytes.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from operator import attrgetter
from time import process_time
from timeit import Timer
from typing import Any

from bench.codec_contestants import Contestant, contestants
from bench.codec_samples import Sample, samples
from bench.report import Figure, Part, Row, publish
from bench.timing import side_by_side
from kwire.protocol.codec import decode
from kwire.protocol.rows import Rows
from kwire.protocol.schema import Field, MessageSchema, split_fields

# At least this many times as fast as the other.
DECODING = {"kafka-python": 3.0, "kio": 0.5}
ENCODING = {"kafka-python": 3.0, "kio": 3.0}
ASKED = {"decode, whole": DECODING, "encode, whole": ENCODING, "decode, body": DECODING, "encode, body": ENCODING}
ROUNDS = 150
ROUNDS_QUICK = 15

NOTES = """
Microseconds of CPU time per message: the best of many short samples taken in turns, with their median in parentheses.
*Whole* is header and body, *body* the body alone. kio's decoder is native code, its encoder is not. Of a Fetch request
with many partitions our decoder leaves the partitions until they are read: the last row reads every field of all three,
and nothing is asked of it, because reading takes each of them the same.
"""

# In the order of the table. The last is for messages of which our decoder leaves a part until it is read.
GROUPS = ("decode, whole", "encode, whole", "decode, body", "encode, body")
READING = "decode, body, and read every field"


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(prog="python -m bench codec", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{ROUNDS_QUICK} rounds instead of {ROUNDS}")
    parser.add_argument("--only", default="", metavar="NAME", help="only messages with that in their name")
    options, _ = parser.parse_known_args(arguments)  # other parts have options of their own
    rounds = ROUNDS_QUICK if options.quick else ROUNDS
    found = [(sample, contestants(sample)) for sample in samples() if options.only in sample.name]
    for sample, sides in found:
        check(sample, sides)
    rows = [measure(sample, group, sides, rounds) for group in GROUPS for sample, sides in found]
    rows += [
        measure(sample, READING, reading(sample, sides), rounds)
        for sample, sides in found
        if holds_rows(decode(type(sample.message), sample.version, sides[0].names["body"]))
    ]
    return publish(Part("codec", "Codec: kwire beside kafka-python and kio", rows, NOTES), arguments)


def measure(sample: Sample, group: str, sides: list[Contestant], rounds: int) -> Row:
    timers = [Timer(side.statements[group], timer=process_time, globals=side.names) for side in sides]
    ours, *theirs = (
        Figure(taken.best * 1e6, taken.median and taken.median * 1e6) for taken in side_by_side(timers, rounds)
    )
    others = {side.name: figure for side, figure in zip(sides[1:], theirs, strict=True)}
    return Row(sample.name, ours, others, ASKED.get(group, {}), group=group)


# ---- the same values, the same bytes -------------------------------------------------------------------------------


def check(sample: Sample, sides: list[Contestant]) -> None:
    """Runs every statement once, and ends the run if the three do not do the same work."""
    wanted = values(sample.message, sample, sides[0])
    for side in sides:
        for what, statement in side.statements.items():
            exec(statement, side.names)
            if what.startswith("decode"):
                same = values(side.names["message"], sample, side) == wanted
            else:
                same = side.names["data"] == side.names["whole" if what.endswith("whole") else "body"]
            if not same:
                raise SystemExit(f"bench: {sample.name}: {side.name} differs in {what}: there is nothing to compare")


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


def reading(sample: Sample, sides: list[Contestant]) -> list[Contestant]:
    """The contestants with one more statement, which goes on to read all that it decoded."""
    schema = sample.message.SCHEMA
    for side in sides:
        side.names["read_fields"] = field_reader(schema, schema.fields, sample.version, side)
    return [
        side._replace(statements={READING: f"{side.statements['decode, body']}\nread_fields(message)"})
        for side in sides
    ]


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
