"""AddPartitionsToTxnRequest: API key 24, versions 0-5, flexible 3+.

Generated from protocol_specs/024_add_partitions_to_txn.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class AddPartitionsToTxnTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class AddPartitionsToTxnTransaction(Struct):
    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "verify_only", "topics")

    def __init__(
        self,
        transactional_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        verify_only: bool = False,
        topics: Sequence[AddPartitionsToTxnTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.verify_only: Final = verify_only
        self.topics: Final = topics
        self.unknown_tags = unknown_tags


class AddPartitionsToTxnRequest(Message):
    __slots__ = ("transactions", "v3_and_below_transactional_id", "v3_and_below_producer_id", "v3_and_below_producer_epoch", "v3_and_below_topics")

    SCHEMA: ClassVar = MessageSchema(
        "AddPartitionsToTxnRequest",
        Versions(0, 5),
        Versions(3, LATEST),
        (
            Field("transactions", "AddPartitionsToTxnTransaction", array=True, versions=Versions(4, LATEST), default=()),
            Field("v3_and_below_transactional_id", "string", versions=Versions(0, 3), default=""),
            Field("v3_and_below_producer_id", "int64", versions=Versions(0, 3), default=0),
            Field("v3_and_below_producer_epoch", "int16", versions=Versions(0, 3), default=0),
            Field("v3_and_below_topics", "AddPartitionsToTxnTopic", array=True, versions=Versions(0, 3), default=()),
        ),
        (
            StructSchema(
                "AddPartitionsToTxnTopic",
                (
                    Field("name", "string", default="", key=True),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "AddPartitionsToTxnTransaction",
                (
                    Field("transactional_id", "string", default="", key=True),
                    Field("producer_id", "int64", default=0),
                    Field("producer_epoch", "int16", default=0),
                    Field("verify_only", "bool", default=False),
                    Field("topics", "AddPartitionsToTxnTopic", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AddPartitionsToTxnTopic": AddPartitionsToTxnTopic, "AddPartitionsToTxnTransaction": AddPartitionsToTxnTransaction}

    def __init__(
        self,
        transactions: Sequence[AddPartitionsToTxnTransaction] = (),
        v3_and_below_transactional_id: str = "",
        v3_and_below_producer_id: int = 0,
        v3_and_below_producer_epoch: int = 0,
        v3_and_below_topics: Sequence[AddPartitionsToTxnTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.transactions: Final = transactions
        self.v3_and_below_transactional_id: Final = v3_and_below_transactional_id
        self.v3_and_below_producer_id: Final = v3_and_below_producer_id
        self.v3_and_below_producer_epoch: Final = v3_and_below_producer_epoch
        self.v3_and_below_topics: Final = v3_and_below_topics
        self.unknown_tags = unknown_tags
