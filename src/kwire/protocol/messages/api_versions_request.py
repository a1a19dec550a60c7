"""ApiVersionsRequest: API key 18, versions 0-4, flexible 3+.

Generated from protocol_specs/018_api_versions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class ApiVersionsRequest(Message):
    __slots__ = ("client_software_name", "client_software_version")

    SCHEMA: ClassVar = MessageSchema(
        "ApiVersionsRequest",
        Versions(0, 4),
        Versions(3, LATEST),
        (
            Field("client_software_name", "string", versions=Versions(3, LATEST), default="", ignorable=True),
            Field("client_software_version", "string", versions=Versions(3, LATEST), default="", ignorable=True),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        client_software_name: str = "",
        client_software_version: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.client_software_name: Final = client_software_name
        self.client_software_version: Final = client_software_version
        self.unknown_tags = unknown_tags
