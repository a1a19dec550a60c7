"""The reference broker: it starts, answers, runs its tools, and leaves nothing behind."""

from __future__ import annotations

import os
import select
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from kwire.errors import UsageError
from kwire.testing import apache_kafka
from kwire.testing.apache_kafka import ApacheKafka, ApacheKafkaError, run_kafka_tool
from kwire.testing.java_toolchain import SHORT_LIVED_JAVA_OPTIONS

OPTIONS = SHORT_LIVED_JAVA_OPTIONS
TOPICS = "org.apache.kafka.tools.TopicCommand"


def api_keys(bootstrap: str) -> set[int]:
    """Asks for ApiVersions 0 and returns the API keys of the answer."""
    host, port = bootstrap.split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection, connection.makefile("rb") as answer:
        connection.sendall(struct.pack(">ihhih", 10, 18, 0, 7, -1))
        (size,) = struct.unpack(">i", answer.read(4))
        correlation_id, error_code, count = struct.unpack(">ihi", answer.read(10))
        assert (correlation_id, error_code, size) == (7, 0, 10 + 6 * count)
        return {key for key, _low, _high in struct.iter_unpack(">hhh", answer.read(6 * count))}


def wait_until_gone(pidfd: int) -> None:
    assert select.select([pidfd], [], [], 60)[0], "the process is still there"
    os.close(pidfd)


def test_answers_restarts_runs_tools_and_leaves_nothing(kafka_libs: Path) -> None:
    with ApacheKafka(libs=kafka_libs, java_options=OPTIONS, properties={"num.partitions": "3"}) as kafka:
        assert {0, 1, 3, 18} <= api_keys(kafka.bootstrap)
        kafka.tool(TOPICS, "--bootstrap-server", kafka.bootstrap, "--create", "--topic", "orders")
        kafka.stop()
        assert (kafka.data_dir / ".kafka_cleanshutdown").exists()
        with pytest.raises(ApacheKafkaError, match="not running"):
            _ = kafka.pid
        kafka.start()
        described = kafka.tool(TOPICS, "--bootstrap-server", kafka.bootstrap, "--describe", "--topic", "orders")
        assert "PartitionCount: 3" in described
        with pytest.raises(ApacheKafkaError, match=r"(?s)TopicCommand ended with 1.*already exists"):
            kafka.tool(TOPICS, "--bootstrap-server", kafka.bootstrap, "--create", "--topic", "orders")
        pidfd = os.pidfd_open(kafka.pid)
    assert select.select([pidfd], [], [], 0)[0], "the broker has ended when the block ends"
    os.close(pidfd)
    assert not kafka.directory.exists()


def test_a_broker_that_does_not_start_says_why_and_leaves_nothing(kafka_libs: Path) -> None:
    kafka = ApacheKafka(libs=kafka_libs, properties={"log.segment.bytes": "-1"})
    with pytest.raises(ApacheKafkaError, match=r"log\.segment\.bytes"), kafka:
        pass
    assert not kafka.directory.exists()


def test_a_killed_owner_leaves_nothing_but_the_data_directory_it_gave(kafka_libs: Path, tmp_path: Path) -> None:
    script = (
        "import pathlib, sys\n"
        "from kwire.testing.apache_kafka import ApacheKafka\n"
        "with ApacheKafka(data_dir=pathlib.Path(sys.argv[1]), java_options=sys.argv[2:]) as kafka:\n"
        "    print(kafka.pid, kafka._guard.pid, kafka.directory, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "data"), *OPTIONS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        broker_pid, guard_pid, directory = owner.stdout.readline().split()
        broker, guard = os.pidfd_open(int(broker_pid)), os.pidfd_open(int(guard_pid))
        owner.send_signal(signal.SIGKILL)
    wait_until_gone(broker)
    wait_until_gone(guard)
    assert not Path(directory).exists()
    assert (tmp_path / "data" / "meta.properties").exists()


@pytest.mark.needs_java
def test_a_tool_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with pytest.raises(ApacheKafkaError, match=r"did not end within 0\.001 s"):
        run_kafka_tool("kafka.tools.StorageTool", "random-uuid", libs=tmp_path, timeout_s=0.001)


def test_libs_given_by_the_environment_must_hold_kafka(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KWIRE_KAFKA_LIBS", str(tmp_path))
    with pytest.raises(UsageError, match="holds no kafka-clients jar"):
        apache_kafka.kafka_libs()
    (tmp_path / "kafka-clients-4.3.0.jar").touch()
    assert apache_kafka.kafka_libs() == tmp_path
