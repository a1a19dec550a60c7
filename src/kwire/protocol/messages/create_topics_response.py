"""CreateTopicsResponse: API key 19, versions 2-7, flexible 5+.

Generated from protocol_specs/019_create_topics.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class CreatableTopicConfigs(Struct):
    __slots__ = ("name", "value", "read_only", "config_source", "is_sensitive")

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.value: Final = value
        self.read_only: Final = read_only
        self.config_source: Final = config_source
        self.is_sensitive: Final = is_sensitive
        self.unknown_tags = unknown_tags


class CreatableTopicResult(Struct):
    __slots__ = ("name", "topic_id", "error_code", "error_message", "topic_config_error_code", "num_partitions", "replication_factor", "configs")

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        error_code: int = 0,
        error_message: str | None = "",
        topic_config_error_code: int = 0,
        num_partitions: int = -1,
        replication_factor: int = -1,
        configs: Sequence[CreatableTopicConfigs] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.topic_config_error_code: Final = topic_config_error_code
        self.num_partitions: Final = num_partitions
        self.replication_factor: Final = replication_factor
        self.configs: Final = configs
        self.unknown_tags = unknown_tags


class CreateTopicsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "CreateTopicsResponse",
        Versions(2, 7),
        Versions(5, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0, ignorable=True),
            Field("topics", "CreatableTopicResult", array=True, default=()),
        ),
        (
            StructSchema(
                "CreatableTopicConfigs",
                (
                    Field("name", "string", default=""),
                    Field("value", "string", nullable=ALWAYS, default=""),
                    Field("read_only", "bool", default=False),
                    Field("config_source", "int8", default=-1, ignorable=True),
                    Field("is_sensitive", "bool", default=False),
                ),
            ),
            StructSchema(
                "CreatableTopicResult",
                (
                    Field("name", "string", default="", key=True),
                    Field("topic_id", "uuid", versions=Versions(7, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default="", ignorable=True),
                    Field("topic_config_error_code", "int16", versions=Versions(5, LATEST), tag=0, default=0, ignorable=True),
                    Field("num_partitions", "int32", versions=Versions(5, LATEST), default=-1, ignorable=True),
                    Field("replication_factor", "int16", versions=Versions(5, LATEST), default=-1, ignorable=True),
                    Field("configs", "CreatableTopicConfigs", array=True, versions=Versions(5, LATEST), nullable=Versions(5, LATEST), default=(), ignorable=True),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"CreatableTopicConfigs": CreatableTopicConfigs, "CreatableTopicResult": CreatableTopicResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: Sequence[CreatableTopicResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
