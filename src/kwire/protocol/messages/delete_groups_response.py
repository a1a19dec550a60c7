"""DeleteGroupsResponse: API key 42, versions 0-2, flexible 2+.

Generated from protocol_specs/042_delete_groups.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DeletableGroupResult(Struct):
    __slots__ = ("group_id", "error_code")

    def __init__(
        self,
        group_id: str = "",
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags


class DeleteGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    SCHEMA: ClassVar = MessageSchema(
        "DeleteGroupsResponse",
        Versions(0, 2),
        Versions(2, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("results", "DeletableGroupResult", array=True, default=()),
        ),
        (
            StructSchema(
                "DeletableGroupResult",
                (
                    Field("group_id", "string", default="", key=True),
                    Field("error_code", "int16", default=0),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DeletableGroupResult": DeletableGroupResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: Sequence[DeletableGroupResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = results
        self.unknown_tags = unknown_tags
