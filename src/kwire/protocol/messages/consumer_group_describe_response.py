"""ConsumerGroupDescribeResponse: API key 69, versions 0-1, flexible 0+.

Generated from protocol_specs/069_consumer_group_describe.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class TopicPartitions(Struct):
    __slots__ = ("topic_id", "topic_name", "partitions")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        topic_name: str = "",
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.topic_name: Final = topic_name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class Assignment(Struct):
    __slots__ = ("topic_partitions",)

    def __init__(
        self,
        topic_partitions: Sequence[TopicPartitions] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_partitions: Final = topic_partitions
        self.unknown_tags = unknown_tags


Assignment.DEFAULT = Assignment()


class Member(Struct):
    __slots__ = ("member_id", "instance_id", "rack_id", "member_epoch", "client_id", "client_host", "subscribed_topic_names", "subscribed_topic_regex", "assignment", "target_assignment", "member_type")

    def __init__(
        self,
        member_id: str = "",
        instance_id: str | None = None,
        rack_id: str | None = None,
        member_epoch: int = 0,
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: Sequence[str] = (),
        subscribed_topic_regex: str | None = None,
        assignment: Assignment = Assignment.DEFAULT,
        target_assignment: Assignment = Assignment.DEFAULT,
        member_type: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.member_id: Final = member_id
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.member_epoch: Final = member_epoch
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.subscribed_topic_names: Final = subscribed_topic_names
        self.subscribed_topic_regex: Final = subscribed_topic_regex
        self.assignment: Final = assignment
        self.target_assignment: Final = target_assignment
        self.member_type: Final = member_type
        self.unknown_tags = unknown_tags


class DescribedGroup(Struct):
    __slots__ = ("error_code", "error_message", "group_id", "group_state", "group_epoch", "assignment_epoch", "assignor_name", "members", "authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = "",
        group_state: str = "",
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        assignor_name: str = "",
        members: Sequence[Member] = (),
        authorized_operations: int = -2147483648,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.group_id: Final = group_id
        self.group_state: Final = group_state
        self.group_epoch: Final = group_epoch
        self.assignment_epoch: Final = assignment_epoch
        self.assignor_name: Final = assignor_name
        self.members: Final = members
        self.authorized_operations: Final = authorized_operations
        self.unknown_tags = unknown_tags


class ConsumerGroupDescribeResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupDescribeResponse",
        Versions(0, 1),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("groups", "DescribedGroup", array=True, default=()),
        ),
        (
            StructSchema(
                "TopicPartitions",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("topic_name", "string", default=""),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "Assignment",
                (
                    Field("topic_partitions", "TopicPartitions", array=True, default=()),
                ),
            ),
            StructSchema(
                "Member",
                (
                    Field("member_id", "string", default=""),
                    Field("instance_id", "string", nullable=ALWAYS),
                    Field("rack_id", "string", nullable=ALWAYS),
                    Field("member_epoch", "int32", default=0),
                    Field("client_id", "string", default=""),
                    Field("client_host", "string", default=""),
                    Field("subscribed_topic_names", "string", array=True, default=()),
                    Field("subscribed_topic_regex", "string", nullable=ALWAYS),
                    Field("assignment", "Assignment", default=...),
                    Field("target_assignment", "Assignment", default=...),
                    Field("member_type", "int8", versions=Versions(1, LATEST), default=-1, ignorable=True),
                ),
            ),
            StructSchema(
                "DescribedGroup",
                (
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                    Field("group_id", "string", default=""),
                    Field("group_state", "string", default=""),
                    Field("group_epoch", "int32", default=0),
                    Field("assignment_epoch", "int32", default=0),
                    Field("assignor_name", "string", default=""),
                    Field("members", "Member", array=True, default=()),
                    Field("authorized_operations", "int32", default=-2147483648),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicPartitions": TopicPartitions, "Assignment": Assignment, "Member": Member, "DescribedGroup": DescribedGroup}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: Sequence[DescribedGroup] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.groups: Final = groups
        self.unknown_tags = unknown_tags
