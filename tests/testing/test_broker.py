"""The broker that tests start in their own process."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import kwire.testing
from kwire.errors import UsageError
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from kwire.protocol.messages.metadata_request import MetadataRequest
from kwire.testing import Broker
from wire_client import WireClient


def topics_of(broker: Broker) -> list[str]:
    with WireClient((broker.host, broker.port)) as client:
        return [topic.name for topic in client.ask(MetadataRequest(None), 12).topics]


def create(broker: Broker, name: str) -> None:
    with WireClient((broker.host, broker.port)) as client:
        client.ask(CreateTopicsRequest([CreatableTopic(name, 1, 1)], 1000), 7)


def test_answers_inside_the_block_and_leaves_nothing_behind() -> None:
    before = set(threading.enumerate())
    with Broker() as broker:
        assert broker.bootstrap == f"{broker.host}:{broker.port}"
        assert broker.endpoints == {"PLAINTEXT": (broker.host, broker.port)}
        with WireClient((broker.host, broker.port)) as client:
            response = client.ask(ApiVersionsRequest("test", "1"), 3)
        assert {row.api_key for row in response.api_keys} > {0, 1, 3, 18}
        assert (broker.data_dir / "meta.properties").exists()
    assert not broker.data_dir.exists()
    assert not [thread for thread in set(threading.enumerate()) - before if thread.name == "kwire-broker"]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((broker.host, broker.port), timeout=5)


def test_a_restart_keeps_data_and_port() -> None:
    with Broker() as broker:
        create(broker, "kept")
        before = broker.bootstrap
        broker.stop()
        broker.stop()  # a second time does nothing
        broker.start()
        assert broker.bootstrap == before
        assert topics_of(broker) == ["kept"]


def test_a_directory_of_the_callers_stays(tmp_path: Path) -> None:
    with Broker(data_dir=tmp_path) as broker:
        create(broker, "kept")
    assert (tmp_path / "kept-0").is_dir()
    with Broker(data_dir=tmp_path) as broker:
        assert topics_of(broker) == ["kept"]


def test_takes_kafkas_properties() -> None:
    properties = {
        "num.partitions": "7",
        "listeners": "ONE://127.0.0.1:0,TWO://127.0.0.1:0",
        "listener.security.protocol.map": "ONE:PLAINTEXT,TWO:PLAINTEXT",
    }
    with Broker(properties=properties) as broker:
        assert list(broker.endpoints) == ["ONE", "TWO"]
        for host, port in broker.endpoints.values():
            with WireClient((host, port)) as client:
                brokers = client.ask(MetadataRequest([]), 12).brokers
            assert [(one.host, one.port) for one in brokers] == [(host, port)], "each listener advertises itself"


def test_two_run_side_by_side() -> None:
    with Broker() as one, Broker() as other:
        create(one, "here")
        assert (topics_of(one), topics_of(other)) == (["here"], [])


def test_what_keeps_it_from_starting_is_raised(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown configuration key nope"), Broker(properties={"nope": "1"}):
        pytest.fail("it started")
    with Broker(data_dir=tmp_path), pytest.raises(UsageError), Broker(data_dir=tmp_path):
        pytest.fail("two brokers in one directory")


def test_an_error_in_the_block_is_the_one_that_is_seen() -> None:
    with pytest.raises(ZeroDivisionError), Broker() as broker:
        print(1 // 0)
    assert not broker.data_dir.exists()


def test_importing_the_package_loads_no_server() -> None:
    code = (
        "import kwire.testing, sys; print([name for name in sys.modules if name.startswith(('trio', 'kwire.server'))])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_other_names_are_missing_as_usual() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nope'"):
        kwire.testing.Nope  # noqa: B018
