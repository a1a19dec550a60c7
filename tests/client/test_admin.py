"""Topics, configuration and cluster: what is asked, of whom, and what becomes of the answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from kwire.client.admin import (
    CreatedTopic,
    NewTopic,
    create_partitions,
    create_topic,
    delete_topics,
    describe_topics,
    list_topics,
)
from kwire.client.admin_cluster import (
    LogPartition,
    describe_apis,
    describe_cluster,
    describe_features,
    describe_log_dirs,
)
from kwire.client.admin_configs import ConfigEntry, Resource, ResourceType, alter_configs, describe_configs
from kwire.client.cluster import Cluster
from kwire.client.errors import ClientError
from kwire.errors import ErrorCode
from kwire.protocol.messages.api_versions_response import (
    ApiVersion,
    ApiVersionsResponse,
    FinalizedFeatureKey,
    SupportedFeatureKey,
)
from kwire.protocol.messages.create_partitions_response import CreatePartitionsResponse, CreatePartitionsTopicResult
from kwire.protocol.messages.create_topics_request import CreateTopicsRequest
from kwire.protocol.messages.create_topics_response import CreatableTopicResult, CreateTopicsResponse
from kwire.protocol.messages.delete_topics_response import DeletableTopicResult, DeleteTopicsResponse
from kwire.protocol.messages.describe_configs_response import (
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
)
from kwire.protocol.messages.describe_log_dirs_response import (
    DescribeLogDirsPartition,
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
)
from kwire.protocol.messages.incremental_alter_configs_response import (
    AlterConfigsResourceResponse,
    IncrementalAlterConfigsResponse,
)
from kwire.protocol.messages.metadata_response import MetadataResponse
from kwire.protocol.schema import Versions
from scripted_broker import ScriptedBroker, ScriptedNetwork, metadata, missing_topic, run, topic_id


def two_brokers() -> tuple[ScriptedNetwork, ScriptedBroker, ScriptedBroker]:
    """A cluster whose controller is the second broker."""
    network = ScriptedNetwork()
    nodes = {1: "one", 2: "two"}
    one, two = (network.broker(host) for host in nodes.values())
    for broker in (one, two):
        broker.on("Metadata", lambda request: metadata({"b": [1], "a": [2, 2]}, nodes, controller=2))
    return network, one, two


def during(network: ScriptedNetwork, act: Callable[[Cluster], Awaitable[object]]) -> None:
    async def scenario(cluster: Cluster) -> None:
        await act(cluster)

    run(network, scenario)


# ---- topics -----------------------------------------------------------------------------------------------------


def test_topics_come_by_name_or_in_the_order_asked_for() -> None:
    network, one, _ = two_brokers()

    async def act(cluster: Cluster) -> None:
        assert [topic.name for topic in await list_topics(cluster)] == ["a", "b"]
        assert [topic.name for topic in await describe_topics(cluster, ["b", "a"])] == ["b", "a"]

    during(network, act)
    assert one.asked("Metadata")[0].topics is None


def test_a_topic_that_is_missing_is_named() -> None:
    network, one, _ = two_brokers()
    there = metadata({"a": [1]})
    one.on("Metadata", lambda request: MetadataResponse(brokers=there.brokers, topics=[missing_topic("nix")]))

    async def act(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match="topic nix: UNKNOWN_TOPIC_OR_PARTITION"):
            await describe_topics(cluster, ["nix"])

    during(network, act)


def test_a_topic_is_created_at_the_controller() -> None:
    network, one, two = two_brokers()
    result = CreatableTopicResult("new", topic_id("new"), 0, None, num_partitions=3, replication_factor=2)
    two.on("CreateTopics", lambda request: CreateTopicsResponse(topics=[result]))

    async def act(cluster: Cluster) -> None:
        created = await create_topic(cluster, NewTopic("new", 3, 2, {"cleanup.policy": "compact"}))
        assert created == CreatedTopic("new", topic_id("new"), 3, 2)
        await create_topic(cluster, NewTopic("placed", assignments=[[1, 2], [2, 1]]))

    during(network, act)
    first, second = (request.topics[0] for request in two.asked("CreateTopics"))
    assert (first.name, first.num_partitions, first.replication_factor) == ("new", 3, 2)
    assert [(config.name, config.value) for config in first.configs] == [("cleanup.policy", "compact")]
    assert (second.num_partitions, second.replication_factor) == (-1, -1)
    assert [(row.partition_index, list(row.broker_ids)) for row in second.assignments] == [(0, [1, 2]), (1, [2, 1])]
    assert one.asked("CreateTopics") == []


def test_a_controller_that_has_moved_is_looked_for_and_a_refusal_is_not_repeated() -> None:
    network, _, two = two_brokers()
    codes = [ErrorCode.NOT_CONTROLLER, ErrorCode.TOPIC_ALREADY_EXISTS]

    def answer(request: CreateTopicsRequest) -> CreateTopicsResponse:
        return CreateTopicsResponse(topics=[CreatableTopicResult("new", error_code=codes.pop(0), error_message="why")])

    two.on("CreateTopics", answer)

    async def act(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match=r"topic new: TOPIC_ALREADY_EXISTS: why \(.*kwire topics alter"):
            await create_topic(cluster, NewTopic("new"))

    during(network, act)
    assert len(two.asked("CreateTopics")) == 2


def test_an_answer_without_the_topic_is_an_error() -> None:
    network, _, two = two_brokers()
    two.on("CreateTopics", lambda request: CreateTopicsResponse())

    async def act(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match=r"topic new: .*left it out"):
            await create_topic(cluster, NewTopic("new"))

    during(network, act)


@pytest.mark.parametrize("version", [5, 6])
def test_topics_are_deleted_by_name_in_every_version(version: int) -> None:
    network, _, _ = two_brokers()
    two = network.broker("two", versions={"DeleteTopics": Versions(1, version)})
    two.on("DeleteTopics", lambda request: DeleteTopicsResponse(responses=[DeletableTopicResult("a")]))
    during(network, lambda cluster: delete_topics(cluster, ["a"]))
    [request] = two.asked("DeleteTopics")
    assert [topic.name for topic in request.topics] + list(request.topic_names) == ["a"]


def test_a_topic_that_cannot_be_deleted_or_grown_is_named() -> None:
    network, _, two = two_brokers()
    undeleted = DeletableTopicResult("a", error_code=ErrorCode.TOPIC_DELETION_DISABLED)
    two.on("DeleteTopics", lambda request: DeleteTopicsResponse(responses=[undeleted]))
    ungrown = CreatePartitionsTopicResult("a", ErrorCode.INVALID_PARTITIONS, "has 3")
    two.on("CreatePartitions", lambda request: CreatePartitionsResponse(results=[ungrown]))

    async def act(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match="topic a: TOPIC_DELETION_DISABLED"):
            await delete_topics(cluster, ["a"])
        with pytest.raises(ClientError, match=r"topic a: INVALID_PARTITIONS: has 3 .*can only grow"):
            await create_partitions(cluster, "a", 2)

    during(network, act)


def test_a_topic_grows() -> None:
    network, _, two = two_brokers()
    two.on("CreatePartitions", lambda request: CreatePartitionsResponse(results=[CreatePartitionsTopicResult("a")]))
    during(network, lambda cluster: create_partitions(cluster, "a", 7))
    [request] = two.asked("CreatePartitions")
    assert [(topic.name, topic.count, topic.assignments) for topic in request.topics] == [("a", 7, None)]


# ---- configuration ----------------------------------------------------------------------------------------------


def describe_answer(code: int = 0) -> DescribeConfigsResponse:
    rows = [
        DescribeConfigsResourceResult("z", "1", False, 5, False),
        DescribeConfigsResourceResult("a", None, True, 4, True),
        DescribeConfigsResourceResult("n", "x", False, 99, False),
    ]
    return DescribeConfigsResponse(results=[DescribeConfigsResult(code, "why" if code else None, 2, "a", rows)])


def test_configs_come_by_name_with_their_source() -> None:
    network, _, two = two_brokers()
    two.on("DescribeConfigs", lambda request: describe_answer())

    async def act(cluster: Cluster) -> None:
        assert await describe_configs(cluster, Resource(ResourceType.TOPIC, "a")) == [
            ConfigEntry("a", None, "server.properties", True, True),
            ConfigEntry("n", "x", "unknown", False, False),
            ConfigEntry("z", "1", "default", False, False),
        ]

    during(network, act)


@pytest.mark.parametrize(
    ("resource", "host"),
    [
        (Resource(ResourceType.TOPIC, "a"), "two"),
        (Resource(ResourceType.BROKER, "1"), "one"),
        (Resource(ResourceType.BROKER, "2"), "two"),
        (Resource(ResourceType.BROKER, ""), "two"),
        (Resource(ResourceType.GROUP, "1"), "two"),
    ],
)
def test_a_broker_is_asked_about_itself_and_the_controller_about_the_rest(resource: Resource, host: str) -> None:
    network, _, _ = two_brokers()
    done = IncrementalAlterConfigsResponse(
        responses=[AlterConfigsResourceResponse(0, None, resource.type, resource.name)]
    )
    asked = network.brokers[host, 9092]
    asked.on("DescribeConfigs", lambda request: describe_answer()).on("IncrementalAlterConfigs", lambda request: done)

    async def act(cluster: Cluster) -> None:
        await describe_configs(cluster, resource)
        await alter_configs(cluster, resource, {"k": "v"}, ["gone"])

    during(network, act)
    [request] = asked.asked("IncrementalAlterConfigs")
    [row] = request.resources
    assert (row.resource_type, row.resource_name) == (resource.type, resource.name)
    assert [(each.name, each.config_operation, each.value) for each in row.configs] == [
        ("k", 0, "v"),
        ("gone", 1, None),
    ]


def test_what_is_refused_is_named() -> None:
    network, _, two = two_brokers()
    two.on("DescribeConfigs", lambda request: describe_answer(ErrorCode.INVALID_REQUEST))
    refused = AlterConfigsResourceResponse(ErrorCode.INVALID_CONFIG, "unknown key", 2, "a")
    two.on("IncrementalAlterConfigs", lambda request: IncrementalAlterConfigsResponse(responses=[refused]))

    async def act(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match="topic a: INVALID_REQUEST: why"):
            await describe_configs(cluster, Resource(ResourceType.TOPIC, "a"))
        with pytest.raises(ClientError, match=r"broker \(default of all\): INVALID_CONFIG: unknown key"):
            await alter_configs(cluster, Resource(ResourceType.BROKER, ""), {"k": "v"})

    during(network, act)


# ---- the cluster ------------------------------------------------------------------------------------------------


def test_the_cluster_and_its_brokers() -> None:
    network, _, _ = two_brokers()

    async def act(cluster: Cluster) -> None:
        found = await describe_cluster(cluster)
        assert (found.cluster_id, found.controller_id) == ("test", 2)
        assert [(node.node_id, node.address) for node in found.nodes] == [(1, "one:9092"), (2, "two:9092")]

    during(network, act)


def test_features_and_apis_are_what_the_connection_was_told() -> None:
    network, _, _ = two_brokers()

    async def act(cluster: Cluster) -> None:
        connection = await cluster.any_connection()
        connection.api_versions = ApiVersionsResponse(
            api_keys=[ApiVersion(999, 0, 2), ApiVersion(3, 1, 20)],
            supported_features=[SupportedFeatureKey("b", 0, 2), SupportedFeatureKey("a", 1, 3)],
            finalized_features=[FinalizedFeatureKey("b", 1, 1)],
        )
        features = await describe_features(cluster)
        assert [(each.name, str(each.supported), each.finalized) for each in features] == [
            ("a", "1-3", None),
            ("b", "0-2", 1),
        ]
        apis = await describe_apis(cluster)
        assert [(api.key, api.name, str(api.served), str(api.known)) for api in apis] == [
            (3, "Metadata", "1-20", "0-13"),
            (999, "999", "0-2", "None"),
        ]
        assert (await describe_apis(cluster, 2))[0].name == "Produce"

    during(network, act)


def test_log_directories_of_one_broker() -> None:
    network, _, two = two_brokers()
    rows = [DescribeLogDirsPartition(1, 10, 0, False), DescribeLogDirsPartition(0, 20, 3, True)]
    result = DescribeLogDirsResult(0, "/data", [DescribeLogDirsTopic("a", rows)], 1000, 900)
    two.on("DescribeLogDirs", lambda request: DescribeLogDirsResponse(results=[result]))

    async def act(cluster: Cluster) -> None:
        [found] = await describe_log_dirs(cluster, 2)
        assert (found.node_id, found.path, found.total_bytes, found.usable_bytes) == (2, "/data", 1000, 900)
        assert found.partitions == (LogPartition("a", 0, 20, 3, True), LogPartition("a", 1, 10, 0, False))

    during(network, act)


def test_a_log_directory_that_is_gone_is_named() -> None:
    network, _, two = two_brokers()
    result = DescribeLogDirsResult(ErrorCode.KAFKA_STORAGE_ERROR, "/data")
    two.on("DescribeLogDirs", lambda request: DescribeLogDirsResponse(results=[result]))

    async def act(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match="log directory /data of broker 2: KAFKA_STORAGE_ERROR"):
            await describe_log_dirs(cluster, 2)

    during(network, act)
