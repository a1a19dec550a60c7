"""PushTelemetryRequest: API key 72, versions 0, flexible 0+.

Generated from protocol_specs/072_push_telemetry.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions, ZERO_UUID


class PushTelemetryRequest(Message):
    __slots__ = ("client_instance_id", "subscription_id", "terminating", "compression_type", "metrics")

    SCHEMA: ClassVar = MessageSchema(
        "PushTelemetryRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("client_instance_id", "uuid", default=ZERO_UUID),
            Field("subscription_id", "int32", default=0),
            Field("terminating", "bool", default=False),
            Field("compression_type", "int8", default=0),
            Field("metrics", "bytes", default=b''),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        client_instance_id: bytes = ZERO_UUID,
        subscription_id: int = 0,
        terminating: bool = False,
        compression_type: int = 0,
        metrics: bytes = b'',
        unknown_tags: Tags | None = None,
    ) -> None:
        self.client_instance_id: Final = client_instance_id
        self.subscription_id: Final = subscription_id
        self.terminating: Final = terminating
        self.compression_type: Final = compression_type
        self.metrics: Final = metrics
        self.unknown_tags = unknown_tags
