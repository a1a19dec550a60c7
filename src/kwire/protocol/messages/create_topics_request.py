"""CreateTopicsRequest: API key 19, versions 2-7, flexible 5+.

Generated from protocol_specs/019_create_topics.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class CreatableReplicaAssignment(Struct):
    __slots__ = ("partition_index", "broker_ids")

    def __init__(
        self,
        partition_index: int = 0,
        broker_ids: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.broker_ids: Final = broker_ids
        self.unknown_tags = unknown_tags


class CreatableTopicConfig(Struct):
    __slots__ = ("name", "value")

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.value: Final = value
        self.unknown_tags = unknown_tags


class CreatableTopic(Struct):
    __slots__ = ("name", "num_partitions", "replication_factor", "assignments", "configs")

    def __init__(
        self,
        name: str = "",
        num_partitions: int = 0,
        replication_factor: int = 0,
        assignments: Sequence[CreatableReplicaAssignment] = (),
        configs: Sequence[CreatableTopicConfig] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.num_partitions: Final = num_partitions
        self.replication_factor: Final = replication_factor
        self.assignments: Final = assignments
        self.configs: Final = configs
        self.unknown_tags = unknown_tags


class CreateTopicsRequest(Message):
    __slots__ = ("topics", "timeout_ms", "validate_only")

    SCHEMA: ClassVar = MessageSchema(
        "CreateTopicsRequest",
        Versions(2, 7),
        Versions(5, LATEST),
        (
            Field("topics", "CreatableTopic", array=True, default=()),
            Field("timeout_ms", "int32", default=60000),
            Field("validate_only", "bool", default=False),
        ),
        (
            StructSchema(
                "CreatableReplicaAssignment",
                (
                    Field("partition_index", "int32", default=0, key=True),
                    Field("broker_ids", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "CreatableTopicConfig",
                (
                    Field("name", "string", default="", key=True),
                    Field("value", "string", nullable=ALWAYS, default=""),
                ),
            ),
            StructSchema(
                "CreatableTopic",
                (
                    Field("name", "string", default="", key=True),
                    Field("num_partitions", "int32", default=0),
                    Field("replication_factor", "int16", default=0),
                    Field("assignments", "CreatableReplicaAssignment", array=True, default=()),
                    Field("configs", "CreatableTopicConfig", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"CreatableReplicaAssignment": CreatableReplicaAssignment, "CreatableTopicConfig": CreatableTopicConfig, "CreatableTopic": CreatableTopic}

    def __init__(
        self,
        topics: Sequence[CreatableTopic] = (),
        timeout_ms: int = 60000,
        validate_only: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.timeout_ms: Final = timeout_ms
        self.validate_only: Final = validate_only
        self.unknown_tags = unknown_tags
