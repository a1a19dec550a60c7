"""The whole command line against Apache Kafka: what we write its tools read, and the other way round."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from confluent_kafka import Producer

from kwire.cli.main import main
from kwire.cli.produce import CODECS
from kwire.testing.apache_kafka import ApacheKafka

pytestmark = [pytest.mark.needs_java, pytest.mark.needs_maven, pytest.mark.xdist_group("cli_on_kafka")]

CONSOLE_CONSUMER = "org.apache.kafka.tools.consumer.ConsoleConsumer"
DUMP_LOG = "org.apache.kafka.tools.DumpLogSegments"


class Kwire:
    """Runs commands in this process against one broker."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap

    def run(self, *args: str, stdin: bytes = b"") -> Result:
        return CliRunner().invoke(main, args, input=stdin, env={"KWIRE_BOOTSTRAP": self.bootstrap})

    def __call__(self, *args: str, stdin: bytes = b"") -> bytes:
        result = self.run(*args, stdin=stdin)
        assert result.exit_code == 0, (args, result.output, result.exception)
        assert result.stderr == ""
        return result.stdout_bytes

    def rows(self, *args: str, stdin: bytes = b"") -> list[dict[str, Any]]:
        return [json.loads(line) for line in self(*args, "--json", stdin=stdin).splitlines()]

    @contextmanager
    def process(self, *args: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
        """A command as a process of its own, killed at the end if it is still there."""
        command = [sys.executable, "-m", "kwire.cli.main", *args]
        env = {**os.environ, "KWIRE_BOOTSTRAP": self.bootstrap}
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        with subprocess.Popen(command, env=env, **pipes) as process:
            try:
                yield process
            finally:
                process.kill()


def wait_until(condition: Callable[[], bool], attempts: int = 500) -> None:
    """Asks until it holds. Every attempt is a request, so that this is no busy loop."""
    assert any(condition() for _ in range(attempts))


@pytest.fixture(scope="module")
def kwire(apache_kafka: ApacheKafka) -> Kwire:
    return Kwire(apache_kafka.bootstrap)


@pytest.fixture
def topic(kwire: Kwire, request: pytest.FixtureRequest) -> str:
    """A topic of three partitions, named after the test."""
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", request.node.name)[:200]
    kwire("topics", "create", name, "--partitions", "3", "--if-not-exists")
    return name


# ---- topics -----------------------------------------------------------------------------------------------------


def test_a_topics_life(kwire: Kwire) -> None:
    name = "life-of-a-topic"
    [created] = kwire.rows("topics", "create", name, "-p", "3", "-r", "1", "-c", "retention.ms=100000")
    assert (created["topic"], created["partitions"], created["replication_factor"]) == (name, 3, 1)
    assert name in kwire("topics", "list", "--names").decode().splitlines()
    [listed] = [row for row in kwire.rows("topics", "list") if row["topic"] == name]
    assert listed["topic_id"] == created["topic_id"]

    [described] = kwire.rows("topics", "describe", name, "--offsets")
    assert described["configs"]["retention.ms"] == "100000"
    assert [(row["partition"], row["replicas"], row["isr"]) for row in described["partitions"]] == [
        (0, [1], [1]),
        (1, [1], [1]),
        (2, [1], [1]),
    ]
    assert {(row["begin"], row["end"]) for row in described["partitions"]} == {(0, 0)}

    kwire("topics", "alter", name, "-p", "5", "-c", "max.message.bytes=2000", "--unset", "retention.ms")
    [described] = kwire.rows("topics", "describe", name)
    assert described["partition_count"] == 5
    assert described["configs"]["max.message.bytes"] == "2000"
    assert "retention.ms" not in described["configs"]
    assert kwire("topics", "describe", name).decode().splitlines()[0].split()[:2] == ["topic", "topic"]

    kwire("topics", "delete", name)
    result = kwire.run("topics", "describe", name)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"kwire: topic {name}: UNKNOWN_TOPIC_OR_PARTITION (`kwire topics list` shows what there is)\n"
    )


@pytest.mark.parametrize(
    ("args", "code", "hint"),
    [
        (["create", "bad name"], "INVALID_TOPIC_EXCEPTION", "make a name"),
        (["create", "far", "-r", "9"], "INVALID_REPLICATION_FACTOR", "kwire cluster brokers"),
        (["create", "odd", "-c", "no.such.key=1"], "INVALID_CONFIG", "kwire configs describe"),
        (["delete", "nix"], "UNKNOWN_TOPIC_OR_PARTITION", "kwire topics list"),
        (["create", "taken"], "TOPIC_ALREADY_EXISTS", "kwire topics alter"),
    ],
)
def test_what_kafka_refuses_is_one_line_with_a_hint(kwire: Kwire, args: list[str], code: str, hint: str) -> None:
    kwire("topics", "create", "taken", "--if-not-exists")
    result = kwire.run("topics", *args)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"kwire: topic {args[1]}: {code}: ")
    assert hint in result.stderr


# ---- produce and consume ----------------------------------------------------------------------------------------


def test_bytes_keys_nulls_and_headers_survive(kwire: Kwire, topic: str) -> None:
    lines = b"k1\t\xff\xfe\x00binary\nk2\tNULL\nNULL\tno key\nk1\t\nk1\t" + "späte Grüße".encode() + b"\n"
    [*stored] = kwire.rows(
        "produce", topic, "--key-separator", "\\t", "--null-value", "NULL", "-H", "h=1", "-H", "empty=", stdin=lines
    )
    assert sum(row["records"] for row in stored) == 5
    records = kwire.rows("consume", topic)
    by_key: dict[Any, list[Any]] = {}
    for record in records:
        by_key.setdefault(record["key"], []).append(record.get("value", record.get("value_base64")))
        assert record["headers"] == [{"key": "h", "value": "1"}, {"key": "empty", "value": ""}]
    assert by_key == {"k1": ["//4AYmluYXJ5", "", "späte Grüße"], "k2": [None], None: ["no key"]}
    shown = kwire("consume", topic, "--print-key", "--print-headers", "--key-separator", "|", "--null-value", "-")
    assert sorted(shown.splitlines()) == sorted(
        [
            b"h=1,empty=|k1|\xff\xfe\x00binary",
            b"h=1,empty=|k2|-",
            b"h=1,empty=|-|no key",
            b"h=1,empty=|k1|",
            b"h=1,empty=|k1|" + "späte Grüße".encode(),
        ]
    )


def test_json_is_a_copy(kwire: Kwire, topic: str) -> None:
    kwire("produce", topic, "-k", ":", "-H", "a=1", stdin=b"x:\xff\ny:2\nz:3\n")
    copy = f"{topic}-copy"
    kwire("topics", "create", copy, "-p", "3", "--if-not-exists")
    original = kwire("consume", topic, "--json")
    kwire("produce", copy, "--from-json", stdin=original)
    assert kwire("consume", copy, "--json") == original.replace(topic.encode(), copy.encode())


@pytest.mark.parametrize(("codec", "acks"), [*((codec, "all") for codec in CODECS), ("zstd", "1")])
def test_kafkas_consumer_reads_what_we_write(
    kwire: Kwire, apache_kafka: ApacheKafka, topic: str, codec: str, acks: str
) -> None:
    lines = [b"%s line %05d" % (codec.encode(), number) for number in range(2000)]
    kwire("produce", topic, "-p", "1", "-z", codec, "--acks", acks, "--batch-bytes", "9000", stdin=b"\n".join(lines))
    assert kwire("consume", topic, "-p", "1") == b"".join(line + b"\n" for line in lines)
    if acks == "all":
        args = ["--bootstrap-server", apache_kafka.bootstrap, "--topic", topic, "--partition", "1"]
        read = apache_kafka.tool(CONSOLE_CONSUMER, *args, "--offset", "earliest", "--max-messages", "2000")
        assert read.encode().splitlines() == lines


def test_acks_0(kwire: Kwire, topic: str) -> None:
    # Nobody says that it is stored: a broker that does not lead a new partition yet drops it without a word.
    for _ in range(20):
        kwire("produce", topic, "--acks", "0", "-p", "0", stdin=b"fire and forget\n")
        if kwire("consume", topic, "-p", "0", "-n", "1") == b"fire and forget\n":
            return
    pytest.fail("nothing that was sent with acks=0 arrived")


def test_keys_go_where_kafkas_producer_sends_them(kwire: Kwire, apache_kafka: ApacheKafka, topic: str) -> None:
    keys = [f"key-{number}" for number in range(60)]
    apache_kafka.tool(
        "org.apache.kafka.tools.ConsoleProducer",
        *["--bootstrap-server", apache_kafka.bootstrap, "--topic", topic],
        *["--reader-property", "parse.key=true", "--reader-property", "key.separator=:"],
        stdin="".join(f"{key}:java\n" for key in keys),
    )
    kwire("produce", topic, "-k", ":", stdin="".join(f"{key}:kwire\n" for key in keys).encode())
    partitions: dict[str, dict[str, int]] = {"java": {}, "kwire": {}}
    for record in kwire.rows("consume", topic):
        partitions[record["value"]][record["key"]] = record["partition"]
    assert partitions["java"] == partitions["kwire"]
    assert set(partitions["kwire"]) == set(keys)


def test_where_to_start_and_when_to_stop(kwire: Kwire, topic: str) -> None:
    rows = [{"value": f"r{number}", "timestamp": 1_700_000_000_000 + number * 1000} for number in range(10)]
    kwire("produce", topic, "--from-json", "-p", "2", stdin="\n".join(map(json.dumps, rows)).encode())

    def values(*args: str) -> list[str]:
        return kwire("consume", topic, *args).decode().split()

    everything = [f"r{number}" for number in range(10)]
    assert values() == everything
    assert values("--from-beginning") == everything
    assert values("--count", "4") == everything[:4]
    assert values("--partition", "2", "--offset", "7") == everything[7:]
    assert values("--last", "2") == everything[8:]
    assert values("--timestamp", "1700000005000") == everything[5:]
    assert values("--timestamp", "2023-11-14T22:13:24.500Z") == everything[5:]
    assert values("--timestamp", "2033-01-01") == []
    assert values("--partition", "0", "--partition", "1") == []
    assert values("--format", "%p/%o=%v@%T\\n", "-n", "1") == ["2/0=r0@1700000000000"]
    result = kwire.run("consume", topic, "--partition", "2", "--offset", "50", "--follow")
    assert result.exit_code == 1
    assert result.stderr == (
        f"kwire: offset 50 of partition {topic}-2: OFFSET_OUT_OF_RANGE (its log has offsets 0 to 9)\n"
    )


def test_transactions(kwire: Kwire, topic: str) -> None:
    producer = Producer({"bootstrap.servers": kwire.bootstrap, "transactional.id": topic, "log_level": 0})
    producer.init_transactions()
    for number, end in enumerate([producer.commit_transaction, producer.abort_transaction] * 2):
        producer.begin_transaction()
        for part in range(3):
            producer.produce(topic, f"{number}.{part}", partition=0)
        producer.flush()
        end()
    producer.begin_transaction()
    producer.produce(topic, "open", partition=0)
    producer.flush()

    def values(isolation: str) -> list[str]:
        return kwire("consume", topic, "--isolation", isolation).decode().split()

    assert values("read_uncommitted") == [*(f"{n}.{part}" for n in range(4) for part in range(3)), "open"]
    assert values("read_committed") == [f"{n}.{part}" for n in (0, 2) for part in range(3)]
    producer.abort_transaction()


def test_a_line_without_key_stops_there(kwire: Kwire, topic: str) -> None:
    result = kwire.run("produce", topic, "-k", ":", stdin=b"a:1\nb:2\noops\nc:3\n")
    assert (result.exit_code, result.stderr) == (
        1,
        "kwire: record 3: no key separator ':' (those before it are stored)\n",
    )
    assert sorted(kwire("consume", topic).split()) == [b"1", b"2"]


def test_a_record_that_is_too_large_is_one_line(kwire: Kwire, topic: str) -> None:
    result = kwire.run("produce", topic, "-p", "0", stdin=bytes(1_100_000))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"kwire: partition {topic}-0: MESSAGE_TOO_LARGE")
    kwire("produce", topic, "-p", "0", stdin=b"x" * 1_000_000)
    assert len(kwire("consume", topic)) == 1_000_001


def test_a_topic_is_created_by_the_first_record_where_kafka_does_that(kwire: Kwire) -> None:
    kwire("produce", "created-by-itself", stdin=b"hello\n")
    assert kwire("consume", "created-by-itself") == b"hello\n"


def test_null_delimiters_and_files(kwire: Kwire, topic: str, tmp_path: Path) -> None:
    (tmp_path / "names").write_bytes(b"a\nb\0c\0")
    kwire("produce", topic, "-p", "0", "--delimiter", "\\0", "--file", str(tmp_path / "names"))
    assert kwire("consume", topic, "--delimiter", "|") == b"a\nb|c|"


# ---- as processes -----------------------------------------------------------------------------------------------


def test_follow_shows_what_comes_and_ctrl_c_ends_it_quietly(kwire: Kwire, topic: str) -> None:
    kwire("produce", topic, "-p", "0", stdin=b"before\n")
    with kwire.process("consume", topic, "--follow", "--from-beginning") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"before\n"
        kwire("produce", topic, "-p", "1", stdin=b"after\n")
        assert process.stdout.readline() == b"after\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (130, b"", b"")


def test_produce_sends_lines_as_they_are_typed(kwire: Kwire, topic: str) -> None:
    with kwire.process("produce", topic, "-p", "0", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"typed\n")
        process.stdin.flush()
        assert kwire("consume", topic, "--follow", "--from-beginning", "-n", "1") == b"typed\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (130, b"", b"")


def test_a_reader_that_has_enough_ends_it_quietly(kwire: Kwire, topic: str) -> None:
    kwire("produce", topic, stdin=b"0123456789\n" * 50_000)
    with kwire.process("consume", topic) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"0123456789\n"
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 141


# ---- configuration and cluster ----------------------------------------------------------------------------------


def test_configs_of_a_topic(kwire: Kwire, topic: str) -> None:
    kwire("configs", "set", "topic", topic, "cleanup.policy=compact", "retention.ms=77")
    rows = {row["name"]: row for row in kwire.rows("configs", "describe", "topic", topic)}
    assert (rows["retention.ms"]["value"], rows["retention.ms"]["source"]) == ("77", "topic")
    assert "segment.bytes" not in rows
    kwire("configs", "unset", "topic", topic, "retention.ms")
    rows = {row["name"]: row for row in kwire.rows("configs", "describe", "topic", topic, "--all")}
    assert (rows["retention.ms"]["source"], rows["segment.bytes"]["source"]) == ("default", "default")
    assert rows["cleanup.policy"]["value"] == "compact"
    result = kwire.run("configs", "set", "topic", topic, "retention.ms=soon")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"kwire: topic {topic}: INVALID_CONFIG: ")


def test_configs_of_brokers(kwire: Kwire) -> None:
    rows = {row["name"]: row for row in kwire.rows("configs", "describe", "broker", "1")}
    assert (rows["node.id"]["value"], rows["node.id"]["read_only"]) == ("1", True)
    threads = "log.cleaner.threads"

    def settle(value: str, source: str) -> bool:
        """Whether the broker has heard of a change: it does a moment after the controller has made it."""
        rows = {row["name"]: row for row in kwire.rows("configs", "describe", "broker", "1", "--all")}
        return (rows[threads]["value"], rows[threads]["source"]) == (value, source)

    kwire("configs", "set", "broker", "default", f"{threads}=2")
    wait_until(lambda: settle("2", "all brokers"))
    kwire("configs", "set", "broker", "1", f"{threads}=1")
    wait_until(lambda: settle("1", "broker"))
    for name in ("1", "default"):
        kwire("configs", "unset", "broker", name, threads)
    wait_until(lambda: settle("1", "default"))
    result = kwire.run("configs", "describe", "broker", "9")
    assert result.stderr == "kwire: there is no broker 9 (`kwire cluster brokers` shows which there are)\n"


def test_the_cluster(kwire: Kwire, topic: str, apache_kafka: ApacheKafka) -> None:
    host, port = apache_kafka.bootstrap.split(":")
    [described] = kwire.rows("cluster", "describe")
    assert (described["controller"], described["brokers"], len(described["cluster_id"])) == (1, 1, 22)
    assert kwire.rows("cluster", "brokers") == [
        {"broker": 1, "host": host, "port": int(port), "rack": None, "controller": True}
    ]
    features = {row["feature"]: row for row in kwire.rows("cluster", "features")}
    assert features["transaction.version"]["finalized"] == 2
    apis = {row["name"]: row for row in kwire.rows("cluster", "apis")}
    assert (apis["Fetch"]["max_version"], apis["Fetch"]["known"]) == (18, "4-18")
    assert kwire.rows("cluster", "apis", "--broker", "1") == list(apis.values())
    [directory] = kwire.rows("cluster", "log-dirs")
    assert directory["log_dir"] == str(apache_kafka.data_dir)
    assert 0 < directory["usable"] < directory["total"]
    rows = kwire.rows("cluster", "log-dirs", "--partitions", "--broker", "1")
    assert [row["partition"] for row in rows if row["topic"] == topic] == [0, 1, 2]
    for command in ("describe", "brokers", "features", "apis", "log-dirs"):
        assert len(kwire("cluster", command).splitlines()) >= 2


# ---- bench ------------------------------------------------------------------------------------------------------


def test_bench_measures_and_cleans_up(kwire: Kwire) -> None:
    before = kwire("topics", "list", "--names")
    args = ["--records", "2000", "--record-bytes", "50", "-z", "lz4", "--rate", "100", "--seconds", "0.3"]
    rows = {row["phase"]: row for row in kwire.rows("bench", *args)}
    assert list(rows) == ["produce", "consume", "ack", "end to end"]
    assert rows["produce"]["records"] == rows["consume"]["records"] >= 2000
    assert rows["ack"]["records"] == rows["end to end"]["records"] == 30
    assert all(row["p50_ms"] is None or 0 < row["p50_ms"] <= row["p99_ms"] <= row["max_ms"] for row in rows.values())
    assert kwire("topics", "list", "--names") == before


def test_bench_on_a_topic_that_is_there(kwire: Kwire, topic: str) -> None:
    kwire("produce", topic, stdin=b"x\n" * 100)
    [row] = kwire.rows("bench", "--phase", "consume", "--topic", topic)
    assert (row["phase"], row["records"]) == ("consume", 100)
    table = kwire("bench", "--phase", "produce", "--topic", topic, "--records", "50").decode().splitlines()
    assert table[0].split()[:2] == ["phase", "records"]
    assert len(kwire("consume", topic).splitlines()) == 150


# ---- files ------------------------------------------------------------------------------------------------------


def test_dump_log_prints_what_kafkas_tool_prints(
    kwire: Kwire, apache_kafka: ApacheKafka, topic: str, tmp_path: Path
) -> None:
    producer = Producer({"bootstrap.servers": kwire.bootstrap, "transactional.id": topic, "log_level": 0})
    producer.init_transactions()
    for end in (producer.commit_transaction, producer.abort_transaction):
        producer.begin_transaction()
        for part in range(3):
            producer.produce(topic, f"value {part}", key=f"key {part}", partition=0, headers=[("a", b"1"), ("ü", None)])
        producer.flush()
        end()
    for codec in CODECS:
        kwire("produce", topic, "-p", "0", "-z", codec, "--batch-bytes", "5000", stdin=b"some text\n" * 2000)
    directory = tmp_path / f"{topic}-0"
    directory.mkdir()
    # The indexes of the active segment are longer than their entries, and Kafka's tool takes the rest for entries.
    for path in sorted((apache_kafka.data_dir / f"{topic}-0").glob("0*")):
        data = path.read_bytes()
        sizes = {".index": 8, ".timeindex": 12}
        if path.suffix in sizes:
            size = sizes[path.suffix]
            entries = [data[at : at + size] for at in range(0, len(data), size)]
            data = b"".join(entry for entry in entries if any(entry))
        (directory / path.name).write_bytes(data)
    log, index, transactions = (directory / f"{0:020d}{suffix}" for suffix in (".log", ".index", ".txnindex"))
    assert len(index.read_bytes()) > 8
    for options, ours in (([], []), (["--deep-iteration"], ["--deep"]), (["--print-data-log"], ["--print-data"])):
        theirs = apache_kafka.tool(DUMP_LOG, *options, "--files", str(log))
        assert kwire("dump-log", *ours, str(log)).decode() == theirs
    both = f"{index},{transactions}"
    assert kwire("dump-log", str(index), str(transactions)).decode() == apache_kafka.tool(DUMP_LOG, "--files", both)


def test_dump_log_reads_a_whole_directory_of_kafka(kwire: Kwire, topic: str, apache_kafka: ApacheKafka) -> None:
    kwire("produce", topic, "-p", "0", stdin=b"v\n")
    rows = kwire.rows("dump-log", str(apache_kafka.data_dir / f"{topic}-0"))
    assert [row["kind"] for row in rows] == ["batch", "leader epoch"]
    assert rows[0]["count"] == 1
