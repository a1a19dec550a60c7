"""Writes one module of typed, slotted classes per message, and the index of all of them.

The classes carry their schema, so that the codec needs no spec files at run time. What is written is committed; a
test generates it anew and compares.
"""

from __future__ import annotations

from collections.abc import Iterable

from kwire.protocol.registry import module_name
from kwire.protocol.schema import ALWAYS, FIXED, LATEST, NEVER, Field, MessageSchema, Versions
from kwire.protocol.specs.parser import Section, Spec

_TYPES = {"bool": "bool", "float64": "float", "uuid": "bytes", "string": "str", "bytes": "bytes", "records": "Records"}
_NUMBERS = {kind: "int" for kind in FIXED if kind not in _TYPES}
_DO_NOT_EDIT = "by `make generate`; do not edit."


def generate(specs: Iterable[Spec]) -> dict[str, str]:
    """File name -> contents of the whole `messages` package."""
    specs = sorted(specs, key=lambda spec: spec.file)
    files = {"__init__.py": _index(specs)}
    for spec in specs:
        for section in spec.sections:
            files[f"{module_name(section.message.name)}.py"] = _module(spec, section)
    return files


def _module(spec: Spec, section: Section) -> str:
    message = section.message
    title = {"api": f"API key {spec.number}, ", "record": f"record type {spec.number}, "}.get(spec.kind, "")
    flexible = f", flexible {message.flexible}" if message.flexible != NEVER else ""
    fields = [field for struct in message.structs for field in struct.fields] + list(message.fields)
    parts = [
        f'"""{message.name}: {title}versions {message.versions}{flexible}.',
        "",
        f"Generated from protocol_specs/{spec.file} {_DO_NOT_EDIT}",
        '"""',
        "",
        "from __future__ import annotations",
        "",
    ]
    if any(field.array for field in fields):
        parts.append("from collections.abc import Sequence")
    parts += [
        f"from typing import ClassVar{', Final' if fields else ''}",
        "",
        f"from kwire.protocol.schema import {', '.join(_names_used(message, fields))}",
        "",
    ]
    defaults = {field.type for field in fields if field.default is ...}
    for struct in message.structs:
        parts += ["", *_class(struct.name, "Struct", struct.fields)]
        if struct.name in defaults:
            parts += ["", "", f"{struct.name}.DEFAULT = {struct.name}()"]
        parts.append("")
    parts += ["", *_class(message.name, "Message", message.fields, *_schema(message))]
    return "\n".join(parts) + "\n"


def _names_used(message: MessageSchema, fields: list[Field]) -> list[str]:
    names = {"Message", "MessageSchema", "Tags", "Versions", "Struct"}
    if fields:
        names.add("Field")
    if message.structs:
        names.add("StructSchema")
    if message.flexible not in (NEVER, ALWAYS) or any(
        LATEST in (f.versions.high, f.nullable.high) for f in fields if f.versions != ALWAYS
    ):
        names.add("LATEST")
    if message.flexible == ALWAYS or any(field.nullable == ALWAYS for field in fields):
        names.add("ALWAYS")
    if message.flexible == NEVER:
        names.add("NEVER")
    if any(field.type == "records" for field in fields):
        names.add("Records")
    if any(field.type == "uuid" and not field.array for field in fields):
        names.add("ZERO_UUID")
    return sorted(names)


def _class(name: str, base: str, fields: tuple[Field, ...], *members: str) -> list[str]:
    slots = ", ".join(f'"{field.name}"' for field in fields) + ("," if len(fields) == 1 else "")
    lines = [f"class {name}({base}):", f"    __slots__ = ({slots})", ""]
    lines += [f"    {member}" if member else "" for member in members]
    lines.append("    def __init__(")
    lines.append("        self,")
    lines += [f"        {field.name}: {_annotation(field)} = {_default(field)}," for field in fields]
    lines += ["        unknown_tags: Tags | None = None,", "    ) -> None:"]
    lines += [f"        self.{field.name}: Final = {field.name}" for field in fields]
    lines.append("        self.unknown_tags = unknown_tags")
    return lines


def _annotation(field: Field) -> str:
    kind = _TYPES.get(field.type) or _NUMBERS.get(field.type) or field.type
    if field.array:
        kind = f"Sequence[{kind}]"
    return f"{kind} | None" if field.nullable != NEVER or field.default is None else kind


def _default(field: Field) -> str:
    if field.default is ...:
        return f"{field.type}.DEFAULT"
    if field.type == "uuid" and not field.array:
        return "ZERO_UUID"
    return '""' if field.default == "" else repr(field.default)


def _schema(message: MessageSchema) -> list[str]:
    lines = ["SCHEMA: ClassVar = MessageSchema(", f'    "{message.name}",', f"    {_versions(message.versions)},"]
    lines.append(f"    {_versions(message.flexible)},")
    lines += _fields(message.fields, "    ")
    if message.structs:
        lines.append("    (")
        for struct in message.structs:
            lines += [
                "        StructSchema(",
                f'            "{struct.name}",',
                *_fields(struct.fields, " " * 12),
                "        ),",
            ]
        lines.append("    ),")
    lines.append(")")
    classes = ", ".join(f'"{struct.name}": {struct.name}' for struct in message.structs)
    lines += [f"STRUCTS: ClassVar[dict[str, type[Struct]]] = {{{classes}}}", ""]
    return lines


def _fields(fields: tuple[Field, ...], indent: str) -> list[str]:
    return [f"{indent}(", *(f"{indent}    {_field(field)}," for field in fields), f"{indent}),"]


def _field(field: Field) -> str:
    parts = [f'"{field.name}"', f'"{field.type}"']
    if field.array:
        parts.append("array=True")
    if field.versions != ALWAYS:
        parts.append(f"versions={_versions(field.versions)}")
    if field.nullable != NEVER:
        parts.append(f"nullable={_versions(field.nullable)}")
    if field.tag is not None:
        parts.append(f"tag={field.tag}")
    if field.default is not None:
        default = "..." if field.default is ... else _default(field)
        parts.append(f"default={default}")
    parts += [f"{flag}=True" for flag in ("ignorable", "key", "classic") if getattr(field, flag)]
    return f"Field({', '.join(parts)})"


def _versions(versions: Versions) -> str:
    if versions == NEVER:
        return "NEVER"
    if versions == ALWAYS:
        return "ALWAYS"
    return f"Versions({versions.low}, {'LATEST' if versions.high == LATEST else versions.high})"


def _index(specs: list[Spec]) -> str:
    apis = [spec for spec in specs if spec.kind == "api"]
    records = [spec for spec in specs if spec.kind == "record"]
    lines = [
        '"""The generated messages: one module each, and the tables by which they are found.',
        "",
        f"Generated from protocol_specs/ {_DO_NOT_EDIT}",
        '"""',
        "",
        "from kwire.protocol.registry import Api",
        "from kwire.protocol.schema import ALWAYS, LATEST, NEVER, Versions",
        "",
        "APIS: dict[int, Api] = {",
        "    api.key: api",
        "    for api in (",
    ]
    for spec in apis:
        request, response = spec.section("request"), spec.section("response")
        parts = [
            str(spec.number),
            f'"{spec.name}"',
            _versions(request.message.versions),
            _versions(request.message.flexible),
        ]
        if spec.unstable != NEVER:
            parts.append(f"unstable={_versions(spec.unstable)}")
        if response.header_version is not None:
            parts.append(f"response_header={response.header_version}")
        lines.append(f"        Api({', '.join(parts)}),")
    lines += ["    )", "}", '"""Every API by its key."""', "", "RECORD_TYPES: dict[str, int] = {"]
    lines += [f'    "{spec.name}": {spec.number},' for spec in records]
    lines += ["}", '"""Type numbers of the coordinators\' records: the int16 at the start of a record\'s key."""', ""]
    return "\n".join(lines)
