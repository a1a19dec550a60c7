"""What a message looks like: the values that specs are parsed into and that generated classes carry.

A `MessageSchema` is the whole truth about one message in all its versions. The parser makes it from a spec, the
generator writes it into the generated class, the codec compiles flat functions from it for one version at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, Self, cast

LATEST = 32767
"""Upper end of an open range of versions, `3+`: versions are int16 on the wire."""

Tags = dict[int, bytes]
"""Tagged fields that this version of the schema does not know, by tag, kept as they came."""

Buffer = bytes | bytearray | memoryview

ZERO_UUID = bytes(16)


class Sized(Protocol):
    """Record bytes that live elsewhere, such as a region of a file: only their length goes into the message."""

    def __len__(self) -> int: ...


Records = bytes | bytearray | memoryview | Sized


class Versions(NamedTuple):
    """An inclusive range of versions. `NEVER` is empty."""

    low: int
    high: int

    def __contains__(self, version: object) -> bool:
        return isinstance(version, int) and self.low <= version <= self.high

    def __str__(self) -> str:
        if self.high == LATEST:
            return f"{self.low}+"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


NEVER = Versions(1, 0)
ALWAYS = Versions(0, LATEST)

# name -> (struct format character, size in bytes): everything that always takes the same room.
FIXED: dict[str, tuple[str, int]] = {
    "bool": ("?", 1),
    "int8": ("b", 1),
    "int16": ("h", 2),
    "uint16": ("H", 2),
    "int32": ("i", 4),
    "uint32": ("I", 4),
    "int64": ("q", 8),
    "float64": ("d", 8),
    "uuid": ("16s", 16),
}
VARIABLE = frozenset({"string", "bytes", "records"})


class Field(NamedTuple):
    """One field of a struct, in all versions.

    `type` is a primitive's name or a struct's; the default `...` is a struct's own; `classic` keeps the two-byte
    length in flexible versions (the client id of the request header is the only such field); `key` marks what
    identifies an element of an array.
    """

    name: str
    type: str
    array: bool = False
    versions: Versions = ALWAYS
    nullable: Versions = NEVER
    tag: int | None = None
    default: Any = None
    ignorable: bool = False
    key: bool = False
    classic: bool = False

    @property
    def is_struct(self) -> bool:
        return self.type not in FIXED and self.type not in VARIABLE


class StructSchema(NamedTuple):
    name: str
    fields: tuple[Field, ...]


class MessageSchema(NamedTuple):
    """One message: its fields, the structs they use, and in which versions it exists and is flexible (KIP-482)."""

    name: str
    versions: Versions
    flexible: Versions
    fields: tuple[Field, ...]
    structs: tuple[StructSchema, ...] = ()

    def struct(self, name: str) -> StructSchema:
        return next(struct for struct in self.structs if struct.name == name)


def has_records(schema: MessageSchema) -> bool:
    """Whether record bytes are in the message. Only such a message is decoded from a bytearray, which the broker goes
    on to change in place; any other is decoded from bytes, so that a slice is a value of its own."""
    fields = [*schema.fields, *(field for struct_ in schema.structs for field in struct_.fields)]
    return any(field.type == "records" for field in fields)


def split_fields(fields: tuple[Field, ...], version: int) -> tuple[list[Field], list[Field], list[Field]]:
    """Fields in the body, tagged fields by tag, and fields that this version does not have."""
    present = [field for field in fields if version in field.versions]
    plain = [field for field in present if field.tag is None]
    tagged = sorted((field for field in present if field.tag is not None), key=lambda field: field.tag or 0)
    return plain, tagged, [field for field in fields if version not in field.versions]


class Struct:
    """Base of all generated classes: values with slots, compared by what they hold.

    The attributes are `Final` to the type checker; nothing enforces it at run time, because a frozen constructor
    would cost more than the whole decoding of a small message.
    """

    __slots__ = ("unknown_tags",)

    unknown_tags: Tags | None

    DEFAULT: ClassVar[Self]
    """The one shared default value: the encoder leaves it out of tagged fields by identity."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_same(getattr(self, name), getattr(other, name)) for name in self.__slots__) and (
            (self.unknown_tags or None) == (other.unknown_tags or None)
        )

    __hash__ = None  # pyright: ignore[reportAssignmentType]  # values that hold lists

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        tags = f", unknown_tags={self.unknown_tags!r}" if self.unknown_tags else ""
        return f"{type(self).__qualname__}({shown}{tags})"


def _same(left: Any, right: Any) -> bool:
    """Equality that takes a tuple for a list: both stand for an array, and `()` is the default of one."""
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        ours, theirs = cast("Sequence[Any]", left), cast("Sequence[Any]", right)
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return bool(left == right)


class Message(Struct):
    """Base of the generated top-level messages. `SCHEMA` describes it; `STRUCTS` maps struct names to classes."""

    __slots__ = ()

    SCHEMA: ClassVar[MessageSchema]
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}
