"""Comparing replies: what counts as a difference, and what explains one."""

from __future__ import annotations

import pytest

from differential import ABSENT, Explained, Table, both_there, differences, exactly, flatten, only_in_kafka
from kwire.protocol.messages.describe_cluster_response import DescribeClusterBroker, DescribeClusterResponse
from kwire.protocol.messages.fetch_response import FetchableTopicResponse, FetchResponse, PartitionData
from kwire.protocol.messages.metadata_response import MetadataResponse, MetadataResponseTopic


def topics(*names: str, error: int = 0) -> MetadataResponse:
    return MetadataResponse(topics=[MetadataResponseTopic(error, name) for name in names])


def test_fields_have_paths() -> None:
    response = DescribeClusterResponse(brokers=[DescribeClusterBroker(1, "here", 9092)])
    paths = dict(flatten(response))
    assert paths["brokers[0].host"] == "here"
    assert paths["cluster_id"] == ""


def test_elements_with_a_key_are_compared_whatever_their_order() -> None:
    assert differences(topics("a", "b"), topics("b", "a")) == {}
    assert differences(topics("a"), topics("a", error=3)) == {"topics[a].error_code": (0, 3)}


def test_elements_without_a_key_are_compared_in_order() -> None:
    one, two = DescribeClusterBroker(1), DescribeClusterBroker(2)
    found = differences(DescribeClusterResponse(brokers=[one, two]), DescribeClusterResponse(brokers=[two, one]))
    assert found == {"brokers[0].broker_id": (1, 2), "brokers[1].broker_id": (2, 1)}


def test_what_is_on_one_side_only_is_a_difference() -> None:
    found = differences(topics("a", "b"), topics("a"))
    assert found["topics[b].name"] == ("b", ABSENT)
    found = differences(topics("a"), topics("a", "a"))
    assert found["topics[a#2].name"] == (ABSENT, "a")


def test_partitions_of_a_topic_may_be_spread_over_rows_of_a_fetch() -> None:
    together = FetchResponse(responses=[FetchableTopicResponse("a", partitions=[PartitionData(0), PartitionData(1)])])
    apart = FetchResponse(
        responses=[FetchableTopicResponse("a", partitions=[PartitionData(index)]) for index in (1, 0)]
    )
    assert differences(together, apart) == {}


@pytest.mark.parametrize(
    ("explained", "path", "pair", "covers"),
    [
        (Explained("topics[*].topic_id", "random"), "topics[a].topic_id", (1, 2), True),
        (Explained("topics[*].topic_id", "random"), "topics[a].name", (1, 2), False),
        (Explained("error_code", "", exactly(-1, 42)), "error_code", (-1, 42), True),
        (Explained("error_code", "", exactly(-1, 42)), "error_code", (0, 42), False),
        (Explained("error_message", "", both_there), "error_message", ("a", "b"), True),
        (Explained("error_message", "", both_there), "error_message", (None, "b"), False),
        (Explained("rows*", "", only_in_kafka), "rows[3].x", (1, ABSENT), True),
        (Explained("rows*", "", only_in_kafka), "rows[3].x", (ABSENT, 1), False),
    ],
)
def test_an_explanation_says_where_and_between_what(
    explained: Explained, path: str, pair: tuple[object, object], covers: bool
) -> None:
    assert explained.covers(path, *pair) is covers


def test_a_table_fails_for_what_is_not_explained_and_for_what_is_in_vain() -> None:
    table = Table(
        [
            Explained("a", "occurs"),
            Explained("b", "does not"),
            Explained("c", "need not", always=False),
        ]
    )
    table.note("one", 3, {"a": (1, 2), "z": (5, 6)})
    table.note("one", 4, {"a": (1, 2), "z": (5, 6)})
    assert table.problems() == [
        "one: z: Kafka has 5, kwire has 6 (v3, v4)",
        "explained, but did not occur: b (does not)",
    ]
