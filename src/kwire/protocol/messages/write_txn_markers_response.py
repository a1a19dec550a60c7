"""WriteTxnMarkersResponse: API key 27, versions 1-2, flexible 1+.

Generated from protocol_specs/027_write_txn_markers.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class WritableTxnMarkerPartitionResult(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags


class WritableTxnMarkerTopicResult(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[WritableTxnMarkerPartitionResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class WritableTxnMarkerResult(Struct):
    __slots__ = ("producer_id", "topics")

    def __init__(
        self,
        producer_id: int = 0,
        topics: Sequence[WritableTxnMarkerTopicResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.producer_id: Final = producer_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags


class WriteTxnMarkersResponse(Message):
    __slots__ = ("markers",)

    SCHEMA: ClassVar = MessageSchema(
        "WriteTxnMarkersResponse",
        Versions(1, 2),
        Versions(1, LATEST),
        (
            Field("markers", "WritableTxnMarkerResult", array=True, default=()),
        ),
        (
            StructSchema(
                "WritableTxnMarkerPartitionResult",
                (
                    Field("partition_index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                ),
            ),
            StructSchema(
                "WritableTxnMarkerTopicResult",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "WritableTxnMarkerPartitionResult", array=True, default=()),
                ),
            ),
            StructSchema(
                "WritableTxnMarkerResult",
                (
                    Field("producer_id", "int64", default=0),
                    Field("topics", "WritableTxnMarkerTopicResult", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"WritableTxnMarkerPartitionResult": WritableTxnMarkerPartitionResult, "WritableTxnMarkerTopicResult": WritableTxnMarkerTopicResult, "WritableTxnMarkerResult": WritableTxnMarkerResult}

    def __init__(
        self,
        markers: Sequence[WritableTxnMarkerResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.markers: Final = markers
        self.unknown_tags = unknown_tags
