"""CreateTopics, DeleteTopics, CreatePartitions: Kafka's replies and kwire's."""

from __future__ import annotations

import pytest

from differential import TOPIC_ID, WORDS, Explained, Pair, both_there, case, exactly, only_in_kafka, only_in_kwire
from kwire.protocol.messages.create_partitions_request import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from kwire.protocol.messages.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from kwire.protocol.messages.delete_topics_request import DeleteTopicsRequest, DeleteTopicState

pytestmark = pytest.mark.xdist_group("differential")

ALL = (2, 7)


def topic(
    name: str,
    partitions: int = 1,
    replicas: int = 1,
    assigned: dict[int, list[int]] | list[tuple[int, list[int]]] | None = None,
    **configs: str | None,
) -> CreatableTopic:
    pairs = assigned.items() if isinstance(assigned, dict) else assigned or ()
    return CreatableTopic(
        name,
        partitions,
        replicas,
        [CreatableReplicaAssignment(index, nodes) for index, nodes in pairs],
        [CreatableTopicConfig(key.replace("_", "."), value) for key, value in configs.items()],
    )


def creates(*topics: CreatableTopic, validate_only: bool = False) -> CreateTopicsRequest:
    return CreateTopicsRequest(list(topics), 10_000, validate_only)


def test_create_topics(pair: Pair) -> None:
    taken, dotted = pair.name("taken"), pair.name("dot.ted")
    pair.create((taken, 1), (dotted, 1))
    pair.compare(
        [
            case("a topic", ALL, lambda name: creates(topic(name, 3))),
            case("the broker's defaults", ALL, lambda name: creates(topic(name, -1, -1))),
            case("with configs", ALL, lambda name: creates(topic(name, retention_ms="1000", cleanup_policy="compact"))),
            case("replicas chosen", ALL, lambda name: creates(topic(name, -1, -1, {0: [1], 1: [1]}))),
            case("two topics", ALL, lambda name: creates(topic(name), topic(name + "b", 2))),
            case("an internal one", 7, creates(topic("__share_group_state", 2))),
            case("validate only", ALL, lambda name: creates(topic(name, 2), validate_only=True)),
            case("nothing", ALL, creates()),
            case("one that is there", ALL, creates(topic(taken))),
            case("one that is there, validate only", ALL, creates(topic(taken), validate_only=True)),
            case("twice in a request", ALL, lambda name: creates(topic(name), topic(name), topic(name + "b"))),
            case("a bad one does not keep others", ALL, lambda name: creates(topic("a b"), topic(name))),
            *(
                case(f"the name {name[:9]!r}", ALL, creates(topic(name)))
                for name in ("", ".", "..", "a b", "ä", "x" * 250, "a/b")
            ),
            case("the longest name", 7, creates(topic("x" * 249))),
            case("a name that collides", ALL, creates(topic(dotted.replace(".", "_")))),
            case("Kafka's metadata", ALL, creates(topic("__cluster_metadata"))),
            case("no partitions", ALL, lambda name: creates(topic(name, 0))),
            case("fewer than no partitions", ALL, lambda name: creates(topic(name, -2))),
            case("no replicas", ALL, lambda name: creates(topic(name, 1, 0))),
            case("fewer than no replicas", ALL, lambda name: creates(topic(name, 1, -2))),
            case("more replicas than brokers", ALL, lambda name: creates(topic(name, 1, 2))),
            case("neither partitions nor replicas", ALL, lambda name: creates(topic(name, 0, 0))),
            case("too many partitions", ALL, lambda name: creates(topic(name, 10_001), validate_only=True)),
            case("an unknown config", ALL, lambda name: creates(topic(name, nope="1"))),
            case("a config without value", ALL, lambda name: creates(topic(name, retention_ms=None))),
            case("a config with a wrong value", ALL, lambda name: creates(topic(name, retention_ms="soon"))),
            case("a config out of range", ALL, lambda name: creates(topic(name, segment_bytes="1"))),
            case("a config given twice", 7, lambda name: creates(twice(name))),
            case("a config of a broker", ALL, lambda name: creates(topic(name, log_retention_ms="1"))),
            case(
                "configs that contradict",
                ALL,
                lambda name: creates(topic(name, min_compaction_lag_ms="2", max_compaction_lag_ms="1")),
            ),
            case("replicas and a count", ALL, lambda name: creates(topic(name, 1, -1, {0: [1]}))),
            case("replicas and a factor", ALL, lambda name: creates(topic(name, -1, 1, {0: [1]}))),
            case("a replica on an unknown broker", ALL, lambda name: creates(topic(name, -1, -1, {0: [7]}))),
            case("a replica twice", ALL, lambda name: creates(topic(name, -1, -1, {0: [1, 1]}))),
            case("a partition without replicas", ALL, lambda name: creates(topic(name, -1, -1, {0: []}))),
            case("a gap in the partitions", ALL, lambda name: creates(topic(name, -1, -1, {0: [1], 2: [1]}))),
            case("a partition twice", ALL, lambda name: creates(topic(name, -1, -1, [(0, [1]), (0, [1])]))),
        ],
        [
            TOPIC_ID,
            Explained("topics[*].error_message", WORDS, both_there),
            *(Explained(f"topics[*].configs[{key}].*", NO_KEY, only_in_kafka) for key in KEYS_OF_KAFKA_ONLY),
            Explained("topics[*].configs[min.insync.replicas].config_source", ELR, exactly(3, 5)),
        ],
    )


def twice(name: str) -> CreatableTopic:
    configs = [CreatableTopicConfig("retention.ms", "1"), CreatableTopicConfig("retention.ms", "2")]
    return CreatableTopic(name, 1, 1, (), configs)


NO_KEY = "does nothing here: no tiered storage, no replication to throttle"
KEYS_OF_KAFKA_ONLY = (
    "follower.replication.throttled.replicas",
    "leader.replication.throttled.replicas",
    "local.retention.bytes",
    "local.retention.ms",
    "remote.log.copy.disable",
    "remote.log.delete.on.disable",
    "remote.storage.enable",
)
ELR = "eligible leader replicas (KIP-966) make Kafka's controller set it for all brokers"


def test_delete_topics(pair: Pair) -> None:
    unknown_id = b"not a topic's id"

    def by_name(*names: str) -> DeleteTopicsRequest:
        return DeleteTopicsRequest((), list(names), 10_000)

    def states(*topics: DeleteTopicState) -> DeleteTopicsRequest:
        return DeleteTopicsRequest(list(topics), (), 10_000)

    def made(name: str) -> str:
        pair.create((name, 2))
        return name

    pair.compare(
        [
            case("a topic", (1, 5), lambda name: by_name(made(name))),
            case("a topic", 6, lambda name: states(DeleteTopicState(made(name)))),
            case("one of two", (1, 5), lambda name: by_name("unknown", made(name))),
            case("unknown names", (1, 5), by_name("unknown", "", "a b")),
            case("a name twice", (1, 5), by_name("unknown", "unknown", "other")),
            case("nothing", (1, 5), by_name()),
            case("unknown names", 6, states(DeleteTopicState("unknown"), DeleteTopicState(""))),
            case("a name twice", 6, states(DeleteTopicState("unknown"), DeleteTopicState("unknown"))),
            case("an unknown id", 6, states(DeleteTopicState(None, unknown_id))),
            case("an id twice", 6, states(DeleteTopicState(None, unknown_id), DeleteTopicState(None, unknown_id))),
            case("a name and an id", 6, states(DeleteTopicState("unknown", unknown_id))),
            case("neither name nor id", 6, states(DeleteTopicState(None), DeleteTopicState("unknown"))),
            case("nothing", 6, states()),
        ],
        [
            Explained("responses[*].topic_id", "random", both_there),
            Explained("responses[*].error_message", WORDS, both_there),
        ],
    )


def test_create_partitions(pair: Pair) -> None:
    two, other = pair.name("two"), pair.name("two")
    pair.create((two, 2), (other, 2))

    def grows(*topics: tuple[str, int] | tuple[str, int, list[list[int]]], validate_only: bool = False):
        rows = [
            CreatePartitionsTopic(
                name, count, [CreatePartitionsAssignment(nodes) for nodes in assigned[0]] if assigned else None
            )
            for name, count, *assigned in topics
        ]
        return CreatePartitionsRequest(rows, 10_000, validate_only)

    def made(name: str) -> str:
        pair.create((name, 1))
        return name

    pair.compare(
        [
            case("one more", (0, 3), lambda name: grows((made(name), 2))),
            case("two more, replicas chosen", (0, 3), lambda name: grows((made(name), 3, [[1], [1]]))),
            case("validate only", (0, 3), grows((two, 5), validate_only=True)),
            case("as many as there are", (0, 3), grows((two, 2))),
            case("fewer than there are", (0, 3), grows((two, 1))),
            case("none", (0, 3), grows((two, 0), (other, -1))),
            case("an unknown topic", (0, 3), lambda name: grows(("unknown", 3), ("a b", 3), ("", 3), (made(name), 2))),
            case("a topic twice", (0, 3), grows((two, 3), (two, 4), (other, 5), validate_only=True)),
            case("nothing", (0, 3), grows()),
            case("too many", (0, 3), grows((two, 10_003), validate_only=True)),
            case("an unknown broker", (0, 3), grows((two, 3, [[7]]))),
            case("a broker twice", (0, 3), grows((two, 3, [[1, 1]]))),
            case("no broker", (0, 3), grows((two, 3, [[]]))),
            case("too few assignments", (0, 3), grows((two, 4, [[1]]))),
            case("no assignments", (0, 3), grows((two, 3, []))),
            case("too many assignments", (0, 3), grows((two, 3, [[1], [1]]))),
        ],
        [
            Explained("results[*].error_message", WORDS, both_there),
            Explained("results[*].error_code", "Kafka trips over it; CreateTopics answers this", exactly(-1, 44)),
            Explained("results[*].error_message", "likewise", only_in_kwire),
        ],
    )
