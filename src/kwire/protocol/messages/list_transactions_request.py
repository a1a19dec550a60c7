"""ListTransactionsRequest: API key 66, versions 0-2, flexible 0+.

Generated from protocol_specs/066_list_transactions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class ListTransactionsRequest(Message):
    __slots__ = ("state_filters", "producer_id_filters", "duration_filter", "transactional_id_pattern")

    SCHEMA: ClassVar = MessageSchema(
        "ListTransactionsRequest",
        Versions(0, 2),
        ALWAYS,
        (
            Field("state_filters", "string", array=True, default=()),
            Field("producer_id_filters", "int64", array=True, default=()),
            Field("duration_filter", "int64", versions=Versions(1, LATEST), default=-1),
            Field("transactional_id_pattern", "string", versions=Versions(2, LATEST), nullable=Versions(2, LATEST)),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        state_filters: Sequence[str] = (),
        producer_id_filters: Sequence[int] = (),
        duration_filter: int = -1,
        transactional_id_pattern: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.state_filters: Final = state_filters
        self.producer_id_filters: Final = producer_id_filters
        self.duration_filter: Final = duration_filter
        self.transactional_id_pattern: Final = transactional_id_pattern
        self.unknown_tags = unknown_tags
