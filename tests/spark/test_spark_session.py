"""Spark's own Kafka source and sink against Apache Kafka: the ground on which kwire is compared with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark import SparkConf, SparkContext
from pyspark.sql import DataFrame, SparkSession

from kwire.errors import UsageError
from kwire.testing.apache_kafka import ApacheKafka
from kwire_spark.session import spark_session


def write(numbers: DataFrame, bootstrap: str, topic: str) -> None:
    rows = numbers.selectExpr("cast(id as string) as key", "cast(id * 2 as string) as value")
    rows.write.format("kafka").option("kafka.bootstrap.servers", bootstrap).option("topic", topic).save()


def test_batch_write_and_read(spark: SparkSession, apache_kafka: ApacheKafka) -> None:
    write(spark.range(1000), apache_kafka.bootstrap, "spark-batch")
    records = (
        spark.read.format("kafka")
        .option("kafka.bootstrap.servers", apache_kafka.bootstrap)
        .option("subscribe", "spark-batch")
        .load()
    )
    rows = records.selectExpr("cast(key as string)", "cast(value as string)", "offset").collect()
    assert {(row.key, row.value) for row in rows} == {(str(n), str(2 * n)) for n in range(1000)}
    assert sorted(row.offset for row in rows) == list(range(1000))


def test_streaming_query_stops_when_all_is_read_and_goes_on_from_its_checkpoint(
    spark: SparkSession, apache_kafka: ApacheKafka, tmp_path: Path
) -> None:
    topic = "spark-stream"
    records = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", apache_kafka.bootstrap)
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        .load()
    )

    def run_once() -> list[int]:
        """The ids in all files written so far."""
        query = (
            records.selectExpr("cast(key as string) as key")
            .writeStream.format("parquet")
            .option("path", str(tmp_path / "out"))
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        assert query.awaitTermination(60)
        return sorted(int(row.key) for row in spark.read.parquet(str(tmp_path / "out")).collect())

    write(spark.range(100), apache_kafka.bootstrap, topic)
    assert run_once() == list(range(100))
    write(spark.range(100, 150), apache_kafka.bootstrap, topic)
    assert run_once() == list(range(150))


def test_nothing_is_written_outside_the_session_s_directory(spark: SparkSession) -> None:
    spark.range(3).write.mode("overwrite").saveAsTable("three")
    warehouse = Path(str(spark.conf.get("spark.sql.warehouse.dir")).removeprefix("file:"))
    assert list((warehouse / "three").glob("*.parquet"))
    assert warehouse.parent.name.startswith("kwire-spark-")
    made_by_spark = {"artifacts", "metastore_db", "derby.log", "spark-warehouse"}
    assert not made_by_spark & set(os.listdir())


def test_a_second_session_is_refused(spark: SparkSession) -> None:
    with pytest.raises(UsageError, match="has a Spark session already"), spark_session():
        pass


@pytest.mark.needs_java
def test_an_interrupt_during_the_start_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[subprocess.Popen[bytes]] = []
    directories: list[Path] = []

    def interrupted_launch(conf: SparkConf, popen_kwargs: dict[str, str]) -> None:
        """As PySpark's: it has started a process, and forgets it."""
        directories.append(Path(popen_kwargs["cwd"]))
        started.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))
        raise KeyboardInterrupt

    monkeypatch.setattr("kwire_spark.session.launch_gateway", interrupted_launch)
    monkeypatch.setattr("kwire_spark.session.connector_jars", lambda: tmp_path)
    monkeypatch.setattr(SparkContext, "_gateway", None)  # the other tests may have a session in this process
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    with pytest.raises(KeyboardInterrupt), spark_session():
        pass
    (process,) = started
    with process:
        assert process.wait(30) == -signal.SIGKILL
    assert not directories[0].exists()
