"""Valid messages at random, for any message class and version: quick to make, the same for the same seed."""

from __future__ import annotations

from random import Random
from typing import Any

from kwire.protocol.schema import Field, Message, Struct

_BITS = {"int8": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32, "int64": 64}
_COUNTS = (0, 0, 1, 1, 1, 2, 3, 5)


class RandomMessages:
    """Makes messages of one seed. Most are small, as most requests are; now and then an array has many elements."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def message(self, message: type[Message], version: int) -> Any:
        return self._struct(message, message, message.SCHEMA.fields, version, 0)

    def _struct(
        self, message: type[Message], cls: type[Struct], fields: tuple[Field, ...], version: int, depth: int
    ) -> Any:
        values = {
            field.name: self._field(message, field, version, depth) for field in fields if version in field.versions
        }
        if version in message.SCHEMA.flexible and self.random.random() < 0.1:
            values["unknown_tags"] = {self.random.choice((17, 200)): self.random.randbytes(self.random.randrange(9))}
        return cls(**values)

    def _field(self, message: type[Message], field: Field, version: int, depth: int) -> Any:
        if version in field.nullable and self.random.random() < 0.2:
            return None
        if not field.array:
            return self._single(message, field, version, depth)
        many = depth == 0 and self.random.random() < 0.03
        count = self.random.choice((70, 130)) if many else self.random.choice(_COUNTS)
        return [self._single(message, field, version, depth + 1) for _ in range(count)]

    def _single(self, message: type[Message], field: Field, version: int, depth: int) -> Any:
        random, kind = self.random, field.type
        if kind in _BITS:
            bits = _BITS[kind] - 1
            value = random.choice((0, 1, (1 << bits) - 1, random.getrandbits(bits)))
            return value if kind.startswith("u") else random.choice((value, ~value))
        if kind == "bool":
            return random.random() < 0.5
        if kind == "float64":
            return random.choice((0.0, 0.5, -1e300))
        if kind == "uuid":
            return random.randbytes(16)
        if kind == "string":
            return "".join(random.choices("abcü日𝄞-", k=random.choice((0, 3, 8, 130))))
        if kind in ("bytes", "records"):
            return random.randbytes(random.choice((0, 4, 40, 200)))
        return self._struct(message, message.STRUCTS[kind], message.SCHEMA.struct(kind).fields, version, depth + 1)
