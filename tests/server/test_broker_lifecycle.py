"""A whole broker: start, stop, start again; what keeps it from starting; what a crash leaves."""

from __future__ import annotations

import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

import kwire.testing
from batches import batch, values_in
from kwire.config import BrokerConfig
from kwire.errors import UsageError
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.create_topics_request import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from kwire.server.broker import Broker, run_broker
from kwire.storage.checkpoints import has_clean_shutdown
from kwire.storage.files import RealFileSystem
from server_fixture import until
from wire_client import WireClient


def config(*log_dirs: Path, port: int = 0, **properties: str) -> BrokerConfig:
    return BrokerConfig.resolve(
        {
            "listeners": f"PLAINTEXT://127.0.0.1:{port}",
            "log.dirs": ",".join(map(str, log_dirs)),
            **{name.replace("_", "."): text for name, text in properties.items()},
        }
    )


@asynccontextmanager
async def running(settings: BrokerConfig) -> AsyncGenerator[tuple[Broker, WireClient]]:
    async with run_broker(settings) as broker:
        with WireClient(("127.0.0.1", broker.port)) as client:
            yield broker, client


async def ask(client: WireClient, request: Any, version: int) -> Any:
    return await trio.to_thread.run_sync(client.ask, request, version)


def produce(value: str, acks: int = -1) -> ProduceRequest:
    return ProduceRequest(
        None, acks, 1000, [TopicProduceData(name="t", partition_data=[PartitionProduceData(0, batch(value))])]
    )


def fetch(max_wait_ms: int = 0, offset: int = 0) -> FetchRequest:
    asked = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1 << 20)
    return FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=1,
        max_bytes=1 << 20,
        session_epoch=-1,
        topics=[FetchTopic(topic="t", partitions=[asked])],
    )


def values(response: Any) -> list[bytes]:
    return [value for _, value in values_in(response.responses[0].partitions[0].records)]


CREATE = CreateTopicsRequest([CreatableTopic("t", 1, 1)], 1000)


def test_a_restart_keeps_topics_records_and_settings(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(config(tmp_path)) as (broker, client):
            assert (await ask(client, CREATE, 7)).topics[0].error_code == 0
            assert (await ask(client, produce("a"), 9)).responses[0].partition_responses[0].error_code == 0
            setting = AlterConfigsResource(4, "", [AlterableConfig("message.max.bytes", 0, "4321")])
            assert (await ask(client, IncrementalAlterConfigsRequest([setting]), 1)).responses[0].error_code == 0
            topic_id = broker.context.image.topics["t"].id
            assert not has_clean_shutdown(RealFileSystem(), str(tmp_path))
        assert has_clean_shutdown(RealFileSystem(), str(tmp_path))
        async with running(config(tmp_path)) as (broker, client):
            assert broker.context.image.topics["t"].id == topic_id
            assert values(await ask(client, fetch(), 12)) == [b"a"]
            assert broker.context.config.effective["message.max.bytes"] == "4321"
            assert next(iter(broker.context.partitions)).log.config.max_message_bytes == 4321

    trio.run(main)


def test_a_second_instance_on_the_same_directory_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(config(tmp_path)) as (_, client):
            with pytest.raises(UsageError, match="locked"):
                async with run_broker(config(tmp_path)):
                    pass
            assert (await ask(client, ApiVersionsRequest(), 0)).error_code == 0
        async with running(config(tmp_path)) as (_, client):
            assert (await ask(client, ApiVersionsRequest(), 0)).error_code == 0

    trio.run(main)


def test_a_port_that_is_taken_is_an_error_before_anything_is_touched(tmp_path: Path) -> None:
    async def main() -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            with pytest.raises(UsageError, match=r"port \d+ on 127.0.0.1 is taken"):
                async with run_broker(config(tmp_path / "data", port=taken.getsockname()[1])):
                    pass
        assert not (tmp_path / "data").exists()

    trio.run(main)


def test_without_the_directory_of_the_metadata_there_is_no_start(tmp_path: Path) -> None:
    # Starting on what is left would find partitions that belong to no topic, and move them aside.
    first, second = tmp_path / "first", tmp_path / "second"

    async def main() -> None:
        async with running(config(first, second)) as (_, client):
            assert (await ask(client, CREATE, 7)).topics[0].error_code == 0
        first.rename(tmp_path / "elsewhere")
        first.write_text("not a directory")
        with pytest.raises(UsageError, match="has the metadata and cannot be used"):
            async with run_broker(config(first, second)):
                pass
        first.unlink()
        (tmp_path / "elsewhere").rename(first)
        async with running(config(first, second)) as (_, client):
            assert (await ask(client, produce("a"), 9)).responses[0].partition_responses[0].error_code == 0

    trio.run(main)


def test_a_stop_does_not_wait_for_long_polls_nor_for_idle_clients(tmp_path: Path) -> None:
    async def main() -> None:
        async with running(config(tmp_path)) as (broker, client):
            await ask(client, CREATE, 7)
            client.send(fetch(max_wait_ms=2**31 - 1), 12)
            idle = socket.create_connection(("127.0.0.1", broker.port))
            partition = next(iter(broker.context.partitions))
            await until(lambda: partition.data_waits)
        assert not partition.data_waits
        idle.close()

    trio.run(main)


def test_a_stop_answers_what_was_asked(tmp_path: Path) -> None:
    async def main() -> None:
        async with run_broker(config(tmp_path, log_flush_interval_messages="1")) as broker:
            client = WireClient(("127.0.0.1", broker.port))
            await ask(client, CREATE, 7)
            before = broker.metrics.requests
            sent = client.send(produce("last"), 9)
            await until(lambda: broker.metrics.requests > before)
        with client:
            answered, response = client.receive(produce("last"), 9)
        assert answered == sent
        assert response.responses[0].partition_responses[0].error_code == 0

    trio.run(main)


def test_a_broker_that_is_cancelled_stops_cleanly_too(tmp_path: Path) -> None:
    async def main() -> None:
        with trio.CancelScope() as scope:
            async with running(config(tmp_path)) as (_, client):
                await ask(client, CREATE, 7)
                scope.cancel()
                await trio.sleep_forever()
        assert has_clean_shutdown(RealFileSystem(), str(tmp_path))

    trio.run(main)


def test_settings_of_a_topic_act_at_once(tmp_path: Path) -> None:
    topic = CreatableTopic("t", 1, 1, (), [CreatableTopicConfig("max.message.bytes", "100")])
    with kwire.testing.Broker(data_dir=tmp_path) as broker, WireClient((broker.host, broker.port)) as client:
        client.ask(CreateTopicsRequest([topic], 1000), 7)
        assert client.ask(produce("x" * 200), 9).responses[0].partition_responses[0].error_code == 10
        setting = AlterConfigsResource(2, "t", [AlterableConfig("max.message.bytes", 0, "1000")])
        client.ask(IncrementalAlterConfigsRequest([setting]), 1)
        assert client.ask(produce("x" * 200), 9).responses[0].partition_responses[0].error_code == 0
