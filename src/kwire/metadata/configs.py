"""Changing configurations: AlterConfigs (everything anew) and IncrementalAlterConfigs (key by key), as pure decisions.

What may be set where, and Kafka's error codes for what may not:

    topic            TOPIC_KEYS; the topic must exist                               INVALID_CONFIG
    broker, by id    BROKER_KEYS that can change while the broker runs; this node   INVALID_REQUEST
    broker, ""       the same, for all brokers                                      INVALID_REQUEST
    any other        nothing yet                                                    INVALID_REQUEST

Kafka keeps broker keys that it does not know, since a plug-in might; here there are none, so that they are refused.
Kafka's own dynamic keys that mean nothing here are kept, to no effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

from kwire.config import BROKER_KEYS, TOPIC_KEYS, BrokerConfig, ConfigKey, Kind, UpdateMode, topic_settings
from kwire.config.ignored_keys import IGNORED_BROKER_KEYS, IGNORED_DYNAMIC_KEYS
from kwire.config.keys import nearest, value_text
from kwire.errors import ErrorCode, UsageError
from kwire.metadata import entries
from kwire.metadata.decision import Decision, Draft, RefusedError
from kwire.metadata.image import MetadataImage
from kwire.metadata.topics import invalid_topic_name
from kwire.metadata.values import Resource, ResourceType
from kwire.protocol.messages import alter_configs_request, incremental_alter_configs_request

IncrementalResource = incremental_alter_configs_request.AlterConfigsResource
FullResource = alter_configs_request.AlterConfigsResource
AnyResource = TypeVar("AnyResource", IncrementalResource, FullResource)


class Operation(IntEnum):
    """What IncrementalAlterConfigs does to one key."""

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


@dataclass(frozen=True, slots=True)
class AlteredConfig:
    """A row of AlterConfigs or IncrementalAlterConfigs, named as the request named it."""

    resource_type: int
    resource_name: str
    error: ErrorCode
    message: str | None


def alter_configs(
    image: MetadataImage, resources: Sequence[FullResource], config: BrokerConfig
) -> Decision[AlteredConfig]:
    """Decides AlterConfigs: the keys that are given become all that is set."""

    def values(resource: Resource, asked: FullResource) -> dict[str, str]:
        return {item.name: _given(item.name, item.value) for item in asked.configs}

    return _alter(image, resources, config, values)


def incremental_alter_configs(
    image: MetadataImage, resources: Sequence[IncrementalResource], config: BrokerConfig
) -> Decision[AlteredConfig]:
    """Decides IncrementalAlterConfigs: only the keys that are given change."""

    def values(resource: Resource, asked: IncrementalResource) -> dict[str, str]:
        changed = dict(image.config(resource))
        for item in asked.configs:
            _change(changed, resource, item, config)
        return changed

    return _alter(image, resources, config, values)


def _alter(
    image: MetadataImage,
    resources: Sequence[AnyResource],
    config: BrokerConfig,
    new_values: Callable[[Resource, AnyResource], dict[str, str]],
) -> Decision[AlteredConfig]:
    draft = Draft()
    rows: list[AlteredConfig] = []
    times = Counter((asked.resource_type, asked.resource_name) for asked in resources)
    for asked in resources:
        try:
            if times[asked.resource_type, asked.resource_name] > 1:
                raise RefusedError(ErrorCode.INVALID_REQUEST, "The resource is in the request more than once.")
            names = [item.name for item in asked.configs]
            if len(set(names)) < len(names):
                raise RefusedError(ErrorCode.INVALID_REQUEST, "A configuration key is given more than once.")
            resource = _checked_resource(image, asked.resource_type, asked.resource_name, config)
            values = new_values(resource, asked)
            _CHECKS[resource.type](values, image.config(resource), resource, config)
        except RefusedError as refused:
            rows.append(AlteredConfig(asked.resource_type, asked.resource_name, refused.code, refused.message))
            continue
        rows.append(AlteredConfig(asked.resource_type, asked.resource_name, ErrorCode.NONE, None))
        if values != image.config(resource):
            draft.changes.append(entries.config_change(resource, values))
            draft.expected[entries.config_key(resource)] = image.config_revision(resource)
            if resource.type is ResourceType.TOPIC:
                # Configs of a topic that is being deleted would outlive it.
                draft.expected[entries.topic_key(resource.name)] = image.topics[resource.name].revision
    return draft.decide(rows)


def _checked_resource(image: MetadataImage, type_: int, name: str, config: BrokerConfig) -> Resource:
    """The resource, if there is one of this type and name that can have a configuration."""
    if type_ == ResourceType.TOPIC:
        if not name:
            raise RefusedError(ErrorCode.INVALID_REQUEST, "There is no configuration for all topics.")
        wrong = invalid_topic_name(name)
        if wrong:
            raise RefusedError(ErrorCode.INVALID_TOPIC_EXCEPTION, wrong)
        if name not in image.topics:
            raise RefusedError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Topic '{name}' does not exist.")
    elif type_ == ResourceType.BROKER:
        if name and not _is_number(name):
            raise RefusedError(ErrorCode.INVALID_REQUEST, f"A broker's id is a number, '{name}' is none.")
        if name and int(name) != config.node_id:
            raise RefusedError(ErrorCode.INVALID_REQUEST, f"This is broker {config.node_id}, not {name}.")
    else:
        raise RefusedError(ErrorCode.INVALID_REQUEST, f"Resources of type {type_} have no configuration here.")
    return Resource(ResourceType(type_), name)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isascii() and text.removeprefix("-").isdigit()


def _given(name: str, value: str | None) -> str:
    if value is None:
        raise RefusedError(ErrorCode.INVALID_REQUEST, f"{name} has no value.")
    return value


# One key of IncrementalAlterConfigs


def _change(
    values: dict[str, str],
    resource: Resource,
    item: incremental_alter_configs_request.AlterableConfig,
    config: BrokerConfig,
) -> None:
    match item.config_operation:
        case Operation.DELETE:
            values.pop(item.name, None)
        case Operation.SET:
            values[item.name] = _given(item.name, item.value)
        case Operation.APPEND | Operation.SUBTRACT:
            value = _given(item.name, item.value)
            key = _KEYS[resource.type].get(item.name)
            operation = Operation(item.config_operation)
            if key is not None and key.kind is not Kind.LIST:
                raise RefusedError(
                    ErrorCode.INVALID_CONFIG, f"{operation.name} is for lists, and {item.name} is a {key.kind}."
                )
            present = _split(values[item.name] if item.name in values else _inherited(key, config))
            named = _split(value)
            if operation is Operation.APPEND:
                kept = [*present, *(element for element in named if element not in present)]
            else:
                kept = [element for element in present if element not in named]
            values[item.name] = ",".join(kept)
        case unknown:
            raise RefusedError(ErrorCode.INVALID_REQUEST, f"There is no operation {unknown}.")


def _split(text: str) -> list[str]:
    return [element.strip() for element in text.split(",") if element.strip()]


def _inherited(key: ConfigKey | None, config: BrokerConfig) -> str:
    """What a list holds if the resource does not set it: appending and subtracting start from there."""
    if key is None:
        return ""
    value = config.value(key.broker_name or key.name)
    return "" if value is None else value_text(value)


# Whether a resource can have these values


def _check_topic(
    values: Mapping[str, str], before: Mapping[str, str], resource: Resource, config: BrokerConfig
) -> None:
    try:
        topic_settings(values, config.effective)
    except UsageError as error:
        raise RefusedError(ErrorCode.INVALID_CONFIG, str(error)) from None


def _check_broker(
    values: Mapping[str, str], before: Mapping[str, str], resource: Resource, config: BrokerConfig
) -> None:
    changed = [name for name, value in values.items() if before.get(name) != value]
    _refuse_unknown(changed)
    fixed = sorted(
        name
        for name in changed
        if name not in IGNORED_DYNAMIC_KEYS
        and (name not in BROKER_KEYS or BROKER_KEYS[name].update is UpdateMode.READ_ONLY)
    )
    if fixed:
        raise RefusedError(
            ErrorCode.INVALID_REQUEST, f"Only a restart can change {', '.join(fixed)}: set it in server.properties."
        )
    try:
        if resource.name:
            config.with_dynamic(config.dynamic_default, values)
        else:
            config.with_dynamic(values, config.dynamic)
    except UsageError as error:
        raise RefusedError(ErrorCode.INVALID_REQUEST, str(error)) from None


def _refuse_unknown(names: Iterable[str]) -> None:
    for name in names:
        if name not in BROKER_KEYS and name not in IGNORED_BROKER_KEYS:
            hint = nearest(name, BROKER_KEYS)
            raise RefusedError(ErrorCode.INVALID_CONFIG, str(UsageError(f"unknown configuration key {name}", hint)))


_CHECKS: Mapping[ResourceType, Callable[[Mapping[str, str], Mapping[str, str], Resource, BrokerConfig], None]] = {
    ResourceType.TOPIC: _check_topic,
    ResourceType.BROKER: _check_broker,
}
_KEYS = {ResourceType.TOPIC: TOPIC_KEYS, ResourceType.BROKER: BROKER_KEYS}
