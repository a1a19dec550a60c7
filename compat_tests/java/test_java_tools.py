"""Apache Kafka's own command-line tools against kwire.

A JVM takes a second or two to start, so a test here asks several things of one tool, and is about several rows of the
page.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from compat_tests.checks import CODECS, batches_on_disk, new_topic

from kwire.testing import Broker
from kwire.testing.apache_kafka import ApacheKafkaError, run_kafka_tool

TOPICS = "org.apache.kafka.tools.TopicCommand"
CONFIGS = "kafka.admin.ConfigCommand"
CONSOLE_PRODUCER = "org.apache.kafka.tools.ConsoleProducer"
CONSOLE_CONSUMER = "org.apache.kafka.tools.consumer.ConsoleConsumer"
VERIFIABLE_PRODUCER = "org.apache.kafka.tools.VerifiableProducer"
PRODUCER_PERFORMANCE = "org.apache.kafka.tools.ProducerPerformance"
GET_OFFSETS = "org.apache.kafka.tools.GetOffsetShell"
DELETE_RECORDS = "org.apache.kafka.tools.DeleteRecordsCommand"
LOG_DIRS = "org.apache.kafka.tools.LogDirsCommand"
API_VERSIONS = "org.apache.kafka.tools.BrokerApiVersionsCommand"

Tool = Callable[..., str]


@pytest.fixture
def tool(broker: Broker, kafka_libs: Path) -> Tool:
    """One of Kafka's tools, on our broker: what it printed."""

    def run(main_class: str, *args: str, stdin: str = "") -> str:
        where = ("--bootstrap-server", broker.bootstrap)
        return run_kafka_tool(main_class, *where, *args, libs=kafka_libs, stdin=stdin)

    return run


def consume(tool: Tool, topic: str, count: int, *prints: str, offset: str = "earliest") -> list[list[str]]:
    """`count` records of partition 0 from the console consumer, each with its fields."""
    shown = [word for name in prints for word in ("--formatter-property", f"print.{name}=true")]
    position = ("--partition", "0", "--offset", offset)
    printed = tool(CONSOLE_CONSUMER, "--topic", topic, *position, "--max-messages", str(count), *shown)
    return [line.split("\t") for line in printed.splitlines()]


def lines(values: Sequence[str]) -> str:
    return "".join(f"{value}\n" for value in values)


@pytest.mark.feature(*(f"compression: {codec}" for codec in CODECS), "idempotent producer", "acks=all", "seek: offset")
def test_compressions(tool: Tool, broker: Broker) -> None:
    topic = new_topic("java-codecs")
    tool(TOPICS, "--create", "--topic", topic)
    for codec in CODECS:
        values = [f"{codec} {number} {'all work and no play ' * 10}" for number in range(20)]
        tool(CONSOLE_PRODUCER, "--topic", topic, "--compression-codec", codec, stdin=lines(values))
    batches = batches_on_disk(broker, topic)
    codecs = [CODECS[header.attributes & 7] for header in batches]
    assert sorted(set(codecs), key=codecs.index) == list(CODECS)
    assert all(header.producer_id >= 0 for header in batches)
    received = consume(tool, topic, 90, offset="10")
    assert [value.split()[:2] for (value,) in received] == [
        [codec, str(number)] for codec in CODECS for number in range(20)
    ][10:]


@pytest.mark.feature(
    "topics created by producing",
    "keys",
    "headers, also repeated and empty",
    "null values (tombstones)",
    "timestamps: CreateTime",
    "seek: beginning",
)
def test_keys_headers_and_nulls(tool: Tool) -> None:
    topic = new_topic("java-fields")  # nobody has created it
    before_ms = int(time.time() * 1000)
    properties = ("parse.key=true", "parse.headers=true", "null.marker=NULL")
    tool(
        CONSOLE_PRODUCER,
        *("--topic", topic),
        *(word for name in properties for word in ("--reader-property", name)),
        stdin=lines(["a:1,a:2,b:\tkey\tvalue", "NULL\tkey\tNULL", "NULL\tNULL\tvalue"]),
    )
    received = consume(tool, topic, 3, "timestamp", "offset", "headers", "key")
    assert [fields[1:] for fields in received] == [
        ["Offset:0", "a:1,a:2,b:", "key", "value"],
        ["Offset:1", "NO_HEADERS", "key", "null"],
        ["Offset:2", "NO_HEADERS", "null", "value"],
    ]
    kinds, times = zip(*(fields[0].split(":") for fields in received), strict=True)
    assert set(kinds) == {"CreateTime"}
    assert all(before_ms <= int(timestamp) <= time.time() * 1000 for timestamp in times)


@pytest.mark.feature("1 MB records", "timestamps: LogAppendTime", "error: message too large")
def test_large_records(tool: Tool) -> None:
    topic = new_topic("java-large")
    tool(TOPICS, "--create", "--topic", topic, "--config", "message.timestamp.type=LogAppendTime")
    large, too_large = "x" * 1_000_000, "y" * 2_000_000
    room = ("--command-property", "max.request.size=4000000", "--max-block-ms", "30000")
    with pytest.raises(ApacheKafkaError, match="RecordTooLargeException"):
        tool(CONSOLE_PRODUCER, "--topic", topic, *room, "--sync", stdin=lines([too_large]))
    tool(CONSOLE_PRODUCER, "--topic", topic, "--sync", stdin=lines([large]))
    ((timestamp, value),) = consume(tool, topic, 1, "timestamp")
    assert timestamp.startswith("LogAppendTime:")
    assert (len(value), set(value)) == (1_000_000, {"x"})


@pytest.mark.feature("acks=1", "tool: kafka-get-offsets", "tool: verifiable producer")
def test_get_offsets(tool: Tool) -> None:
    topic = new_topic("java-offsets")
    tool(TOPICS, "--create", "--topic", topic)
    produced = tool(
        VERIFIABLE_PRODUCER, "--topic", topic, "--max-messages", "50", "--acks", "1", "--message-create-time", "1000000"
    )
    reports = [json.loads(line) for line in produced.splitlines() if line.startswith("{")]
    assert [report["offset"] for report in reports if report["name"] == "producer_send_success"] == list(range(50))
    # The n-th has the timestamp 1,000,000 + n.
    for wanted, offset in (("earliest", 0), ("latest", 50), ("1000000", 0), ("max-timestamp", 49)):
        assert tool(GET_OFFSETS, "--topic", topic, "--time", wanted).strip() == f"{topic}:0:{offset}"


@pytest.mark.feature("1,000 partitions on one topic", "tool: kafka-producer-perf-test")
def test_many_partitions(tool: Tool) -> None:
    topic = new_topic("java-many")
    tool(TOPICS, "--create", "--topic", topic, "--partitions", "1000")
    printed = tool(
        PRODUCER_PERFORMANCE,
        *("--topic", topic, "--num-records", "20000", "--record-size", "100", "--throughput", "-1"),
        *("--command-property", "batch.size=0"),  # so that the records go to many partitions
    )
    assert "20000 records sent" in printed
    rows = [line.rsplit(":", 2) for line in tool(GET_OFFSETS, "--topic", topic).splitlines()]
    assert sorted(int(partition) for _, partition, _ in rows) == list(range(1000))
    ends = [int(end) for _, _, end in rows]
    assert sum(ends) == 20000
    assert all(ends)
    tool(TOPICS, "--delete", "--topic", topic)


@pytest.mark.feature(
    "admin: create, list, describe a topic",
    "admin: add partitions",
    "admin: delete a topic",
    "error: unknown topic, without auto-creation",
    "error: topic exists, invalid name",
    "tool: kafka-topics",
)
def test_topics(tool: Tool) -> None:
    topic = new_topic("java-topic")
    tool(TOPICS, "--create", "--topic", topic, "--partitions", "2", "--config", "retention.ms=60000")
    tool(TOPICS, "--alter", "--topic", topic, "--partitions", "3")
    head, *rows = tool(TOPICS, "--describe", "--topic", topic).splitlines()
    assert all(field in head for field in ("PartitionCount: 3", "ReplicationFactor: 1", "retention.ms=60000"))
    assert [row.split("\t")[2:6] for row in rows] == [
        [f"Partition: {partition}", "Leader: 1", "Replicas: 1", "Isr: 1"] for partition in range(3)
    ]
    with pytest.raises(ApacheKafkaError, match="already exists"):
        tool(TOPICS, "--create", "--topic", topic)
    with pytest.raises(ApacheKafkaError, match="Topic name is invalid"):
        tool(TOPICS, "--create", "--topic", "not a name")
    tool(TOPICS, "--delete", "--topic", topic)
    assert topic not in tool(TOPICS, "--list").splitlines()
    with pytest.raises(ApacheKafkaError, match="does not exist"):
        tool(TOPICS, "--describe", "--topic", topic)


@pytest.mark.feature("admin: describe and alter configs", "tool: kafka-configs")
def test_configs(tool: Tool) -> None:
    topic = new_topic("java-configs")
    tool(TOPICS, "--create", "--topic", topic)
    entity = ("--entity-type", "topics", "--entity-name", topic)
    tool(CONFIGS, *entity, "--alter", "--add-config", "retention.ms=60000,cleanup.policy=[compact,delete]")
    described = tool(CONFIGS, *entity, "--describe")
    assert "retention.ms=60000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=60000" in described
    assert "cleanup.policy=compact,delete" in described
    tool(CONFIGS, *entity, "--alter", "--delete-config", "retention.ms")
    assert "retention.ms=60000" not in tool(CONFIGS, *entity, "--describe")
    with pytest.raises(ApacheKafkaError, match="InvalidConfigurationException"):
        tool(CONFIGS, *entity, "--alter", "--add-config", "retention.ms=soon")


@pytest.mark.feature("admin: delete records", "tool: kafka-delete-records", "tool: kafka-log-dirs")
def test_delete_records_and_log_dirs(tool: Tool, broker: Broker, tmp_path: Path) -> None:
    topic = new_topic("java-shortened")
    tool(CONSOLE_PRODUCER, "--topic", topic, stdin=lines([f"{number}" for number in range(10)]))
    wanted = tmp_path / "offsets.json"
    wanted.write_text(json.dumps({"version": 1, "partitions": [{"topic": topic, "partition": 0, "offset": 4}]}))
    assert f"partition: {topic}-0\tlow_watermark: 4" in tool(DELETE_RECORDS, "--offset-json-file", str(wanted))
    assert consume(tool, topic, 6) == [[str(number)] for number in range(4, 10)]
    printed = tool(LOG_DIRS, "--describe", "--topic-list", topic)
    (described,) = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    (log_dir,) = described["brokers"][0]["logDirs"]
    (row,) = log_dir["partitions"]
    assert log_dir["logDir"] == str(broker.data_dir)
    assert (row["partition"], row["offsetLag"], row["isFuture"]) == (f"{topic}-0", 0, False)
    assert row["size"] == sum(header.size_bytes for header in batches_on_disk(broker, topic))


@pytest.mark.feature("tool: kafka-broker-api-versions")
def test_api_versions(tool: Tool, broker: Broker) -> None:
    printed = tool(API_VERSIONS)
    assert printed.startswith(f"{broker.bootstrap} (id: 1 ")
    assert "Produce(0): 0 to 13 [usable: 13]" in printed
