"""Configuration of topics and brokers: what is set, where it comes from, and changing it key by key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from kwire.client.admin import MOVED
from kwire.client.cluster import Cluster
from kwire.client.connection import Connection
from kwire.client.errors import check, reply_error
from kwire.errors import ErrorCode
from kwire.protocol.messages.describe_configs_request import DescribeConfigsRequest, DescribeConfigsResource
from kwire.protocol.messages.describe_configs_response import DescribeConfigsResourceResult, DescribeConfigsResponse
from kwire.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from kwire.protocol.messages.incremental_alter_configs_response import IncrementalAlterConfigsResponse


class ResourceType(IntEnum):
    """What has a configuration. A broker's name is its id, and the empty name stands for all brokers."""

    TOPIC = 2
    BROKER = 4
    BROKER_LOGGER = 8
    CLIENT_METRICS = 16
    GROUP = 32


@dataclass(frozen=True, slots=True)
class Resource:
    type: ResourceType
    name: str

    def __str__(self) -> str:
        return f"{self.type.name.lower().replace('_', ' ')} {self.name or '(default of all)'}"


# By its number on the wire: where a value comes from.
SOURCES = {
    0: "unknown",
    1: "topic",
    2: "broker",
    3: "all brokers",
    4: "server.properties",
    5: "default",
    6: "broker logger",
    7: "client metrics",
    8: "group",
}
DEFAULT_SOURCE = "default"


@dataclass(frozen=True, slots=True)
class ConfigEntry:
    name: str
    value: str | None  # None: not set, or too sensitive to be shown
    source: str
    read_only: bool
    sensitive: bool


class _Operation(IntEnum):
    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


async def describe_configs(cluster: Cluster, resource: Resource) -> list[ConfigEntry]:
    """All keys of a resource, by name."""
    row = DescribeConfigsResource(resource.type, resource.name, None)

    async def attempt() -> list[ConfigEntry]:
        connection = await _responsible(cluster, resource)
        request = DescribeConfigsRequest([row])
        answer = await connection.call(request, DescribeConfigsResponse, cluster.settings.request_timeout_s)
        for result in answer.results:
            check(str(resource), result.error_code, result.error_message)
            return sorted(map(_entry, result.configs), key=lambda entry: entry.name)
        raise reply_error(str(resource), ErrorCode.UNKNOWN_SERVER_ERROR, "the broker left it out")

    return await cluster.retrying(attempt, passing=MOVED)


async def alter_configs(
    cluster: Cluster, resource: Resource, changes: Mapping[str, str], removals: Iterable[str] = ()
) -> None:
    """Sets keys, and takes others back to what they are by default. Keys that are not named stay as they are."""
    rows = [AlterableConfig(name, _Operation.SET, value) for name, value in changes.items()]
    rows += [AlterableConfig(name, _Operation.DELETE, None) for name in removals]
    request = IncrementalAlterConfigsRequest([AlterConfigsResource(resource.type, resource.name, rows)])

    async def attempt() -> None:
        connection = await _responsible(cluster, resource)
        answer = await connection.call(request, IncrementalAlterConfigsResponse, cluster.settings.request_timeout_s)
        for result in answer.responses:
            check(str(resource), result.error_code, result.error_message)

    await cluster.retrying(attempt, passing=MOVED)


async def _responsible(cluster: Cluster, resource: Resource) -> Connection:
    """A broker knows its own configuration; everything else any broker knows, or hands on to the controller."""
    if resource.type in (ResourceType.BROKER, ResourceType.BROKER_LOGGER) and resource.name.isdecimal():
        return await cluster.connection_to(int(resource.name))
    return await cluster.controller()


def _entry(row: DescribeConfigsResourceResult) -> ConfigEntry:
    source = SOURCES.get(row.config_source, SOURCES[0])
    return ConfigEntry(row.name, row.value, source, row.read_only, row.is_sensitive)
