"""docs/SPEC_FORMAT.md is true: its examples parse, and mean what the page says."""

from __future__ import annotations

import re

import pytest

from kwire.protocol.schema import FIXED, VARIABLE, Versions
from kwire.protocol.specs.parser import SpecError, parse_spec
from source_tree import PROJECT

PAGE = (PROJECT / "docs" / "SPEC_FORMAT.md").read_text()
EXAMPLES = re.findall(r"```kspec\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_parse() -> None:
    heartbeat, shelf, place = (parse_spec(text, "page") for text in EXAMPLES)
    assert heartbeat.section("request").message.fields[3].versions == Versions(3, 32767)
    (book,) = shelf.section("data").message.structs
    assert [field.tag for field in book.fields] == [None, None, 0]
    assert [s.name for section in place.sections for s in section.message.structs] == ["Place", "Place"]


def test_the_first_example_is_the_spec_itself() -> None:
    assert (PROJECT / "protocol_specs" / "012_heartbeat.kspec").read_text() == EXAMPLES[0]


def test_every_type_is_named() -> None:
    (types,) = re.findall(r"^\| `type` \| `([^`]+)`", PAGE, re.MULTILINE)
    assert set(types.split()) == {*FIXED, *VARIABLE}


def test_the_mistakes_are_reported_as_shown() -> None:
    def report(text: str, file: str) -> str:
        with pytest.raises(SpecError) as error:
            parse_spec(text, file)
        return str(error.value)

    first = report("api 12 Heartbeat\nversions 0-4\n\nrequest\n  group_id string\n", "012_heartbeat.kspec")
    second = report("api 1 Fetch\nversions 4-18\n\n\n\nrequest\n  a: int32 @19+\nresponse\n", "001_fetch.kspec")
    assert f"    {first}\n" in PAGE
    assert f"    {second}\n" in PAGE
