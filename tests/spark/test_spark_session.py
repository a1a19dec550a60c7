"""Spark's own Kafka source and sink against Apache Kafka: the ground on which kwire is compared with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
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
