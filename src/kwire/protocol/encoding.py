"""Writes the flat encode function for one message in one version.

The function appends pieces to a list, so that records which live in a file stay a piece of their own and are never
copied. For Heartbeat 3 it reads:

    def encode(o, a):
        try:
            x = o.group_id.encode(); n = len(x)
            a(pack_h(n)); a(x)
            x = o.member_id.encode(); n = len(x)
            a(pack_ih(o.generation_id, n)); a(x)
            …
        except FAULTS as x:
            raise fault(x) from None

As in decoding, neighbouring fixed-width fields, a following length and the tag count become one `pack`.
A field that this version lacks must hold its default unless the spec calls it ignorable (`~`).
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from kwire.protocol.primitives import write_string_length, write_tags, write_unsigned_varint
from kwire.protocol.schema import FIXED, Field, Message, split_fields
from kwire.protocol.source import Source, array_packers

# KIP-893: a byte tells whether a nullable struct is there: -1 or 1. Kafka writes a tagged one's as an unsigned varint,
# 0 or 1. (ConsumerGroupMemberMetadataValue has the only tagged struct that is ever written as null.)
_NO_STRUCT, _NO_TAGGED_STRUCT = b"\xff", b"\x00"


class Encoding:
    def __init__(self, message: type[Message], version: int, names: dict[str, Any]) -> None:
        self.message = message
        self.schema = message.SCHEMA
        self.version = version
        self.flexible = version in self.schema.flexible
        self.source = Source(names)
        self.pending: list[tuple[str, str]] = []  # (struct format, expression) of fixed-width values not yet emitted

    def function(self) -> Source:
        source = self.source
        with source.block("def encode(o, a):"):
            with source.block("try:"):
                self.struct("o", self.schema.fields)
                self.flush()
                source.emit("return")
            with source.block("except FAULTS as x:"):
                source.emit("raise fault(x) from None")
        return source

    # ---- structs ---------------------------------------------------------------------------------------------

    def struct(self, this: str, fields: tuple[Field, ...]) -> None:
        plain, tagged, absent = split_fields(fields, self.version)
        for field in absent:
            if not field.ignorable:
                with self.source.field(field.name), self.source.block(f"if {self.differs(this, field)}:"):
                    self.source.emit('raise ValueError("a value that this version cannot carry")')
        for field in plain:
            with self.source.field(field.name):
                self.value(f"{this}.{field.name}", field)
        with self.source.field("tags"):
            if self.flexible:
                self.tags(this, tagged)
            else:
                with self.source.block(f"if {this}.unknown_tags:"):
                    self.source.emit('raise ValueError("tagged fields in a version that is not flexible")')

    def tags(self, this: str, tagged: list[Field]) -> None:
        source = self.source
        tags = f"{this}.unknown_tags"
        if tagged:
            self.flush()
            tags = source.fresh("g")
            source.emit(f"{tags} = {this}.unknown_tags")
        for field in tagged:
            with source.field(field.name), source.block(f"if {self.differs(this, field)}:"):
                pieces, outer = source.fresh("r"), source.fresh("a")
                source.emit(f"{pieces} = []; {outer} = a; a = {pieces}.append")
                self.value(f"{this}.{field.name}", field)
                self.flush()
                source.emit(f"a = {outer}")
                source.emit(f"{tags} = {{**({tags} or {{}}), {field.tag}: b''.join({pieces})}}")
        held = list(self.pending)
        with source.block(f"if {tags}:"):
            self.flush()
            source.emit(f"write_tags(a, {tags})")
        with source.block("else:"):
            self.pending = [*held, ("B", "0")]
            self.flush()

    def differs(self, this: str, field: Field) -> str:
        """An expression that is true when the field does not hold its default."""
        value = f"{this}.{field.name}"
        if field.default is ...:
            default = self.source.constant("D", self.message.STRUCTS[field.type].DEFAULT)
            return f"{value} is not {default} and {value} != {default}"
        if field.default is None:
            return f"{value} is not None"
        if field.array:
            return f"{value} is None or len({value})"
        return f"{value} != {field.default!r}"

    # ---- values ----------------------------------------------------------------------------------------------

    def value(self, this: str, field: Field) -> None:
        nullable = self.version in field.nullable
        if field.array:
            self.array(this, field, nullable)
        elif field.type in FIXED:
            self.pending.append((FIXED[field.type][0], this))
        elif field.is_struct:
            self.nested(this, field, nullable)
        else:
            self.bytes_like(this, field.type, nullable, self.flexible and not field.classic)

    def nested(self, this: str, field: Field, nullable: bool) -> None:
        source = self.source
        fields = self.schema.struct(field.type).fields
        inner = source.fresh("o")
        source.emit(f"{inner} = {this}")
        if not nullable:
            self.struct(inner, fields)
            return
        self.flush()
        with source.block(f"if {inner} is None:"):
            source.emit(f"a({(_NO_STRUCT if field.tag is None else _NO_TAGGED_STRUCT)!r})")
        with source.block("else:"):
            self.pending.append(("b", "1"))
            self.struct(inner, fields)
            self.flush()

    def bytes_like(self, this: str, kind: str, nullable: bool, compact: bool) -> None:
        source = self.source
        take = f"x = {this}.encode()" if kind == "string" else f"x = {this}"
        if nullable:
            with source.block(f"if {this} is None:"):
                source.emit(f"x = b''; n = {0 if compact else -1}")
        with source.block("else:") if nullable else nullcontext():
            source.emit(f"{take}; n = len(x){' + 1' if compact else ''}")
        if not compact:
            self.classic_length("h" if kind == "string" else "i")
        elif kind == "string":
            self.compact_length(1, "write_string_length")
        else:
            self.compact_length(3, "write_unsigned_varint")
        source.emit("a(x)")

    def array(self, this: str, field: Field, nullable: bool) -> None:
        source = self.source
        items = source.fresh("l")
        source.emit(f"{items} = {this}")
        if nullable:
            with source.block(f"if {items} is None:"):
                source.emit(f"{items} = (); n = {0 if self.flexible else -1}")
        with source.block("else:") if nullable else nullcontext():
            source.emit(f"n = len({items}){' + 1' if self.flexible else ''}")
        if self.flexible:
            self.compact_length(1, "write_unsigned_varint")
        else:
            self.classic_length("i")
        if field.type in FIXED:
            packers = source.constant("arrays", array_packers(FIXED[field.type][0], "pack"))
            with source.block("if n > 1:" if self.flexible else "if n > 0:"):
                source.emit(f"a({packers}[{'n - 1' if self.flexible else 'n'}](*{items}))")
            return
        item = source.fresh("o")
        with source.block(f"for {item} in {items}:"):
            if field.is_struct:
                self.struct(item, self.schema.struct(field.type).fields)
                self.flush()
            else:
                self.bytes_like(item, field.type, False, self.flexible)

    # ---- writes ----------------------------------------------------------------------------------------------

    def classic_length(self, layout: str) -> None:
        """The length `n`, together with all that is pending."""
        self.pending.append((layout, "n"))
        self.flush()

    def compact_length(self, bytes_usual: int, writer: str) -> None:
        """The same as a varint. Up to that many bytes it is packed with what is pending; a longer one has a writer."""
        held = list(self.pending)
        for count in range(1, bytes_usual + 1):
            with self.source.block(f"{'elif' if count > 1 else 'if'} n < {1 << 7 * count}:"):
                self.pending = [*held, *(("B", digit) for digit in _VARINT_DIGITS[count])]
                self.flush()
        with self.source.block("else:"):
            self.pending = held
            self.flush()
            self.source.emit(f"a({writer}(n))")

    def flush(self) -> None:
        if not self.pending:
            return
        layout = "".join(fmt for fmt, _ in self.pending)
        values = [expression for _, expression in self.pending]
        if layout == "B":
            self.source.emit(f"a(BYTES[{values[0]}])")
        else:
            self.source.emit(f"a({self.source.packer(layout, 'pack')}({', '.join(values)}))")
        self.pending.clear()


# By how many they are: the bytes of `n` as an unsigned varint.
_VARINT_DIGITS = {
    1: ("n",),
    2: ("n & 127 | 128", "n >> 7"),
    3: ("n & 127 | 128", "n >> 7 & 127 | 128", "n >> 14"),
}

ENCODING_NAMES: dict[str, Any] = {
    "BYTES": [bytes([value]) for value in range(128)],
    "write_unsigned_varint": write_unsigned_varint,
    "write_string_length": write_string_length,
    "write_tags": write_tags,
}
