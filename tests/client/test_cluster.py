"""The cluster: which broker is asked, what is remembered, what is tried again and for how long."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest
import trio

from kwire.client.cluster import Cluster, ClusterSettings, Lane, Missing, backoff_s
from kwire.client.errors import ClientError, UnreachableError, reply_error
from kwire.client.topology import TopicPartition
from kwire.errors import ErrorCode
from kwire.protocol.messages.metadata_request import MetadataRequest
from kwire.protocol.messages.metadata_response import MetadataResponse
from scripted_broker import HangUp, ScriptedNetwork, metadata, missing_topic, run

SETTINGS = ClusterSettings(deadline_s=20, request_timeout_s=3, connect_timeout_s=2, topology_age_max_s=100)


def one_broker(answer: Callable[[MetadataRequest], MetadataResponse]) -> ScriptedNetwork:
    network = ScriptedNetwork()
    network.broker("one").on("Metadata", answer)
    return network


# ---- reaching it ------------------------------------------------------------------------------------------------


def test_the_first_bootstrap_server_that_answers_is_taken() -> None:
    network = one_broker(lambda request: metadata({}))

    async def scenario(cluster: Cluster) -> None:
        assert (await cluster.refresh(None)).cluster_id == "test"

    run(network, scenario, bootstrap="gone:1,one:9092,never:2")
    assert network.attempts == [("gone", 1), ("one", 9092)]


def test_nobody_there_is_said_at_once() -> None:
    async def scenario(cluster: Cluster) -> None:
        began = trio.current_time()
        with pytest.raises(UnreachableError, match=r"cannot connect to gone:1: Connection refused .*kwire serve"):
            await cluster.retrying(lambda: cluster.refresh(None))
        assert trio.current_time() == began

    network = ScriptedNetwork()
    run(network, scenario, SETTINGS, "gone:1,gone:2")
    assert network.attempts == [("gone", 1), ("gone", 2)]


def test_a_connect_that_hangs_is_given_up() -> None:
    async def hang(host: str, port: int) -> trio.abc.Stream:
        await trio.sleep_forever()
        raise AssertionError

    network = ScriptedNetwork()
    network.connect = hang

    async def scenario(cluster: Cluster) -> None:
        began = trio.current_time()
        with pytest.raises(UnreachableError, match=r"no answer within 2 s"):
            await cluster.refresh(None)
        assert trio.current_time() - began == pytest.approx(2)

    run(network, scenario, SETTINGS)


def test_a_name_that_does_not_resolve_has_a_hint_of_its_own() -> None:
    async def fail(host: str, port: int) -> trio.abc.Stream:
        raise OSError(-2, "Name or service not known")

    network = ScriptedNetwork()
    network.connect = fail

    async def scenario(cluster: Cluster) -> None:
        with pytest.raises(UnreachableError, match=r"Name or service not known .*is the host's name right"):
            await cluster.refresh(None)

    run(network, scenario)


def test_an_advertised_address_that_cannot_be_reached_is_named_as_such() -> None:
    network = one_broker(lambda request: metadata({"orders": [2]}, {1: "one", 2: "hidden"}))

    async def scenario(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match=r"broker 2: cannot connect to hidden:9092: .*advertised.listeners"):
            await cluster.connection_to(await cluster.leader_of(TopicPartition("orders", 0)))
        with pytest.raises(ClientError, match=r"there is no broker 7"):
            await cluster.connection_to(7)

    run(network, scenario)


def test_a_connection_is_shared_and_opened_anew_after_it_failed() -> None:
    network = one_broker(lambda request: metadata({}))

    async def scenario(cluster: Cluster) -> None:
        await cluster.refresh(None)
        first = await cluster.connection_to(1)
        assert await cluster.connection_to(1) is first
        assert await cluster.any_connection() is first
        assert await cluster.connection_to(1, Lane.LONG_POLLS) is not first
        first.fail("broken by the test")
        second = await cluster.connection_to(1)
        assert second is not first
        assert await cluster.any_connection() is second

    run(network, scenario)
    assert network.brokers["one", 9092].connections == 3


def test_nobody_is_made_to_wait_behind_a_long_poll() -> None:
    network = one_broker(lambda request: metadata({}))

    async def scenario(cluster: Cluster) -> None:
        await cluster.refresh(None)
        long_polls = await cluster.connection_to(1, Lane.LONG_POLLS)
        (await cluster.any_connection()).fail("broken by the test")
        assert await cluster.any_connection() is not long_polls

    run(network, scenario)


def test_two_who_ask_at_once_get_the_same_connection() -> None:
    network = one_broker(lambda request: metadata({}))

    async def scenario(cluster: Cluster) -> None:
        await cluster.refresh(None)
        found: list[object] = []

        async def ask() -> None:
            found.append(await cluster.connection_to(1, Lane.LONG_POLLS))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask)
            nursery.start_soon(ask)
        assert found[0] is found[1]

    run(network, scenario)


def test_once_seen_the_cluster_may_go_away_for_a_while() -> None:
    network = one_broker(lambda request: metadata({"orders": [1]}))
    broker = network.brokers["one", 9092]

    async def come_back(after_s: float) -> None:
        await trio.sleep(after_s)
        network.brokers["one", 9092] = broker

    async def scenario(cluster: Cluster) -> None:
        await cluster.refresh(None)
        cluster.invalidate()
        (await cluster.any_connection()).fail("the broker is stopped")
        del network.brokers["one", 9092]
        assert network.nursery is not None
        network.nursery.start_soon(come_back, 5)
        began = trio.current_time()
        topic = await cluster.retrying(lambda: cluster.topic("orders"))
        assert topic.name == "orders"
        assert trio.current_time() - began >= 5

    run(network, scenario, SETTINGS)


def test_changes_go_to_the_controller() -> None:
    network = one_broker(lambda request: metadata({}, {1: "one", 2: "two"}, controller=2))
    network.broker("two")

    async def scenario(cluster: Cluster) -> None:
        assert (await cluster.controller()).peer == "two:9092"

    run(network, scenario)


def test_without_a_controller_any_broker_will_do() -> None:
    network = one_broker(lambda request: metadata({}, controller=-1))

    async def scenario(cluster: Cluster) -> None:
        assert (await cluster.controller()).peer == "one:9092"

    run(network, scenario)


# ---- what it knows ----------------------------------------------------------------------------------------------


def test_a_topic_is_asked_for_once_until_it_is_old_or_found_to_be_wrong() -> None:
    network = one_broker(lambda request: metadata({"orders": [1, 1]}))
    broker = network.brokers["one", 9092]

    async def scenario(cluster: Cluster) -> None:
        for _ in range(3):
            assert len((await cluster.topic("orders")).partitions) == 2
        assert len(broker.asked("Metadata")) == 1
        await trio.sleep(101)
        await cluster.topic("orders")
        assert len(broker.asked("Metadata")) == 2
        cluster.invalidate()
        await cluster.topic("orders")
        assert len(broker.asked("Metadata")) == 3
        assert not any(request.allow_auto_topic_creation for request in broker.asked("Metadata"))

    run(network, scenario, SETTINGS)


def test_what_is_known_of_other_topics_stays() -> None:
    def answer(request: MetadataRequest) -> MetadataResponse:
        assert request.topics is not None
        return metadata({topic.name or "": [1] for topic in request.topics})

    async def scenario(cluster: Cluster) -> None:
        await cluster.topic("a")
        await cluster.topic("b")
        assert set(cluster.topology.topics) == {"a", "b"}

    run(one_broker(answer), scenario)


def test_a_topic_or_partition_that_is_not_there_is_an_error() -> None:
    def answer(request: MetadataRequest) -> MetadataResponse:
        assert request.topics is not None
        known = metadata({"orders": [1, -1]})
        rows = [missing_topic("nix") if topic.name == "nix" else known.topics[0] for topic in request.topics]
        return MetadataResponse(brokers=known.brokers, topics=rows)

    async def scenario(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match=r"topic nix: UNKNOWN_TOPIC_OR_PARTITION .*kwire topics list"):
            await cluster.topic("nix")
        with pytest.raises(ClientError, match=r"partition orders-2: .*has partitions 0 to 1"):
            await cluster.partition(TopicPartition("orders", 2))
        with pytest.raises(ClientError, match=r"partition orders-1: LEADER_NOT_AVAILABLE") as leaderless:
            await cluster.leader_of(TopicPartition("orders", 1))
        assert leaderless.value.retriable

    run(one_broker(answer), scenario)


def test_a_missing_topic_is_created_only_on_demand() -> None:
    network = one_broker(lambda request: metadata({"orders": [1]}))

    async def scenario(cluster: Cluster) -> None:
        await cluster.topic("orders", Missing.CREATE)
        assert network.brokers["one", 9092].asked("Metadata")[0].allow_auto_topic_creation

    run(network, scenario)


# ---- trying again -----------------------------------------------------------------------------------------------


def test_an_error_that_passes_is_tried_again_with_fresh_metadata() -> None:
    network = one_broker(lambda request: metadata({"orders": [1]}))
    failures = [ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.LEADER_NOT_AVAILABLE]

    async def scenario(cluster: Cluster) -> None:
        async def attempt() -> str:
            await cluster.topic("orders")
            if failures:
                raise reply_error("x", failures.pop(0))
            return "done"

        assert await cluster.retrying(attempt) == "done"
        assert len(network.brokers["one", 9092].asked("Metadata")) == 3

    run(network, scenario)


def test_an_error_that_does_not_pass_is_raised_at_once() -> None:
    attempts = 0

    async def scenario(cluster: Cluster) -> None:
        async def attempt() -> None:
            nonlocal attempts
            attempts += 1
            raise reply_error("x", ErrorCode.MESSAGE_TOO_LARGE)

        with pytest.raises(ClientError, match=r"MESSAGE_TOO_LARGE"):
            await cluster.retrying(attempt)

        async def passing_elsewhere() -> None:
            raise reply_error("x", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)

        began = trio.current_time()
        with pytest.raises(ClientError, match=r"UNKNOWN_TOPIC_OR_PARTITION"):
            await cluster.retrying(passing_elsewhere, passing={ErrorCode.NOT_CONTROLLER})
        assert trio.current_time() == began

    run(ScriptedNetwork(), scenario)
    assert attempts == 1


def test_the_deadline_ends_all_attempts_with_the_last_error() -> None:
    async def scenario(cluster: Cluster) -> None:
        times: list[float] = []

        async def attempt() -> None:
            times.append(trio.current_time())
            raise reply_error("x", ErrorCode.NOT_LEADER_OR_FOLLOWER)

        began = trio.current_time()
        with pytest.raises(ClientError, match=r"NOT_LEADER_OR_FOLLOWER"):
            await cluster.retrying(attempt)
        assert trio.current_time() - began == pytest.approx(20)
        gaps = [later - earlier for earlier, later in pairwise(times)]
        assert 0.08 <= gaps[0] <= 0.12
        assert all(0.8 <= gap <= 1.2 for gap in gaps[5:])

        async def hang() -> None:
            await trio.sleep_forever()

        with pytest.raises(ClientError, match=r"did not answer within 3 s") as late:
            await cluster.retrying(hang, 3)
        assert late.value.code is ErrorCode.REQUEST_TIMED_OUT

    run(ScriptedNetwork(), scenario, SETTINGS)


def test_a_broker_that_hangs_up_is_asked_again() -> None:
    answers = iter([HangUp(), None])

    def answer(request: MetadataRequest) -> MetadataResponse:
        problem = next(answers)
        if problem is not None:
            raise problem
        return metadata({"orders": [1]})

    async def scenario(cluster: Cluster) -> None:
        # The first contact has succeeded, or else there would be no second one.
        await cluster.any_connection()
        assert (await cluster.retrying(lambda: cluster.topic("orders"))).name == "orders"

    run(one_broker(answer), scenario)


def test_backoff_doubles_up_to_its_maximum_give_or_take_a_fifth() -> None:
    settings = ClusterSettings(retry_backoff_s=0.1, retry_backoff_max_s=1)
    for seed in range(20):
        delays = [backoff_s(settings, failures, Random(seed)) for failures in (1, 2, 3, 4, 5, 50, 5000)]
        for delay, middle in zip(delays, (0.1, 0.2, 0.4, 0.8, 1, 1, 1), strict=True):
            assert middle * 0.8 <= delay <= middle * 1.2
    assert len({backoff_s(settings, 1, Random(seed)) for seed in range(20)}) == 20
