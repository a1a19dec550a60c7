"""Our bytes are kafka-python's bytes, for every message and version that it knows, in both directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given

import interpreter
import kafka_python
from catalogue import MESSAGE_VERSIONS, SCHEMAS, identify
from definitions import definition_facts, kafka_python_definitions
from kwire.protocol.codec import encode
from kwire.protocol.messages.api_versions_response import ApiVersionsResponse
from kwire.protocol.messages.metadata_request import MetadataRequest
from kwire.protocol.schema import Message
from strategies import law, messages_without_unknown_tags

RANGES = {name: definition_facts(definition).versions for name, definition in kafka_python_definitions().items()}
COMMON = [
    (message, version)
    for message, version in MESSAGE_VERSIONS
    if message.__name__ in RANGES and RANGES[message.__name__][0] <= version <= RANGES[message.__name__][1]
]


class Peculiarity(NamedTuple):
    """Values that kafka-python decodes in a way of its own, with one that shows it."""

    why: str
    concerns: Callable[[Any, int], bool]
    example: Message
    version: int


# Every entry must be needed: its example is decoded to something else, or the test fails.
PECULIARITIES = {
    "ApiVersionsResponse": Peculiarity(
        "an answer with an error is taken for version 0, which is what a broker sends when it knows no such version",
        lambda response, version: response.error_code != 0 and version > 0,
        ApiVersionsResponse(error_code=35, throttle_time_ms=9),
        1,
    ),
}


def test_what_kafka_python_knows() -> None:
    assert len({message for message, _ in COMMON}) == len(RANGES)
    assert len(COMMON) == 490
    assert all(kafka_python.class_of(message.__name__) for message, _ in COMMON)


@pytest.mark.parametrize(("message", "version"), COMMON, ids=identify)
def test_bytes_are_the_same_in_both_directions(message: type[Message], version: int) -> None:
    schema = SCHEMAS[message.SCHEMA.name]
    peculiarity = PECULIARITIES.get(message.SCHEMA.name)

    @law(share=0.5)
    @given(messages_without_unknown_tags(message, version))
    def check(value: Message) -> None:
        data = encode(value, version)
        plain = interpreter.as_dict(value)
        assert kafka_python.encode(schema, version, plain) == data
        if not (peculiarity and peculiarity.concerns(value, version)):
            assert kafka_python.decode(schema, version, data) == plain

    check()


@pytest.mark.parametrize("name", PECULIARITIES)
def test_every_peculiarity_is_still_one(name: str) -> None:
    peculiarity = PECULIARITIES[name]
    assert peculiarity.concerns(peculiarity.example, peculiarity.version)
    data = encode(peculiarity.example, peculiarity.version)
    decoded = kafka_python.decode(SCHEMAS[name], peculiarity.version, data)
    assert decoded != interpreter.as_dict(peculiarity.example)


def test_kafka_python_still_does_not_write_unknown_tags() -> None:
    # This is why the values above have none. When it starts to, they should.
    tagged = MetadataRequest(unknown_tags={9: b"kept"})
    written = kafka_python.encode(SCHEMAS["MetadataRequest"], 12, interpreter.as_dict(tagged))
    assert written == encode(MetadataRequest(), 12) != encode(tagged, 12)
