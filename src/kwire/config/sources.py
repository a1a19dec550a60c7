"""Where a configuration's values come from, as DescribeConfigs tells: sources, and synonyms in Kafka's order.

The synonyms of a value are all places that set it or could have, the one that counts first: the topic, this broker,
all brokers, server.properties, the default. A broker key in another unit is a synonym as well (log.retention.hours of
log.retention.ms); Kafka lists those only behind an entry of the key itself, and so do we.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from kwire.config.broker_config import BrokerConfig
from kwire.config.broker_keys import BROKER_KEYS
from kwire.config.keys import ConfigKey, Kind, UpdateMode, value_text
from kwire.config.topic_keys import COARSER_BROKER_NAMES, TOPIC_KEYS, topic_settings


class ConfigSource(IntEnum):
    """Who set a value, by Kafka's wire value."""

    TOPIC = 1
    DYNAMIC_BROKER = 2
    DYNAMIC_DEFAULT_BROKER = 3
    STATIC_BROKER = 4
    DEFAULT = 5
    CLIENT_METRICS = 7
    GROUP = 8


WIRE_TYPES = {Kind.BOOLEAN: 1, Kind.STRING: 2, Kind.INT: 3, Kind.LONG: 5, Kind.DOUBLE: 6, Kind.LIST: 7}
"""A value's type as DescribeConfigs has it."""


@dataclass(frozen=True, slots=True)
class Synonym:
    """One place that sets a value."""

    name: str
    value: str
    source: ConfigSource


@dataclass(frozen=True, slots=True)
class DescribedConfig:
    """One key of a resource, with everything that DescribeConfigs can be asked for."""

    key: ConfigKey
    value: str | None
    read_only: bool
    source: ConfigSource
    synonyms: tuple[Synonym, ...]


def describe_topic(values: Mapping[str, str], config: BrokerConfig) -> list[DescribedConfig]:
    """All keys of a topic that has these values set, on a broker of this configuration."""
    settings = topic_settings(values, config.effective)
    rows: list[DescribedConfig] = []
    for name, key in TOPIC_KEYS.items():
        shown = settings.get(name, key.default)
        assert shown is not None
        text = value_text(shown)
        synonyms = _broker_synonyms(key.broker_name, config)
        if name in values:
            synonyms = (Synonym(name, text, ConfigSource.TOPIC), *synonyms)
        rows.append(DescribedConfig(key, text, False, _source(synonyms), synonyms))
    return rows


def describe_broker(config: BrokerConfig) -> list[DescribedConfig]:
    """All keys of this broker."""
    rows: list[DescribedConfig] = []
    for name, key in sorted(BROKER_KEYS.items()):
        value = config.node_id if name in ("node.id", "broker.id") else config.value(name)
        text = None if value is None else value_text(value)
        synonyms = _broker_synonyms(name, config)
        read_only = key.update is UpdateMode.READ_ONLY
        rows.append(DescribedConfig(key, text, read_only, _source(synonyms), synonyms))
    return rows


def describe_broker_default(config: BrokerConfig) -> list[DescribedConfig]:
    """What was set for all brokers while they run: the only thing that Kafka tells about the default broker."""
    source = ConfigSource.DYNAMIC_DEFAULT_BROKER
    return [
        DescribedConfig(BROKER_KEYS[name], text, False, source, (Synonym(name, text, source),))
        for name, text in sorted(config.dynamic_default.items())
    ]


def _source(synonyms: tuple[Synonym, ...]) -> ConfigSource:
    return synonyms[0].source if synonyms else ConfigSource.DEFAULT


def _broker_synonyms(name: str, config: BrokerConfig) -> tuple[Synonym, ...]:
    names = _SAME_SETTING.get(name, (name,))
    layers = (
        (ConfigSource.DYNAMIC_BROKER, config.dynamic),
        (ConfigSource.DYNAMIC_DEFAULT_BROKER, config.dynamic_default),
        (ConfigSource.STATIC_BROKER, config.static),
        (ConfigSource.DEFAULT, _DEFAULTS),
    )
    found = [Synonym(other, layer[other], source) for source, layer in layers for other in names if other in layer]
    # Kafka starts the list at the first entry of the key itself.
    start = next((index for index, synonym in enumerate(found) if synonym.name == name), len(found))
    return tuple(found[start:])


_DEFAULTS = {name: value_text(key.default) for name, key in BROKER_KEYS.items() if key.default is not None}
_SAME_SETTING = {
    name: names
    for topic_name, coarser in COARSER_BROKER_NAMES.items()
    for names in ((TOPIC_KEYS[topic_name].broker_name, *(name for name, _ in coarser)),)
    for name in names
}
"""Each key that exists in several units -> all its names, the finest unit first."""
