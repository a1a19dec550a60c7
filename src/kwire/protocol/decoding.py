"""Writes the flat decode function for one message in one version.

What comes out for Heartbeat 3, to see what "flat" means (`b` buffer, `p` position, `e` end):

    def decode(b, p):
        e = len(b)
        try:
            o1 = new(HeartbeatRequest)
            n, = unpack_from_h(b, p); p += 2
            if n < 0: raise NullError
            q = p + n; o1.group_id = b[p:q].decode(); p = q
            o1.generation_id, n, = unpack_from_ih(b, p); p += 6
            …
            if p > e: raise MalformedError("…")
            return o1, p
        except FAULTS as x:
            raise fault(x, p, e) from None

Three things make it fast and keep it safe:
 - Neighbouring fixed-width fields, a following length and a struct's tag count are read by one `unpack_from`.
 - A slice past the end comes out short instead of failing, and allocates nothing beyond what is there; the position
   has then passed the end, and the next read or the one comparison at the end of the function notices.
 - An array's count is compared with the bytes that are left, at the element's smallest size, before one is made.
"""

from __future__ import annotations

import struct
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from itertools import chain
from typing import Any

from kwire.protocol.primitives import MalformedError, NullError, read_string_length, read_unsigned_varint
from kwire.protocol.rows import RowLayout, Rows
from kwire.protocol.schema import FIXED, Field, Message, has_records, split_fields
from kwire.protocol.source import ARRAY_COUNT_MAX, Source, array_packers

ROWS_MIN = 4
"""From how many elements on an array of fixed-width structs becomes `Rows`: below, making the objects is as cheap."""


class Decoding:
    """Emits the source. `flexible` chooses compact lengths and tagged fields."""

    def __init__(self, message: type[Message], version: int, names: dict[str, Any]) -> None:
        self.message = message
        self.schema = message.SCHEMA
        self.version = version
        self.flexible = version in self.schema.flexible
        self.source = Source(names)
        self.pending: list[tuple[str, str]] = []  # (struct format, target) of fixed-width reads not yet emitted

    def function(self) -> Source:
        source = self.source
        with source.block("def decode(b, p):"):
            # Slices of bytes are cheaper to decode than those of a memoryview, by more than a small message's copy.
            own = "type(b) is memoryview" if has_records(self.schema) else "type(b) is not bytes"
            with source.block(f"if {own}:"):
                source.emit("b = bytes(b)")
            source.emit("e = len(b)")
            if has_records(self.schema):
                source.emit("m = memoryview(b)")
            with source.block("try:"):
                root = self.new(self.message)
                self.struct(root, self.schema.fields)
                self.flush()
                with source.block("if p > e:"):
                    source.emit('raise MalformedError("the message ends inside a field")')
                source.emit(f"return {root}, p")
            with source.block("except FAULTS as x:"):
                source.emit("raise fault(x, p, e) from None")
        return source

    # ---- structs ---------------------------------------------------------------------------------------------

    def new(self, cls: type[object]) -> str:
        name = self.source.fresh("o")
        self.source.emit(f"{name} = new({self.source.constant('C', cls)})")
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
        self.read("B", "t")
        with source.field("tags"), source.block("if t:"):
            count, unknown, tag, end = (source.fresh(prefix) for prefix in ("t", "u", "k", "z"))
            source.emit(f"{count}, p = read_unsigned_varint(b, p - 1)")
            source.emit(f"{unknown} = {{}}")
            with source.block(f"for _ in range({count}):"):
                source.emit(f"{tag}, p = read_unsigned_varint(b, p)")
                source.emit("n, p = read_unsigned_varint(b, p)")
                source.emit(f"{end} = p + n")
                with source.block(f"if {end} > e:"):
                    source.emit('raise MalformedError("a tagged field of %d bytes" % n)')
                for index, field in enumerate(tagged):
                    with source.block(f"{'elif' if index else 'if'} {tag} == {field.tag}:"), source.field(field.name):
                        self.value(f"{target}.{field.name}", field)
                        self.flush()
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
        nullable = self.version in field.nullable
        compact = self.flexible and not field.classic
        if field.array:
            self.array(target, field, nullable)
        elif field.type in FIXED:
            self.pending.append((FIXED[field.type][0], target))
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
            self.read("b", "n")
        else:
            self.length("", True, "")
        with self.source.block("if n < 0:" if field.tag is None else "if not n:"):
            self.source.emit(f"{target} = None")
        with self.source.block("else:"):
            inner = self.new(cls)
            self.source.emit(f"{target} = {inner}")
            self.struct(inner, fields)
            self.flush()

    def bytes_like(self, target: str, kind: str, nullable: bool, compact: bool) -> None:
        source = self.source
        self.length("h" if kind == "string" else "i", compact, "read_string_length" if kind == "string" else "")
        null = "n < 0" if not compact else "not n"
        end = "p + n - 1" if compact else "p + n"
        slice_ = {
            "string": "b[p:q].decode()",
            "bytes": "bytes(b[p:q])" if has_records(self.schema) else "b[p:q]",
            "records": "m[p:q]",
        }[kind]
        with source.block(f"if {null}:"):
            source.emit(f"{target} = None" if nullable else "raise NullError")
        with source.block("else:") if nullable else nullcontext():
            source.emit(f"q = {end}")
            source.emit(f"{target} = {slice_}")
            source.emit("p = q")

    def array(self, target: str, field: Field, nullable: bool) -> None:
        source = self.source
        self.length("i", self.flexible, "")
        with source.block("if not n:" if self.flexible else "if n < 0:"):
            source.emit(f"{target} = None" if nullable else "raise NullError")
        with source.block("else:") if nullable else nullcontext():
            if self.flexible:
                source.emit("n -= 1")
            with source.block(f"if n * {self.smallest(field)} > e - p:"):
                source.emit('raise MalformedError("an array of %d elements" % n)')
            if field.type in FIXED:
                self.fixed_array(target, field.type)
            elif field.is_struct:
                self.struct_array(target, field)
            else:
                with self.loop(target) as items:
                    item = source.fresh("v")
                    self.bytes_like(item, field.type, False, self.flexible)
                    source.emit(f"{items}.append({item})")

    @contextmanager
    def loop(self, target: str) -> Generator[str]:
        """A loop that makes `n` elements for a new list. Counting down beats `range` for the few that are usual."""
        items, left = self.source.fresh("l"), self.source.fresh("c")
        self.source.emit(f"{target} = {items} = []")
        self.source.emit(f"{left} = n")
        with self.source.block(f"while {left}:"):
            self.source.emit(f"{left} -= 1")
            yield items

    def fixed_array(self, target: str, kind: str) -> None:
        source = self.source
        layout, size = FIXED[kind]
        source.emit(f"q = p + n * {size}")
        with source.block(f"if n <= {ARRAY_COUNT_MAX}:"):
            source.emit(f"{target} = list({source.constant('arrays', array_packers(layout, 'unpack_from'))}[n](b, p))")
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
            source.emit(f"o = new({source.constant('C', cls)})")
            targets = [f"o.{field.name}" for field in plain] + (["t"] if self.flexible else [])
            source.emit(f"{', '.join(targets)}, = row")
            for field in [*absent, *tagged]:
                source.emit(f"o.{field.name} = {self.default(source, field)}")
            source.emit("o.unknown_tags = None")
            source.emit("yield o")
        objects = source.compile("objects", f"rows of {cls.__name__} v{self.version}")
        return RowLayout(size, objects, struct.Struct(">" + layout).iter_unpack)

    def struct_loop(self, target: str, cls: type[object], fields: tuple[Field, ...]) -> None:
        with self.loop(target) as items:
            inner = self.new(cls)
            self.struct(inner, fields)
            self.flush()
            self.source.emit(f"{items}.append({inner})")

    # ---- reads -----------------------------------------------------------------------------------------------

    def read(self, layout: str, target: str) -> None:
        """A fixed-width read whose value is needed at once: takes all that is pending along."""
        self.pending.append((layout, target))
        self.flush()

    def length(self, classic: str, compact: bool, reader: str) -> None:
        if not compact:
            self.read(classic, "n")
            return
        self.read("B", "n")
        with self.source.block("if n > 127:"):
            self.source.emit(f"n, p = {reader or 'read_unsigned_varint'}(b, p - 1)")

    def flush(self) -> None:
        if not self.pending:
            return
        layout = "".join(fmt for fmt, _ in self.pending)
        size = sum(_SIZES[fmt] for fmt, _ in self.pending)
        targets = ", ".join(target for _, target in self.pending)
        if layout == "B":
            self.source.emit(f"{targets} = b[p]")
        else:
            self.source.emit(f"{targets}, = {self.source.packer(layout, 'unpack_from')}(b, p)")
        self.source.emit(f"p += {size}")
        self.pending.clear()

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


_SIZES = dict(FIXED.values()) | {"B": 1}


def _number_rows(layout: str, size: int) -> RowLayout:
    unpack = struct.Struct(">" + layout).iter_unpack

    def numbers(data: bytes | bytearray) -> Iterator[Any]:
        return chain.from_iterable(unpack(data))

    return RowLayout(size, numbers, unpack)


_NUMBER_ROWS = {kind: _number_rows(*FIXED[kind]) for kind in FIXED}

DECODING_NAMES: dict[str, Any] = {
    "new": object.__new__,
    "Rows": Rows,
    "MalformedError": MalformedError,
    "NullError": NullError,
    "read_unsigned_varint": read_unsigned_varint,
    "read_string_length": read_string_length,
}
