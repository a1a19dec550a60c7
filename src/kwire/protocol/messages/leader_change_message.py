"""LeaderChangeMessage: versions 0-1, flexible 0+.

Generated from protocol_specs/control_records.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class Voter(Struct):
    __slots__ = ("voter_id", "voter_directory_id")

    def __init__(
        self,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.voter_id: Final = voter_id
        self.voter_directory_id: Final = voter_directory_id
        self.unknown_tags = unknown_tags


class LeaderChangeMessage(Message):
    __slots__ = ("version", "leader_id", "voters", "granting_voters")

    SCHEMA: ClassVar = MessageSchema(
        "LeaderChangeMessage",
        Versions(0, 1),
        ALWAYS,
        (
            Field("version", "int16", default=0),
            Field("leader_id", "int32", default=0),
            Field("voters", "Voter", array=True, default=()),
            Field("granting_voters", "Voter", array=True, default=()),
        ),
        (
            StructSchema(
                "Voter",
                (
                    Field("voter_id", "int32", default=0),
                    Field("voter_directory_id", "uuid", versions=Versions(1, LATEST), default=ZERO_UUID),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"Voter": Voter}

    def __init__(
        self,
        version: int = 0,
        leader_id: int = 0,
        voters: Sequence[Voter] = (),
        granting_voters: Sequence[Voter] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.version: Final = version
        self.leader_id: Final = leader_id
        self.voters: Final = voters
        self.granting_voters: Final = granting_voters
        self.unknown_tags = unknown_tags
