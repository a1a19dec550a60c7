"""ElectLeadersResponse: API key 43, versions 0-2, flexible 2+.

Generated from protocol_specs/043_elect_leaders.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class PartitionResult(Struct):
    __slots__ = ("partition_id", "error_code", "error_message")

    def __init__(
        self,
        partition_id: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_id: Final = partition_id
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class ReplicaElectionResult(Struct):
    __slots__ = ("topic", "partition_result")

    def __init__(
        self,
        topic: str = "",
        partition_result: Sequence[PartitionResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.partition_result: Final = partition_result
        self.unknown_tags = unknown_tags


class ElectLeadersResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "replica_election_results")

    SCHEMA: ClassVar = MessageSchema(
        "ElectLeadersResponse",
        Versions(0, 2),
        Versions(2, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", versions=Versions(1, LATEST), default=0),
            Field("replica_election_results", "ReplicaElectionResult", array=True, default=()),
        ),
        (
            StructSchema(
                "PartitionResult",
                (
                    Field("partition_id", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default=""),
                ),
            ),
            StructSchema(
                "ReplicaElectionResult",
                (
                    Field("topic", "string", default=""),
                    Field("partition_result", "PartitionResult", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionResult": PartitionResult, "ReplicaElectionResult": ReplicaElectionResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        replica_election_results: Sequence[ReplicaElectionResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.replica_election_results: Final = replica_election_results
        self.unknown_tags = unknown_tags
