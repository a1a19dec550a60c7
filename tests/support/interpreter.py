"""A slow, obvious codec: walks the parsed spec field by field, one message in one version.

It is what the compiled codec is checked against, so it shares nothing with it but the parsed schema: no `struct`, no
`kwire.protocol.primitives`, no clever order of reads. Everything is `int.from_bytes` on a memoryview one way and
`int.to_bytes` the other. Messages are dicts here: field name -> value, structs as dicts of their own, and
`unknown_tags` in each.
"""

from __future__ import annotations

import math
from typing import Any

from kwire.protocol.schema import Field, Message, MessageSchema, Struct

INTEGERS = {  # type -> (bytes, signed)
    "int8": (1, True),
    "int16": (2, True),
    "uint16": (2, False),
    "int32": (4, True),
    "uint32": (4, False),
    "int64": (8, True),
}
PRIMITIVES = {*INTEGERS, "bool", "float64", "uuid", "string", "bytes", "records"}


class BadBytesError(Exception):
    """The bytes are not such a message."""


class BadValueError(Exception):
    """The value cannot be written in this version."""


def decode(schema: MessageSchema, version: int, data: bytes, position: int = 0) -> tuple[dict[str, Any], int]:
    """The message that starts at `position`, and the position behind it."""
    reader = _Reader(schema, version, memoryview(data), position)
    return reader.fields(schema.fields), reader.position


def encode(schema: MessageSchema, version: int, value: dict[str, Any]) -> bytes:
    writer = _Writer(schema, version)
    writer.fields(schema.fields, value)
    return bytes(writer.out)


def as_dict(value: Message) -> dict[str, Any]:
    """A generated object in the form that this module speaks."""
    return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        fields = {name: _plain(getattr(value, name)) for name in value.__slots__}
        return {**fields, "unknown_tags": value.unknown_tags or {}}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return [_plain(element) for element in value]


def default(schema: MessageSchema, field: Field) -> Any:
    if field.default is ...:
        members = schema.struct(field.type).fields
        return {**{member.name: default(schema, member) for member in members}, "unknown_tags": {}}
    return [] if field.array and field.default is not None else field.default


class _Walker:
    def __init__(self, schema: MessageSchema, version: int) -> None:
        self.schema = schema
        self.version = version
        self.flexible = version in schema.flexible

    def present(self, field: Field) -> bool:
        return self.version in field.versions

    def nullable(self, field: Field) -> bool:
        return self.version in field.nullable

    def compact(self, field: Field) -> bool:
        return self.flexible and not field.classic


class _Reader(_Walker):
    def __init__(self, schema: MessageSchema, version: int, data: memoryview, position: int) -> None:
        super().__init__(schema, version)
        self.data = data
        self.position = position

    def take(self, size: int) -> memoryview:
        if size > len(self.data) - self.position:
            raise BadBytesError(f"{size} bytes wanted at {self.position} of {len(self.data)}")
        self.position += size
        return self.data[self.position - size : self.position]

    def integer(self, kind: str) -> int:
        size, signed = INTEGERS[kind]
        return int.from_bytes(self.take(size), "big", signed=signed)

    def unsigned_varint(self) -> int:
        value = 0
        for shift in range(0, 35, 7):
            byte = self.take(1)[0]
            value += (byte % 128) << shift
            if byte < 128:
                if value >= 2**32:
                    raise BadBytesError("more than 32 bits")
                return value
        raise BadBytesError("more than five bytes")

    def length(self, field: Field, classic_kind: str) -> int | None:
        """Length of a string, bytes or an array; None for null."""
        if self.compact(field):
            length = self.unsigned_varint() - 1
        else:
            length = self.integer(classic_kind)
        return None if length < 0 else length

    def there(self, field: Field) -> bool:
        """Whether a nullable struct follows. Kafka tells it of a tagged struct in another way."""
        return self.integer("int8") >= 0 if field.tag is None else self.unsigned_varint() > 0

    def fields(self, fields: tuple[Field, ...]) -> dict[str, Any]:
        value = {field.name: default(self.schema, field) for field in fields}
        for field in fields:
            if self.present(field) and field.tag is None:
                value[field.name] = self.value(field)
        value["unknown_tags"] = {}
        if self.flexible:
            self.tagged_fields(fields, value)
        return value

    def tagged_fields(self, fields: tuple[Field, ...], value: dict[str, Any]) -> None:
        for _ in range(self.unsigned_varint()):
            tag = self.unsigned_varint()
            size = self.unsigned_varint()
            if size > len(self.data) - self.position:
                raise BadBytesError(f"a tagged field of {size} bytes")
            end = self.position + size
            known = [field for field in fields if self.present(field) and field.tag == tag]
            if known:
                value[known[0].name] = self.value(known[0])
                if self.position != end:
                    raise BadBytesError("a tagged field of another size than it said")
            else:
                value["unknown_tags"][tag] = bytes(self.take(size))

    def value(self, field: Field) -> Any:
        if not field.array:
            return self.single(field, self.nullable(field))
        count = self.length(field, "int32")
        if count is None:
            if not self.nullable(field):
                raise BadBytesError(f"{field.name} is null")
            return None
        elements: list[Any] = []
        for _ in range(count):
            before = self.position
            elements.append(self.single(field, False))
            if self.position == before:
                raise BadBytesError("elements of no size at all: their count says nothing")
        return elements

    def single(self, field: Field, nullable: bool) -> Any:
        kind = field.type
        if kind in INTEGERS:
            return self.integer(kind)
        if kind == "bool":
            return self.take(1)[0] != 0
        if kind == "uuid":
            return bytes(self.take(16))
        if kind == "float64":
            return _float_from_bits(int.from_bytes(self.take(8), "big"))
        if kind not in PRIMITIVES:
            if nullable and not self.there(field):
                return None
            return self.fields(self.schema.struct(kind).fields)
        length = self.length(field, "int16" if kind == "string" else "int32")
        if length is None:
            if not nullable:
                raise BadBytesError(f"{field.name} is null")
            return None
        if kind == "string":
            if length > 32767:
                raise BadBytesError("a string over the limit")
            try:
                return str(self.take(length), "utf-8")
            except UnicodeDecodeError:
                raise BadBytesError("not UTF-8") from None
        return bytes(self.take(length))


class _Writer(_Walker):
    def __init__(self, schema: MessageSchema, version: int) -> None:
        super().__init__(schema, version)
        self.out = bytearray()

    def integer(self, kind: str, value: int) -> None:
        size, signed = INTEGERS[kind]
        try:
            self.out += value.to_bytes(size, "big", signed=signed)
        except OverflowError:
            raise BadValueError(f"{value} is no {kind}") from None

    def unsigned_varint(self, value: int) -> None:
        while value >= 128:
            self.out.append(value % 128 + 128)
            value //= 128
        self.out.append(value)

    def length(self, field: Field, classic_kind: str, length: int | None) -> None:
        if self.compact(field):
            self.unsigned_varint(0 if length is None else length + 1)
        else:
            self.integer(classic_kind, -1 if length is None else length)

    def fields(self, fields: tuple[Field, ...], value: dict[str, Any]) -> None:
        for field in fields:
            if self.present(field):
                if field.tag is None:
                    self.value(field, value[field.name])
            elif not field.ignorable and value[field.name] != default(self.schema, field):
                raise BadValueError(f"{field.name} is not in version {self.version}")
        if self.flexible:
            self.tagged_fields(fields, value)
        elif value["unknown_tags"]:
            raise BadValueError(f"tags in version {self.version}")

    def tagged_fields(self, fields: tuple[Field, ...], value: dict[str, Any]) -> None:
        tags: dict[int, bytes] = dict(value["unknown_tags"])
        for field in fields:
            if self.present(field) and field.tag is not None and value[field.name] != default(self.schema, field):
                inner = _Writer(self.schema, self.version)
                inner.value(field, value[field.name])
                tags[field.tag] = bytes(inner.out)
        self.unsigned_varint(len(tags))
        for tag, content in sorted(tags.items()):
            self.unsigned_varint(tag)
            self.unsigned_varint(len(content))
            self.out += content

    def value(self, field: Field, value: Any) -> None:
        if not field.array:
            self.single(field, value, self.nullable(field))
            return
        if value is None and not self.nullable(field):
            raise BadValueError(f"{field.name} is null")
        self.length(field, "int32", None if value is None else len(value))
        for element in value or ():
            self.single(field, element, False)

    def single(self, field: Field, value: Any, nullable: bool) -> None:
        kind = field.type
        if value is None and not nullable:
            raise BadValueError(f"{field.name} is null")
        if kind in INTEGERS:
            self.integer(kind, value)
        elif kind == "bool":
            self.out.append(1 if value else 0)
        elif kind == "uuid":
            self.out += value
        elif kind == "float64":
            self.out += _bits_of_float(value).to_bytes(8, "big")
        elif kind not in PRIMITIVES:
            if nullable:
                missing = -1 if field.tag is None else 0
                self.integer("int8", missing if value is None else 1)
            if value is not None:
                self.fields(self.schema.struct(kind).fields, value)
        else:
            content = value.encode() if kind == "string" and value is not None else value
            if kind == "string" and content is not None and len(content) > 32767:
                raise BadValueError("a string over the limit")
            self.length(field, "int16" if kind == "string" else "int32", None if content is None else len(content))
            self.out += content or b""


def _float_from_bits(bits: int) -> float:
    """IEEE 754 binary64: 1 bit of sign, 11 of exponent, 52 of fraction."""
    sign = -1.0 if bits >> 63 else 1.0
    exponent, fraction = (bits >> 52) % 2048, bits % 2**52
    if exponent == 2047:
        return math.nan if fraction else sign * math.inf
    if exponent == 0:
        return sign * math.ldexp(fraction, -1074)
    return sign * math.ldexp(2**52 + fraction, exponent - 1075)


def _bits_of_float(value: float) -> int:
    sign = 2**63 if math.copysign(1.0, value) < 0 else 0
    if math.isnan(value):
        return 0x7FF8 << 48
    if math.isinf(value):
        return sign + (2047 << 52)
    mantissa, exponent = math.frexp(abs(value))  # value = mantissa * 2**exponent, 0.5 <= mantissa < 1
    if mantissa == 0.0:
        return sign
    biased = exponent + 1022
    if biased <= 0:
        return sign + int(math.ldexp(abs(value), 1074))
    return sign + (biased << 52) + int(math.ldexp(mantissa, 53)) - 2**52
