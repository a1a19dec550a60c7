"""ListConfigResources: v0-v1.

v0 was ListClientMetricsResources, and asks for those only (KIP-714). v1 asks for resources of given types, or of all
(KIP-1142).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from kwire.errors import ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.metadata.values import ResourceType
from kwire.protocol.messages.list_config_resources_request import ListConfigResourcesRequest
from kwire.protocol.messages.list_config_resources_response import ConfigResource, ListConfigResourcesResponse


@serves(74, 0, 1)
def list_config_resources(
    context: Context, request: ListConfigResourcesRequest, call: Call
) -> ListConfigResourcesResponse:
    types = [ResourceType.CLIENT_METRICS] if call.version == 0 else request.resource_types or list(_NAMES)
    if any(type_ not in _NAMES for type_ in types):
        return ListConfigResourcesResponse(error_code=ErrorCode.UNSUPPORTED_VERSION)
    return ListConfigResourcesResponse(
        config_resources=[
            ConfigResource(name, type_) for type_, names in _NAMES.items() if type_ in types for name in names(context)
        ]
    )


def _topics(context: Context) -> Iterable[str]:
    return context.image.topics


def _brokers(context: Context) -> Iterable[str]:
    return map(str, context.image.nodes)


def _configured(type_: ResourceType) -> Callable[[Context], Iterable[str]]:
    """Resources that exist for no other reason than that they are configured."""
    return lambda context: [resource.name for resource in context.image.configs if resource.type is type_]


_NAMES: Mapping[int, Callable[[Context], Iterable[str]]] = {
    ResourceType.GROUP: _configured(ResourceType.GROUP),
    ResourceType.CLIENT_METRICS: _configured(ResourceType.CLIENT_METRICS),
    ResourceType.BROKER_LOGGER: _brokers,
    ResourceType.BROKER: _brokers,
    ResourceType.TOPIC: _topics,
}
"""In Kafka's order, whatever the order of the request."""
