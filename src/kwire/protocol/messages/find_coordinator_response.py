"""FindCoordinatorResponse: API key 10, versions 0-6, flexible 3+.

Generated from protocol_specs/010_find_coordinator.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class Coordinator(Struct):
    __slots__ = ("key", "node_id", "host", "port", "error_code", "error_message")

    def __init__(
        self,
        key: str = "",
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.key: Final = key
        self.node_id: Final = node_id
        self.host: Final = host
        self.port: Final = port
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class FindCoordinatorResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "node_id", "host", "port", "coordinators")

    SCHEMA: ClassVar = MessageSchema(
        "FindCoordinatorResponse",
        Versions(0, 6),
        Versions(3, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(1, LATEST), default=0, ignorable=True),
            Field("error_code", "int16", versions=Versions(0, 3), default=0),
            Field("error_message", "string", versions=Versions(1, 3), nullable=Versions(1, 3), default="", ignorable=True),
            Field("node_id", "int32", versions=Versions(0, 3), default=0),
            Field("host", "string", versions=Versions(0, 3), default=""),
            Field("port", "int32", versions=Versions(0, 3), default=0),
            Field("coordinators", "Coordinator", array=True, versions=Versions(4, LATEST), default=()),
        ),
        (
            StructSchema(
                "Coordinator",
                (
                    Field("key", "string", default=""),
                    Field("node_id", "int32", default=0),
                    Field("host", "string", default=""),
                    Field("port", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default="", ignorable=True),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"Coordinator": Coordinator}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        coordinators: Sequence[Coordinator] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.node_id: Final = node_id
        self.host: Final = host
        self.port: Final = port
        self.coordinators: Final = coordinators
        self.unknown_tags = unknown_tags
