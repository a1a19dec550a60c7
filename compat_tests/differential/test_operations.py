"""Log directories, elections, reassignments and features: Kafka's replies and kwire's."""

from __future__ import annotations

import pytest

from differential import WORDS, Explained, Pair, both_there, case, exactly
from kwire.protocol.messages.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from kwire.protocol.messages.alter_replica_log_dirs_request import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirTopic,
)
from kwire.protocol.messages.describe_log_dirs_request import DescribableLogDirTopic, DescribeLogDirsRequest
from kwire.protocol.messages.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from kwire.protocol.messages.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsTopics,
)
from kwire.protocol.messages.update_features_request import FeatureUpdateKey, UpdateFeaturesRequest

pytestmark = pytest.mark.xdist_group("differential")


def test_describe_log_dirs(pair: Pair) -> None:
    one, two = pair.name("dirs"), pair.name("dirs")
    pair.create((one, 3), (two, 1))

    def describes(*topics: tuple[str, list[int]]) -> DescribeLogDirsRequest:
        return DescribeLogDirsRequest([DescribableLogDirTopic(*topic) for topic in topics])

    pair.compare(
        [
            case("all of two topics", (1, 5), describes((one, [0, 1, 2]), (two, [0]))),
            case("one partition", (1, 5), describes((one, [1]))),
            case("a partition twice", (1, 5), describes((one, [1, 1]), (one, [1, 2]))),
            case("unknown ones", (1, 5), describes((one, [1, 9]), ("unknown", [0]), ("a b", [0]))),
            case("none", (1, 5), describes()),
        ],
        [
            Explained("results[0].log_dir", "each has its own", both_there),
            Explained("results[0].usable_bytes", "one disk, read a moment apart", both_there, always=False),
        ],
    )
    for response in pair.both(DescribeLogDirsRequest(None), 4):
        (row,) = response.results
        assert {one, two} <= {topic.name for topic in row.topics}


def test_alter_replica_log_dirs(pair: Pair) -> None:
    one, two = pair.name("moved"), pair.name("moved")
    pair.create((one, 2), (two, 1))

    def moves(path: str, *topics: tuple[str, list[int]]) -> AlterReplicaLogDirsRequest:
        rows = [AlterReplicaLogDirTopic(*topic) for topic in topics]
        return AlterReplicaLogDirsRequest([AlterReplicaLogDir(path, rows)])

    pair.compare(
        [
            case("to an unknown directory", (1, 2), moves("/nowhere", (one, [0, 1, 9]), ("unknown", [0]))),
            case("to a relative one", (1, 2), moves("data", (one, [0]))),
            case("to none", (1, 2), moves("", (one, [0]))),
            case("nothing", (1, 2), moves("/nowhere")),
            case("no directories", (1, 2), AlterReplicaLogDirsRequest([])),
        ]
    )
    for client in (pair.kafka, pair.kwire):
        (here,) = client.ask(DescribeLogDirsRequest([]), 4).results
        for version in (1, 2):
            response = client.ask(moves(here.log_dir, (two, [0]), (one, [1, 9]), ("unknown", [0])), version)
            rows = {
                (topic.topic_name, row.partition_index): row.error_code
                for topic in response.results
                for row in topic.partitions
            }
            assert rows == {(two, 0): 0, (one, 1): 0, (one, 9): 3, ("unknown", 0): 3}, "to where they lie"


def test_elect_leaders(pair: Pair) -> None:
    one = pair.name("elected")
    pair.create((one, 2))

    def elects(type_: int, *topics: tuple[str, list[int]]) -> ElectLeadersRequest:
        return ElectLeadersRequest(type_, [TopicPartitions(*topic) for topic in topics], 10_000)

    pair.compare(
        [
            case("preferred leaders", (0, 2), elects(0, (one, [1, 0]))),
            case("any leaders", (1, 2), elects(1, (one, [0]))),
            case("unknown ones", (0, 2), elects(0, (one, [9, 0]), ("unknown", [0]))),
            case("a topic twice", (0, 2), elects(0, (one, [0]), (one, [1]))),
            case("none", (0, 2), elects(0)),
            case("an unknown election", (1, 2), elects(2, (one, [0]), ("unknown", [0]))),
        ],
        [Explained("replica_election_results[*].error_message", WORDS, both_there)],
    )
    for response in pair.both(ElectLeadersRequest(0, None, 10_000), 2):
        (row,) = [row for row in response.replica_election_results if row.topic == one]
        assert (response.error_code, list(row.partition_result)) == (0, []), "of all, only what was done is told"


def test_partition_reassignments(pair: Pair) -> None:
    one = pair.name("reassigned")
    pair.create((one, 3))

    def reassigns(
        *topics: tuple[str, list[tuple[int, list[int] | None]]], same_factor: bool = False
    ) -> AlterPartitionReassignmentsRequest:
        rows = [ReassignableTopic(name, [ReassignablePartition(*row) for row in rows]) for name, rows in topics]
        return AlterPartitionReassignmentsRequest(10_000, not same_factor, rows)

    def lists(*topics: tuple[str, list[int]]) -> ListPartitionReassignmentsRequest:
        return ListPartitionReassignmentsRequest(10_000, [ListPartitionReassignmentsTopics(*topic) for topic in topics])

    pair.compare(
        [
            case("to where it is", (0, 1), reassigns((one, [(0, [1]), (1, [1])]))),
            case("to an unknown broker", (0, 1), reassigns((one, [(0, [2]), (1, [1, 2]), (2, [-1])]))),
            case("to nowhere", (0, 1), reassigns((one, [(0, [])]))),
            case("to a broker twice", (0, 1), reassigns((one, [(0, [1, 1])]))),
            case("cancelled", (0, 1), reassigns((one, [(0, None), (9, None)]), ("unknown", [(0, None)]))),
            case("unknown ones", (0, 1), reassigns((one, [(9, [1])]), ("unknown", [(0, [1])]))),
            case("twice", (0, 1), reassigns((one, [(0, [1]), (0, [1])]), (one, [(0, [1])]))),
            case("with as many replicas", 1, reassigns((one, [(0, [1]), (1, [1, 2])]), same_factor=True)),
            case("nothing", (0, 1), reassigns()),
            case("listed, all", 0, ListPartitionReassignmentsRequest(10_000, None)),
            case("listed, some", 0, lists((one, [0, 9]), ("unknown", [0]))),
            case("listed, none", 0, lists()),
        ],
        [
            Explained("responses[*].error_message", WORDS, both_there),
            Explained("error_message", "Kafka forgets to set it if nothing is asked", exactly("", None)),
        ],
    )


def test_update_features(pair: Pair) -> None:
    def updates(*features: tuple[str, int], type_: int = 1, validate_only: bool = False) -> UpdateFeaturesRequest:
        rows = [FeatureUpdateKey(name, level, False, type_) for name, level in features]
        return UpdateFeaturesRequest(10_000, rows, validate_only)

    level = ("metadata.version", 30)
    pair.compare(
        [
            case("to where it is", (0, 2), updates(level)),
            case("to where it is, validate only", (1, 2), updates(level, validate_only=True)),
            case("twice", (0, 2), updates(level, level)),
            case("nothing", (0, 2), updates()),
            case("too high", (0, 2), updates(("metadata.version", 99))),
            case("too low", (0, 2), updates(("metadata.version", 1))),
            case("off", (0, 2), updates(("metadata.version", 0))),
            case("below 0", (0, 2), updates(("metadata.version", -1))),
            case("an unknown feature", (0, 2), updates(("nope", 1))),
            case("an unknown feature off", (0, 2), updates(("nope", 0))),
            case("a bad one keeps all", (0, 2), updates(level, ("nope", 1))),
            case("lower", (0, 2), updates(("metadata.version", 29))),
            *(case(f"lower, type {type_}", (1, 2), updates(("metadata.version", 29), type_=type_)) for type_ in (2, 3)),
            *(case(f"type {type_}", (1, 2), updates(level, type_=type_)) for type_ in (0, 4)),
            case(
                "lower, as version 0 allows it",
                0,
                UpdateFeaturesRequest(10_000, [FeatureUpdateKey("metadata.version", 29, True)]),
            ),
        ],
        [
            Explained("error_message", WORDS, both_there),
            Explained("results[*].error_message", "Kafka says NONE where others say nothing", exactly("NONE", None)),
        ],
    )
