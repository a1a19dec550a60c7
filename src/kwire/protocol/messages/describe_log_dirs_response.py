"""DescribeLogDirsResponse: API key 35, versions 1-5, flexible 2+.

Generated from protocol_specs/035_describe_log_dirs.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DescribeLogDirsPartition(Struct):
    __slots__ = ("partition_index", "partition_size", "offset_lag", "is_future_key")

    def __init__(
        self,
        partition_index: int = 0,
        partition_size: int = 0,
        offset_lag: int = 0,
        is_future_key: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.partition_size: Final = partition_size
        self.offset_lag: Final = offset_lag
        self.is_future_key: Final = is_future_key
        self.unknown_tags = unknown_tags


class DescribeLogDirsTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[DescribeLogDirsPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class DescribeLogDirsResult(Struct):
    __slots__ = ("error_code", "log_dir", "topics", "total_bytes", "usable_bytes", "is_cordoned")

    def __init__(
        self,
        error_code: int = 0,
        log_dir: str = "",
        topics: Sequence[DescribeLogDirsTopic] = (),
        total_bytes: int = -1,
        usable_bytes: int = -1,
        is_cordoned: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.log_dir: Final = log_dir
        self.topics: Final = topics
        self.total_bytes: Final = total_bytes
        self.usable_bytes: Final = usable_bytes
        self.is_cordoned: Final = is_cordoned
        self.unknown_tags = unknown_tags


class DescribeLogDirsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "results")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeLogDirsResponse",
        Versions(1, 5),
        Versions(2, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", versions=Versions(3, LATEST), default=0, ignorable=True),
            Field("results", "DescribeLogDirsResult", array=True, default=()),
        ),
        (
            StructSchema(
                "DescribeLogDirsPartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("partition_size", "int64", default=0),
                    Field("offset_lag", "int64", default=0),
                    Field("is_future_key", "bool", default=False),
                ),
            ),
            StructSchema(
                "DescribeLogDirsTopic",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "DescribeLogDirsPartition", array=True, default=()),
                ),
            ),
            StructSchema(
                "DescribeLogDirsResult",
                (
                    Field("error_code", "int16", default=0),
                    Field("log_dir", "string", default=""),
                    Field("topics", "DescribeLogDirsTopic", array=True, default=()),
                    Field("total_bytes", "int64", versions=Versions(4, LATEST), default=-1, ignorable=True),
                    Field("usable_bytes", "int64", versions=Versions(4, LATEST), default=-1, ignorable=True),
                    Field("is_cordoned", "bool", versions=Versions(5, LATEST), default=False, ignorable=True),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribeLogDirsPartition": DescribeLogDirsPartition, "DescribeLogDirsTopic": DescribeLogDirsTopic, "DescribeLogDirsResult": DescribeLogDirsResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results: Sequence[DescribeLogDirsResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.results: Final = results
        self.unknown_tags = unknown_tags
