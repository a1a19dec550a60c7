"""GetTelemetrySubscriptionsRequest: API key 71, versions 0, flexible 0+.

Generated from protocol_specs/071_get_telemetry_subscriptions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions, ZERO_UUID


class GetTelemetrySubscriptionsRequest(Message):
    __slots__ = ("client_instance_id",)

    SCHEMA: ClassVar = MessageSchema(
        "GetTelemetrySubscriptionsRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("client_instance_id", "uuid", default=ZERO_UUID),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        client_instance_id: bytes = ZERO_UUID,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.client_instance_id: Final = client_instance_id
        self.unknown_tags = unknown_tags
