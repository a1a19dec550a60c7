"""Writes the flat decode function for one message in one version.

What comes out for Heartbeat 4, to see what "flat" means (`b` buffer, `p` position):

    def decode(b, p):
        if type(b) is not bytes: b = bytes(b)
        try:
            o1 = new(*C2)                                           # a HeartbeatRequest, without its constructor
            n = b[p]                                                # a compact length, `p` on it
            if n > 127: …                                           # more than one byte of it
            if n > 1: q = p + n; o1.group_id = b[p + 1:q].decode(); p = q
            elif n: o1.group_id = ''; p += 1
            else: p += 1; raise NullError
            o1.generation_id, n, = unpack_from_iB(b, p); p += 4     # up to the length of member_id
            …
            o1.unknown_tags = None
            if b[p]: …                                              # tagged fields
            else: p += 1
            return o1, p
        except FAULTS as x:
            raise fault(x, p, len(b)) from None

What makes it fast and keeps it safe:
 - Neighbouring fixed-width fields, a following length and a struct's tag count are read by one `unpack_from`: see
   `reads`, which also reads on behind lengths that are guessed to be nothing.
 - A slice past the end comes out short instead of failing, and allocates nothing beyond what is there; the position
   has then passed the end, and the next read notices. In flexible versions a tag count always follows; in the others
   there is one comparison at the end of the function.
 - An array's count is compared with the bytes that are left, at the element's smallest size, before one is made. Only a
   count in a single byte is not: nothing is allocated for it, elements are made as they are read, and the first that
   is not there ends it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache, partial
from itertools import chain
from typing import Any

from kwire.protocol.primitives import MalformedError, NullError, read_string_length, read_unsigned_varint
from kwire.protocol.reads import Guess, Reads
from kwire.protocol.rows import RowLayout, Rows
from kwire.protocol.schema import FIXED, Field, Message, has_records, split_fields
from kwire.protocol.source import ARRAY_COUNT_MAX, Source, array_packers

ROWS_MIN = 4
"""From how many elements on an array of fixed-width structs becomes `Rows`: below, making the objects is as cheap."""

USUALLY_EMPTY = frozenset(
    {
        "aborted_transactions",
        "committed_metadata",
        "error_message",
        "group_instance_id",
        "metadata",
        "offline_replicas",
        "rack",
        "record_errors",
        "transactional_id",
    }
)
"""Strings and arrays that ordinary traffic leaves empty or null. Only speed depends on this table: see `reads`."""


class Decoding:
    """Emits the source. `flexible` chooses compact lengths and tagged fields."""

    def __init__(self, message: type[Message], version: int, names: dict[str, Any]) -> None:
        self.message = message
        self.schema = message.SCHEMA
        self.version = version
        self.flexible = version in self.schema.flexible
        self.source = Source(names)
        self.reads = Reads(self.source)

    def function(self) -> Source:
        source = self.source
        with source.block("def decode(b, p):"):
            # Slices of bytes are cheaper to decode than those of a memoryview, by more than a small message's copy.
            own = "type(b) is memoryview" if has_records(self.schema) else "type(b) is not bytes"
            with source.block(f"if {own}:"):
                source.emit("b = bytes(b)")
            if has_records(self.schema):
                source.emit("m = memoryview(b)")
            with source.block("try:"):
                root = self.new(self.message)
                self.struct(root, self.schema.fields)
                self.reads.flush()
                if not self.flexible:  # otherwise the tags were there, and nothing is behind them
                    with source.block("if p > len(b):"):
                        source.emit('raise MalformedError("the message ends inside a field")')
                source.emit(f"return {root}, p")
            with source.block("except FAULTS as x:"):
                source.emit("raise fault(x, p, len(b)) from None")
        return source

    # ---- structs ---------------------------------------------------------------------------------------------

    def new(self, cls: type[object]) -> str:
        name = self.source.fresh("o")
        self.source.emit(f"{name} = {_new(self.source, cls)}")
        return name

    def struct(self, target: str, fields: tuple[Field, ...]) -> None:
        plain, tagged, absent = split_fields(fields, self.version)
        for field in [*absent, *tagged]:
            self.source.emit(f"{target}.{field.name} = {self.default(self.source, field)}")
        for field in plain:
            with self.source.field(field.name):
                self.value(f"{target}.{field.name}", field)
        self.tags(target, tagged)

    def tags(self, target: str, tagged: list[Field]) -> None:
        source = self.source
        source.emit(f"{target}.unknown_tags = None")
        if not self.flexible:
            return
        with source.field("tags"):
            if self.reads.saves_a_step:
                self.reads.read("B", "t")
                with source.block("if t:"):
                    source.emit("p -= 1")
                    self.some_tags(target, tagged)
            else:
                self.reads.flush()
                with source.block("if b[p]:"):
                    self.some_tags(target, tagged)
                with source.block("else:"):
                    source.emit("p += 1")

    def some_tags(self, target: str, tagged: list[Field]) -> None:
        """Tagged fields from their count on: next to never there, so this may take its time."""
        source = self.source
        count, unknown, tag, end = (source.fresh(prefix) for prefix in ("t", "u", "k", "z"))
        source.emit(f"{count}, p = read_unsigned_varint(b, p)")
        source.emit(f"{unknown} = {{}}")
        with source.block(f"for _ in range({count}):"):
            source.emit(f"{tag}, p = read_unsigned_varint(b, p)")
            source.emit("n, p = read_unsigned_varint(b, p)")
            source.emit(f"{end} = p + n")
            with source.block(f"if {end} > len(b):"):
                source.emit('raise MalformedError("a tagged field of %d bytes" % n)')
            for index, field in enumerate(tagged):
                with source.block(f"{'elif' if index else 'if'} {tag} == {field.tag}:"), source.field(field.name):
                    self.value(f"{target}.{field.name}", field)
                    self.reads.flush()
                    with source.block(f"if p != {end}:"):
                        source.emit('raise MalformedError("a tagged field whose size is not that of its value")')
            with source.block("else:") if tagged else nullcontext():
                source.emit(f"{unknown}[{tag}] = bytes(b[p:{end}])")
                source.emit(f"p = {end}")
        with source.block(f"if {unknown}:"):
            source.emit(f"{target}.unknown_tags = {unknown}")

    def default(self, source: Source, field: Field) -> str:
        if field.default is ...:
            return source.constant("D", self.message.STRUCTS[field.type].DEFAULT)
        return repr(field.default)

    # ---- values ----------------------------------------------------------------------------------------------

    def value(self, target: str, field: Field) -> None:
        if self.flexible and field.name in USUALLY_EMPTY and (field.array or field.type == "string"):
            empty = "[]" if field.array else "''"
            guess = Guess(target, empty, self.version in field.nullable, partial(self.any_value, target, field))
            self.reads.queue_guess(guess)
        else:
            self.any_value(target, field)

    def any_value(self, target: str, field: Field) -> None:
        nullable = self.version in field.nullable
        compact = self.flexible and not field.classic
        if field.array:
            self.array(target, field, nullable)
        elif field.type in FIXED:
            self.reads.queue(FIXED[field.type][0], target)
        elif field.is_struct:
            self.nested(target, field, nullable)
        else:
            self.bytes_like(target, field.type, nullable, compact)

    def nested(self, target: str, field: Field, nullable: bool) -> None:
        cls = self.message.STRUCTS[field.type]
        fields = self.schema.struct(field.type).fields
        if not nullable:
            inner = self.new(cls)
            self.source.emit(f"{target} = {inner}")
            self.struct(inner, fields)
            return
        # KIP-893: a byte tells whether a nullable struct is there. Kafka reads a tagged one's as an unsigned varint.
        if field.tag is None:
            self.reads.read("b", "n")
        else:
            self.reads.read("B", "n")
            with self.source.block("if n > 127:"):
                self.source.emit("n, p = read_unsigned_varint(b, p - 1)")
        with self.source.block("if n < 0:" if field.tag is None else "if not n:"):
            self.source.emit(f"{target} = None")
        with self.source.block("else:"):
            inner = self.new(cls)
            self.source.emit(f"{target} = {inner}")
            self.struct(inner, fields)
            self.reads.flush()

    def bytes_like(self, target: str, kind: str, nullable: bool, compact: bool) -> None:
        source = self.source
        null = f"{target} = None" if nullable else "raise NullError"
        if compact:
            emit = self.compact_string if kind == "string" else self.compact_bytes
            emit(target, self.slices(kind), null)
            return
        self.reads.read("h" if kind == "string" else "i", "n")
        with source.block("if n < 0:"):
            source.emit(null)
        with source.block("else:") if nullable else nullcontext():
            source.emit("q = p + n")
            source.emit(f"{target} = {self.slices(kind).format('p')}")
            source.emit("p = q")

    def slices(self, kind: str) -> str:
        """How bytes up to `q` become a value, with a gap for where they start."""
        return {
            "string": "b[{}:q].decode()",
            "bytes": "bytes(b[{}:q])" if has_records(self.schema) else "b[{}:q]",
            "records": "m[{}:q]",
        }[kind]

    def compact_string(self, target: str, slices: str, null: str) -> None:
        # The length is one more than the bytes behind it, so it leads from its own last byte to the end.
        source = self.source
        self.reads.queue("B", "n")
        self.reads.emit_queued(back=1)
        with source.block("if n > 127:"):
            source.emit("p += 1")
            source.emit("n, p = read_string_length(b, p - 1)")
            source.emit("p -= 1")
        with source.block("if n > 1:"):
            source.emit("q = p + n")
            source.emit(f"{target} = {slices.format('p + 1')}")
            source.emit("p = q")
        with source.block("elif n:"):
            source.emit(f"{target} = ''")
            source.emit("p += 1")
        with source.block("else:"):
            source.emit("p += 1")
            source.emit(null)

    def compact_bytes(self, target: str, slices: str, null: str) -> None:
        # Records nearly always have a length of two bytes or more. Two are read on the spot, the second together
        # with the first if that is read by `unpack_from`: something always follows a length, if only a tag count.
        source = self.source
        second = "b[p + 1]"
        if self.reads.saves_a_step:
            second = "k"
            self.reads.queue("B", "n")
            self.reads.queue("B", "k")
            self.reads.emit_queued(back=2)
        else:
            self.reads.queue("B", "n")
            self.reads.emit_queued(back=1)
        with source.block("if n > 127:"):
            source.emit(f"k = SECOND_BYTE[{second}]")
            with source.block("if k:"):
                source.emit("q = p + n + k")
                source.emit(f"{target} = {slices.format('p + 2')}")
                source.emit("p = q")
            with source.block("else:"):
                source.emit("p += 1")
                source.emit("n, p = read_unsigned_varint(b, p - 1)")
                with source.block("if n:"):
                    source.emit("q = p + n - 1")
                    source.emit(f"{target} = {slices.format('p')}")
                    source.emit("p = q")
                with source.block("else:"):
                    source.emit(null)
        with source.block("elif n:"):
            source.emit("q = p + n")
            source.emit(f"{target} = {slices.format('p + 1')}")
            source.emit("p = q")
        with source.block("else:"):
            source.emit("p += 1")
            source.emit(null)

    def array(self, target: str, field: Field, nullable: bool) -> None:
        source = self.source
        null = f"{target} = None" if nullable else "raise NullError"
        if self.flexible:
            self.reads.read("B", "n")
            with source.block("if n > 127:"):
                source.emit("n, p = read_unsigned_varint(b, p - 1)")
                self.check_count("(n - 1)", field)
            with source.block("if n > 1:"):
                source.emit("n -= 1")
                self.elements(target, field)
            with source.block("elif n:"):
                source.emit(f"{target} = []")
            with source.block("else:"):
                source.emit(null)
        else:
            self.reads.read("i", "n")
            with source.block("if n < 0:"):
                source.emit(null)
            with source.block("elif n:"):
                self.check_count("n", field)
                self.elements(target, field)
            with source.block("else:"):
                source.emit(f"{target} = []")

    def check_count(self, count: str, field: Field) -> None:
        with self.source.block(f"if {count} * {self.smallest(field)} > len(b) - p:"):
            self.source.emit(f'raise MalformedError("an array of %d elements" % {count})')

    def elements(self, target: str, field: Field) -> None:
        """`n` elements from `p` on, at least one. Counting them down beats `range` for the few that are usual."""
        source = self.source
        if field.type in FIXED:
            self.fixed_array(target, field.type)
        elif field.is_struct:
            self.struct_array(target, field)
        else:
            items, item, left = source.fresh("l"), source.fresh("v"), source.fresh("c")
            source.emit(f"{target} = {items} = []")
            source.emit(f"{left} = n")
            with source.block(f"while {left}:"):
                self.bytes_like(item, field.type, False, self.flexible)
                source.emit(f"{items}.append({item})")
                source.emit(f"{left} -= 1")

    def fixed_array(self, target: str, kind: str) -> None:
        source = self.source
        layout, size = FIXED[kind]
        source.emit(f"q = p + n * {size}")
        with source.block(f"if n <= {ARRAY_COUNT_MAX}:"):
            source.emit(f"{target} = [*{source.constant('arrays', array_packers(layout, 'unpack_from'))}[n](b, p)]")
        with source.block("else:"):
            source.emit(f"{target} = Rows({source.constant('R', _NUMBER_ROWS[kind])}, b[p:q])")
        source.emit("p = q")

    def struct_array(self, target: str, field: Field) -> None:
        source = self.source
        cls = self.message.STRUCTS[field.type]
        fields = self.schema.struct(field.type).fields
        row = self.fixed_width(fields)
        if row is None:
            self.struct_loop(target, cls, fields)
            return
        # All elements have the same size unless one carries tagged fields, which is next to never.
        layout, size = row
        whole = f"n >= {ROWS_MIN}"
        if self.flexible:
            whole += f" and b[p + {size - 1}:p + n * {size}:{size}].count(0) == n"
        with source.block(f"if {whole}:"):
            rows = source.constant("R", self.row_layout(cls, fields, layout, size))
            source.emit(f"q = p + n * {size}")
            source.emit(f"{target} = Rows({rows}, b[p:q])")
            source.emit("p = q")
        with source.block("else:"):
            self.struct_loop(target, cls, fields)

    def row_layout(self, cls: type[object], fields: tuple[Field, ...], layout: str, size: int) -> RowLayout:
        """Compiles the generator that makes the elements of a `Rows`."""
        plain, tagged, absent = split_fields(fields, self.version)
        source = Source(dict(DECODING_NAMES))
        with (
            source.block("def objects(data):"),
            source.block(f"for row in {source.packer(layout, 'iter_unpack')}(data):"),
        ):
            source.emit(f"o = {_new(source, cls)}")
            targets = [f"o.{field.name}" for field in plain] + (["t"] if self.flexible else [])
            source.emit(f"{', '.join(targets)}, = row")
            for field in [*absent, *tagged]:
                source.emit(f"o.{field.name} = {self.default(source, field)}")
            source.emit("o.unknown_tags = None")
            source.emit("yield o")
        objects = source.compile("objects", f"rows of {cls.__name__} v{self.version}")
        return RowLayout(size, objects, struct.Struct(">" + layout).iter_unpack)

    def struct_loop(self, target: str, cls: type[object], fields: tuple[Field, ...]) -> None:
        """A list that starts with its first element, and a loop that ends before a second: one is what is usual."""
        source = self.source
        items, left = source.fresh("l"), source.fresh("c")
        source.emit(f"{left} = n")
        element = self.new(cls)
        source.emit(f"{target} = {items} = [{element}]")
        with source.block("while True:"):
            self.struct(element, fields)
            self.reads.flush()
            with source.block(f"if {left} == 1:"):
                source.emit("break")
            source.emit(f"{left} -= 1")
            source.emit(f"{element} = {_new(source, cls)}")
            source.emit(f"{items}.append({element})")

    # ---- sizes -----------------------------------------------------------------------------------------------

    def smallest(self, field: Field) -> int:
        """The fewest bytes that one element of this array can take in this version, and never zero."""
        if field.type in FIXED:
            return FIXED[field.type][1]
        if field.is_struct:
            return max(1, self.smallest_struct(self.schema.struct(field.type).fields))
        return 1 if self.flexible else {"string": 2}.get(field.type, 4)

    def smallest_struct(self, fields: tuple[Field, ...]) -> int:
        total = 1 if self.flexible else 0
        for field in split_fields(fields, self.version)[0]:
            if field.array:
                total += 1 if self.flexible else 4
            elif field.is_struct and self.version in field.nullable:
                total += 1
            else:
                total += self.smallest(field)
        return total

    def fixed_width(self, fields: tuple[Field, ...]) -> tuple[str, int] | None:
        """The struct format and size of an element if every one has the same, else None."""
        plain = split_fields(fields, self.version)[0]
        if not plain or any(field.array or field.type not in FIXED for field in plain):
            return None
        layout = "".join(FIXED[field.type][0] for field in plain) + ("B" if self.flexible else "")
        return layout, sum(FIXED[field.type][1] for field in plain) + (1 if self.flexible else 0)


def _new(source: Source, cls: type[object]) -> str:
    """An expression that makes an object without running its constructor.

    `new(cls)` would pack its argument into a tuple each time; with the tuple at hand an object takes 80 ns, not 106.
    """
    return f"new(*{source.constant('C', _alone(cls))})"


@cache
def _alone(cls: type[object]) -> tuple[type[object]]:
    return (cls,)


def _number_rows(layout: str, size: int) -> RowLayout:
    unpack = struct.Struct(">" + layout).iter_unpack

    def numbers(data: bytes | bytearray) -> Iterator[Any]:
        return chain.from_iterable(unpack(data))

    return RowLayout(size, numbers, unpack)


_NUMBER_ROWS = {kind: _number_rows(*FIXED[kind]) for kind in FIXED}

# What the second byte of a compact length of two adds to the first, less what makes `p + n + k` the end of the bytes
# for `p` on the first. 0 for a byte that is not the last, or that should not have been written.
_SECOND_BYTE = [0, *((byte << 7) - 127 for byte in range(1, 128)), *[0] * 128]

DECODING_NAMES: dict[str, Any] = {
    "SECOND_BYTE": _SECOND_BYTE,
    "new": object.__new__,
    "Rows": Rows,
    "MalformedError": MalformedError,
    "NullError": NullError,
    "read_unsigned_varint": read_unsigned_varint,
    "read_string_length": read_string_length,
}
