"""Configuration: the declared keys, and what a broker makes of its properties.

One table of keys, from which parsing, checking and documentation all follow. This package reads no files and knows
nothing of the network: it is handed text, and refuses it with `UsageError` in words that name the key.
"""

from kwire.config.broker_config import BrokerConfig
from kwire.config.broker_keys import BROKER_KEYS
from kwire.config.ignored_keys import IGNORED_BROKER_KEYS, is_ignored
from kwire.config.keys import HOUR_MS, INT_MAX, LONG_MAX, MINUTE_MS, ConfigKey, Kind, UpdateMode, Value, find_key
from kwire.config.listeners import Listener
from kwire.config.topic_keys import COARSER_BROKER_NAMES, TOPIC_KEYS, topic_settings

__all__ = [
    "BROKER_KEYS",
    "COARSER_BROKER_NAMES",
    "HOUR_MS",
    "IGNORED_BROKER_KEYS",
    "INT_MAX",
    "LONG_MAX",
    "MINUTE_MS",
    "TOPIC_KEYS",
    "BrokerConfig",
    "ConfigKey",
    "Kind",
    "Listener",
    "UpdateMode",
    "Value",
    "find_key",
    "is_ignored",
    "topic_settings",
]
