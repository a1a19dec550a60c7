"""Commands against a scripted broker: what a real one does not do on demand."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from kwire.cli import session
from kwire.cli.consume import parse_timestamp
from kwire.cli.main import main
from kwire.cli.produce import StoredOffsets
from kwire.client.outbox import Delivery
from kwire.client.topology import TopicPartition
from kwire.errors import ErrorCode, UsageError
from kwire.protocol.messages.create_topics_response import CreatableTopicResult, CreateTopicsResponse
from kwire.protocol.messages.delete_topics_request import DeleteTopicsRequest
from kwire.protocol.messages.delete_topics_response import DeletableTopicResult, DeleteTopicsResponse
from kwire.protocol.messages.describe_configs_response import (
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
)
from kwire.protocol.messages.describe_log_dirs_response import DescribeLogDirsResponse, DescribeLogDirsResult
from kwire.protocol.messages.init_producer_id_response import InitProducerIdResponse
from kwire.protocol.messages.metadata_response import (
    MetadataResponse,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from kwire.protocol.messages.produce_response import PartitionProduceResponse, ProduceResponse, TopicProduceResponse
from scripted_broker import ScriptedBroker, ScriptedNetwork, metadata, missing_topic, topic_id


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> ScriptedBroker:
    network = ScriptedNetwork()
    broker = network.broker("one")
    broker.on("Metadata", lambda request: metadata({"orders": [1, 1], "users": [1]}))
    monkeypatch.setattr(session, "open_cluster", network.cluster)
    return broker


def kwire(*args: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, [*args, "-b", "one:9092"], input=stdin)


def test_topics_list_leaves_internal_topics_out(broker: ScriptedBroker) -> None:
    there = metadata({"orders": [1, 1]})
    internal = MetadataResponseTopic(0, "__internal", topic_id("i"), True, [MetadataResponsePartition(0, 0, 1)])
    broker.on("Metadata", lambda request: MetadataResponse(brokers=there.brokers, topics=[*there.topics, internal]))
    assert kwire("topics", "list", "--names").stdout == "orders\n"
    assert kwire("topics", "list", "--names", "--all").stdout == "__internal\norders\n"
    [row] = map(json.loads, kwire("topics", "list", "--json").stdout.splitlines())
    assert (row["topic"], row["partition_count"], row["replication_factor"]) == ("orders", 2, 1)


def test_describe_shows_a_partition_without_a_leader(broker: ScriptedBroker) -> None:
    there = metadata({})
    partition = MetadataResponsePartition(ErrorCode.LEADER_NOT_AVAILABLE, 0, -1, 7, [1, 2], [], [1, 2])
    topic = MetadataResponseTopic(0, "orders", topic_id("orders"), partitions=[partition])
    broker.on("Metadata", lambda request: MetadataResponse(brokers=there.brokers, topics=[topic]))
    entries = [
        DescribeConfigsResourceResult("retention.ms", "5", False, 1, False),
        DescribeConfigsResourceResult("segment.bytes", "9", False, 5, False),
    ]
    result = DescribeConfigsResult(0, None, 2, "orders", entries)
    broker.on("DescribeConfigs", lambda request: DescribeConfigsResponse(results=[result]))
    [row] = map(json.loads, kwire("topics", "describe", "orders", "--json").stdout.splitlines())
    assert row["configs"] == {"retention.ms": "5"}
    assert row["partitions"] == [
        {"partition": 0, "leader": None, "leader_epoch": 7, "replicas": [1, 2], "isr": [], "offline": [1, 2]}
    ]
    text = kwire("topics", "describe", "orders").stdout.splitlines()
    assert text[3:] == [
        "partition  leader  leader epoch  replicas  isr  offline",
        "        0       -             7  1,2       -    1,2",
    ]


def test_create_may_find_the_topic_there_and_says_what_it_made(broker: ScriptedBroker) -> None:
    codes = [0, ErrorCode.TOPIC_ALREADY_EXISTS, ErrorCode.TOPIC_ALREADY_EXISTS]

    def answer(request: object) -> CreateTopicsResponse:
        row = CreatableTopicResult("new", topic_id("new"), codes.pop(0), None, 0, 3, 1)
        return CreateTopicsResponse(topics=[row])

    broker.on("CreateTopics", answer)
    created = json.loads(kwire("topics", "create", "new", "--json").stdout)
    assert created == {"topic": "new", "topic_id": "bmV3AAAAAAAAAAAAAAAAAA", "partitions": 3, "replication_factor": 1}
    assert kwire("topics", "create", "new", "--if-not-exists").exit_code == 0
    result = kwire("topics", "create", "new")
    assert result.exit_code == 1
    assert result.stderr.startswith("kwire: topic new: TOPIC_ALREADY_EXISTS (")


def test_delete_goes_on_after_a_failure_and_tells_the_first(broker: ScriptedBroker) -> None:
    def answer(request: DeleteTopicsRequest) -> DeleteTopicsResponse:
        name = request.topics[0].name
        codes = {"a": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "b": ErrorCode.POLICY_VIOLATION}
        return DeleteTopicsResponse(responses=[DeletableTopicResult(name, error_code=codes.get(name or "", 0))])

    broker.on("DeleteTopics", answer)
    result = kwire("topics", "delete", "a", "b", "c")
    assert result.exit_code == 1
    assert "topic a: UNKNOWN_TOPIC_OR_PARTITION" in result.stderr
    assert [request.topics[0].name for request in broker.asked("DeleteTopics")] == ["a", "b", "c"]
    result = kwire("topics", "delete", "a", "b", "--if-exists")
    assert "topic b: POLICY_VIOLATION" in result.stderr
    assert kwire("topics", "delete", "a", "c", "--if-exists").exit_code == 0


def test_consume_of_what_is_not_there_fails_at_once(broker: ScriptedBroker) -> None:
    there = metadata({})
    broker.on("Metadata", lambda request: MetadataResponse(brokers=there.brokers, topics=[missing_topic("nix")]))
    result = kwire("consume", "nix")
    assert (result.exit_code, len(broker.asked("Metadata"))) == (1, 1)


def test_a_refused_batch_ends_produce_with_one_line(broker: ScriptedBroker) -> None:
    broker.on("InitProducerId", lambda request: InitProducerIdResponse(0, 0, 1, 0))
    row = PartitionProduceResponse(0, ErrorCode.MESSAGE_TOO_LARGE)
    broker.on("Produce", lambda request: ProduceResponse([TopicProduceResponse("orders", partition_responses=[row])]))
    result = kwire("produce", "orders", "-p", "0", stdin=b"a\nb\n")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "kwire: partition orders-0: MESSAGE_TOO_LARGE (the topic's max.message.bytes is the limit of a batch)\n"
    )


def test_sizes_that_the_broker_does_not_tell_are_left_open(broker: ScriptedBroker) -> None:
    unknown = DescribeLogDirsResult(0, "/data", [], -1, -1)
    broker.on("DescribeLogDirs", lambda request: DescribeLogDirsResponse(results=[unknown]))
    assert kwire("cluster", "log-dirs").stdout.splitlines()[1].split() == ["1", "/data", "0", "0", "B", "-", "-"]
    assert json.loads(kwire("cluster", "log-dirs", "--json").stdout)["usable"] == -1


@pytest.mark.parametrize(
    ("text", "timestamp"),
    [
        ("0", 0),
        ("1700000000123", 1700000000123),
        ("2023-11-14T22:13:20Z", 1700000000000),
        ("2023-11-14T23:13:20.5+01:00", 1700000000500),
        ("2023-11-14 22:13:20", 1700000000000),
        ("2023-11-14", 1699920000000),
    ],
)
def test_times(text: str, timestamp: int) -> None:
    assert parse_timestamp(text) == timestamp


@pytest.mark.parametrize("text", ["", "yesterday", "-5", "2023-13-01", "²"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(UsageError, match="is no time"):
        parse_timestamp(text)


def test_stored_offsets_are_added_up_by_partition() -> None:
    stored = StoredOffsets()
    at = TopicPartition("orders", 1)
    for base_offset, count in ((10, 3), (13, 1), (20, 5)):
        delivery = Delivery(at)
        for _ in range(count):
            delivery.record_count += 1
            stored.note(delivery)
        delivery.resolve(base_offset)
    silent = Delivery(TopicPartition("orders", 0))
    silent.record_count = 2
    stored.note(silent)
    silent.resolve(-1)
    assert stored.rows() == [
        {"topic": "orders", "partition": 0, "records": 2, "first_offset": -1, "last_offset": -1},
        {"topic": "orders", "partition": 1, "records": 9, "first_offset": 10, "last_offset": 24},
    ]
