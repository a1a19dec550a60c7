"""Parses the spec format of docs/SPEC_FORMAT.md.

Every mistake in a spec is a `SpecError` that names the file, the line and what was expected there. Parsing is two
steps: lines with their depth, then a descent over them. Nothing is guessed: a type must exist, a range must lie
inside the message's versions, a tag must be unique, a default must fit its type.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from kwire.protocol.schema import (
    ALWAYS,
    FIXED,
    LATEST,
    NEVER,
    VARIABLE,
    ZERO_UUID,
    Field,
    MessageSchema,
    StructSchema,
    Versions,
)


class SpecError(Exception):
    """A mistake in a spec: where it is, and what was expected."""

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(f"{file}:{line}: {message}")
        self.file = file
        self.line = line


@dataclass(frozen=True, slots=True)
class Section:
    """One message of a spec file, and the response header's version where the spec pins it."""

    role: str  # request, response, key, value, header, data
    message: MessageSchema
    header_version: int | None = None


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed file. `kind` is api, record or plain; `number` the API key or the record type, -1 for plain files."""

    file: str
    kind: str
    number: int
    name: str
    unstable: Versions
    sections: tuple[Section, ...]

    def section(self, role: str) -> Section:
        return next(section for section in self.sections if section.role == role)


@dataclass(slots=True)
class _Line:
    number: int
    depth: int
    text: str
    children: list[_Line] = field(default_factory=list["_Line"])


_NAME = r"[a-z][a-z0-9_]*"
_TYPE_NAME = r"[A-Z][A-Za-z0-9]*"
_VERSIONS = r"\d+(?:\+|-\d+)?"
_FIELD = re.compile(
    rf"(?P<name>{_NAME}): (?P<array>\[\])?(?P<type>[A-Za-z][A-Za-z0-9]*)(?P<nullable>\?(?:{_VERSIONS})?)?"
    rf"(?: @(?P<versions>{_VERSIONS}))?(?: tag (?P<tag>\d+))?(?: = (?P<default>\S+))?"
    r"(?P<ignorable> ~)?(?P<key> key)?(?P<classic> classic)?"
)
_FIELD_SHAPE = "name: type[?[versions]] [@versions] [tag N] [= default] [~] [key] [classic] [-- why]"
_VERSIONS_LINE = re.compile(
    rf"versions (?P<versions>{_VERSIONS})(?:, flexible (?P<flexible>{_VERSIONS}))?"
    rf"(?:, unstable (?P<unstable>{_VERSIONS}))?"
)
_SECTION = re.compile(
    rf"(?P<role>request|response|key|value|header|data)(?: (?P<name>{_TYPE_NAME}))?"
    rf"(?: header (?P<header>\d+))?(?: (?P<versions>versions .*))?"
)
_FIRST = re.compile(rf"(?P<kind>api|record) (?P<number>\d+) (?P<name>{_TYPE_NAME})|plain (?P<plain>{_TYPE_NAME})")
_ROLES = {"api": ("request", "response"), "record": ("key", "value"), "plain": ("header", "data")}
_INTEGERS = {  # bits, signed
    "int8": (8, True),
    "int16": (16, True),
    "uint16": (16, False),
    "int32": (32, True),
    "uint32": (32, False),
    "int64": (64, True),
}


def parse_versions(text: str) -> Versions:
    """`3`, `3-5` or `3+`."""
    if text.endswith("+"):
        return Versions(int(text[:-1]), LATEST)
    low, _, high = text.partition("-")
    return Versions(int(low), int(high or low))


def parse_spec(text: str, file: str) -> Spec:
    """The spec in `text`; `file` is its name in error messages."""
    return _Parser(file).parse(text)


class _Parser:
    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, line: _Line | int, message: str) -> SpecError:
        return SpecError(self.file, line if isinstance(line, int) else line.number, message)

    # ---- lines and their depth -------------------------------------------------------------------------------

    def tree(self, text: str) -> list[_Line]:
        root: list[_Line] = []
        open_lines: list[_Line] = []
        for number, raw in enumerate(text.splitlines(), 1):
            content = re.sub(r"(^|\s)--\s.*$", "", raw).rstrip()
            if not content.strip():
                continue
            indent = len(content) - len(content.lstrip(" "))
            if "\t" in content or indent % 2:
                raise self.fail(number, "expected an indentation of two spaces a level")
            line = _Line(number, indent // 2, content.strip())
            if line.depth > len(open_lines):
                raise self.fail(number, f"expected an indentation of at most {2 * len(open_lines)} spaces")
            del open_lines[line.depth :]
            (open_lines[-1].children if open_lines else root).append(line)
            open_lines.append(line)
        return root

    # ---- the file --------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Spec:
        lines = self.tree(text)
        first = _FIRST.fullmatch(lines[0].text) if lines else None
        if first is None:
            raise self.fail(lines[0] if lines else 1, "expected 'api N Name', 'record N Name' or 'plain Name'")
        kind = first["kind"] or "plain"
        name = first["name"] or first["plain"]
        number = int(first["number"] or -1)
        self.nothing_below(lines[0])
        common: tuple[Versions, Versions, Versions] | None = None
        shared: list[_Line] = []
        sections: list[Section] = []
        for line in lines[1:]:
            if line.text.startswith("versions "):
                self.nothing_below(line)
                common = self.versions_line(line, line.text)
            elif line.text.startswith("struct "):
                shared.append(line)
            else:
                section = self.section(line, kind, name, common, shared)
                if any(section.message.name == other.message.name for other in sections):
                    raise self.fail(line, f"{section.message.name} stands there already")
                sections.append(section)
        missing = [role for role in _ROLES[kind] if kind != "plain" and role not in [s.role for s in sections]]
        if missing or not sections:
            raise self.fail(lines[0], f"expected a section '{(missing or ['data'])[0]}'")
        for line in shared:
            self.used(line, {struct.name for section in sections for struct in section.message.structs})
        return Spec(self.file, kind, number, name, common[2] if common else NEVER, tuple(sections))

    def nothing_below(self, line: _Line) -> None:
        if line.children:
            raise self.fail(line.children[0], f"expected nothing indented below '{line.text}'")

    def used(self, line: _Line, names: set[str]) -> None:
        """A struct that no field uses is a mistake, and would not even be looked at."""
        if line.text.removeprefix("struct ") not in names:
            raise self.fail(line, f"expected a field that uses '{line.text}'")

    def versions_line(self, line: _Line, text: str) -> tuple[Versions, Versions, Versions]:
        match = _VERSIONS_LINE.fullmatch(text)
        if match is None:
            raise self.fail(line, "expected 'versions A-B[, flexible C+][, unstable D]'")
        versions = parse_versions(match["versions"])
        if versions.high == LATEST or versions.low > versions.high:
            raise self.fail(line, f"expected a closed range of versions, not {match['versions']}")
        flexible = parse_versions(match["flexible"]) if match["flexible"] else NEVER
        unstable = parse_versions(match["unstable"]) if match["unstable"] else NEVER
        for what, range_ in (("flexible", flexible), ("unstable", unstable)):
            if range_ != NEVER and not (range_.low <= range_.high and range_.low <= versions.high):
                raise self.fail(line, f"expected {what} versions within {versions}, not {match[what]}")
        return versions, flexible, unstable

    def section(
        self,
        line: _Line,
        kind: str,
        name: str,
        common: tuple[Versions, Versions, Versions] | None,
        shared: list[_Line],
    ) -> Section:
        match = _SECTION.fullmatch(line.text)
        if match is None or match["role"] not in _ROLES[kind]:
            raise self.fail(
                line, f"expected {' or '.join(repr(role) for role in _ROLES[kind])}, 'versions' or 'struct'"
            )
        role = match["role"]
        own = self.versions_line(line, match["versions"]) if match["versions"] else common
        if own is None:
            raise self.fail(line, f"expected a 'versions' line before, or 'versions A-B' behind, '{role}'")
        if (kind == "plain") != bool(match["name"]):
            raise self.fail(
                line, f"expected a name behind '{role}'" if kind == "plain" else f"expected no name behind '{role}'"
            )
        if match["header"] and role != "response":
            raise self.fail(line, f"expected 'header' behind 'response' only, not behind '{role}'")
        message_name = match["name"] or name + role.capitalize()
        structs = _Structs(self, own[0], own[1])
        for declared in shared:
            structs.declare(declared)
        for child in line.children:
            if child.text.startswith("struct "):
                structs.declare(child)
        fields = structs.fields([child for child in line.children if not child.text.startswith("struct ")])
        message = MessageSchema(message_name, own[0], own[1], fields, structs.in_order(fields))
        for child in line.children:
            if child.text.startswith("struct "):
                self.used(child, {struct.name for struct in message.structs})
        return Section(role, message, int(match["header"]) if match["header"] else None)


class _Structs:
    """The fields and structs of one message. Structs are resolved by name after all have been declared."""

    def __init__(self, parser: _Parser, versions: Versions, flexible: Versions) -> None:
        self.fail = parser.fail
        self.versions = versions
        self.flexible = flexible
        self.declared: dict[str, _Line] = {}
        self.done: dict[str, StructSchema] = {}
        self.open: set[str] = set()

    def declare(self, line: _Line) -> None:
        match = re.fullmatch(rf"struct ({_TYPE_NAME})", line.text)
        if match is None:
            raise self.fail(line, "expected 'struct Name'")
        if match[1] in self.declared:
            raise self.fail(
                line, f"struct {match[1]} is declared twice (first in line {self.declared[match[1]].number})"
            )
        if not line.children:
            raise self.fail(line, f"expected the fields of struct {match[1]}, indented")
        self.declared[match[1]] = line

    def fields(self, lines: list[_Line]) -> tuple[Field, ...]:
        fields: list[Field] = []
        tags: set[int] = set()
        for line in lines:
            field_ = self.field(line)
            if any(field_.name == other.name for other in fields) or field_.name == "unknown_tags":
                raise self.fail(line, f"field {field_.name} stands there already")
            if field_.tag is not None:
                if field_.tag in tags:
                    raise self.fail(line, f"tag {field_.tag} is taken already")
                tags.add(field_.tag)
            fields.append(field_)
        return tuple(fields)

    def field(self, line: _Line) -> Field:
        match = _FIELD.fullmatch(line.text)
        if match is None:
            raise self.fail(line, f"expected {_FIELD_SHAPE}")
        versions = self.range(line, match["versions"])
        nullable = NEVER
        if match["nullable"]:
            nullable = self.range(line, match["nullable"][1:]) if match["nullable"] != "?" else versions
        type_name, array = match["type"], bool(match["array"])
        if match["tag"] and not (
            max(versions.low, self.versions.low) in self.flexible
            and min(versions.high, self.versions.high) in self.flexible
        ):
            raise self.fail(line, f"a tagged field needs flexible versions; {versions} are not all flexible")
        if type_name not in FIXED and type_name not in VARIABLE:
            self.resolve(line, type_name)
        elif line.children:
            raise self.fail(line, f"expected no fields below a {type_name}")
        if nullable != NEVER and type_name in FIXED and not array:
            raise self.fail(line, f"a {type_name} cannot be null")
        default = self.default(line, match["default"], type_name, array, nullable)
        return Field(
            match["name"],
            type_name,
            array,
            versions,
            nullable,
            int(match["tag"]) if match["tag"] else None,
            default,
            bool(match["ignorable"]),
            bool(match["key"]),
            bool(match["classic"]),
        )

    def range(self, line: _Line, text: str | None) -> Versions:
        if not text:
            return ALWAYS
        versions = parse_versions(text)
        inside = self.versions.low <= versions.low <= self.versions.high
        if not inside or versions.low > versions.high or self.versions.high < versions.high < LATEST:
            raise self.fail(line, f"expected versions within {self.versions}, not {text}")
        return versions

    def resolve(self, line: _Line, name: str) -> None:
        if not re.fullmatch(_TYPE_NAME, name):
            known = ", ".join([*FIXED, *sorted(VARIABLE)])
            raise self.fail(line, f"unknown type {name}; expected one of {known}, or a struct's Name")
        if line.children:
            if name in self.declared:
                raise self.fail(line, f"struct {name} is declared already in line {self.declared[name].number}")
            self.declared[name] = line
        elif name not in self.declared:
            raise self.fail(line, f"expected the fields of {name}, indented, or a 'struct {name}'")
        if name in self.open:
            raise self.fail(line, f"struct {name} holds itself")
        if name not in self.done:
            self.open.add(name)
            self.done[name] = StructSchema(name, self.fields(self.declared[name].children))
            self.open.remove(name)

    def default(self, line: _Line, text: str | None, type_name: str, array: bool, nullable: Versions) -> Any:
        if text == "null":
            if nullable == NEVER:
                raise self.fail(line, "expected a nullable type ('?') for the default null")
            return None
        if array:
            if text is not None:
                raise self.fail(line, "an array has no default but null")
            return ()
        if text is None:
            text = {"bool": "false", "string": '""', "bytes": '""', "records": "null", "uuid": "zero"}.get(
                type_name, "0"
            )
            if type_name not in FIXED and type_name not in VARIABLE:
                return ...
        return self.scalar_default(line, text, type_name)

    def scalar_default(self, line: _Line, text: str, type_name: str) -> Any:
        constant = {
            ("bool", "true"): True,
            ("bool", "false"): False,
            ("uuid", "zero"): ZERO_UUID,
            ("bytes", '""'): b"",
            ("records", "null"): None,
        }
        if (type_name, text) in constant:
            return constant[type_name, text]
        if type_name == "string" and re.fullmatch(r'"[^"]*"', text):
            return text[1:-1]
        if type_name == "float64" and re.fullmatch(r"-?\d+(\.\d+)?", text):
            return float(text)
        if type_name in _INTEGERS and re.fullmatch(r"-?\d+", text):
            bits, signed = _INTEGERS[type_name]
            low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
            if low <= int(text) <= high:
                return int(text)
        raise self.fail(line, f"expected a default of type {type_name}, not {text}")

    def in_order(self, fields: tuple[Field, ...]) -> tuple[StructSchema, ...]:
        """The structs that the message reaches, each after those that it uses."""
        order: dict[str, StructSchema] = {}

        def visit(of: tuple[Field, ...]) -> None:
            for field_ in of:
                if field_.is_struct and field_.type not in order:
                    visit(self.done[field_.type].fields)
                    order[field_.type] = self.done[field_.type]

        visit(fields)
        return tuple(order.values())
