"""HeartbeatResponse: API key 12, versions 0-4, flexible 4+.

Generated from protocol_specs/012_heartbeat.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class HeartbeatResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code")

    SCHEMA: ClassVar = MessageSchema(
        "HeartbeatResponse",
        Versions(0, 4),
        Versions(4, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(1, LATEST), default=0, ignorable=True),
            Field("error_code", "int16", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags
