"""UnregisterBrokerRequest: API key 64, versions 0, flexible 0+.

Generated from protocol_specs/064_unregister_broker.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions


class UnregisterBrokerRequest(Message):
    __slots__ = ("broker_id",)

    SCHEMA: ClassVar = MessageSchema(
        "UnregisterBrokerRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("broker_id", "int32", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        broker_id: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.broker_id: Final = broker_id
        self.unknown_tags = unknown_tags
