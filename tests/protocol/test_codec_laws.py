"""What holds for every message in every version, over values that hypothesis makes.

The interpreter in tests/support reads the specs themselves; the codec reads the generated classes. That they agree byte
for byte says that parser, generator and codec mean the same thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interpreter
from catalogue import MESSAGE_VERSIONS, MESSAGES, SCHEMAS, identify
from kwire.protocol.codec import DecodeError, EncodeError, decode, decoder, encode, encode_pieces
from kwire.protocol.schema import Field, Message, Struct
from strategies import law, messages

every_message_version = pytest.mark.parametrize(("message", "version"), MESSAGE_VERSIONS, ids=identify)
CUTS_MAX = 48


def test_the_catalogue_is_whole() -> None:
    assert len(MESSAGES) == 213
    assert len(MESSAGE_VERSIONS) == 632


@every_message_version
def test_codec_and_interpreter_agree_and_nothing_is_lost(message: type[Message], version: int) -> None:
    @law()
    @given(messages(message, version))
    def check(value: Message) -> None:
        data = encode(value, version)
        plain = interpreter.as_dict(value)
        assert data == interpreter.encode(SCHEMAS[message.SCHEMA.name], version, plain)
        decoded = decode(message, version, data)
        assert decoded == value
        assert interpreter.as_dict(decoded) == plain
        assert interpreter.decode(SCHEMAS[message.SCHEMA.name], version, data) == (plain, len(data))
        assert encode(decoded, version) == data

    check()


@every_message_version
def test_any_buffer_at_any_position_decodes_the_same(message: type[Message], version: int) -> None:
    @law(share=0.5)
    @given(messages(message, version), st.binary(max_size=9), st.binary(max_size=9))
    def check(value: Message, before: bytes, behind: bytes) -> None:
        data = encode(value, version)
        assert b"".join(bytes(piece) for piece in encode_pieces(value, version)) == data
        framed = before + data + behind
        for buffer in (framed, bytearray(framed), memoryview(framed), memoryview(bytearray(framed))):
            decoded, position = decoder(message, version)(buffer, len(before))
            assert decoded == value
            assert position == len(before) + len(data)

    check()


@every_message_version
def test_every_cut_is_noticed(message: type[Message], version: int) -> None:
    @law(share=0.34)
    @given(messages(message, version))
    def check(value: Message) -> None:
        data = encode(value, version)
        for size in range(0, len(data), 1 + len(data) // CUTS_MAX):
            with pytest.raises(DecodeError) as caught:
                decode(message, version, data[:size])
            assert (caught.value.message, caught.value.version) == (message.SCHEMA.name, version)
            assert 0 <= caught.value.position <= size

    check()


# ---- fields that a version lacks ----------------------------------------------------------------------------------


@every_message_version
def test_a_field_that_the_version_lacks_is_refused_or_dropped(message: type[Message], version: int) -> None:
    whole = _filled(message, message, version)
    data = encode(whole, version)
    for struct, field in _absent(whole, message, version):
        default = getattr(struct, field.name)
        setattr(struct, field.name, _other_than(default, field, message, version))
        if field.ignorable:
            assert encode(whole, version) == data
        else:
            with pytest.raises(EncodeError) as caught:
                encode(whole, version)
            assert caught.value.field.split(".")[-1] == field.name
        setattr(struct, field.name, default)
    assert encode(whole, version) == data


@every_message_version
def test_unknown_tags_are_kept_or_refused(message: type[Message], version: int) -> None:
    whole = _filled(message, message, version)
    data = encode(whole, version)
    for struct in _structs(whole, message, version):
        struct.unknown_tags = {12345: b"kept"}
        if version in message.SCHEMA.flexible:
            assert decode(message, version, encode(whole, version)) == whole
            assert encode(whole, version) != data
        else:
            with pytest.raises(EncodeError):
                encode(whole, version)
        struct.unknown_tags = None
    assert encode(whole, version) == data


_SAMPLES = {"bool": True, "float64": 2.5, "uuid": bytes(range(16)), "string": "s", "bytes": b"b", "records": b"r"}


def _fields(struct: Struct, message: type[Message]) -> tuple[Field, ...]:
    name = type(struct).__name__
    return message.SCHEMA.fields if type(struct) is message else message.SCHEMA.struct(name).fields


def _sample(field: Field, message: type[Message], version: int) -> Any:
    value = _SAMPLES.get(field.type, 7)
    if field.is_struct:
        value = _filled(message.STRUCTS[field.type], message, version)
    return [value] if field.array else value


def _filled(cls: type[Any], message: type[Message], version: int) -> Any:
    """An object in which every field of this version is there: one element in each array, nothing null."""
    fields = message.SCHEMA.fields if cls is message else message.SCHEMA.struct(cls.__name__).fields
    return cls(**{field.name: _sample(field, message, version) for field in fields if version in field.versions})


def _structs(struct: Struct, message: type[Message], version: int) -> Iterator[Struct]:
    yield struct
    for field in _fields(struct, message):
        if field.is_struct and version in field.versions:
            value = getattr(struct, field.name)
            yield from _structs(value[0] if field.array else value, message, version)


def _absent(whole: Message, message: type[Message], version: int) -> Iterator[tuple[Struct, Field]]:
    for struct in _structs(whole, message, version):
        for field in _fields(struct, message):
            if version not in field.versions:
                yield struct, field


def _other_than(default: Any, field: Field, message: type[Message], version: int) -> Any:
    value = _sample(field, message, version)
    return value if value != default else 8
