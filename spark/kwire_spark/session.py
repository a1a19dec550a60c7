"""A local Spark session with Spark's own Kafka connector, which leaves nothing behind.

    with spark_session("orders") as spark:
        orders = spark.read.format("kafka").option("kafka.bootstrap.servers", "127.0.0.1:9092")...

Everything that Spark writes by itself (shuffle files, warehouse, Derby, unpacked libraries, its artifacts) goes into
one temporary directory, which is also the JVM's working directory: Spark 4.0 makes a directory `artifacts` there, and
no setting names another place. Relative paths given to Spark are therefore relative to it: give absolute ones.

One session at a time in one Python process; PySpark knows no more than one JVM.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import cast

import pyspark
from py4j.java_gateway import JavaGateway
from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from kwire.errors import UsageError
from kwire.testing.java_toolchain import find_java_toolchain
from kwire.testing.orphan_guard import OrphanGuard
from kwire_spark.connector import connector_jars

_STOP_TIMEOUT_S = 20


@contextmanager
def spark_session(
    app_name: str = "kwire",
    *,
    cores: int = 2,
    driver_memory: str = "1g",
    java_options: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
) -> Generator[SparkSession]:
    """A session on `cores` threads of this machine.

    `java_options` come after the usual ones; `settings` are Spark's, and win over those made here.
    """
    find_java_toolchain().require_java()
    jars = connector_jars()
    if SparkContext._active_spark_context is not None or SparkContext._gateway is not None:
        raise UsageError("this process has a Spark session already", "stop it first, or use another process")
    with ExitStack() as cleanup:
        directory = Path(tempfile.mkdtemp(prefix="kwire-spark-"))
        guard = OrphanGuard(directory)
        cleanup.callback(guard.dismiss)
        cleanup.callback(shutil.rmtree, directory, ignore_errors=True)
        # PySpark forgets a JVM that it is interrupted in starting, and that JVM then stays for ever.
        cleanup.callback(guard.end_processes)
        chosen = {
            "spark.app.name": app_name,
            "spark.master": f"local[{cores}]",
            "spark.driver.memory": driver_memory,
            "spark.sql.shuffle.partitions": str(cores),  # the default, 200, is for clusters
        }
        conf = SparkConf(loadDefaults=False).setAll(
            [*_surroundings(jars, directory, java_options).items(), *chosen.items(), *(settings or {}).items()]
        )
        with _environment(guard.environ):
            gateway, jvm = _launch(conf, directory)
            cleanup.callback(_end, gateway, jvm)
            context = SparkContext(conf=conf, gateway=gateway)
        session = SparkSession(context)
        cleanup.callback(session.stop)
        yield session


def _surroundings(jars: Path, directory: Path, java_options: Sequence[str]) -> dict[str, str]:
    """Settings that keep the session to this machine and its files to `directory`."""
    scratch = directory / "tmp"
    scratch.mkdir()
    # No performance data: its directory in /tmp would stay behind.
    options = ["-XX:-UsePerfData", f"-Djava.io.tmpdir={scratch}", *java_options]
    return {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        # On a local master the driver is the executor, so its class path is all there is. `spark.jars` would serve the
        # same files to itself over HTTP at every start, which takes 2 to 6 s longer on two cores.
        "spark.driver.extraClassPath": f"{jars}/*",
        "spark.driver.extraJavaOptions": " ".join(options),
        "spark.local.dir": str(scratch),
        "spark.sql.warehouse.dir": str(directory / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }


@contextmanager
def _environment(more: Mapping[str, str]) -> Generator[None]:
    """What PySpark and its start script read from the environment and from nowhere else, for the time of the start."""
    wanted = {
        **more,
        # Of several Sparks on a machine, the one that this Python package and the connector belong to.
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LAUNCHER_OPTS": "-XX:-UsePerfData",
        "PYSPARK_PYTHON": sys.executable,
    }
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _launch(conf: SparkConf, directory: Path) -> tuple[JavaGateway, subprocess.Popen[bytes]]:
    """PySpark's connection to its JVM, and the JVM's process."""
    before, tempfile.tempdir = tempfile.tempdir, str(directory)  # where PySpark makes a directory for the handshake
    try:
        with warnings.catch_warnings():
            # PySpark forks with a preexec_fn, of which Python 3.12 and later warn when there are threads.
            warnings.simplefilter("ignore", DeprecationWarning)
            gateway = launch_gateway(conf, {"cwd": str(directory)})
    finally:
        tempfile.tempdir = before
    return gateway, cast("subprocess.Popen[bytes]", gateway.proc)


def _end(gateway: JavaGateway, jvm: subprocess.Popen[bytes]) -> None:
    """Ends the JVM, which `SparkSession.stop` leaves running, and lets PySpark forget it."""
    try:
        gateway.shutdown()
        assert jvm.stdin is not None  # PySpark opens it, and its JVM ends when it is closed
        jvm.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            jvm.wait(_STOP_TIMEOUT_S)
    finally:
        jvm.kill()
        jvm.wait()
        # There is no public way to make it start another JVM for the next session.
        SparkContext._gateway = None
        SparkContext._jvm = None
