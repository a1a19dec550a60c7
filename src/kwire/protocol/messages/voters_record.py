"""VotersRecord: versions 0, flexible 0+.

Generated from protocol_specs/control_records.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class Endpoint(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(
        self,
        name: str = "",
        host: str = "",
        port: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.host: Final = host
        self.port: Final = port
        self.unknown_tags = unknown_tags


class KRaftVersionFeature(Struct):
    __slots__ = ("min_supported_version", "max_supported_version")

    def __init__(
        self,
        min_supported_version: int = 0,
        max_supported_version: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.min_supported_version: Final = min_supported_version
        self.max_supported_version: Final = max_supported_version
        self.unknown_tags = unknown_tags


KRaftVersionFeature.DEFAULT = KRaftVersionFeature()


class Voter(Struct):
    __slots__ = ("voter_id", "voter_directory_id", "endpoints", "k_raft_version_feature")

    def __init__(
        self,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
        endpoints: Sequence[Endpoint] = (),
        k_raft_version_feature: KRaftVersionFeature = KRaftVersionFeature.DEFAULT,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.voter_id: Final = voter_id
        self.voter_directory_id: Final = voter_directory_id
        self.endpoints: Final = endpoints
        self.k_raft_version_feature: Final = k_raft_version_feature
        self.unknown_tags = unknown_tags


class VotersRecord(Message):
    __slots__ = ("version", "voters")

    SCHEMA: ClassVar = MessageSchema(
        "VotersRecord",
        Versions(0, 0),
        ALWAYS,
        (
            Field("version", "int16", default=0),
            Field("voters", "Voter", array=True, default=()),
        ),
        (
            StructSchema(
                "Endpoint",
                (
                    Field("name", "string", default="", key=True),
                    Field("host", "string", default=""),
                    Field("port", "uint16", default=0),
                ),
            ),
            StructSchema(
                "KRaftVersionFeature",
                (
                    Field("min_supported_version", "int16", default=0),
                    Field("max_supported_version", "int16", default=0),
                ),
            ),
            StructSchema(
                "Voter",
                (
                    Field("voter_id", "int32", default=0),
                    Field("voter_directory_id", "uuid", default=ZERO_UUID),
                    Field("endpoints", "Endpoint", array=True, default=()),
                    Field("k_raft_version_feature", "KRaftVersionFeature", default=...),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"Endpoint": Endpoint, "KRaftVersionFeature": KRaftVersionFeature, "Voter": Voter}

    def __init__(
        self,
        version: int = 0,
        voters: Sequence[Voter] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.version: Final = version
        self.voters: Final = voters
        self.unknown_tags = unknown_tags
