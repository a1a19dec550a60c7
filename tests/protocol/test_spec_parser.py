"""The spec format: what each part of the grammar means, and that every mistake is reported by file, line and remedy."""

from __future__ import annotations

import ast
import inspect
import re

import pytest

from catalogue import SPECS
from kwire.protocol.schema import ALWAYS, LATEST, NEVER, Field, StructSchema, Versions
from kwire.protocol.specs import parser
from kwire.protocol.specs.parser import Spec, SpecError, parse_spec, parse_versions

# ---- what it means ------------------------------------------------------------------------------------------------

WHOLE = """\
-- A comment of its own, then one behind a line.
api 7 Thing  -- the name

versions 1-4, flexible 3+, unstable 4

struct Shared
  a: int8

request
  flag: bool = true
  count: int32 @2-3 = -1 ~
  name: string?2+ @2+ = null key  -- why it is here
  later: Shared @4
  items: []Item?
    id: uuid
    more: []string
  local: Local? @3+ tag 5 = null
  struct Local
    b: Shared

response header 0
  shared: []Shared
  note: string classic
"""


def fields(text: str, versions: str = "0-9, flexible 5+") -> dict[str, Field]:
    indented = "".join(f"  {line}\n" for line in text.splitlines())
    spec = parse_spec(f"plain Test\ndata Thing versions {versions}\n{indented}", "test.kspec")
    return {field.name: field for field in spec.section("data").message.fields}


def test_a_whole_file() -> None:
    spec = parse_spec(WHOLE, "007_thing.kspec")
    assert (spec.file, spec.kind, spec.number, spec.name) == ("007_thing.kspec", "api", 7, "Thing")
    assert spec.unstable == Versions(4, 4)
    request, response = spec.section("request"), spec.section("response")
    assert (request.message.name, response.message.name) == ("ThingRequest", "ThingResponse")
    assert (request.header_version, response.header_version) == (None, 0)
    for section in spec.sections:
        assert section.message.versions == Versions(1, 4)
        assert section.message.flexible == Versions(3, LATEST)
    assert request.message.fields == (
        Field("flag", "bool", default=True),
        Field("count", "int32", versions=Versions(2, 3), default=-1, ignorable=True),
        Field("name", "string", versions=Versions(2, LATEST), nullable=Versions(2, LATEST), key=True),
        Field("later", "Shared", versions=Versions(4, 4), default=...),
        Field("items", "Item", array=True, nullable=ALWAYS, default=()),
        Field("local", "Local", versions=Versions(3, LATEST), nullable=Versions(3, LATEST), tag=5),
    )
    # Each struct after those that it uses, and only those that the message reaches.
    assert request.message.structs == (
        StructSchema("Shared", (Field("a", "int8", default=0),)),
        StructSchema("Item", (Field("id", "uuid", default=bytes(16)), Field("more", "string", array=True, default=()))),
        StructSchema("Local", (Field("b", "Shared", default=...),)),
    )
    assert [struct.name for struct in response.message.structs] == ["Shared"]
    assert response.message.fields[1] == Field("note", "string", default="", classic=True)


def test_records_have_a_key_and_a_value_with_versions_of_their_own() -> None:
    spec = parse_spec("record 3 Note\nkey versions 0\n  id: int32\nvalue versions 0-2, flexible 1+\n", "note")
    assert (spec.kind, spec.number, spec.unstable) == ("record", 3, NEVER)
    assert [(s.message.name, s.message.versions, s.message.flexible) for s in spec.sections] == [
        ("NoteKey", Versions(0, 0), NEVER),
        ("NoteValue", Versions(0, 2), Versions(1, LATEST)),
    ]


def test_plain_files_hold_any_number_of_messages() -> None:
    spec = parse_spec("plain Heads\nversions 0\nheader One\ndata Two\ndata Three versions 1-2\n", "heads")
    assert spec.number == -1
    assert [(section.role, section.message.name) for section in spec.sections] == [
        ("header", "One"),
        ("data", "Two"),
        ("data", "Three"),
    ]


@pytest.mark.parametrize(
    ("text", "versions", "shown"),
    [("3", Versions(3, 3), "3"), ("3-5", Versions(3, 5), "3-5"), ("3+", Versions(3, LATEST), "3+")],
)
def test_versions(text: str, versions: Versions, shown: str) -> None:
    assert parse_versions(text) == versions
    assert str(versions) == shown


def test_versions_contain_their_ends_and_nothing_else() -> None:
    assert [version for version in range(8) if version in Versions(3, 5)] == [3, 4, 5]
    assert 0 not in NEVER
    assert 1 not in NEVER
    assert 3 in Versions(3, LATEST)
    assert "3" not in Versions(3, 5)


@pytest.mark.parametrize(
    ("line", "default"),
    [
        ("x: bool", False),
        ("x: bool = true", True),
        ("x: int8", 0),
        ("x: int8 = -128", -128),
        ("x: uint16 = 65535", 65535),
        ("x: uint32 = 4294967295", 4294967295),
        ("x: int64 = 9223372036854775807", 9223372036854775807),
        ("x: float64", 0.0),
        ("x: float64 = -2.5", -2.5),
        ("x: uuid", bytes(16)),
        ("x: uuid = zero", bytes(16)),
        ("x: string", ""),
        ('x: string = "none"', "none"),
        ("x: string? = null", None),
        ("x: string?", ""),
        ("x: bytes", b""),
        ("x: bytes? = null", None),
        ("x: records", None),
        ("x: []int32", ()),
        ("x: []int32? = null", None),
        ("x: S\n  a: int8", ...),
        ("x: S? = null\n  a: int8", None),
        ("x: S?\n  a: int8", ...),
    ],
)
def test_defaults(line: str, default: object) -> None:
    got = fields(line)["x"].default
    assert got == default
    assert type(got) is type(default)


def test_a_tag_may_start_where_the_message_does() -> None:
    # The message starts at 5 and is flexible from there on: 'all versions' are flexible ones.
    assert fields("x: int8 tag 0", "5-9, flexible 5+")["x"].tag == 0


def test_a_comment_needs_a_space_before_and_behind() -> None:
    assert fields('x: string = "a--b"')["x"].default == "a--b"
    assert fields("x: int8 -- why -- and why not")["x"] == Field("x", "int8", default=0)


# ---- mistakes -----------------------------------------------------------------------------------------------------

SHAPE = "expected name: type[?[versions]] [@versions] [tag N] [= default] [~] [key] [classic] [-- why]"
FIRST = "expected 'api N Name', 'record N Name' or 'plain Name'"
VERSIONS = "expected 'versions A-B[, flexible C+][, unstable D]'"
TYPES = "bool, int8, int16, uint16, int32, uint32, int64, float64, uuid, bytes, records, string"
API = "api 1 Thing\nversions 2-4, flexible 3+\nrequest\n"

IN_FILES = [
    ("", 1, FIRST),
    ("\n\n-- nothing\n", 1, FIRST),
    ("\napi Thing\n", 2, FIRST),
    ("api 1 thing\n", 1, FIRST),
    ("plain 1 Thing\n", 1, FIRST),
    ("api 1 Thing\n  versions 0\nrequest\nresponse\n", 2, "expected nothing indented below 'api 1 Thing'"),
    ("api 1 Thing\nversions 0\n  a: int8\n", 3, "expected nothing indented below 'versions 0'"),
    ("api 1 Thing\nversions 0+\n", 2, "expected a closed range of versions, not 0+"),
    ("api 1 Thing\nversions 3-2\n", 2, "expected a closed range of versions, not 3-2"),
    ("api 1 Thing\nversions zero\n", 2, VERSIONS),
    ("api 1 Thing\nversions 0-4 flexible 3+\n", 2, VERSIONS),
    ("api 1 Thing\nversions 0-4, flexible 5+\n", 2, "expected flexible versions within 0-4, not 5+"),
    ("api 1 Thing\nversions 0-4, unstable 7\n", 2, "expected unstable versions within 0-4, not 7"),
    ("api 1 Thing\nversions 0\nrequest\n", 1, "expected a section 'response'"),
    ("api 1 Thing\nversions 0\nresponse\n", 1, "expected a section 'request'"),
    ("record 1 Thing\nkey versions 0\n", 1, "expected a section 'value'"),
    ("plain Thing\n", 1, "expected a section 'data'"),
    ("api 1 Thing\nrequest\n", 2, "expected a 'versions' line before, or 'versions A-B' behind, 'request'"),
    ("api 1 Thing\nversions 0\nrequest Name\n", 3, "expected no name behind 'request'"),
    ("plain Thing\nversions 0\ndata\n", 3, "expected a name behind 'data'"),
    ("api 1 Thing\nversions 0\nkey\n", 3, "expected 'request' or 'response', 'versions' or 'struct'"),
    ("record 1 Thing\nversions 0\nrequest\n", 3, "expected 'key' or 'value', 'versions' or 'struct'"),
    ("plain Thing\nversions 0\nrequest\n", 3, "expected 'header' or 'data', 'versions' or 'struct'"),
    ("api 1 Thing\nversions 0\nrequests\n", 3, "expected 'request' or 'response', 'versions' or 'struct'"),
    (
        "api 1 Thing\nversions 0\nrequest header 1\n",
        3,
        "expected 'header' behind 'response' only, not behind 'request'",
    ),
    (API + "response\nrequest\n", 5, "ThingRequest stands there already"),
    ("plain Things\nversions 0\ndata One\nheader One\n", 4, "One stands there already"),
    (API + " a: int8\n", 4, "expected an indentation of two spaces a level"),
    (API + "\ta: int8\n", 4, "expected an indentation of two spaces a level"),
    (API + "    a: int8\n", 4, "expected an indentation of at most 2 spaces"),
    (API + "  a: int8\n      b: int8\n", 5, "expected an indentation of at most 4 spaces"),
    ("api 1 Thing\nversions 0\nstruct place\n  a: int8\nrequest\n", 3, "expected 'struct Name'"),
    ("api 1 Thing\nversions 0\nstruct Place\nrequest\n", 3, "expected the fields of struct Place, indented"),
    (
        "api 1 Thing\nversions 0\nstruct Place\n  a: int8\nrequest\nresponse\n",
        3,
        "expected a field that uses 'struct Place'",
    ),
    (
        "api 1 Thing\nversions 0\nstruct P\n  a: int8\nstruct P\n  a: int8\nrequest\n",
        5,
        "struct P is declared twice (first in line 3)",
    ),
]

IN_FIELDS = [  # the first of these lines is line 4
    ("group_id string", 4, SHAPE),
    ("groupId: string", 4, SHAPE),
    ("a:string", 4, SHAPE),
    ("a: string @2+ ~ = null", 4, SHAPE),
    ("a: string ? @2+", 4, SHAPE),
    ("a: [][]string", 4, SHAPE),
    ("a: int8\nb: int8\na: int16", 6, "field a stands there already"),
    ("unknown_tags: int8", 4, "field unknown_tags stands there already"),
    ("a: int8 @3+ tag 1\nb: int8 @3+ tag 1", 5, "tag 1 is taken already"),
    ("a: int8 tag 1", 4, "a tagged field needs flexible versions; 0+ are not all flexible"),
    ("a: int8 @2+ tag 1", 4, "a tagged field needs flexible versions; 2+ are not all flexible"),
    ("a: int8 @5+", 4, "expected versions within 2-4, not 5+"),
    ("a: int8 @1+", 4, "expected versions within 2-4, not 1+"),
    ("a: int8 @2-5", 4, "expected versions within 2-4, not 2-5"),
    ("a: int8 @4-3", 4, "expected versions within 2-4, not 4-3"),
    ("a: string?5+", 4, "expected versions within 2-4, not 5+"),
    (
        "a: text",
        4,
        f"unknown type text; expected one of {TYPES}, or a struct's Name",
    ),
    ("a: Place", 4, "expected the fields of Place, indented, or a 'struct Place'"),
    ("a: int8\n  b: int8", 4, "expected no fields below a int8"),
    ("a: P\n  x: int8\nb: P\n  x: int8", 6, "struct P is declared already in line 4"),
    ("a: P\nstruct P\n  b: Q\nstruct Q\n  c: P", 8, "struct P holds itself"),
    ("a: P\nstruct P\n  b: int8\nstruct Q\n  c: int8", 7, "expected a field that uses 'struct Q'"),
    ("a: int8?", 4, "a int8 cannot be null"),
    ("a: string = null", 4, "expected a nullable type ('?') for the default null"),
    ("a: []int8 = 0", 4, "an array has no default but null"),
    ("a: P = 0\n  b: int8", 4, "expected a default of type P, not 0"),
    ("a: int8 = 128", 4, "expected a default of type int8, not 128"),
    ("a: int8 = -129", 4, "expected a default of type int8, not -129"),
    ("a: uint16 = -1", 4, "expected a default of type uint16, not -1"),
    ("a: int32 = 0x10", 4, "expected a default of type int32, not 0x10"),
    ("a: bool = 1", 4, "expected a default of type bool, not 1"),
    ("a: string = none", 4, "expected a default of type string, not none"),
    ("a: float64 = 1e3", 4, "expected a default of type float64, not 1e3"),
    ("a: uuid = 1", 4, "expected a default of type uuid, not 1"),
    ('a: bytes = "x"', 4, 'expected a default of type bytes, not "x"'),
]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        *IN_FILES,
        *(
            (API + "".join(f"  {field}\n" for field in text.splitlines()) + "response\n", line, message)
            for text, line, message in IN_FIELDS
        ),
    ],
)
def test_a_mistake_is_reported_by_file_line_and_what_was_expected(text: str, line: int, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec(text, "001_thing.kspec")
    assert str(caught.value) == f"001_thing.kspec:{line}: {message}"
    assert (caught.value.file, caught.value.line) == ("001_thing.kspec", line)


def test_every_message_of_the_parser_is_tested() -> None:
    """The parser's source is searched for what it may say: no mistake goes without a test above."""
    calls = [node for node in ast.walk(ast.parse(inspect.getsource(parser))) if isinstance(node, ast.Call)]
    said = {
        part.value
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "fail"
        for part in ast.walk(call.args[1])
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and len(part.value) > 8
    }
    assert len(said) > 25
    tested = "\n".join(message for _, _, message in [*IN_FILES, *IN_FIELDS])
    assert not {words for words in said if words not in tested}


# ---- the specs themselves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.file)
def test_a_spec_is_named_after_what_it_describes(spec: Spec) -> None:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", spec.name).lower()
    expected = {"api": f"{spec.number:03d}_{words}.kspec", "record": f"record_{words}.kspec"}
    assert spec.file == expected.get(spec.kind, spec.file)


def test_no_name_and_no_number_is_given_twice() -> None:
    names = [section.message.name for spec in SPECS for section in spec.sections]
    keys = [spec.number for spec in SPECS if spec.kind == "api"]
    assert len(names) == len(set(names))
    assert len(keys) == len(set(keys))
