"""CreatePartitionsResponse: API key 37, versions 0-3, flexible 2+.

Generated from protocol_specs/037_create_partitions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class CreatePartitionsTopicResult(Struct):
    __slots__ = ("name", "error_code", "error_message")

    def __init__(
        self,
        name: str = "",
        error_code: int = 0,
        error_message: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class CreatePartitionsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    SCHEMA: ClassVar = MessageSchema(
        "CreatePartitionsResponse",
        Versions(0, 3),
        Versions(2, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("results", "CreatePartitionsTopicResult", array=True, default=()),
        ),
        (
            StructSchema(
                "CreatePartitionsTopicResult",
                (
                    Field("name", "string", default=""),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"CreatePartitionsTopicResult": CreatePartitionsTopicResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: Sequence[CreatePartitionsTopicResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = results
        self.unknown_tags = unknown_tags
