"""DescribeConfigs, AlterConfigs, IncrementalAlterConfigs, ListConfigResources: Kafka's replies and kwire's."""

from __future__ import annotations

import pytest

from differential import WORDS, Explained, Pair, both_there, case, exactly, only_in_kafka, only_in_kwire
from kwire.config import BROKER_KEYS
from kwire.protocol.messages import alter_configs_request as full
from kwire.protocol.messages import incremental_alter_configs_request as incremental
from kwire.protocol.messages.describe_configs_request import DescribeConfigsRequest, DescribeConfigsResource
from kwire.protocol.messages.list_config_resources_request import ListConfigResourcesRequest

pytestmark = pytest.mark.xdist_group("differential")

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32
SET, DELETE, APPEND, SUBTRACT = range(4)

KEYS_OF_KAFKA_ONLY = (
    "follower.replication.throttled.replicas",
    "leader.replication.throttled.replicas",
    "local.retention.bytes",
    "local.retention.ms",
    "remote.log.copy.disable",
    "remote.log.delete.on.disable",
    "remote.storage.enable",
)
NO_KEY = "does nothing here: no tiered storage, no replication to throttle"
ELR = "eligible leader replicas (KIP-966) make Kafka's controller set it for all brokers"
DOCUMENTATION = Explained("results[*].documentation", WORDS, both_there)


def describes(
    *resources: tuple[int, str] | tuple[int, str, list[str]], synonyms: bool = True, documentation: bool = False
) -> DescribeConfigsRequest:
    rows = [DescribeConfigsResource(type_, name, keys[0] if keys else None) for type_, name, *keys in resources]
    return DescribeConfigsRequest(rows, synonyms, documentation)


def sets(*resources: tuple[int, str, dict[str, str]]) -> incremental.IncrementalAlterConfigsRequest:
    return changes(
        *((type_, name, [(key, SET, value) for key, value in pairs.items()]) for type_, name, pairs in resources)
    )


def changes(
    *resources: tuple[int, str, list[tuple[str, int, str | None]]], validate_only: bool = False
) -> incremental.IncrementalAlterConfigsRequest:
    rows = [
        incremental.AlterConfigsResource(type_, name, [incremental.AlterableConfig(*config) for config in configs])
        for type_, name, configs in resources
    ]
    return incremental.IncrementalAlterConfigsRequest(rows, validate_only)


def replaces(
    *resources: tuple[int, str, list[tuple[str, str | None]]], validate_only: bool = False
) -> full.AlterConfigsRequest:
    rows = [
        full.AlterConfigsResource(type_, name, [full.AlterableConfig(*config) for config in configs])
        for type_, name, configs in resources
    ]
    return full.AlterConfigsRequest(rows, validate_only)


def test_describe_configs_of_topics(pair: Pair) -> None:
    plain, configured = pair.name("configs"), pair.name("configs")
    pair.create((plain, 1), (configured, 1))
    pair.both(sets((TOPIC, configured, {"retention.ms": "5000", "cleanup.policy": "compact,delete"})), 1)
    pair.compare(
        [
            case("a topic", (1, 4), describes((TOPIC, plain))),
            case("without synonyms", (1, 4), describes((TOPIC, plain), synonyms=False)),
            case("with documentation", (3, 4), describes((TOPIC, plain), documentation=True)),
            case("one that has configs", (1, 4), describes((TOPIC, configured))),
            case("some keys", (1, 4), describes((TOPIC, configured, ["retention.ms", "nope", "segment.ms"]))),
            case("an empty list of keys", (1, 4), describes((TOPIC, configured, []))),
            case("two", (1, 4), describes((TOPIC, configured), (TOPIC, plain), (TOPIC, configured, ["retention.ms"]))),
            case("an unknown topic", (1, 4), describes((TOPIC, "unknown"), (TOPIC, plain, ["segment.ms"]))),
            case("names that cannot be", (1, 4), describes((TOPIC, ""), (TOPIC, "a b"))),
        ],
        [
            *(Explained(f"results[*].configs[{key}].*", NO_KEY, only_in_kafka) for key in KEYS_OF_KAFKA_ONLY),
            Explained("results[*].configs[min.insync.replicas].config_source", ELR, exactly(3, 5)),
            Explained("results[*].configs[min.insync.replicas].synonyms*", ELR),
            DOCUMENTATION,
            Explained("results[*].error_message", WORDS, both_there),
            Explained("results[0].error_message", "kwire says which topic", only_in_kwire),
        ],
    )


def test_describe_configs_of_brokers(pair: Pair) -> None:
    keys = sorted(BROKER_KEYS)
    pair.compare(
        [
            case("the keys that mean something here", (1, 4), describes((BROKER, "1", keys))),
            case("with documentation", (3, 4), describes((BROKER, "1", ["num.partitions"]), documentation=True)),
            case("the default of all brokers", (1, 4), describes((BROKER, ""))),
            case("another broker", (1, 4), describes((BROKER, "2"), (BROKER, "1", ["num.partitions"]))),
            case("what is no broker", (1, 4), describes((BROKER, "one"))),
            case("loggers of another broker", (1, 4), describes((LOGGER, "2"), (LOGGER, ""))),
            case("loggers that are not there", (1, 4), describes((LOGGER, "1", ["nope"]))),
            case("keys of a group that are not there", (1, 4), describes((GROUP, "group", ["nope"]))),
            case("keys of a subscription that are not there", (1, 4), describes((METRICS, "metrics", ["nope"]))),
            case("no name", (1, 4), describes((GROUP, ""), (METRICS, ""))),
            case("an unknown type", (1, 4), describes((77, "x"), (BROKER, "1", ["num.partitions"]))),
            case("no type", (1, 4), describes((0, "x"))),
            case("nothing", (1, 4), describes()),
        ],
        [
            DOCUMENTATION,
            Explained("results[*].error_message", WORDS, both_there),
            Explained("results[*].configs[min.insync.replicas].*", ELR),
            *(
                Explained(f"results[*].configs[{key}].*", "configured for each of the two")
                for key in ("advertised.listeners", "controller.listener.names", "listeners", "log.dirs", "log.dir")
            ),
            Explained(
                "results[*].configs[listener.security.protocol.map].read_only", "our listeners are fixed at the start"
            ),
            *(
                Explained(f"results[*].configs[{key}].*", "a default of our own")
                for key in (
                    "node.id",
                    "broker.id",
                    "queued.max.request.bytes",
                    "socket.listen.backlog.size",
                    "socket.receive.buffer.bytes",
                    "socket.send.buffer.bytes",
                )
            ),
        ],
    )


def test_alter_configs(pair: Pair) -> None:
    one, two = pair.name("altered"), pair.name("altered")
    pair.create((one, 1), (two, 1))
    described = [
        case("as it is then", 4, describes((TOPIC, name, ["retention.ms", "cleanup.policy", "segment.ms"])))
        for name in (one, two)
    ]
    pair.compare(
        [
            case("a topic", (0, 2), replaces((TOPIC, one, [("retention.ms", "5000"), ("segment.ms", "1000")]))),
            *described,
            case("validate only", (0, 2), replaces((TOPIC, one, [("retention.ms", "6000")]), validate_only=True)),
            *described,
            case("another key: the first is gone", (0, 2), replaces((TOPIC, one, [("cleanup.policy", "compact")]))),
            *described,
            case("two", (0, 2), replaces((TOPIC, one, []), (TOPIC, two, [("retention.ms", "7000")]))),
            *described,
            case(
                "a bad one keeps no other", (0, 2), replaces((TOPIC, "a b", []), (TOPIC, one, [("segment.ms", "2000")]))
            ),
            *described,
            case("nothing", (0, 2), replaces()),
            case("no value", (0, 2), replaces((TOPIC, one, [("retention.ms", None)]))),
            case("a wrong value", (0, 2), replaces((TOPIC, one, [("retention.ms", "soon")]))),
            case("an unknown key", (0, 2), replaces((TOPIC, one, [("nope", "1")]))),
            case("a key twice", (0, 2), replaces((TOPIC, one, [("retention.ms", "1"), ("retention.ms", "2")]))),
            case("an unknown topic", (0, 2), replaces((TOPIC, "unknown", []))),
            case("no name", (0, 2), replaces((TOPIC, "", [("retention.ms", "1")]))),
            case("a key that is fixed at the start", (0, 2), replaces((BROKER, "1", [("node.id", "2")]))),
            case("another broker", (0, 2), replaces((BROKER, "2", [("log.retention.ms", "1")]))),
            case("what is no broker", (0, 2), replaces((BROKER, "one", [("log.retention.ms", "1")]))),
            case("a broker", (0, 2), replaces((BROKER, "1", [("log.retention.ms", "50000")]))),
            case("as it is then", 4, describes((BROKER, "1", ["log.retention.ms"]), (TOPIC, one, ["retention.ms"]))),
            case("a broker, nothing set", (0, 2), replaces((BROKER, "1", []))),
            case("loggers", (0, 2), replaces((LOGGER, "1", [("root", "INFO")]))),
            case("no name", (0, 2), replaces((GROUP, "", [("nope", "1")]), (METRICS, "", [("nope", "1")]))),
            case("an unknown type", (0, 2), replaces((77, "x", []), (TOPIC, one, [("segment.ms", "3000")]))),
            *described,
        ],
        [Explained("responses[*].error_message", WORDS, both_there)],
    )


def test_incremental_alter_configs(pair: Pair) -> None:
    one, two = pair.name("changed"), pair.name("changed")
    pair.create((one, 1), (two, 1))
    keys = ["retention.ms", "cleanup.policy", "segment.ms"]
    described = [case("as it is then", 4, describes((TOPIC, name, keys))) for name in (one, two)]
    broker = case("as it is then", 4, describes((BROKER, "1", ["log.retention.ms", "log.cleanup.policy"])))
    of_all = case("as it is then", 4, describes((BROKER, "", ["max.connections"]), (BROKER, "1", ["max.connections"])))

    def on_one(key: str, operation: int, value: str | None) -> incremental.IncrementalAlterConfigsRequest:
        return changes((TOPIC, one, [(key, operation, value)]))

    def on_broker(name: str, key: str, operation: int, value: str | None) -> incremental.IncrementalAlterConfigsRequest:
        return changes((BROKER, name, [(key, operation, value)]))

    pair.compare(
        [
            case("set", (0, 1), on_one("retention.ms", SET, "5000")),
            *described,
            case("set another", (0, 1), on_one("segment.ms", SET, "5000")),
            *described,
            case("validate only", (0, 1), changes((TOPIC, one, [("segment.ms", SET, "9000")]), validate_only=True)),
            *described,
            case("delete", (0, 1), on_one("retention.ms", DELETE, None)),
            case("delete with a value", (0, 1), on_one("segment.ms", DELETE, "7")),
            *described,
            case("append", (0, 1), on_one("cleanup.policy", APPEND, "compact")),
            *described,
            case("subtract", (0, 1), on_one("cleanup.policy", SUBTRACT, "delete")),
            *described,
            case("several of two", 1, sets((TOPIC, one, {"segment.ms": "1", "retention.ms": "2"}), (TOPIC, two, {}))),
            *described,
            case(
                "a bad one keeps no other", 1, sets((TOPIC, one, {"nope": "1"}), (TOPIC, two, {"segment.ms": "3000"}))
            ),
            *described,
            case("nothing", (0, 1), changes()),
            case("set nothing", (0, 1), on_one("retention.ms", SET, None)),
            case("append nothing", (0, 1), on_one("cleanup.policy", APPEND, None)),
            case("append to what is no list", (0, 1), on_one("retention.ms", APPEND, "5")),
            case("append what cannot be", (0, 1), on_one("cleanup.policy", APPEND, "shred")),
            case("subtract what is not there", (0, 1), on_one("cleanup.policy", SUBTRACT, "shred")),
            case("an unknown operation", (0, 1), on_one("retention.ms", 9, "5")),
            case("a wrong value", (0, 1), on_one("retention.ms", SET, "soon")),
            case("a value out of range", (0, 1), on_one("segment.bytes", SET, "1")),
            case("an unknown key", (0, 1), on_one("nope", SET, "1")),
            case("an unknown key to delete", (0, 1), on_one("nope", DELETE, None)),
            case("an unknown key to append to", (0, 1), on_one("nope", APPEND, "1")),
            case("a key twice", 1, changes((TOPIC, one, [("segment.ms", SET, "1"), ("segment.ms", DELETE, None)]))),
            case(
                "a resource twice", (0, 1), sets((TOPIC, one, {}), (TOPIC, two, {"segment.ms": "7"}), (TOPIC, one, {}))
            ),
            case("contradicting", 1, sets((TOPIC, one, {"min.compaction.lag.ms": "2", "max.compaction.lag.ms": "1"}))),
            case("an unknown topic", (0, 1), sets((TOPIC, "unknown", {"segment.ms": "7"}))),
            case("an unknown topic, validate only", 1, changes((TOPIC, "unknown", []), validate_only=True)),
            case("names that cannot be", (0, 1), sets((TOPIC, "", {"segment.ms": "7"}), (TOPIC, "a b", {}))),
            *described,
            case("a broker", (0, 1), on_broker("1", "log.retention.ms", SET, "50000")),
            broker,
            case("a list of a broker", (0, 1), on_broker("1", "log.cleanup.policy", APPEND, "compact")),
            broker,
            case("a broker, deleted", (0, 1), on_broker("1", "log.retention.ms", DELETE, None)),
            case("a broker, deleted", (0, 1), on_broker("1", "log.cleanup.policy", DELETE, None)),
            broker,
            case("all brokers", (0, 1), on_broker("", "max.connections", SET, "5000")),
            of_all,
            case("all brokers, deleted", (0, 1), on_broker("", "max.connections", DELETE, None)),
            of_all,
            case("a key that is fixed at the start", (0, 1), on_broker("1", "node.id", SET, "2")),
            case("a key that is fixed at the start, of all", (0, 1), on_broker("", "num.partitions", SET, "2")),
            case("a wrong value of a broker", (0, 1), on_broker("1", "log.retention.ms", SET, "soon")),
            case("a broker's unknown key", (0, 1), on_broker("1", "nope", SET, "2")),
            case("deleting it", (0, 1), on_broker("1", "nope", DELETE, None)),
            case("another broker", (0, 1), on_broker("2", "log.retention.ms", SET, "1")),
            case("what is no broker", (0, 1), on_broker("one", "log.retention.ms", SET, "1")),
            case("loggers of another broker", (0, 1), changes((LOGGER, "2", [("root", SET, "INFO")]))),
            case("an unknown logger", (0, 1), changes((LOGGER, "1", [("nope", SET, "INFO")]))),
            case("an unknown key of a group", (0, 1), changes((GROUP, "group", [("nope", SET, "1")]))),
            case("no name", (0, 1), changes((GROUP, "", [("nope", SET, "1")]), (METRICS, "", [("nope", SET, "1")]))),
            case("an unknown type", (0, 1), changes((77, "x", []), (TOPIC, one, [("segment.ms", SET, "3000")]))),
            *described,
        ],
        [
            Explained("responses[*].error_message", WORDS, both_there),
            Explained(f"responses[{one}].error_code", "Kafka trips over an unknown operation", exactly(-1, 42)),
            Explained(f"responses[{one}].error_message", "likewise", only_in_kwire),
            Explained("responses[1].error_code", "a plug-in of Kafka's might know the key", exactly(0, 40)),
            Explained("responses[1].error_message", "likewise", only_in_kwire),
            Explained("responses[1].error_code", "kwire's loggers are not set from here", exactly(40, 42)),
            Explained("responses[group].error_code", "groups have no configuration here", exactly(40, 42)),
        ],
    )


def test_list_config_resources(pair: Pair) -> None:
    def lists(*types: int) -> ListConfigResourcesRequest:
        return ListConfigResourcesRequest(list(types))

    pair.compare(
        [
            case("subscriptions", 0, lists()),
            case("brokers and their loggers", 1, lists(BROKER, LOGGER)),
            case("groups and subscriptions", 1, lists(GROUP, METRICS)),
            case("a type twice", 1, lists(BROKER, BROKER)),
            case("an unknown type", 1, lists(BROKER, 77)),
            case("no type", 1, lists(0)),
        ]
    )
    name = pair.name("listed")
    pair.create((name, 1))
    for response in pair.both(lists(TOPIC), 1):
        assert (TOPIC, name) in [(row.resource_type, row.resource_name) for row in response.config_resources]
    for response in pair.both(lists(), 1):
        assert {row.resource_type for row in response.config_resources} == {TOPIC, BROKER, LOGGER}
