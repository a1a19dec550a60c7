"""DescribeTransactionsRequest: API key 65, versions 0, flexible 0+.

Generated from protocol_specs/065_describe_transactions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions


class DescribeTransactionsRequest(Message):
    __slots__ = ("transactional_ids",)

    SCHEMA: ClassVar = MessageSchema(
        "DescribeTransactionsRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("transactional_ids", "string", array=True, default=()),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        transactional_ids: Sequence[str] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.transactional_ids: Final = transactional_ids
        self.unknown_tags = unknown_tags
