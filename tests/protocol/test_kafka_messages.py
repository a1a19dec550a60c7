"""Bytes that Kafka 4.3's own message classes wrote: every message in every version, at its defaults and with values.

golden/kafka_messages.tsv was made by MessageEcho.java, which reads and writes with the classes in Kafka's jars.
`default` is a new object, which shows every default that is on the wire; `value` has something in its fields.
`-` stands for no bytes.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import interpreter
from catalogue import MESSAGE_VERSIONS, SCHEMAS
from kwire.protocol.codec import decode, decoder, encode
from kwire.protocol.registry import message_class
from kwire.protocol.schema import Message

with Path(__file__).with_name("golden").joinpath("kafka_messages.tsv").open() as table:
    ROWS = [
        (message_class(row["message"]), int(row["version"]), *(row[key].strip("-") for key in ("default", "value")))
        for row in csv.DictReader(table, delimiter="\t")
    ]
IDS = [f"{message.__name__}-v{version}" for message, version, _, _ in ROWS]


def test_no_message_is_missing() -> None:
    # Version 0 of the request header went with Kafka 4.
    missing = {(message.__name__, version) for message, version in MESSAGE_VERSIONS}
    missing -= {(message.__name__, version) for message, version, _, _ in ROWS}
    assert missing == {("RequestHeader", 0)}


@pytest.mark.parametrize(("message", "version", "default", "value"), ROWS, ids=IDS)
def test_kafkas_bytes_are_ours(message: type[Message], version: int, default: str, value: str) -> None:
    assert encode(message(), version).hex() == default
    assert decode(message, version, bytes.fromhex(default)) == message()
    data = bytes.fromhex(value)
    decoded, end = decoder(message, version)(data, 0)
    assert end == len(data)
    assert encode(decoded, version) == data
    plain, end = interpreter.decode(SCHEMAS[message.SCHEMA.name], version, data)
    assert end == len(data)
    assert plain == interpreter.as_dict(decoded)
    assert interpreter.encode(SCHEMAS[message.SCHEMA.name], version, plain) == data
