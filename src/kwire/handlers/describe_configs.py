"""DescribeConfigs: v1-v4.

v1 tells where a value comes from, and its synonyms when asked. v3 adds types, and documentation when asked. v4 is
flexible.

Topics, this broker and the default of all brokers have keys. Loggers, groups and subscriptions to clients' metrics are
resources without any here; their names are checked as Kafka does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kwire.config.sources import (
    WIRE_TYPES,
    DescribedConfig,
    describe_broker,
    describe_broker_default,
    describe_topic,
)
from kwire.errors import BrokerError, ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.metadata.topics import invalid_topic_name
from kwire.metadata.values import Resource, ResourceType
from kwire.protocol.messages.describe_configs_request import DescribeConfigsRequest, DescribeConfigsResource
from kwire.protocol.messages.describe_configs_response import (
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
    DescribeConfigsSynonym,
)


@serves(32, 1, 4)
def describe_configs(context: Context, request: DescribeConfigsRequest, call: Call) -> DescribeConfigsResponse:
    if any(resource.resource_type not in _DESCRIBE for resource in request.resources):
        # Kafka fails on a type that it does not know before it looks at the others.
        return DescribeConfigsResponse(results=[_unknown_type(resource) for resource in request.resources])
    return DescribeConfigsResponse(results=[_result(context, request, resource) for resource in request.resources])


def _unknown_type(asked: DescribeConfigsResource) -> DescribeConfigsResult:
    return _error(asked, ErrorCode.INVALID_REQUEST, "The request has a resource of an unknown type.")


def _result(context: Context, request: DescribeConfigsRequest, asked: DescribeConfigsResource) -> DescribeConfigsResult:
    try:
        described = _DESCRIBE[asked.resource_type](context, asked.resource_name)
    except BrokerError as error:
        return _error(asked, error.code, error.detail)
    if asked.configuration_keys:
        wanted = frozenset(asked.configuration_keys)
        described = [config for config in described if config.key.name in wanted]
    return DescribeConfigsResult(
        resource_type=asked.resource_type,
        resource_name=asked.resource_name,
        configs=[_config(config, request) for config in described],
    )


def _config(config: DescribedConfig, request: DescribeConfigsRequest) -> DescribeConfigsResourceResult:
    synonyms = config.synonyms if request.include_synonyms else ()
    return DescribeConfigsResourceResult(
        config.key.name,
        config.value,
        config.read_only,
        config.source,
        synonyms=[DescribeConfigsSynonym(synonym.name, synonym.value, synonym.source) for synonym in synonyms],
        config_type=WIRE_TYPES[config.key.kind],
        documentation=config.key.doc if request.include_documentation else None,
    )


def _error(asked: DescribeConfigsResource, code: ErrorCode, message: str) -> DescribeConfigsResult:
    return DescribeConfigsResult(code, message, asked.resource_type, asked.resource_name)


# Resources, by type


def _topic(context: Context, name: str) -> Sequence[DescribedConfig]:
    wrong = invalid_topic_name(name)
    if wrong is not None:
        raise BrokerError(ErrorCode.INVALID_TOPIC_EXCEPTION, wrong)
    if name not in context.image.topics:
        raise BrokerError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Topic '{name}' does not exist.")
    return describe_topic(context.image.config(Resource(ResourceType.TOPIC, name)), context.config)


def _broker(context: Context, name: str) -> Sequence[DescribedConfig]:
    if not name:
        return describe_broker_default(context.config)
    _check_node_id(context, name)
    return describe_broker(context.config)


def _broker_logger(context: Context, name: str) -> Sequence[DescribedConfig]:
    _check_node_id(context, name)
    return ()


def _without_keys(context: Context, name: str) -> Sequence[DescribedConfig]:
    if not name:
        raise BrokerError(ErrorCode.INVALID_REQUEST, "A resource of this type needs a name.")
    return ()


def _check_node_id(context: Context, name: str) -> None:
    if not (name.isascii() and name.removeprefix("-").isdigit()):
        raise BrokerError(ErrorCode.INVALID_REQUEST, f"A broker's id is a number, '{name}' is none.")
    if int(name) != context.node_id:
        raise BrokerError(ErrorCode.INVALID_REQUEST, f"This is broker {context.node_id}, not {name}.")


_DESCRIBE: Mapping[int, Callable[[Context, str], Sequence[DescribedConfig]]] = {
    ResourceType.TOPIC: _topic,
    ResourceType.BROKER: _broker,
    ResourceType.BROKER_LOGGER: _broker_logger,
    ResourceType.CLIENT_METRICS: _without_keys,
    ResourceType.GROUP: _without_keys,
}
