"""StreamsGroupMemberMetadataValue: record type 19, versions 0, flexible 0+.

Generated from protocol_specs/record_streams_group_member_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class Endpoint(Struct):
    __slots__ = ("host", "port")

    def __init__(
        self,
        host: str = "",
        port: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.host: Final = host
        self.port: Final = port
        self.unknown_tags = unknown_tags


class KeyValue(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = "",
        value: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.key: Final = key
        self.value: Final = value
        self.unknown_tags = unknown_tags


class StreamsGroupMemberMetadataValue(Message):
    __slots__ = ("instance_id", "rack_id", "client_id", "client_host", "rebalance_timeout_ms", "topology_epoch", "process_id", "user_endpoint", "client_tags")

    SCHEMA: ClassVar = MessageSchema(
        "StreamsGroupMemberMetadataValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("instance_id", "string", nullable=ALWAYS, default=""),
            Field("rack_id", "string", nullable=ALWAYS, default=""),
            Field("client_id", "string", default=""),
            Field("client_host", "string", default=""),
            Field("rebalance_timeout_ms", "int32", default=-1),
            Field("topology_epoch", "int32", default=0),
            Field("process_id", "string", default=""),
            Field("user_endpoint", "Endpoint", nullable=ALWAYS),
            Field("client_tags", "KeyValue", array=True, default=()),
        ),
        (
            StructSchema(
                "Endpoint",
                (
                    Field("host", "string", default=""),
                    Field("port", "uint16", default=0),
                ),
            ),
            StructSchema(
                "KeyValue",
                (
                    Field("key", "string", default=""),
                    Field("value", "string", default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"Endpoint": Endpoint, "KeyValue": KeyValue}

    def __init__(
        self,
        instance_id: str | None = "",
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout_ms: int = -1,
        topology_epoch: int = 0,
        process_id: str = "",
        user_endpoint: Endpoint | None = None,
        client_tags: Sequence[KeyValue] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.rebalance_timeout_ms: Final = rebalance_timeout_ms
        self.topology_epoch: Final = topology_epoch
        self.process_id: Final = process_id
        self.user_endpoint: Final = user_endpoint
        self.client_tags: Final = client_tags
        self.unknown_tags = unknown_tags
