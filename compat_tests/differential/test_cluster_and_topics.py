"""ApiVersions, Metadata, DescribeCluster, DescribeTopicPartitions: Kafka's replies and kwire's."""

from __future__ import annotations

import struct

import pytest

from differential import CLUSTER_ID, NO_ID, PORT, TOPIC_ID, Explained, Pair, both_there, case, exactly, only_in_kafka
from kwire.protocol.frames import decode_response
from kwire.protocol.messages import APIS
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.api_versions_response import ApiVersionsResponse
from kwire.protocol.messages.describe_cluster_request import DescribeClusterRequest
from kwire.protocol.messages.describe_topic_partitions_request import (
    Cursor,
    DescribeTopicPartitionsRequest,
    TopicRequest,
)
from kwire.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from wire_client import ConnectionEndedError, WireClient

pytestmark = pytest.mark.xdist_group("differential")


def test_api_versions(pair: Pair) -> None:
    def asked(name: str = "apache-kafka-java", version: str = "4.3.0") -> ApiVersionsRequest:
        return ApiVersionsRequest(name, version)

    pair.compare(
        [
            case("a client", (0, 4), asked()),
            case("without a name", (3, 4), asked("")),
            case("without a version", (3, 4), asked(version="")),
            case("a name that ends in a dash", (3, 4), asked("client-")),
            case("a name with a space", (3, 4), asked("a client")),
            case("a version with a slash", (3, 4), asked(version="1/2")),
        ],
        [
            *(Explained(f"api_keys[{key}].*", "not served yet", only_in_kafka) for key in NOT_SERVED),
            *(Explained(f"supported_features[{name}].*", "not supported yet", only_in_kafka) for name in NO_FEATURES),
            *(Explained(f"finalized_features[{name}].*", "not supported yet", only_in_kafka) for name in FINALIZED),
            Explained("finalized_features_epoch", "grows with every change of the metadata", both_there),
        ],
    )


@pytest.mark.parametrize(
    ("key", "version", "body"),
    [
        (3, 99, b"\0"),
        (3, -1, b""),
        (0, 2, b""),
        (7, 0, b""),
        (999, 0, b""),
        (19, 1, b""),
        (18, 99, b"\0not to be read"),
    ],
)
def test_versions_that_are_not_served(pair: Pair, key: int, version: int, body: bytes) -> None:
    frame = struct.pack(">hhih2s", key, version, 7, 2, b"me") + body
    outcomes = [outcome(client, frame) for client in (pair.kafka, pair.kwire)]
    assert outcomes[0] == outcomes[1] == ((35, (0, 4)) if key == 18 else "closed")


def outcome(client: WireClient, frame: bytes) -> object:
    """Whether the connection was closed; or the error, and the versions to ask in."""
    try:
        correlation_id, response = decode_response(APIS[18], 0, client.ask_raw(frame))
    except ConnectionEndedError:
        return "closed"
    assert correlation_id == 7
    assert isinstance(response, ApiVersionsResponse)
    # Kafka tells only how to ask for the versions of the rest; kwire tells all.
    (row,) = [row for row in response.api_keys if row.api_key == 18]
    return response.error_code, (row.min_version, row.max_version)


# Groups, transactions, access control and what Kafka's brokers and controllers ask each other.
NOT_SERVED = (
    *range(8, 18),
    *range(24, 32),
    36,
    *range(38, 43),
    *range(47, 52),
    *(55, 61, 64, 65, 66, 68, 69),
    *range(76, 82),
    *range(83, 93),
)
FINALIZED = (
    "eligible.leader.replicas.version",
    "group.version",
    "share.version",
    "streams.version",
    "transaction.version",
)
NO_FEATURES = (*FINALIZED, "kraft.version")


def topic(name: str | None = None, id_: bytes = NO_ID) -> MetadataRequestTopic:
    return MetadataRequestTopic(id_, name)


def test_metadata(pair: Pair) -> None:
    one, two = pair.name("metadata"), pair.name("metadata")
    pair.create((one, 3), (two, 1))
    unknown_id = b"not a topic's id"
    pair.compare(
        [
            case("all topics", 0, MetadataRequest([])),
            case("all topics", (1, 13), MetadataRequest(None)),
            case("no topics", (1, 13), MetadataRequest([])),
            case("two topics", (0, 13), MetadataRequest([topic(two), topic(one)])),
            case("a topic twice", (0, 13), MetadataRequest([topic(one), topic(one)])),
            case("an unknown topic", (4, 13), MetadataRequest([topic("unknown"), topic(one)], False)),
            case(
                "names that cannot be",
                (0, 13),
                MetadataRequest([topic(""), topic("a b"), topic("."), topic("x" * 250)]),
            ),
            case("operations on all", (8, 10), MetadataRequest([topic(one), topic("unknown")], False, True, True)),
            case("operations on topics", (8, 13), MetadataRequest([topic(one), topic("a b")], False, False, True)),
            case("an internal topic that is not there", (4, 13), MetadataRequest([topic("__consumer_offsets")], False)),
            case("an id before ids are taken", (10, 11), MetadataRequest([topic(one, unknown_id)], False)),
            case("no name before ids are taken", (10, 11), MetadataRequest([topic(None)], False)),
            case("an unknown id", (12, 13), MetadataRequest([topic(None, unknown_id)], False)),
            case("an unknown id with a name", (12, 13), MetadataRequest([topic(one, unknown_id)], False, False, True)),
            case("an id and a name", (12, 13), MetadataRequest([topic(None, unknown_id), topic(one)], False)),
            case("neither name nor id", (12, 13), MetadataRequest([topic(None)], False)),
            case("created by asking", (0, 13), lambda name: MetadataRequest([topic(name)])),
        ],
        [
            PORT,
            CLUSTER_ID,
            TOPIC_ID,
            Explained("topics[].error_code", "Kafka trips over it", exactly(-1, 42)),
            Explained("error_code", "Kafka trips over it", exactly(-1, 42)),
        ],
    )
    ids = [next(row.topic_id for row in response.topics) for response in pair.both(MetadataRequest([topic(one)]), 12)]
    for client, id_ in zip((pair.kafka, pair.kwire), ids, strict=True):
        (row,) = client.ask(MetadataRequest([topic(None, id_)], False), 12).topics
        assert (row.error_code, row.name, row.topic_id, len(row.partitions)) == (0, one, id_, 3)


def test_describe_cluster(pair: Pair) -> None:
    pair.compare(
        [
            case("brokers", (0, 2), DescribeClusterRequest(False)),
            case("with operations", (0, 2), DescribeClusterRequest(True)),
            case("controllers", (1, 2), DescribeClusterRequest(False, 2)),
            case("an unknown type of endpoint", (1, 2), DescribeClusterRequest(False, 3)),
            case("no type of endpoint", (1, 2), DescribeClusterRequest(False, 0)),
            case("fenced ones as well", 2, DescribeClusterRequest(False, 1, True)),
        ],
        [PORT, CLUSTER_ID, Explained("error_message", "our own words", both_there)],
    )


def test_describe_topic_partitions(pair: Pair) -> None:
    a, b, c = (pair.name("partitions") for _ in range(3))
    pair.create((a, 3), (b, 2), (c, 1))

    def asked(*names: str, limit: int = 2000, cursor: tuple[str, int] | None = None) -> DescribeTopicPartitionsRequest:
        return DescribeTopicPartitionsRequest(
            [TopicRequest(name) for name in names], limit, Cursor(*cursor) if cursor else None
        )

    pair.compare(
        [
            case("topics in another order", 0, asked(c, a, b)),
            case("a topic twice", 0, asked(b, b)),
            case("unknown and invalid names", 0, asked(a, "unknown", "a b", "__consumer_offsets")),
            *(case(f"at most {limit}", 0, asked(a, b, c, limit=limit)) for limit in (-1, 0, 1, 2, 3, 4, 5, 6)),
            case("on from the middle of a topic", 0, asked(a, b, c, cursor=(a, 2))),
            case("on from a topic's start", 0, asked(a, b, c, cursor=(b, 0))),
            case("on from behind a topic's end", 0, asked(a, b, c, cursor=(b, 7))),
            case("on from an unknown topic", 0, asked(a, "unknown", cursor=("unknown", 0))),
            case("on from a topic that was not asked for", 0, asked(a, c, cursor=(b, 0))),
            case("on from a partition below 0", 0, asked(a, cursor=(a, -1))),
            case("all topics, on from the last", 0, asked(cursor=(c, 0))),
            case("all topics, on from between two", 0, asked(cursor=(b + "-", 5))),
            case("no name", 0, asked("")),
        ],
        [
            TOPIC_ID,
            Explained("topics[0].error_code", "Kafka trips over an empty name", exactly(-1, 17)),
            Explained("topics[0].topic_authorized_operations", "likewise", exactly(-(2**31), 3576)),
        ],
    )
