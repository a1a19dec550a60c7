"""GroupMetadataValue: record type 2, versions 0-4, flexible 4+.

Generated from protocol_specs/record_group_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class MemberMetadata(Struct):
    __slots__ = ("member_id", "group_instance_id", "client_id", "client_host", "rebalance_timeout", "session_timeout", "subscription", "assignment")

    def __init__(
        self,
        member_id: str = "",
        group_instance_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout: int = -1,
        session_timeout: int = 0,
        subscription: bytes = b'',
        assignment: bytes = b'',
        unknown_tags: Tags | None = None,
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.rebalance_timeout: Final = rebalance_timeout
        self.session_timeout: Final = session_timeout
        self.subscription: Final = subscription
        self.assignment: Final = assignment
        self.unknown_tags = unknown_tags


class GroupMetadataValue(Message):
    __slots__ = ("protocol_type", "generation", "protocol", "leader", "current_state_timestamp", "members")

    SCHEMA: ClassVar = MessageSchema(
        "GroupMetadataValue",
        Versions(0, 4),
        Versions(4, LATEST),
        (
            Field("protocol_type", "string", default=""),
            Field("generation", "int32", default=0),
            Field("protocol", "string", nullable=ALWAYS, default=""),
            Field("leader", "string", nullable=ALWAYS, default=""),
            Field("current_state_timestamp", "int64", versions=Versions(2, LATEST), default=-1, ignorable=True),
            Field("members", "MemberMetadata", array=True, default=()),
        ),
        (
            StructSchema(
                "MemberMetadata",
                (
                    Field("member_id", "string", default=""),
                    Field("group_instance_id", "string", versions=Versions(3, LATEST), nullable=Versions(3, LATEST), ignorable=True),
                    Field("client_id", "string", default=""),
                    Field("client_host", "string", default=""),
                    Field("rebalance_timeout", "int32", versions=Versions(1, LATEST), default=-1, ignorable=True),
                    Field("session_timeout", "int32", default=0),
                    Field("subscription", "bytes", default=b''),
                    Field("assignment", "bytes", default=b''),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"MemberMetadata": MemberMetadata}

    def __init__(
        self,
        protocol_type: str = "",
        generation: int = 0,
        protocol: str | None = "",
        leader: str | None = "",
        current_state_timestamp: int = -1,
        members: Sequence[MemberMetadata] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.protocol_type: Final = protocol_type
        self.generation: Final = generation
        self.protocol: Final = protocol
        self.leader: Final = leader
        self.current_state_timestamp: Final = current_state_timestamp
        self.members: Final = members
        self.unknown_tags = unknown_tags
