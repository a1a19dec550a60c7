"""The generated classes: up to date, importable, and what the spec says."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from catalogue import MESSAGES, ROOT, SCHEMAS, SPECS
from kwire.protocol.codec import decode, encode
from kwire.protocol.messages import APIS, RECORD_TYPES
from kwire.protocol.registry import message_class, module_name
from kwire.protocol.schema import Field, Message, Struct
from kwire.protocol.specs.generator import generate
from kwire.protocol.specs.parser import parse_spec

PACKAGE = ROOT / "src" / "kwire" / "protocol" / "messages"


def test_the_committed_files_are_up_to_date() -> None:
    written = {path.name: path.read_text() for path in PACKAGE.glob("*.py")}
    generated = generate(SPECS)
    assert sorted(written) == sorted(generated), "run `make generate`"
    stale = [name for name, text in generated.items() if written[name] != text]
    assert not stale, "run `make generate`"


def test_the_order_of_the_specs_does_not_matter() -> None:
    assert generate(reversed(SPECS)) == generate(SPECS)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.__name__)
def test_a_class_carries_its_schema(message: type[Message]) -> None:
    schema = SCHEMAS[message.__name__]
    assert schema == message.SCHEMA
    assert message.__slots__ == tuple(field.name for field in schema.fields)
    assert list(message.STRUCTS) == [struct.name for struct in schema.structs]
    _check_defaults(message, message, schema.fields)
    for struct in schema.structs:
        assert message.STRUCTS[struct.name].__slots__ == tuple(field.name for field in struct.fields)
        _check_defaults(message, message.STRUCTS[struct.name], struct.fields)


def _check_defaults(message: type[Message], cls: type[Struct], fields: tuple[Field, ...]) -> None:
    value = cls()
    assert value.unknown_tags is None
    for field in fields:
        expected = message.STRUCTS[field.type].DEFAULT if field.default is ... else field.default
        assert getattr(value, field.name) == expected
    assert not hasattr(value, "__dict__")


def test_the_index_names_every_api_and_record() -> None:
    apis = {spec.number: spec for spec in SPECS if spec.kind == "api"}
    assert sorted(APIS) == sorted(apis)
    for key, api in APIS.items():
        spec = apis[key]
        request, response = spec.section("request"), spec.section("response")
        assert (api.key, api.name, api.unstable) == (spec.number, spec.name, spec.unstable)
        assert (api.versions, api.flexible) == (request.message.versions, request.message.flexible)
        # The table has one range for both.
        assert (api.versions, api.flexible) == (response.message.versions, response.message.flexible)
        assert api.response_header == response.header_version
        assert (request.message, response.message) == (api.request.SCHEMA, api.response.SCHEMA)
    assert {spec.name: spec.number for spec in SPECS if spec.kind == "record"} == RECORD_TYPES


def test_only_the_answer_to_api_versions_pins_its_header() -> None:
    assert [api.name for api in APIS.values() if api.response_header is not None] == ["ApiVersions"]


@pytest.mark.parametrize(
    ("message", "module"),
    [
        ("FetchRequest", "fetch_request"),
        ("KRaftVersionRecord", "k_raft_version_record"),
        ("AddOffsetsToTxnRequest", "add_offsets_to_txn_request"),
        ("DeleteACLs", "delete_ac_ls"),
    ],
)
def test_module_names(message: str, module: str) -> None:
    assert module_name(message) == module


def test_generated_files_are_python_that_only_knows_the_schema() -> None:
    for name, text in generate(SPECS).items():
        imported = {
            node.module
            for node in ast.walk(ast.parse(text, name))
            if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        }
        assert imported <= {"collections.abc", "typing", "kwire.protocol.schema", "kwire.protocol.registry"}
        assert "do not edit" in text


def test_a_new_spec_becomes_a_working_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = parse_spec(
        "plain Fresh\ndata FreshThing versions 0-1, flexible 1+\n"
        "  id: uuid\n  places: []Place? @1+ = null\n    name: string key\n    heat: float64 @1+ tag 0 = 1.5\n",
        "fresh.kspec",
    )
    package = tmp_path / "fresh_messages"
    package.mkdir()
    for name, text in generate([spec]).items():
        (package / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    from fresh_messages.fresh_thing import (  # pyright: ignore[reportMissingImports]
        FreshThing,
        Place,
    )

    thing = FreshThing(bytes(range(16)), [Place("a", 2.5), Place("b")])
    assert decode(FreshThing, 1, encode(thing, 1)) == thing
    assert repr(Place("b")) == "Place(name='b', heat=1.5)"


# ---- the command --------------------------------------------------------------------------------------------------


def _generate(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kwire.protocol.specs", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_writes_and_removes_files(tmp_path: Path) -> None:
    specs, target = tmp_path / "specs", tmp_path / "messages"
    specs.mkdir()
    target.mkdir()
    (specs / "012_heartbeat.kspec").write_text((ROOT / "protocol_specs" / "012_heartbeat.kspec").read_text())
    (target / "gone.py").write_text("# of a spec that is no more\n")
    done = _generate(specs, target)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in target.glob("*.py")) == [
        "__init__.py",
        "heartbeat_request.py",
        "heartbeat_response.py",
    ]


def test_the_command_reports_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "001_bad.kspec").write_text("api one Bad\n")
    done = _generate(tmp_path, tmp_path / "messages")
    assert done.returncode == 1
    assert done.stderr == "001_bad.kspec:1: expected 'api N Name', 'record N Name' or 'plain Name'\n"
    assert not (tmp_path / "messages").exists()


def test_the_command_explains_itself() -> None:
    done = _generate()
    assert done.returncode == 2
    assert done.stderr.startswith("usage: ")


def test_importing_the_index_imports_no_message() -> None:
    code = "import sys, kwire.protocol.messages as m; print(len([n for n in sys.modules if n.startswith(m.__name__)]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


def test_message_classes_are_found_by_name() -> None:
    assert message_class("FetchRequest") is APIS[1].request
    with pytest.raises(ModuleNotFoundError):
        message_class("NoSuchRequest")
