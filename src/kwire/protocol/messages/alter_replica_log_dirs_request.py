"""AlterReplicaLogDirsRequest: API key 34, versions 1-2, flexible 2+.

Generated from protocol_specs/034_alter_replica_log_dirs.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class AlterReplicaLogDirTopic(Struct):
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


class AlterReplicaLogDir(Struct):
    __slots__ = ("path", "topics")

    def __init__(
        self,
        path: str = "",
        topics: Sequence[AlterReplicaLogDirTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.path: Final = path
        self.topics: Final = topics
        self.unknown_tags = unknown_tags


class AlterReplicaLogDirsRequest(Message):
    __slots__ = ("dirs",)

    SCHEMA: ClassVar = MessageSchema(
        "AlterReplicaLogDirsRequest",
        Versions(1, 2),
        Versions(2, LATEST),
        (
            Field("dirs", "AlterReplicaLogDir", array=True, default=()),
        ),
        (
            StructSchema(
                "AlterReplicaLogDirTopic",
                (
                    Field("name", "string", default="", key=True),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "AlterReplicaLogDir",
                (
                    Field("path", "string", default="", key=True),
                    Field("topics", "AlterReplicaLogDirTopic", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AlterReplicaLogDirTopic": AlterReplicaLogDirTopic, "AlterReplicaLogDir": AlterReplicaLogDir}

    def __init__(
        self,
        dirs: Sequence[AlterReplicaLogDir] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.dirs: Final = dirs
        self.unknown_tags = unknown_tags
