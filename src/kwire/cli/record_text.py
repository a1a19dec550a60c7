"""Records as text: lines become records, records become lines, as templates or JSON say. Bytes stay what they are.

JSON, one object per line, is the same both ways, so that `kwire consume a --json | kwire produce b --from-json` copies:

    {"topic":"a","partition":0,"offset":7,"timestamp":1700000000000,"key":"k","value":"v","headers":[{"key":"h","value":"x"}]}

Bytes that are not UTF-8 stand under another name, in base64: `value_base64` instead of `value`.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

from kwire.errors import UsageError
from kwire.records.record import Header, Record

_ESCAPES = {"n": b"\n", "t": b"\t", "r": b"\r", "0": b"\0", "\\": b"\\"}
_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{2}|.)", re.DOTALL)


def unescaped(text: str) -> bytes:
    r"""What a person means by `\n`, `\t`, `\r`, `\0`, `\\` and `\x1f` on a command line; all else is itself."""

    def replace(match: re.Match[bytes]) -> bytes:
        name = match[1].decode("latin-1")
        if len(name) == 3:
            return bytes.fromhex(name[1:])
        if name not in _ESCAPES:
            raise UsageError(rf"unknown escape \{name} in {text!r}", r"\n \t \r \0 \\ and \xHH are known")
        return _ESCAPES[name]

    return _ESCAPE.sub(replace, os.fsencode(text))


class InputRecord(NamedTuple):
    """A record to be produced."""

    key: bytes | None
    value: bytes | None
    headers: tuple[Header, ...] = ()
    timestamp: int | None = None


class InputError(ValueError):
    """A line that is no record: why."""


# ---- lines to records -------------------------------------------------------------------------------------------


class LineSplitter:
    """Cuts bytes, in whatever pieces they come, into lines without their delimiter."""

    def __init__(self, delimiter: bytes) -> None:
        assert delimiter
        self._delimiter = delimiter
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        *lines, self._rest = (self._rest + data).split(self._delimiter)
        return lines

    def finish(self) -> list[bytes]:
        """What stands behind the last delimiter, if anything does."""
        rest, self._rest = self._rest, b""
        return [rest] if rest else []


class LineFormat(NamedTuple):
    """How a line of text becomes a record."""

    key_separator: bytes | None = None
    key: bytes | None = None  # of every record
    null_value: bytes | None = None  # what stands for null
    headers: tuple[Header, ...] = ()  # of every record

    def parse(self, line: bytes) -> InputRecord:
        key, value = self.key, line
        if self.key_separator is not None:
            key, found, value = line.partition(self.key_separator)
            if not found:
                raise InputError(f"no key separator {self.key_separator.decode(errors='replace')!r}")
        if self.null_value is None:
            return InputRecord(key, value, self.headers)
        return InputRecord(
            None if key == self.null_value else key, None if value == self.null_value else value, self.headers
        )


class JsonFormat(NamedTuple):
    """How a line of JSON becomes a record: see the module. `topic`, `partition` and `offset` are passed over."""

    headers: tuple[Header, ...] = ()  # of every record, before its own

    def parse(self, line: bytes) -> InputRecord:
        try:
            fields: Any = json.loads(line)
        except ValueError as error:
            raise InputError(f"not JSON: {error}") from None
        if not isinstance(fields, dict):
            raise InputError("not a JSON object")
        row = cast("dict[str, Any]", fields)
        timestamp = row.get("timestamp")
        if not (timestamp is None or type(timestamp) is int):
            raise InputError("timestamp is not an integer")
        headers: Any = row.get("headers") or []
        if not isinstance(headers, list):
            raise InputError("headers are not a list")
        own = tuple(map(self._header, cast("list[Any]", headers)))
        return InputRecord(_bytes_of(row, "key"), _bytes_of(row, "value"), self.headers + own, timestamp)

    @staticmethod
    def _header(item: Any) -> Header:
        row = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
        name = row.get("key")
        if not isinstance(name, str):
            raise InputError('a header is not {"key": ..., "value": ...}')
        return name, _bytes_of(row, "value")


def _bytes_of(row: Mapping[str, Any], name: str) -> bytes | None:
    encoded = row.get(f"{name}_base64")
    if encoded is not None:
        try:
            return base64.b64decode(encoded, validate=True)
        except (binascii.Error, TypeError, ValueError):
            raise InputError(f"{name}_base64 is not base64") from None
    value = row.get(name)
    if value is None:
        return None
    # Numbers, objects and lists are sent as the JSON that they are.
    return value.encode() if isinstance(value, str) else json.dumps(value, ensure_ascii=False).encode()


# ---- records to lines -------------------------------------------------------------------------------------------


def record_json(topic: str, partition: int, record: Record) -> bytes:
    """One line of JSON."""
    row: dict[str, Any] = {
        "topic": topic,
        "partition": partition,
        "offset": record.offset,
        "timestamp": record.timestamp,
        **_shown("key", record.key),
        **_shown("value", record.value),
        "headers": [{"key": _text(name), **_shown("value", value)} for name, value in record.headers],
    }
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _shown(name: str, value: bytes | None) -> dict[str, str | None]:
    if value is None:
        return {name: None}
    try:
        return {name: value.decode()}
    except UnicodeDecodeError:
        return {f"{name}_base64": base64.b64encode(value).decode()}


def _text(name: str) -> str:
    """A header's name as JSON can carry it: bytes that are no UTF-8 are replaced, since a name has no second form."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


Token = Callable[[str, int, Record, bytes], bytes]

# What a template may hold, after kcat's: (topic, partition, record, text for null) -> bytes.
TOKENS: dict[str, Token] = {
    "t": lambda topic, partition, record, null: topic.encode(),
    "p": lambda topic, partition, record, null: b"%d" % partition,
    "o": lambda topic, partition, record, null: b"%d" % record.offset,
    "T": lambda topic, partition, record, null: b"%d" % record.timestamp,
    "k": lambda topic, partition, record, null: null if record.key is None else record.key,
    "v": lambda topic, partition, record, null: null if record.value is None else record.value,
    "K": lambda topic, partition, record, null: b"%d" % (-1 if record.key is None else len(record.key)),
    "V": lambda topic, partition, record, null: b"%d" % (-1 if record.value is None else len(record.value)),
    "h": lambda topic, partition, record, null: headers_text(record, null),
    "%": lambda topic, partition, record, null: b"%",
}


def headers_text(record: Record, null: bytes) -> bytes:
    """a=1,b=2"""
    return b",".join(
        name.encode("utf-8", "surrogateescape") + b"=" + (null if value is None else value)
        for name, value in record.headers
    )


class Template:
    """A compiled `--format`: literal bytes and tokens."""

    def __init__(self, text: str, null_text: bytes) -> None:
        self._null_text = null_text
        self._parts: list[bytes | Token] = []
        for match in re.finditer(r"%(.?)|[^%]+", text, re.DOTALL):
            name: str | None = match[1]
            if name is None:
                self._parts.append(unescaped(match[0]))
            elif name in TOKENS:
                self._parts.append(TOKENS[name])
            else:
                known = " ".join(f"%{each}" for each in TOKENS)
                raise UsageError(f"unknown %{name} in {text!r}", f"known are {known}")

    def render(self, topic: str, partition: int, record: Record) -> bytes:
        null = self._null_text
        return b"".join(
            part if isinstance(part, bytes) else part(topic, partition, record, null) for part in self._parts
        )
