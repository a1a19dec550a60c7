"""kafka-python's codec behind the form that the interpreter speaks: dicts by our field names, one way and the other.

It is a second opinion on the bytes: kafka-python compiles its codecs from Kafka's JSON, not from our specs. Its objects
differ from ours in small ways, which are translated here: the zero uuid is None, three sets of allowed operations are
sets of bits under other names, and a tagged struct at its default is None.
"""

from __future__ import annotations

import io
from typing import Any
from uuid import UUID

import kafka.protocol.admin
import kafka.protocol.consumer
import kafka.protocol.metadata
import kafka.protocol.producer
import kafka.protocol.sasl
from kafka.protocol.api_data import ApiData
from kafka.protocol.api_header import ApiHeader, RequestHeader, ResponseHeader
from kafka.protocol.consumer.metadata import ConsumerProtocolAssignment, ConsumerProtocolSubscription

from kwire.protocol.schema import Field, MessageSchema

_MODULES = (
    kafka.protocol.admin,
    kafka.protocol.consumer,
    kafka.protocol.metadata,
    kafka.protocol.producer,
    kafka.protocol.sasl,
)
_OTHERS = {
    cls.__name__: cls
    for cls in (RequestHeader, ResponseHeader, ConsumerProtocolAssignment, ConsumerProtocolSubscription)
}

# (message or struct, our field) -> the name and the form that kafka-python gave it.
_BITS = {
    ("MetadataResponse", "cluster_authorized_operations"): "authorized_operations",
    ("MetadataResponseTopic", "topic_authorized_operations"): "authorized_operations",
    ("DescribeClusterResponse", "cluster_authorized_operations"): "authorized_operations",
    ("DescribedGroup", "authorized_operations"): "authorized_operations",
}


def class_of(name: str) -> Any:
    """kafka-python's class for a message, or None if it has the definition but no class."""
    found = [getattr(module, name) for module in _MODULES if hasattr(module, name)]
    return found[0] if found else _OTHERS.get(name)


def encode(schema: MessageSchema, version: int, value: dict[str, Any]) -> bytes:
    cls = class_of(schema.name)
    theirs = _Translator(schema, version).to_theirs(cls, schema.name, schema.fields, value)
    if issubclass(cls, ApiHeader):
        return theirs.encode(flexible=version in schema.flexible)
    if issubclass(cls, ApiData):
        return theirs.encode(version=version, header=False)
    return theirs.encode(version=version)


def decode(schema: MessageSchema, version: int, data: bytes) -> dict[str, Any]:
    cls = class_of(schema.name)
    if issubclass(cls, ApiHeader):
        theirs = cls.decode(io.BytesIO(data), flexible=version in schema.flexible)
    elif issubclass(cls, ApiData):
        theirs = cls.decode(data, version=version, header=False)
    else:
        theirs = cls.decode(data, version=version)
    return _Translator(schema, version).to_ours(schema.name, schema.fields, theirs)


class _Translator:
    def __init__(self, schema: MessageSchema, version: int) -> None:
        self.schema = schema
        self.version = version

    def to_theirs(self, cls: Any, name: str, fields: tuple[Field, ...], value: dict[str, Any]) -> Any:
        values: dict[str, Any] = {}
        for field in fields:
            if self.version in field.versions:
                their_name = _BITS.get((name, field.name), field.name)
                values[their_name] = self.value_to_theirs(cls, name, field, value[field.name])
        return cls(**values) if issubclass(cls, ApiHeader) else cls(version=self.version, **values)

    def value_to_theirs(self, cls: Any, name: str, field: Field, value: Any) -> Any:
        if value is None:
            return None
        if field.is_struct:
            inner = cls.fields[field.name].data_class
            members = self.schema.struct(field.type).fields
            if field.array:
                return [self.to_theirs(inner, field.type, members, element) for element in value]
            if field.tag is not None and value == self.defaults(members):
                return None
            return self.to_theirs(inner, field.type, members, value)
        if (name, field.name) in _BITS:
            bits = {bit for bit in range(32) if value >> bit & 1}
            return None if bits == {31} else bits
        if field.type == "uuid":
            return [_to_uuid(element) for element in value] if field.array else _to_uuid(value)
        return value

    def to_ours(self, name: str, fields: tuple[Field, ...], theirs: Any) -> dict[str, Any]:
        values: dict[str, Any] = {"unknown_tags": {}}
        for field in fields:
            if self.version not in field.versions:
                values[field.name] = self.defaults((field,))[field.name]
            else:
                their_value = getattr(theirs, _BITS.get((name, field.name), field.name))
                values[field.name] = self.value_to_ours(name, field, their_value)
        return values

    def value_to_ours(self, name: str, field: Field, value: Any) -> Any:
        if (name, field.name) in _BITS:
            bits = sum(1 << bit for bit in ({31} if value is None else value))
            return bits - (1 << 32) if bits >> 31 else bits
        if field.type == "uuid":
            return [_from_uuid(element) for element in value] if field.array else _from_uuid(value)
        if value is None:
            default = self.defaults((field,))[field.name]
            return default if field.tag is not None and self.version not in field.nullable else None
        if field.is_struct:
            members = self.schema.struct(field.type).fields
            if field.array:
                return [self.to_ours(field.type, members, element) for element in value]
            return self.to_ours(field.type, members, value)
        return bytes(value) if field.type in ("bytes", "records") and not field.array else value

    def defaults(self, fields: tuple[Field, ...]) -> dict[str, Any]:
        values: dict[str, Any] = {"unknown_tags": {}}
        for field in fields:
            value = field.default
            if value is ...:
                value = self.defaults(self.schema.struct(field.type).fields)
            values[field.name] = [] if value == () else value
        return values


def _to_uuid(value: bytes) -> UUID | None:
    return UUID(bytes=value) if any(value) else None


def _from_uuid(value: UUID | None) -> bytes:
    return bytes(16) if value is None else value.bytes
