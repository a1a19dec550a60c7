"""GetTelemetrySubscriptionsResponse: API key 71, versions 0, flexible 0+.

Generated from protocol_specs/071_get_telemetry_subscriptions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions, ZERO_UUID


class GetTelemetrySubscriptionsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "client_instance_id", "subscription_id", "accepted_compression_types", "push_interval_ms", "telemetry_max_bytes", "delta_temporality", "requested_metrics")

    SCHEMA: ClassVar = MessageSchema(
        "GetTelemetrySubscriptionsResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("client_instance_id", "uuid", default=ZERO_UUID),
            Field("subscription_id", "int32", default=0),
            Field("accepted_compression_types", "int8", array=True, default=()),
            Field("push_interval_ms", "int32", default=0),
            Field("telemetry_max_bytes", "int32", default=0),
            Field("delta_temporality", "bool", default=False),
            Field("requested_metrics", "string", array=True, default=()),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        client_instance_id: bytes = ZERO_UUID,
        subscription_id: int = 0,
        accepted_compression_types: Sequence[int] = (),
        push_interval_ms: int = 0,
        telemetry_max_bytes: int = 0,
        delta_temporality: bool = False,
        requested_metrics: Sequence[str] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.client_instance_id: Final = client_instance_id
        self.subscription_id: Final = subscription_id
        self.accepted_compression_types: Final = accepted_compression_types
        self.push_interval_ms: Final = push_interval_ms
        self.telemetry_max_bytes: Final = telemetry_max_bytes
        self.delta_temporality: Final = delta_temporality
        self.requested_metrics: Final = requested_metrics
        self.unknown_tags = unknown_tags
