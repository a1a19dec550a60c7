"""SyncGroupResponse: API key 14, versions 0-5, flexible 4+.

Generated from protocol_specs/014_sync_group.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class SyncGroupResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "protocol_type", "protocol_name", "assignment")

    SCHEMA: ClassVar = MessageSchema(
        "SyncGroupResponse",
        Versions(0, 5),
        Versions(4, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(1, LATEST), default=0, ignorable=True),
            Field("error_code", "int16", default=0),
            Field("protocol_type", "string", versions=Versions(5, LATEST), nullable=Versions(5, LATEST), ignorable=True),
            Field("protocol_name", "string", versions=Versions(5, LATEST), nullable=Versions(5, LATEST), ignorable=True),
            Field("assignment", "bytes", default=b''),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignment: bytes = b'',
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.protocol_type: Final = protocol_type
        self.protocol_name: Final = protocol_name
        self.assignment: Final = assignment
        self.unknown_tags = unknown_tags
