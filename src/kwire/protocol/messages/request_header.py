"""RequestHeader: versions 0-2, flexible 2+.

Generated from protocol_specs/headers.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class RequestHeader(Message):
    __slots__ = ("request_api_key", "request_api_version", "correlation_id", "client_id")

    SCHEMA: ClassVar = MessageSchema(
        "RequestHeader",
        Versions(0, 2),
        Versions(2, LATEST),
        (
            Field("request_api_key", "int16", default=0),
            Field("request_api_version", "int16", default=0),
            Field("correlation_id", "int32", default=0),
            Field("client_id", "string", versions=Versions(1, LATEST), nullable=Versions(1, LATEST), default="", classic=True),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        request_api_key: int = 0,
        request_api_version: int = 0,
        correlation_id: int = 0,
        client_id: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.request_api_key: Final = request_api_key
        self.request_api_version: Final = request_api_version
        self.correlation_id: Final = correlation_id
        self.client_id: Final = client_id
        self.unknown_tags = unknown_tags
