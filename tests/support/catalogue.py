"""Every message that protocol_specs/ describes, for tests that run over all of them."""

from __future__ import annotations

from pathlib import Path

from kwire.protocol.registry import message_class
from kwire.protocol.schema import Message, MessageSchema
from kwire.protocol.specs.parser import Spec, parse_spec

ROOT = Path(__file__).resolve().parents[2]
SPEC_FILES = sorted((ROOT / "protocol_specs").glob("*.kspec"))

SPECS: tuple[Spec, ...] = tuple(parse_spec(path.read_text(), path.name) for path in SPEC_FILES)

SCHEMAS: dict[str, MessageSchema] = {
    section.message.name: section.message for spec in SPECS for section in spec.sections
}
"""Message name -> what the spec says, straight from the parser: not what the generated class carries."""


def versions_of(schema: MessageSchema) -> range:
    return range(schema.versions.low, schema.versions.high + 1)


MESSAGES: list[type[Message]] = [message_class(name) for name in SCHEMAS]
MESSAGE_VERSIONS: list[tuple[type[Message], int]] = [
    (message, version) for message in MESSAGES for version in versions_of(message.SCHEMA)
]


def identify(value: object) -> str:
    """Test ids: `FetchRequest-v12`."""
    return value.__name__ if isinstance(value, type) else f"v{value}"
