"""The declared keys: as Apache Kafka 4.3 declares them, every one of its names known, and how values are read."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.config import BROKER_KEYS, IGNORED_BROKER_KEYS, TOPIC_KEYS, ConfigKey, Kind, Value, find_key, is_ignored
from kwire.config.broker_keys import DEFAULTS_OF_OUR_OWN
from kwire.config.ignored_keys import IGNORED_DYNAMIC_KEYS
from kwire.config.keys import value_text
from kwire.errors import UsageError

GOLDEN = Path(__file__).parent / "golden" / "broker_keys.txt"


class Declared(NamedTuple):
    name: str
    kind: str
    default: str
    valid: str
    update: str


def kafkas_keys() -> dict[str, Declared]:
    rows = [Declared(*line.split(" | ")) for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
    return {row.name: row for row in rows}


CHECKED_LATER = {
    "default.replication.factor",
    "log.flush.interval.ms",
    "log.retention.ms",
    "log.roll.jitter.ms",
    "log.roll.ms",
}
"""Kafka declares no range for these, and refuses the same values after reading them, or when it acts on them."""

FIXED_HERE = {"listeners", "listener.security.protocol.map"}
"""Kafka can change these while it runs."""


def as_java_prints(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def valid_as_java_prints(key: ConfigKey) -> str:
    if key.name == "compression.gzip.level":
        return "[1,...,9] or -1"
    if key.choices:
        return f"[{', '.join(key.choices)}]"
    bounds = [f"{bound}" if bound is not None else "" for bound in (key.low, key.high)]
    if bounds == ["", ""]:
        return "null"
    return f"[{bounds[0]},...{',' + bounds[1] if bounds[1] else ''}]"


def test_every_name_of_kafka_does_something_or_is_ignored_and_never_both() -> None:
    names = set(kafkas_keys())
    assert len(names) > 350
    assert names <= BROKER_KEYS.keys() | IGNORED_BROKER_KEYS
    assert BROKER_KEYS.keys() <= names
    assert BROKER_KEYS.keys() & IGNORED_BROKER_KEYS == set()
    assert [name for name in BROKER_KEYS if is_ignored(name)] == []


def test_ignored_keys_can_change_while_running_where_they_can_in_kafka() -> None:
    dynamic = {row.name for row in kafkas_keys().values() if row.update != "read-only"}
    assert dynamic & IGNORED_BROKER_KEYS <= IGNORED_DYNAMIC_KEYS <= IGNORED_BROKER_KEYS


@pytest.mark.parametrize("key", BROKER_KEYS.values(), ids=BROKER_KEYS)
def test_a_key_is_what_kafka_declares(key: ConfigKey) -> None:
    kafkas = kafkas_keys()[key.name]
    assert key.kind.value == kafkas.kind.lower()
    assert (as_java_prints(key.default) != kafkas.default) == (key.name in DEFAULTS_OF_OUR_OWN)
    assert valid_as_java_prints(key) == kafkas.valid or (key.name in CHECKED_LATER and kafkas.valid == "null")
    assert key.update.value == ("read-only" if key.name in FIXED_HERE else kafkas.update)


@pytest.mark.parametrize("key", [*BROKER_KEYS.values(), *TOPIC_KEYS.values()], ids=lambda key: key.name)
def test_a_default_is_a_value_that_could_be_given(key: ConfigKey) -> None:
    if key.default is not None:
        assert key.parse(value_text(key.default)) == key.default


def test_every_topic_key_has_a_broker_key_of_its_type() -> None:
    for key in TOPIC_KEYS.values():
        broker = BROKER_KEYS[key.broker_name]
        assert (broker.kind, broker.choices) == (key.kind, key.choices)
        assert broker.default in (None, key.default)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("num.partitions", " 3 ", 3),
        ("log.retention.ms", "-1", -1),
        ("auto.create.topics.enable", "FALSE", False),
        ("log.dirs", "/a, /b,", ["/a", "/b"]),
        ("log.cleaner.io.buffer.load.factor", "0.75", 0.75),
        ("broker.rack", "eu-west", "eu-west"),
        ("compression.gzip.level", "-1", -1),
    ],
)
def test_values_are_read(name: str, text: str, value: Value) -> None:
    assert BROKER_KEYS[name].parse(text) == value


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("num.partitions", "0", "must be at least 1"),
        ("num.partitions", "three", "type int"),
        ("num.partitions", "2147483648", "type int"),
        ("num.partitions", "1_000", "type int"),
        ("num.partitions", "", "type int"),
        ("log.segment.bytes", "1000", "must be at least 1048576"),
        ("auto.create.topics.enable", "yes", "type boolean"),
        ("compression.type", "none", "expected one of uncompressed, zstd"),
        ("log.cleanup.policy", "delete,keep", "expected one of compact, delete"),
        ("log.cleaner.min.cleanable.ratio", "1.5", "must be at most 1"),
        ("compression.gzip.level", "0", "expected one of -1, 1"),
    ],
)
def test_a_wrong_value_is_refused_by_name_with_what_was_expected(name: str, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as error:
        BROKER_KEYS[name].parse(text)
    assert error.value.message.startswith(f"{name}={text}:")


def test_an_unknown_key_is_answered_with_the_nearest_if_there_is_one() -> None:
    with pytest.raises(UsageError, match=r"num\.partition \(did you mean num\.partitions\?\)"):
        find_key(BROKER_KEYS, "num.partition")
    with pytest.raises(UsageError, match=r"^unknown configuration key xyzzy$"):
        find_key(BROKER_KEYS, "xyzzy")


@pytest.mark.parametrize(
    ("name", "ignored"),
    [
        ("process.roles", True),
        ("zookeeper.connect", True),
        ("listener.name.internal.ssl.keystore.location", True),
        ("config.providers.file.class", True),
        ("num.partitions", False),
        ("retention.ms", False),
        ("listener.names", False),
    ],
)
def test_what_is_ignored(name: str, ignored: bool) -> None:
    assert is_ignored(name) == ignored


TEXT = {
    Kind.BOOLEAN: st.booleans(),
    Kind.INT: st.integers(-(2**31), 2**31 - 1),
    Kind.LONG: st.integers(-(2**63), 2**63 - 1),
    Kind.DOUBLE: st.floats(allow_nan=False),
    Kind.STRING: st.text(alphabet="ab:/", min_size=1),
    Kind.LIST: st.lists(st.text(alphabet="ab:/", min_size=1)),
}


@given(st.data(), st.sampled_from(Kind))
def test_a_value_is_read_back_from_its_text(data: st.DataObject, kind: Kind) -> None:
    value: Value = data.draw(TEXT[kind])
    assert ConfigKey("x", kind, None, "A key.").parse(value_text(value)) == value
