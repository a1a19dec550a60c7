"""What a configuration key is: one declaration, from which parsing, checking and documentation all follow.

Names, types, defaults and ranges are Kafka's, so that what people know keeps working. A key is declared only when it
does something; docs/CONFIGURATION.md is written from the tables by `make docs`, and a test fails when it drifts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kwire.errors import UsageError

INT_MAX = 2**31 - 1
LONG_MAX = 2**63 - 1
MINUTE_MS = 60 * 1000
HOUR_MS = 60 * MINUTE_MS

Value = bool | int | float | str | list[str]


class Kind(StrEnum):
    """How the text of a value is read. The names are those that DescribeConfigs reports."""

    BOOLEAN = "boolean"
    INT = "int"
    LONG = "long"
    DOUBLE = "double"
    STRING = "string"
    LIST = "list"


class UpdateMode(StrEnum):
    """When a broker's key may change: at its start only, or while it runs (for all brokers at once, or one by one)."""

    READ_ONLY = "read-only"
    PER_BROKER = "per-broker"
    CLUSTER_WIDE = "cluster-wide"


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """One configuration key: its name, what it takes, what it does.

    A `default` of None is "not set". `broker_name` on a topic's key is the broker-wide key that sets its default
    (`retention.ms` and `log.retention.ms`).
    """

    name: str
    kind: Kind
    default: Value | None
    doc: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    broker_name: str = ""
    update: UpdateMode = UpdateMode.READ_ONLY

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
                raise UsageError(f"{self.name}={text}: must be at least {self.low}")
            if self.high is not None and value > self.high:
                raise UsageError(f"{self.name}={text}: must be at most {self.high}")
        return value

    def _read(self, text: str) -> Value:
        try:
            match self.kind:
                case Kind.BOOLEAN:
                    return {"true": True, "false": False}[text.lower()]
                case Kind.INT | Kind.LONG:
                    value = int(text)
                    limit = INT_MAX if self.kind is Kind.INT else LONG_MAX
                    if not -limit - 1 <= value <= limit or "_" in text:  # Python reads 1_000, Kafka does not
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


def key_table(keys: Iterable[ConfigKey]) -> Mapping[str, ConfigKey]:
    """The keys by name."""
    return {key.name: key for key in keys}


def value_text(value: Value) -> str:
    """A value as it is written in a properties file, and as Kafka shows it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, list) else str(value)


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint that names the most similar of `names`, or nothing if none is near."""
    import difflib  # only for this; not worth its time at every start

    near = difflib.get_close_matches(name, list(names), n=1)
    return f"did you mean {near[0]}?" if near else ""


def find_key(table: Mapping[str, ConfigKey], name: str) -> ConfigKey:
    """The declared key of that name, or `UsageError` that names the nearest one."""
    key = table.get(name)
    if key is None:
        raise UsageError(f"unknown configuration key {name}", nearest(name, table))
    return key
