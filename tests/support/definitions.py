"""Kafka's message definitions (JSON) and our specs as the same plain facts, and the differences between the two.

A fact is about one field in one version: `("FetchRequest", 12, "topics.partitions.fetch_offset")` is an int64 at a
certain place, not null, untagged, with such a default. Ranges of versions, shared structs and nesting are gone by then,
so the two ways of writing them down need not look alike to be compared. What a definition's attribute means is taken
from Kafka's generator, not from our parser.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from kwire.protocol.schema import Field, MessageSchema
from kwire.protocol.specs.parser import Section, Spec

JARS = ("clients", "group-coordinator", "share-coordinator", "storage", "transaction-coordinator")
FOREVER = 32767


class FieldFacts(NamedTuple):
    """What one field is in one version. `place` counts the untagged fields before it: their order is the wire's."""

    place: int | None
    type: str
    array: bool
    nullable: bool
    tag: int | None
    default: Any
    ignorable: bool
    key: bool
    classic: bool


class MessageFacts(NamedTuple):
    """What one message is. `number` is the API key or the record type, and -1 where there is neither."""

    name: str
    kind: str
    number: int
    versions: tuple[int, int]
    unstable: frozenset[int]
    flexible: frozenset[int]
    fields: dict[tuple[int, str], FieldFacts]


# ---- from Kafka's definitions -------------------------------------------------------------------------------------


def parse_definition(text: str) -> dict[str, Any]:
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))


def kafka_definitions(libs: Path) -> dict[str, dict[str, Any]]:
    """Message name -> definition, from the jars of Kafka 4.3."""
    found: dict[str, dict[str, Any]] = {}
    for jar in JARS:
        (path,) = libs.glob(f"kafka-{jar}-4.3.*.jar")
        with zipfile.ZipFile(path) as archive:
            texts = [archive.read(name).decode() for name in archive.namelist() if name.endswith(".json")]
        found |= {definition["name"]: definition for definition in map(parse_definition, texts)}
    return found


def kafka_python_definitions() -> dict[str, dict[str, Any]]:
    """Message name -> definition, from the wheel of kafka-python."""
    resources = files("kafka.protocol.schemas.resources")
    texts = [entry.read_text() for entry in resources.iterdir() if entry.name.endswith(".json")]
    return {definition["name"]: definition for definition in map(parse_definition, texts)}


_KINDS = {"coordinator-key": "key", "coordinator-value": "value"}


def definition_facts(definition: dict[str, Any]) -> MessageFacts:
    low, high = _range(definition["validVersions"])
    versions = range(low, high + 1)
    shared = {struct["name"]: struct["fields"] for struct in definition.get("commonStructs", [])}
    return MessageFacts(
        definition["name"],
        _KINDS.get(definition["type"], definition["type"]),
        definition.get("apiKey", -1),
        (low, high),
        frozenset([high] if definition.get("latestVersionUnstable") else []),
        frozenset(version for version in versions if _within(version, definition["flexibleVersions"])),
        {
            (version, path): facts
            for version in versions
            for path, facts in _definition_fields(definition["fields"], shared, version, "")
        },
    )


def _definition_fields(
    fields: list[dict[str, Any]], shared: dict[str, list[dict[str, Any]]], version: int, prefix: str
) -> Iterator[tuple[str, FieldFacts]]:
    place = 0
    for field in fields:
        if not _within(version, field.get("versions") or field["taggedVersions"]):
            continue
        array = field["type"].startswith("[]")
        kind = field["type"].removeprefix("[]")
        tagged = _within(version, field.get("taggedVersions", "none"))
        path = prefix + snake_case(field["name"])
        yield (
            path,
            FieldFacts(
                None if tagged else place,
                kind,
                array,
                _within(version, field.get("nullableVersions", "none")),
                field["tag"] if tagged else None,
                _definition_default(field.get("default"), kind, array),
                field.get("ignorable", False),
                field.get("mapKey", False),
                field.get("flexibleVersions") == "none",
            ),
        )
        place += not tagged
        inner = field.get("fields") or shared.get(kind)
        if inner:
            yield from _definition_fields(inner, shared, version, path + ".")


def _definition_default(written: Any, kind: str, array: bool) -> Any:
    """A default as Kafka's generator takes it: the text "null" is null, a JSON null is none at all."""
    text = "" if written is None else str(written)
    if text == "null":
        return None
    if array:
        assert not text, text
        return ()
    if kind[0].isupper():
        assert not text, text
        return ...
    if kind == "records":
        return None
    if kind == "bool":
        return {"": False, "false": False, "true": True}[text.lower()]
    if kind in ("string", "bytes", "uuid"):
        empty = {"string": text, "bytes": b"", "uuid": bytes(16)}
        assert kind == "string" or not text, text
        return empty[kind]
    return float(text or 0) if kind == "float64" else int(text or "0", 0)


def snake_case(name: str) -> str:
    """FetchOffset -> fetch_offset, KRaftVersion -> k_raft_version, IsKRaft -> is_k_raft."""
    words: list[str] = []
    for index, letter in enumerate(name):
        after_small = index > 0 and not name[index - 1].isupper()
        before_small = index + 1 < len(name) and name[index + 1].islower()
        if letter.isupper() and (index == 0 or after_small or before_small):
            words.append("")
        words[-1:] = [(words[-1] if words else "") + letter.lower()]
    return "_".join(words)


def _range(text: str) -> tuple[int, int]:
    if text == "none":
        return 1, 0
    if text.endswith("+"):
        return int(text[:-1]), FOREVER
    low, _, high = text.partition("-")
    return int(low), int(high or low)


def _within(version: int, text: str) -> bool:
    low, high = _range(text)
    return low <= version <= high


# ---- from our specs -----------------------------------------------------------------------------------------------


def spec_facts(spec: Spec, section: Section) -> MessageFacts:
    schema = section.message
    versions = range(schema.versions.low, schema.versions.high + 1)
    return MessageFacts(
        schema.name,
        section.role,
        spec.number,
        tuple(schema.versions),
        # Kafka marks the request alone; our mark stands for the whole API.
        frozenset(version for version in versions if version in spec.unstable and section.role == "request"),
        frozenset(version for version in versions if version in schema.flexible),
        {
            (version, path): facts
            for version in versions
            for path, facts in _spec_fields(schema, schema.fields, version, "")
        },
    )


def _spec_fields(
    schema: MessageSchema, fields: tuple[Field, ...], version: int, prefix: str
) -> Iterator[tuple[str, FieldFacts]]:
    place = 0
    for field in fields:
        if version not in field.versions:
            continue
        yield (
            prefix + field.name,
            FieldFacts(
                None if field.tag is not None else place,
                field.type,
                field.array,
                version in field.nullable,
                field.tag,
                field.default,
                field.ignorable,
                field.key,
                field.classic,
            ),
        )
        place += field.tag is None
        if field.is_struct:
            yield from _spec_fields(schema, schema.struct(field.type).fields, version, prefix + field.name + ".")


# ---- differences --------------------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """One attribute of a message or a field that is not the same in `versions`."""

    message: str
    path: str
    attribute: str
    ours: Any
    theirs: Any
    versions: tuple[int, ...] = ()

    def __str__(self) -> str:
        where = f"{self.message}.{self.path}" if self.path else self.message
        return f"{where}: {self.attribute} is {self.ours!r}, theirs {self.theirs!r} in versions {self.versions}"


def differences(ours: MessageFacts, theirs: MessageFacts) -> list[Difference]:
    """All that differs, the ranges of versions included."""
    found = [
        Difference(ours.name, "", attribute, getattr(ours, attribute), getattr(theirs, attribute))
        for attribute in ("name", "kind", "number", "versions", "unstable")
        if getattr(ours, attribute) != getattr(theirs, attribute)
    ]
    return found + differences_in_common_versions(ours, theirs)


def differences_in_common_versions(ours: MessageFacts, theirs: MessageFacts) -> list[Difference]:
    """What differs about the fields in the versions that both sides know."""
    common = range(max(ours.versions[0], theirs.versions[0]), min(ours.versions[1], theirs.versions[1]) + 1)
    gathered: dict[Difference, list[int]] = {}
    for version in common:
        for difference in _version_differences(ours, theirs, version):
            gathered.setdefault(difference, []).append(version)
    return [difference._replace(versions=tuple(versions)) for difference, versions in gathered.items()]


def _version_differences(ours: MessageFacts, theirs: MessageFacts, version: int) -> Iterable[Difference]:
    if (version in ours.flexible) != (version in theirs.flexible):
        yield Difference(ours.name, "", "flexible", version in ours.flexible, version in theirs.flexible)
    our_fields = {path: facts for (at, path), facts in ours.fields.items() if at == version}
    their_fields = {path: facts for (at, path), facts in theirs.fields.items() if at == version}
    for path in our_fields.keys() | their_fields.keys():
        if path not in our_fields or path not in their_fields:
            yield Difference(ours.name, path, "present", path in our_fields, path in their_fields)
            continue
        for attribute in FieldFacts._fields:
            our, their = getattr(our_fields[path], attribute), getattr(their_fields[path], attribute)
            if our != their or type(our) is not type(their):
                yield Difference(ours.name, path, attribute, our, their)
