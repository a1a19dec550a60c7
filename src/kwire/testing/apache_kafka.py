"""Apache Kafka itself, as the reference: a broker for as long as a `with` block, and its command-line tools.

    with ApacheKafka() as kafka:
        kafka.tool("org.apache.kafka.tools.TopicCommand", "--create", "--topic", "orders")
        producer = KafkaProducer(bootstrap_servers=kafka.bootstrap)

One node in KRaft combined mode on two loopback ports, all its files in one temporary directory. Needs Java 17; the jars
come from Maven (see `kafka_libs`). Nothing stays behind: not after an exception, nor when this process is killed.
"""

from __future__ import annotations

import base64
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from kwire.errors import UsageError
from kwire.testing.java_toolchain import SHORT_LIVED_JAVA_OPTIONS, find_java_toolchain
from kwire.testing.maven_jars import announce_on_stderr, cache_directory, checkout_directory, resolve_jars
from kwire.testing.orphan_guard import OrphanGuard

KAFKA_VERSION = "4.3.0"

# The heap's bound and the collector's settings are those of Kafka's own start script, so that comparisons are fair.
_BROKER_JAVA_OPTIONS = (
    "-Xmx1G",
    "-XX:+UseG1GC",
    "-XX:MaxGCPauseMillis=20",
    "-XX:InitiatingHeapOccupancyPercent=35",
    "-XX:+ExplicitGCInvokesConcurrent",
)
_TOOL_JAVA_OPTIONS = ("-Xmx512M", *SHORT_LIVED_JAVA_OPTIONS)
# No performance data: its directory in /tmp would stay behind.
_COMMON_JAVA_OPTIONS = ("-XX:-UsePerfData", "-Djava.awt.headless=true", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")

# api_key 18, version 0, correlation id 1, client id "kwire": a frame that every Kafka version answers.
_API_VERSIONS_REQUEST = struct.pack(">ihhih5s", 15, 18, 0, 1, 5, b"kwire")


class ApacheKafkaError(Exception):
    """The reference broker or one of its tools did not do what was asked. Ends with what it printed last."""


def kafka_libs(announce: Callable[[str], None] = announce_on_stderr) -> Path:
    """The directory that holds Kafka's jars: `KWIRE_KAFKA_LIBS` if it is set, or else resolved with Maven, once."""
    given = os.environ.get("KWIRE_KAFKA_LIBS")
    if given:
        if not any(Path(given).glob("kafka-clients-*.jar")):
            raise UsageError(f"KWIRE_KAFKA_LIBS={given} holds no kafka-clients jar", "unset it to use Maven")
        return Path(given)
    checkout = checkout_directory()
    if checkout is not None:
        pom = checkout / "compat_tests" / "reference" / "pom.xml"
    else:
        pom = Path(__file__).with_name("apache_kafka.pom.xml")  # the same file; the wheel carries it here
    return resolve_jars(pom, cache_directory() / f"kafka-{KAFKA_VERSION}", f"Apache Kafka {KAFKA_VERSION}", announce)


def run_kafka_tool(
    main_class: str,
    *args: str,
    libs: Path | None = None,
    stdin: str = "",
    stderr: int = subprocess.PIPE,
    timeout_s: float = 60,
    environ: Mapping[str, str] | None = None,
) -> str:
    """Runs one of Kafka's Java tools and returns what it printed to stdout; `ApacheKafkaError` if it fails.

    `environ` is added to the environment. `stderr=subprocess.STDOUT` returns that with it.
    `run_kafka_tool("org.apache.kafka.tools.DumpLogSegments", "--files", path)`
    """
    java = find_java_toolchain().require_java()
    class_path = f"{libs or kafka_libs()}/*"
    command = [java, *_TOOL_JAVA_OPTIONS, *_COMMON_JAVA_OPTIONS, "-cp", class_path, main_class, *args]
    try:
        run = subprocess.run(
            command,
            env=os.environ | dict(environ or {}),
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise ApacheKafkaError(f"{main_class} did not end within {timeout_s:g} s") from late
    if run.returncode != 0:
        raise ApacheKafkaError(f"{main_class} ended with {run.returncode}:\n{_tail(run.stdout + (run.stderr or ''))}")
    return run.stdout


class ApacheKafka:
    """A broker of Apache Kafka for the length of a `with` block; see the module.

    `properties` are added to its server.properties and win over what stands there. `data_dir` is a directory of the
    caller's, which stays: it is formatted only if it has no meta.properties yet. Without it the data lie in the
    temporary directory. `java_options` come after the usual ones, which are those of Kafka's start script; for a broker
    that is not measured, `SHORT_LIVED_JAVA_OPTIONS` start it in half the time. Inside the block, `stop` and `start`
    restart it on the same ports.
    """

    libs: Path
    bootstrap: str  # host:port; this and what follows is there from the start of the block
    directory: Path  # the temporary directory, which holds all that follows
    data_dir: Path
    log_path: Path

    def __init__(
        self,
        *,
        properties: Mapping[str, str] | None = None,
        data_dir: Path | None = None,
        libs: Path | None = None,
        java_options: Sequence[str] = (),
        start_timeout_s: float = 60,
        stop_timeout_s: float = 20,
    ) -> None:
        self.libs = libs or kafka_libs()
        self._java = find_java_toolchain().require_java()
        self._properties = dict(properties or {})
        self._given_data_dir = data_dir
        self._java_options = tuple(java_options)
        self._start_timeout_s = start_timeout_s
        self._stop_timeout_s = stop_timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._cleanup = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as cleanup:
            self._prepare(cleanup)
            cleanup.callback(self.stop)
            self.start()
            self._cleanup = cleanup.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cleanup.close()

    def _prepare(self, cleanup: ExitStack) -> None:
        """Ports, directory, guard and server.properties, each with its undoing on `cleanup`."""
        # Bound for as long as the block lasts, never listening: the kernel gives these ports to nobody else, yet lets
        # Kafka listen on them, because it too binds with SO_REUSEADDR.
        port, controller_port = (cleanup.enter_context(_reserve_port()).getsockname()[1] for _ in range(2))
        self._address = ("127.0.0.1", port)
        self.bootstrap = f"127.0.0.1:{port}"
        self.directory = Path(tempfile.mkdtemp(prefix="kwire-apache-kafka-"))
        self._guard = OrphanGuard(self.directory)
        cleanup.callback(self._guard.dismiss)
        cleanup.callback(shutil.rmtree, self.directory, ignore_errors=True)
        cleanup.callback(self._guard.end_processes)
        self.data_dir = self._given_data_dir or self.directory / "data"
        self.log_path = self.directory / "broker.log"
        self._properties_path = self.directory / "server.properties"
        settings = _default_properties(port, controller_port, self.data_dir) | self._properties
        self._properties_path.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))

    @property
    def pid(self) -> int:
        """The broker's process, for whoever wants to know what it costs."""
        if self._process is None:
            raise ApacheKafkaError("the broker is not running")
        return self._process.pid

    def start(self) -> None:
        """Formats the storage if that is still to be done, starts the broker, and returns when it answers."""
        if self._process is not None:
            raise ApacheKafkaError("the broker is running already")
        if not (self.data_dir / "meta.properties").exists():
            cluster_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
            # In one word: one id in 64 begins with a dash, and would be taken for an option.
            self.tool(
                "kafka.tools.StorageTool", "format", f"--cluster-id={cluster_id}", "-c", str(self._properties_path)
            )
        scratch = self.directory / "tmp"  # where the JVM unpacks its native libraries
        scratch.mkdir(exist_ok=True)
        options = [*_BROKER_JAVA_OPTIONS, *_COMMON_JAVA_OPTIONS, f"-Djava.io.tmpdir={scratch}", *self._java_options]
        command = [self._java, *options, "-cp", f"{self.libs}/*", "kafka.Kafka", str(self._properties_path)]
        with self.log_path.open("ab") as log:
            # A session of its own: a Ctrl-C in the terminal is for us, and we stop the broker in our own time.
            self._process = subprocess.Popen(
                command,
                env=os.environ | self._guard.environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.directory,
                start_new_session=True,
            )
        self._wait_until_it_answers(self._process)

    def stop(self) -> None:
        """Stops the broker as an operator would, with a clean shutdown; kills it if that takes too long."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            with suppress(subprocess.TimeoutExpired):
                process.wait(self._stop_timeout_s)
        finally:
            process.kill()  # does nothing to a process that has ended; a second Ctrl-C during the wait gets here too
            process.wait()

    def tool(self, main_class: str, *args: str, stdin: str = "", timeout_s: float = 60) -> str:
        """Runs one of Kafka's Java tools, see `run_kafka_tool`. `--bootstrap-server` is the caller's to give."""
        environ = self._guard.environ
        return run_kafka_tool(main_class, *args, libs=self.libs, stdin=stdin, timeout_s=timeout_s, environ=environ)

    def _wait_until_it_answers(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + self._start_timeout_s
        while not _answers_api_versions(self._address):
            if process.poll() is not None:
                self._process = None
                raise ApacheKafkaError(f"the broker ended with {process.returncode}:\n{self._log_tail()}")
            if time.monotonic() > deadline:
                raise ApacheKafkaError(f"no answer within {self._start_timeout_s:g} s:\n{self._log_tail()}")
            time.sleep(0.01)

    def _log_tail(self) -> str:
        return _tail(self.log_path.read_text(errors="replace"))


def _default_properties(port: int, controller_port: int, data_dir: Path) -> dict[str, str]:
    """One node that is broker and controller, on which every feature works that wants several brokers by default."""
    return {
        "process.roles": "broker,controller",
        "node.id": "1",
        "controller.quorum.voters": f"1@127.0.0.1:{controller_port}",
        "controller.listener.names": "CONTROLLER",
        "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}",
        "log.dirs": str(data_dir),
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "share.coordinator.state.topic.replication.factor": "1",
        "share.coordinator.state.topic.min.isr": "1",
        "group.initial.rebalance.delay.ms": "0",
    }


def _reserve_port() -> socket.socket:
    """A loopback port that is ours until the socket is closed."""
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    return reserved


def _answers_api_versions(address: tuple[str, int]) -> bool:
    """Whether the broker answers with our correlation id and no error: it listens some time before it serves."""
    try:
        with socket.create_connection(address, timeout=1) as connection, connection.makefile("rb") as answer:
            connection.sendall(_API_VERSIONS_REQUEST)
            return answer.read(10)[4:] == struct.pack(">ih", 1, 0)
    except OSError:
        return False


def _tail(text: str, lines: int = 20) -> str:
    return "\n".join(text.splitlines()[-lines:]) or "(nothing printed)"
