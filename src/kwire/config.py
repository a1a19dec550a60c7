"""The declared configuration keys: one table, from which parsing, checking and documentation all follow.

Names, types and defaults are Kafka's, so that what people know keeps working. A key stands here only when it does
something; docs/CONFIGURATION.md is written from these tables by `make docs`, and a test fails when it drifts.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kwire.errors import UsageError

INT_MAX = 2**31 - 1
LONG_MAX = 2**63 - 1

Value = bool | int | float | str | list[str]


class Kind(StrEnum):
    """How the text of a value is read. The names are those that DescribeConfigs reports."""

    BOOLEAN = "boolean"
    INT = "int"
    LONG = "long"
    DOUBLE = "double"
    STRING = "string"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """One configuration key: its name, what it takes, what it does.

    `broker_name` on a topic's key is the broker-wide key that sets its default (`retention.ms` and `log.retention.ms`).
    """

    name: str
    kind: Kind
    default: Value
    doc: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    broker_name: str = ""

    def parse(self, text: str) -> Value:
        """The value that `text` stands for, or `UsageError` saying what was expected instead."""
        value = self._read(text.strip())
        if self.choices:
            given = value if isinstance(value, list) else [str(value)]
            wrong = [item for item in given if item not in self.choices]
            if wrong:
                raise UsageError(f"{self.name}={text}: expected one of {', '.join(self.choices)}")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if self.low is not None and value < self.low:
                raise UsageError(f"{self.name}={text}: must be at least {self.low:g}")
            if self.high is not None and value > self.high:
                raise UsageError(f"{self.name}={text}: must be at most {self.high:g}")
        return value

    def _read(self, text: str) -> Value:
        try:
            match self.kind:
                case Kind.BOOLEAN:
                    return {"true": True, "false": False}[text.lower()]
                case Kind.INT | Kind.LONG:
                    value = int(text)
                    limit = INT_MAX if self.kind is Kind.INT else LONG_MAX
                    if not -limit - 1 <= value <= limit:
                        raise ValueError(text)
                    return value
                case Kind.DOUBLE:
                    return float(text)
                case Kind.LIST:
                    return [item.strip() for item in text.split(",") if item.strip()]
                case Kind.STRING:
                    return text
        except (ValueError, KeyError):
            raise UsageError(f"{self.name}={text}: expected a value of type {self.kind}") from None


def _table(keys: Iterable[ConfigKey]) -> Mapping[str, ConfigKey]:
    return {key.name: key for key in keys}


BROKER_KEYS = _table(
    [
        ConfigKey(
            "socket.request.max.bytes",
            Kind.INT,
            100 * 1024 * 1024,
            "The largest request that is read. A connection that announces a larger one is closed.",
            low=1,
        ),
        ConfigKey(
            "listeners",
            Kind.LIST,
            ["PLAINTEXT://127.0.0.1:9092"],
            "Where the broker listens, as NAME://host:port. Port 0 takes a free one.",
        ),
    ]
)
"""Keys of the whole broker, as in server.properties."""


def find_key(table: Mapping[str, ConfigKey], name: str) -> ConfigKey:
    """The declared key of that name, or `UsageError` that names the nearest one."""
    key = table.get(name)
    if key is None:
        near = difflib.get_close_matches(name, table, n=1)
        raise UsageError(f"unknown configuration key {name}", f"did you mean {near[0]}?" if near else "")
    return key
