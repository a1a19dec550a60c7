"""ListTransactionsResponse: API key 66, versions 0-2, flexible 0+.

Generated from protocol_specs/066_list_transactions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class TransactionState(Struct):
    __slots__ = ("transactional_id", "producer_id", "transaction_state")

    def __init__(
        self,
        transactional_id: str = "",
        producer_id: int = 0,
        transaction_state: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.producer_id: Final = producer_id
        self.transaction_state: Final = transaction_state
        self.unknown_tags = unknown_tags


class ListTransactionsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "unknown_state_filters", "transaction_states")

    SCHEMA: ClassVar = MessageSchema(
        "ListTransactionsResponse",
        Versions(0, 2),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("unknown_state_filters", "string", array=True, default=()),
            Field("transaction_states", "TransactionState", array=True, default=()),
        ),
        (
            StructSchema(
                "TransactionState",
                (
                    Field("transactional_id", "string", default=""),
                    Field("producer_id", "int64", default=0),
                    Field("transaction_state", "string", default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TransactionState": TransactionState}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_state_filters: Sequence[str] = (),
        transaction_states: Sequence[TransactionState] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.unknown_state_filters: Final = unknown_state_filters
        self.transaction_states: Final = transaction_states
        self.unknown_tags = unknown_tags
