"""Hypothesis strategies for valid messages: any message class, any of its versions.

`messages(FetchRequest, 12)` makes objects that version 12 can carry: fields that it lacks hold their defaults, nulls
stand only where it allows them, and unknown tags only where it is flexible. The values lean towards the edges at which
a codec goes wrong: the ends of a number's range, lengths around 127 where a compact length grows a second byte, arrays
around the sizes at which the decoder changes its method.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from kwire.protocol.decoding import ROWS_MIN
from kwire.protocol.schema import Field, Message, Struct
from kwire.protocol.source import ARRAY_COUNT_MAX

EXAMPLES_DEFAULT = 5


def law(share: float = 1.0) -> Callable[[Any], Any]:
    """Settings of a test that runs over all messages: the same examples every time, few of them for each message.

    KWIRE_HYPOTHESIS_EXAMPLES asks for more. `share` is for laws that need fewer than the others.
    """
    asked = int(os.environ.get("KWIRE_HYPOTHESIS_EXAMPLES", EXAMPLES_DEFAULT))
    return settings(
        max_examples=max(1, round(asked * share)),
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


_BITS = {"int8": (8, True), "int16": (16, True), "uint16": (16, False), "int32": (32, True), "uint32": (32, False),
         "int64": (64, True)}  # fmt: skip
_TEXTS = ["a", "topic-1", "über", "日本", "𝄞", "\x00", "x" * 126, "x" * 127, "é" * 64, "日" * 100, "y" * 300]
_BLOBS = [b"", b"\x00", b"\xff" * 3, bytes(range(126)), bytes(127), bytes(128), bytes(range(256)) * 2]

# Around where the decoder changes its method, and where a compact count grows a second byte.
_COUNTS = [ROWS_MIN - 1, ROWS_MIN, ROWS_MIN + 1, ARRAY_COUNT_MAX, ARRAY_COUNT_MAX + 1, 126, 127, 128, 200]


def _integers(bits: int, signed: bool) -> st.SearchStrategy[int]:
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    edges = [value for value in (0, 1, -1, 127, 128, low, low + 1, high, high - 1) if low <= value <= high]
    return st.sampled_from(edges) | st.integers(low, high)


_SCALARS: dict[str, st.SearchStrategy[Any]] = {
    **{kind: _integers(*shape) for kind, shape in _BITS.items()},
    "bool": st.booleans(),
    "float64": st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 1.5, 5e-324, 1.7e308]),
    "uuid": st.sampled_from([bytes(16), bytes(range(16)), b"\xff" * 16]) | st.binary(min_size=16, max_size=16),
    "string": st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(_TEXTS),
    "bytes": st.binary(max_size=6) | st.sampled_from(_BLOBS),
    "records": st.sampled_from(_BLOBS) | st.binary(max_size=70),
}


@cache
def messages(message: type[Message], version: int) -> st.SearchStrategy[Any]:
    return _Makers(message, version).struct(message, message.SCHEMA.fields)


@cache
def messages_without_unknown_tags(message: type[Message], version: int) -> st.SearchStrategy[Any]:
    return _WithoutUnknownTags(message, version).struct(message, message.SCHEMA.fields)


class _Makers:
    def __init__(self, message: type[Message], version: int) -> None:
        self.message = message
        self.schema = message.SCHEMA
        self.version = version
        self.flexible = version in self.schema.flexible

    def struct(
        self,
        cls: type[Struct],
        fields: tuple[Field, ...],
        array: Callable[[Field], st.SearchStrategy[Any]] | None = None,
    ) -> st.SearchStrategy[Any]:
        present = [field for field in fields if self.version in field.versions]
        names = [field.name for field in present] + ["unknown_tags"]
        known = {field.tag for field in present}

        def make(values: tuple[Any, ...]) -> Struct:
            return cls(**dict(zip(names, values, strict=True)))

        values = [self.field(field, array or self.array) for field in present]
        return st.tuples(*values, self.unknown_tags(known)).map(make)

    def unknown_tags(self, known: set[int | None]) -> st.SearchStrategy[dict[int, bytes] | None]:
        nothing = st.none()
        if not self.flexible:
            return nothing
        numbers = [tag for tag in (0, 1, 2, 5, 127, 128, 99_999, 2**31 - 2) if tag not in known]
        tags = st.dictionaries(st.sampled_from(numbers), _SCALARS["bytes"], min_size=1, max_size=3)
        return _mostly(nothing, tags, 3)

    def field(self, field: Field, array: Callable[[Field], st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
        values = array(field) if field.array else self.single(field)
        if self.version in field.nullable:
            values = st.none() | values
        if field.tag is not None:  # left out of the message when it holds its default
            default = self.message.STRUCTS[field.type].DEFAULT if field.default is ... else field.default
            values = st.just(default) | values
        return values

    def single(self, field: Field) -> st.SearchStrategy[Any]:
        if field.is_struct:
            return self.struct(self.message.STRUCTS[field.type], self.schema.struct(field.type).fields)
        return _SCALARS[field.type]

    def array(self, field: Field) -> st.SearchStrategy[Any]:
        few = st.lists(self.single(field), max_size=3)
        plain = self.single(field)
        if field.is_struct:  # many elements hold empty arrays, because the sizes would multiply
            fields = self.schema.struct(field.type).fields
            plain = self.struct(self.message.STRUCTS[field.type], fields, lambda _: st.just([]))
        many = st.tuples(st.lists(plain, min_size=1, max_size=3), st.sampled_from(_COUNTS)).map(_repeated)
        return _mostly(few, many, 9)


class _WithoutUnknownTags(_Makers):
    def unknown_tags(self, known: set[int | None]) -> st.SearchStrategy[dict[int, bytes] | None]:
        return st.none()


def _mostly(usual: st.SearchStrategy[Any], rare: st.SearchStrategy[Any], odds: int) -> st.SearchStrategy[Any]:
    """`usual`, and once in a while `rare`. (`one_of` takes each alternative once, however often it is named.)"""
    return st.sampled_from([usual] * odds + [rare]).flatmap(lambda chosen: chosen)


def _repeated(drawn: tuple[list[Any], int]) -> list[Any]:
    elements, count = drawn
    return [elements[index % len(elements)] for index in range(count)]
