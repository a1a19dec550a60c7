"""CreatePartitionsRequest: API key 37, versions 0-3, flexible 2+.

Generated from protocol_specs/037_create_partitions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class CreatePartitionsAssignment(Struct):
    __slots__ = ("broker_ids",)

    def __init__(
        self,
        broker_ids: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.broker_ids: Final = broker_ids
        self.unknown_tags = unknown_tags


class CreatePartitionsTopic(Struct):
    __slots__ = ("name", "count", "assignments")

    def __init__(
        self,
        name: str = "",
        count: int = 0,
        assignments: Sequence[CreatePartitionsAssignment] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.count: Final = count
        self.assignments: Final = assignments
        self.unknown_tags = unknown_tags


class CreatePartitionsRequest(Message):
    __slots__ = ("topics", "timeout_ms", "validate_only")

    SCHEMA: ClassVar = MessageSchema(
        "CreatePartitionsRequest",
        Versions(0, 3),
        Versions(2, LATEST),
        (
            Field("topics", "CreatePartitionsTopic", array=True, default=()),
            Field("timeout_ms", "int32", default=0),
            Field("validate_only", "bool", default=False),
        ),
        (
            StructSchema(
                "CreatePartitionsAssignment",
                (
                    Field("broker_ids", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "CreatePartitionsTopic",
                (
                    Field("name", "string", default="", key=True),
                    Field("count", "int32", default=0),
                    Field("assignments", "CreatePartitionsAssignment", array=True, nullable=ALWAYS, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"CreatePartitionsAssignment": CreatePartitionsAssignment, "CreatePartitionsTopic": CreatePartitionsTopic}

    def __init__(
        self,
        topics: Sequence[CreatePartitionsTopic] = (),
        timeout_ms: int = 0,
        validate_only: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.timeout_ms: Final = timeout_ms
        self.validate_only: Final = validate_only
        self.unknown_tags = unknown_tags
