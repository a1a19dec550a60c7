"""`kwire produce`: lines of stdin, or of a file, as records."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import BinaryIO

import click
import trio

from kwire.cli.progress import Progress
from kwire.cli.record_text import InputError, InputRecord, JsonFormat, LineFormat, LineSplitter, unescaped
from kwire.cli.session import Session, TopicName, client_command, key_values
from kwire.client.errors import ClientError
from kwire.client.outbox import Delivery
from kwire.client.producer import ACKS_ALL, Producer, ProducerSettings, open_producer
from kwire.client.topology import TopicPartition
from kwire.errors import ErrorCode, UsageError
from kwire.records.compression import CompressionType

READ_BYTES = 256 * 1024
ACKS = {"all": ACKS_ALL, "-1": ACKS_ALL, "1": 1, "0": 0}
CODECS = {codec.name.lower(): codec for codec in CompressionType}


@click.command("produce")
@click.argument("topic", type=TopicName())
@click.option("--file", "-f", "source", type=click.File("rb"), default="-", help="Read from a file instead of stdin.")
@click.option("--key-separator", "-k", metavar="TEXT", help="What separates key and value in a line.")
@click.option("--key", metavar="TEXT", help="The key of every record.")
@click.option("--null-value", metavar="TEXT", help="A key or value that reads like this is sent as null.")
@click.option(
    "--header",
    "-H",
    "headers",
    metavar="NAME=VALUE",
    multiple=True,
    callback=key_values,
    help="A header of every record.",
)
@click.option("--from-json", is_flag=True, help="Lines are JSON objects, as `kwire consume --json` prints them.")
@click.option("--delimiter", "-d", metavar="TEXT", default="\\n", show_default=True, help="What ends a record.")
@click.option("--partition", "-p", type=click.IntRange(0), metavar="N", help="The partition of every record.")
@click.option("--compression", "-z", type=click.Choice(list(CODECS)), default="none", show_default=True)
@click.option("--acks", type=click.Choice(list(ACKS)), default="all", show_default=True, help="Whose word to wait for.")
@click.option(
    "--idempotence/--no-idempotence",
    default=None,
    help="Whether repetitions are recognised by the broker; they are with --acks all.",
)
@click.option(
    "--batch-bytes", type=click.IntRange(1), default=128 * 1024, show_default=True, help="Size of a full batch."
)
@click.option("--linger-ms", type=click.FloatRange(0), default=5, show_default=True, help="How long a batch may fill.")
@client_command
async def command(
    session: Session,
    topic: str,
    source: BinaryIO,
    key_separator: str | None,
    key: str | None,
    null_value: str | None,
    headers: Mapping[str, str],
    from_json: bool,
    delimiter: str,
    partition: int | None,
    compression: str,
    acks: str,
    idempotence: bool | None,
    batch_bytes: int,
    linger_ms: float,
) -> None:
    """Write lines to a topic as records. What is between the delimiters is sent as it is, byte by byte.

    \b
    Examples:
      echo hello | kwire produce orders
      kwire produce orders --key-separator : < orders.txt
      kwire produce orders --key-separator '\\t' --header source=import --compression zstd -f orders.tsv
      find . -print0 | kwire produce files --delimiter '\\0'
      kwire consume orders --json | kwire produce copy --from-json
    """
    if from_json and (key_separator or key or null_value):
        raise UsageError("--from-json takes keys and nulls from the JSON", "leave --key and its like away")
    if key is not None and key_separator is not None:
        raise UsageError("--key and --key-separator both say what the key is", "give one of them")
    if idempotence and ACKS[acks] != ACKS_ALL:
        raise UsageError("--idempotence needs --acks all")
    own_headers = tuple((name, value.encode("utf-8", "surrogateescape")) for name, value in headers.items())
    settings = ProducerSettings(
        acks=ACKS[acks],
        compression=CODECS[compression],
        batch_bytes=batch_bytes,
        linger_s=linger_ms / 1000,
        idempotent=ACKS[acks] == ACKS_ALL if idempotence is None else idempotence,
        delivery_timeout_s=session.cluster.settings.deadline_s,
    )
    if from_json:
        record_format = JsonFormat(own_headers)
    else:
        record_format = LineFormat(
            None if key_separator is None else _separator(key_separator, "--key-separator"),
            None if key is None else unescaped(key),
            None if null_value is None else unescaped(null_value),
            own_headers,
        )
    splitter = LineSplitter(_separator(delimiter, "--delimiter"))
    read_some = _reader(source)
    stored = StoredOffsets()
    with Progress(f"produce to {topic}") as progress:
        async with open_producer(session.cluster, settings) as producer:
            line_number = 0
            data = b"start"
            while data:
                # In a thread: what a terminal or a pipe has next may be long in coming.
                data = await trio.to_thread.run_sync(read_some, abandon_on_cancel=True)
                lines = splitter.feed(data) if data else splitter.finish()
                for line in lines:
                    line_number += 1
                    try:
                        record = record_format.parse(line)
                    except InputError as error:
                        raise await _refused(producer, line_number, error) from None
                    delivery = await _send(producer, topic, record, partition)
                    if session.as_json:
                        stored.note(delivery)
                progress.advance(len(lines), len(data))
    if session.as_json:
        session.show(*stored.rows())


def _reader(source: BinaryIO) -> Callable[[], bytes]:
    """A function that returns what is there, and empty bytes at the end.

    By the descriptor where there is one: a thread that waits in a buffered reader holds its lock, and the interpreter
    cannot end while it does.
    """
    try:
        descriptor = source.fileno()
    except OSError:
        return partial(source.read, READ_BYTES)
    return partial(os.read, descriptor, READ_BYTES)


async def _refused(producer: Producer, line_number: int, error: InputError) -> ClientError:
    """The error for a line that is no record, once all before it are stored: so that one knows where to go on."""
    await producer.flush()
    return ClientError(ErrorCode.INVALID_RECORD, f"record {line_number}: {error}", "those before it are stored")


async def _send(producer: Producer, topic: str, record: InputRecord, partition: int | None) -> Delivery:
    try:
        return producer.send_nowait(
            topic,
            record.value,
            key=record.key,
            headers=record.headers,
            partition=partition,
            timestamp=record.timestamp,
        )
    except trio.WouldBlock:
        return await producer.send(
            topic,
            record.value,
            key=record.key,
            headers=record.headers,
            partition=partition,
            timestamp=record.timestamp,
        )


def _separator(text: str, option: str) -> bytes:
    if not text:
        raise UsageError(f"{option} is empty")
    return unescaped(text)


class StoredOffsets:
    """Which offsets the records got, partition by partition, in bounded memory."""

    def __init__(self) -> None:
        self._open: dict[TopicPartition, list[Delivery]] = {}
        self._rows: dict[TopicPartition, dict[str, int | str]] = {}

    def note(self, delivery: Delivery) -> None:
        """A record's delivery; the same one again for the next record of the same batch."""
        batches = self._open.setdefault(delivery.at, [])
        if not batches or batches[-1] is not delivery:
            self._fold(delivery.at, [batch for batch in batches if batch.is_done])
            self._open[delivery.at] = [*(batch for batch in batches if not batch.is_done), delivery]

    def rows(self) -> list[dict[str, int | str]]:
        """When all is delivered: records, first and last offset by partition. Offsets are -1 with acks=0."""
        for at, batches in self._open.items():
            self._fold(at, batches)
        self._open.clear()
        return [self._rows[at] for at in sorted(self._rows)]

    def _fold(self, at: TopicPartition, batches: list[Delivery]) -> None:
        for batch in batches:
            row = self._rows.setdefault(
                at, {"topic": at.topic, "partition": at.partition, "records": 0, "first_offset": batch.base_offset}
            )
            row["records"] = int(row["records"]) + batch.record_count
            known = batch.base_offset >= 0
            row["last_offset"] = batch.base_offset + batch.record_count - 1 if known else -1
