"""WriteTxnMarkersRequest: API key 27, versions 1-2, flexible 1+.

Generated from protocol_specs/027_write_txn_markers.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class WritableTxnMarkerTopic(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(
        self,
        name: str = "",
        partition_indexes: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partition_indexes: Final = partition_indexes
        self.unknown_tags = unknown_tags


class WritableTxnMarker(Struct):
    __slots__ = ("producer_id", "producer_epoch", "transaction_result", "topics", "coordinator_epoch", "transaction_version")

    def __init__(
        self,
        producer_id: int = 0,
        producer_epoch: int = 0,
        transaction_result: bool = False,
        topics: Sequence[WritableTxnMarkerTopic] = (),
        coordinator_epoch: int = 0,
        transaction_version: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.transaction_result: Final = transaction_result
        self.topics: Final = topics
        self.coordinator_epoch: Final = coordinator_epoch
        self.transaction_version: Final = transaction_version
        self.unknown_tags = unknown_tags


class WriteTxnMarkersRequest(Message):
    __slots__ = ("markers",)

    SCHEMA: ClassVar = MessageSchema(
        "WriteTxnMarkersRequest",
        Versions(1, 2),
        Versions(1, LATEST),
        (
            Field("markers", "WritableTxnMarker", array=True, default=()),
        ),
        (
            StructSchema(
                "WritableTxnMarkerTopic",
                (
                    Field("name", "string", default=""),
                    Field("partition_indexes", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "WritableTxnMarker",
                (
                    Field("producer_id", "int64", default=0),
                    Field("producer_epoch", "int16", default=0),
                    Field("transaction_result", "bool", default=False),
                    Field("topics", "WritableTxnMarkerTopic", array=True, default=()),
                    Field("coordinator_epoch", "int32", default=0),
                    Field("transaction_version", "int8", versions=Versions(2, LATEST), default=0, ignorable=True),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"WritableTxnMarkerTopic": WritableTxnMarkerTopic, "WritableTxnMarker": WritableTxnMarker}

    def __init__(
        self,
        markers: Sequence[WritableTxnMarker] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.markers: Final = markers
        self.unknown_tags = unknown_tags
