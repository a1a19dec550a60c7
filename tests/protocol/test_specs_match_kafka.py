"""Every field of every version of every spec is what Kafka's own definitions say.

Two sources: the JSON inside Kafka 4.3's jars, which has everything, and the JSON inside kafka-python's wheel, which is
always at hand and has about half. The comparer is tested too: it must notice a mistake of every kind.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from catalogue import SPEC_FILES, SPECS
from definitions import (
    Difference,
    FieldFacts,
    MessageFacts,
    definition_facts,
    differences,
    differences_in_common_versions,
    kafka_definitions,
    kafka_python_definitions,
    snake_case,
    spec_facts,
)
from kwire.protocol.messages import APIS, RECORD_TYPES
from kwire.protocol.specs.parser import parse_spec

OURS: dict[str, MessageFacts] = {
    section.message.name: spec_facts(spec, section) for spec in SPECS for section in spec.sections
}
KAFKA_PYTHON = kafka_python_definitions()

API_KEYS = [*range(4), *range(8, 52), 55, 57, 60, 61, 64, 65, 66, 68, 69, 71, 72, *range(74, 80), *range(83, 93)]

# What differs from Kafka 4.3 on purpose. An entry that is no longer needed fails the test.
KNOWN_KAFKA: dict[str, set[Difference]] = {
    # Header 0, without a client id, was that of ControlledShutdown 0. Kafka 4 dropped the API and with it the header;
    # we can still read it, as tools for old captures must.
    "RequestHeader": {Difference("RequestHeader", "", "versions", (0, 2), (1, 2))},
}
# The same for kafka-python's definitions, in the versions that both know.
KNOWN_KAFKA_PYTHON: dict[str, set[Difference]] = {}


@cache
def _kafka(libs: Path) -> dict[str, dict[str, Any]]:
    return kafka_definitions(libs)


@pytest.mark.parametrize("name", OURS)
def test_spec_is_what_kafka_says(name: str, kafka_libs: Path) -> None:
    found = differences(OURS[name], definition_facts(_kafka(kafka_libs)[name]))
    assert set(found) == KNOWN_KAFKA.get(name, set()), "\n".join(map(str, found))


@pytest.mark.parametrize("name", sorted(KAFKA_PYTHON))
def test_spec_is_what_kafka_python_says(name: str) -> None:
    found = differences_in_common_versions(OURS[name], definition_facts(KAFKA_PYTHON[name]))
    assert set(found) == KNOWN_KAFKA_PYTHON.get(name, set()), "\n".join(map(str, found))


def test_the_comparison_is_about_something() -> None:
    assert len(OURS) == 213
    assert sum(len(facts.fields) for facts in OURS.values()) > 4900
    assert len(KAFKA_PYTHON) > 100
    common = [
        OURS[name].versions[1] >= definition_facts(definition).versions[0] for name, definition in KAFKA_PYTHON.items()
    ]
    assert all(common)


# ---- nothing is missing -------------------------------------------------------------------------------------------


def test_every_api_has_a_spec() -> None:
    assert sorted(spec.number for spec in SPECS if spec.kind == "api") == sorted(API_KEYS)
    assert sorted(APIS) == sorted(API_KEYS)


def test_every_api_that_kafkas_brokers_serve_has_a_spec(kafka_libs: Path) -> None:
    served = {
        definition["apiKey"]
        for definition in _kafka(kafka_libs).values()
        if definition["type"] == "request" and "broker" in definition.get("listeners", [])
    }
    # AddRaftVoter and RemoveRaftVoter change the quorum of KRaft controllers: a broker only hands them on.
    assert served - set(API_KEYS) == {80, 81}
    assert set(API_KEYS) <= served


def test_every_record_of_the_coordinators_has_a_spec(kafka_libs: Path) -> None:
    theirs = {
        definition["name"].removesuffix("Key"): definition["apiKey"]
        for definition in _kafka(kafka_libs).values()
        if definition["type"] == "coordinator-key"
    }
    assert theirs == RECORD_TYPES


def test_every_other_schema_has_a_spec_too(kafka_libs: Path) -> None:
    others = {name for name, definition in _kafka(kafka_libs).items() if definition["type"] in ("data", "header")}
    assert others == {name for name, facts in OURS.items() if facts.kind in ("data", "header")}


def test_header_versions_follow_from_flexible_but_for_one() -> None:
    for api in APIS.values():
        for version in range(api.versions.low, api.versions.high + 1):
            flexible = version in OURS[f"{api.name}Request"].flexible
            assert flexible == (version in OURS[f"{api.name}Response"].flexible)
            assert api.request_header_version(version) == (2 if flexible else 1)
            # A client must be able to read the answer to its first request whatever the broker's versions are.
            expected = 0 if api.key == 18 else int(flexible)
            assert api.response_header_version(version) == expected


# ---- the comparer notices -----------------------------------------------------------------------------------------

PLANTED = [  # message, path and attribute in which the mistake must show, text of the spec, what it becomes
    ("FetchRequest", "", "number", "api 1 Fetch", "api 2 Fetch"),
    ("FetchRequest", "", "name", "api 1 Fetch", "api 1 Catch"),
    ("FetchRequest", "", "versions", "versions 4-18, flexible 12+", "versions 3-18, flexible 12+"),
    ("FetchRequest", "", "flexible", "versions 4-18, flexible 12+", "versions 4-18, flexible 11+"),
    ("InitProducerIdRequest", "", "unstable", ", unstable 6", ""),
    ("FetchRequest", "max_wait_ms", "present", "max_wait_ms: int32", "max_wait: int32"),
    ("FetchRequest", "max_wait_ms", "present", "  max_wait_ms: int32\n", ""),
    ("FetchRequest", "more", "present", "  max_wait_ms: int32\n", "  max_wait_ms: int32\n  more: int8\n"),
    ("FetchRequest", "min_bytes", "place",
     "  min_bytes: int32\n  max_bytes: int32 = 2147483647 ~\n",
     "  max_bytes: int32 = 2147483647 ~\n  min_bytes: int32\n"),
    ("FetchRequest", "session_id", "present", "session_id: int32 @7+ ~", "session_id: int32 @8+ ~"),
    ("FetchRequest", "topics.topic", "present", "topic: string @4-12 ~", "topic: string @4-13 ~"),
    ("FetchRequest", "max_wait_ms", "type", "max_wait_ms: int32", "max_wait_ms: uint32"),
    ("FetchRequest", "forgotten_topics_data", "array", "[]ForgottenTopic @7+", "ForgottenTopic @7+"),
    ("FetchRequest", "rack_id", "nullable", "rack_id: string @11+", "rack_id: string? @11+"),
    ("FetchRequest", "replica_state", "tag",
     "replica_state: ReplicaState @15+ tag 1", "replica_state: ReplicaState @15+ tag 2"),
    ("FetchResponse", "node_endpoints", "tag",
     "node_endpoints: []NodeEndpoint @16+ tag 0", "node_endpoints: []NodeEndpoint @16+"),
    ("FetchRequest", "max_bytes", "default", "max_bytes: int32 = 2147483647 ~", "max_bytes: int32 = 2147483646 ~"),
    ("FetchRequest", "cluster_id", "default",
     "cluster_id: string? @12+ tag 0 = null", "cluster_id: string? @12+ tag 0"),
    ("FetchRequest", "max_bytes", "ignorable", "max_bytes: int32 = 2147483647 ~", "max_bytes: int32 = 2147483647"),
    ("FetchRequest", "min_bytes", "ignorable", "min_bytes: int32", "min_bytes: int32 ~"),
    ("FetchResponse", "node_endpoints.node_id", "key", "node_id: int32 key", "node_id: int32"),
    ("FetchRequest", "topics.partitions.fetch_offset", "type", "fetch_offset: int64", "fetch_offset: int32"),
    ("RequestHeader", "client_id", "classic", "client_id: string? @1+ classic", "client_id: string? @1+"),
    ("RequestHeader", "", "kind", "header RequestHeader", "data RequestHeader"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "attribute", "text", "planted"), PLANTED)
def test_a_planted_mistake_is_noticed(name: str, path: str, attribute: str, text: str, planted: str) -> None:
    (spec,) = [spec for spec in SPECS if name in {section.message.name for section in spec.sections}]
    (right,) = [file.read_text() for file in SPEC_FILES if file.name == spec.file]
    assert text in right
    wrong = parse_spec(right.replace(text, planted, 1), spec.file)
    place = [section.message.name for section in spec.sections].index(name)
    theirs = definition_facts(KAFKA_PYTHON[name])
    found = differences(spec_facts(wrong, wrong.sections[place]), theirs)
    new = set(found) - set(differences(OURS[name], theirs))
    assert (path, attribute) in {(difference.path, difference.attribute) for difference in new}


def test_a_difference_says_where_and_in_which_versions() -> None:
    difference = Difference("FetchRequest", "topics.topic", "ignorable", False, True, (4, 5))
    assert str(difference) == "FetchRequest.topics.topic: ignorable is False, theirs True in versions (4, 5)"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("FetchOffset", "fetch_offset"),
        ("KRaftVersion", "k_raft_version"),
        ("ISRNodes", "isr_nodes"),
        ("ZkMigrationReady", "zk_migration_ready"),
        ("x", "x"),
    ],
)
def test_snake_case(name: str, expected: str) -> None:
    assert snake_case(name) == expected


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ({"type": "int32"}, 0),
        ({"type": "int32", "default": "-1"}, -1),
        ({"type": "int32", "default": -1}, -1),
        ({"type": "int32", "default": "0x7fffffff"}, 2147483647),
        ({"type": "bool", "default": "true"}, True),
        ({"type": "bool", "default": False}, False),
        ({"type": "string"}, ""),
        ({"type": "string", "default": "null"}, None),
        ({"type": "[]int32", "default": "null"}, None),
        ({"type": "[]int32", "default": None}, ()),  # a JSON null is no default at all
        ({"type": "records"}, None),
        ({"type": "Thing", "fields": []}, ...),
        ({"type": "float64"}, 0.0),
        ({"type": "uuid"}, bytes(16)),
    ],
)
def test_defaults_are_read_as_kafkas_generator_reads_them(field: dict[str, Any], expected: object) -> None:
    definition = {
        "name": "X",
        "type": "data",
        "validVersions": "0",
        "flexibleVersions": "none",
        "fields": [{"name": "F", "versions": "0+", **field}],
    }
    facts: FieldFacts = definition_facts(definition).fields[0, "f"]
    assert facts.default == expected
    assert type(facts.default) is type(expected)
