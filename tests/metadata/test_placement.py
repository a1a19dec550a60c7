"""Where new partitions go."""

from __future__ import annotations

from collections import Counter

import pytest

from clusters import Cluster
from kwire.errors import ErrorCode
from kwire.metadata import entries
from kwire.metadata.decision import RefusedError
from kwire.metadata.placement import UNASSIGNED_DIRECTORY, place
from kwire.metadata.values import Node


def test_replicas_are_on_different_nodes_and_leaders_take_turns() -> None:
    partitions = place(Cluster(1, 2, 5).image, range(6), 2)
    assert [partition.replicas for partition in partitions] == [(1, 2), (2, 5), (5, 1), (1, 2), (2, 5), (5, 1)]
    assert all(partition.leader == partition.replicas[0] for partition in partitions)
    assert all(partition.isr == partition.replicas for partition in partitions)


def test_added_partitions_go_on_where_the_others_ended() -> None:
    image = Cluster(1, 2, 3).image
    assert place(image, range(5), 1) == place(image, range(2), 1) + place(image, range(2, 5), 1)


def test_there_are_no_more_replicas_than_nodes() -> None:
    with pytest.raises(RefusedError) as refused:
        place(Cluster(1, 2).image, range(1), 3)
    assert refused.value.code == ErrorCode.INVALID_REPLICATION_FACTOR


def test_the_directory_with_the_fewest_partitions_is_next() -> None:
    cluster = Cluster()
    cluster.create("before", 3)  # in the one directory that there was
    first, second = cluster.image.nodes[1].directories[0], bytes(15) + b"\x0e"
    cluster.store.commit([entries.node_change(Node(1, {}, (first, second)))], {})
    (commit,) = cluster.store.watch(cluster.image.revision)
    chosen = Counter(partition.directories for partition in place(cluster.image.apply(commit), range(5), 1))
    assert chosen == {(second,): 4, (first,): 1}


def test_a_node_that_named_no_directory_gets_none() -> None:
    cluster = Cluster()
    cluster.store.commit([entries.node_change(Node(1, {}))], {})
    (commit,) = cluster.store.watch(cluster.image.revision)
    (partition,) = place(cluster.image.apply(commit), range(1), 1)
    assert partition.directories == (UNASSIGNED_DIRECTORY,)
