"""`kwire bench`: how fast a broker is, any broker, as a client sees it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import click
import trio

from kwire.cli.load import (
    NUMBER_BYTES,
    Latencies,
    Throughput,
    consume_load,
    encode_batch,
    latency_load,
    percentile,
    produce_load,
)
from kwire.cli.output import Row
from kwire.cli.produce import ACKS, CODECS
from kwire.cli.progress import Progress
from kwire.cli.session import Session, TopicName, client_command
from kwire.client.admin import BROKER_DEFAULT, NewTopic, create_topic, delete_topics
from kwire.client.errors import ClientError
from kwire.client.offsets import Isolation, beginning, end, resolve
from kwire.client.producer import wall_clock_ms
from kwire.client.topology import TopicPartition
from kwire.errors import UsageError

PHASES = ("produce", "consume", "latency")
CLEANUP_S = 5
_RECORD_OVERHEAD_BYTES = 12  # of a record in a batch, about


@click.command("bench")
@click.option("--phase", "phases", type=click.Choice(PHASES), multiple=True, help="Only this one; may be repeated.")
@click.option("--topic", type=TopicName(), help="An existing topic; without it, one of its own that is deleted.")
@click.option(
    "--partitions", "-p", type=click.IntRange(1), default=6, show_default=True, metavar="N", help="Of its own topic."
)
@click.option("--replication-factor", "-r", type=click.IntRange(1), metavar="N", help="Of its own topic.")
@click.option("--records", type=click.IntRange(1), default=500_000, show_default=True, metavar="N", help="To produce.")
@click.option(
    "--record-bytes",
    type=click.IntRange(NUMBER_BYTES),
    default=100,
    show_default=True,
    metavar="N",
    help="Size of a value.",
)
@click.option(
    "--batch-bytes", type=click.IntRange(1), default=64 * 1024, show_default=True, metavar="N", help="Size of a batch."
)
@click.option(
    "--in-flight", type=click.IntRange(1), default=8, show_default=True, metavar="N", help="Produce requests at once."
)
@click.option("--compression", "-z", type=click.Choice(list(CODECS)), default="none", show_default=True)
@click.option("--acks", type=click.Choice(list(ACKS)), default="all", show_default=True, help="Whose word to wait for.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0.1),
    default=200,
    show_default=True,
    metavar="N",
    help="Records per second of the latency phase.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.1),
    default=5,
    show_default=True,
    metavar="N",
    help="Length of the latency phase.",
)
@client_command
async def command(
    session: Session,
    phases: tuple[str, ...],
    topic: str | None,
    partitions: int,
    replication_factor: int | None,
    records: int,
    record_bytes: int,
    batch_bytes: int,
    in_flight: int,
    compression: str,
    acks: str,
    rate: float,
    seconds: float,
) -> None:
    """Measure a broker's throughput and latency.

    Three phases: `produce` sends batches, `consume` reads them back, `latency` sends single records at a steady rate
    and says how long each took to be acknowledged (ack) and to reach a consumer (end to end). Megabytes are those of
    the values when producing, and of the batches as they are stored when consuming.

    \b
    Examples:
      kwire bench
      kwire bench --record-bytes 1000 --compression lz4 --json
      kwire bench --phase latency --rate 500 --seconds 30
      kwire bench --phase consume --topic orders
    """
    chosen = phases or PHASES
    if topic is None and "consume" in chosen and "produce" not in chosen:
        raise UsageError("there is nothing to consume", "add --phase produce, or give a --topic that has records")
    if "latency" in chosen and acks == "0":
        raise UsageError("the latency phase needs acknowledgements", "give --acks 1 or all, or leave the phase away")
    cluster = session.cluster
    new_topic = NewTopic(
        f"kwire-bench-{cluster.rng.getrandbits(32):08x}", partitions, replication_factor or BROKER_DEFAULT
    )
    rows: list[Row] = []
    async with _topic(session, topic, new_topic) as name:
        count = len((await cluster.topic(name)).partitions)
        at = [TopicPartition(name, index) for index in range(count)]
        begins = await resolve(
            cluster, at, beginning() if "produce" not in chosen else end(), Isolation.READ_UNCOMMITTED
        )
        if "produce" in chosen:
            per_batch = max(1, min(records, batch_bytes // (record_bytes + _RECORD_OVERHEAD_BYTES)))
            batch = encode_batch(per_batch, record_bytes, CODECS[compression], wall_clock_ms(), cluster.rng)
            batch_count = -(-records // per_batch)
            with Progress("produce", batch_count * per_batch) as progress:
                produced = await produce_load(
                    cluster, at, batch, per_batch, record_bytes, batch_count, ACKS[acks], in_flight, progress
                )
            rows.append(throughput_row("produce", produced))
        if "consume" in chosen:
            ends = await resolve(cluster, at, end(), Isolation.READ_UNCOMMITTED)
            with Progress("consume", sum(ends[each] - begins[each] for each in at)) as progress:
                rows.append(throughput_row("consume", await consume_load(cluster, begins, ends, progress)))
        if "latency" in chosen:
            singles = max(1, round(rate * seconds))
            with Progress("latency", singles) as progress:
                latencies = await latency_load(cluster, at, record_bytes, singles, rate, ACKS[acks], progress)
            rows += latency_rows(latencies)
    session.show(*rows)


@asynccontextmanager
async def _topic(session: Session, given: str | None, new_topic: NewTopic) -> AsyncGenerator[str]:
    """The topic to use; a new one is deleted again, whatever happens in between."""
    if given is not None:
        yield given
        return
    await create_topic(session.cluster, new_topic)
    try:
        await session.cluster.retrying(lambda: session.cluster.topic(new_topic.name))
        yield new_topic.name
    finally:
        with trio.CancelScope(deadline=trio.current_time() + CLEANUP_S, shield=True):
            try:
                await delete_topics(session.cluster, [new_topic.name])
            except ClientError as error:
                click.echo(f"kwire: topic {new_topic.name} is left behind: {error}", err=True)


def throughput_row(phase: str, measured: Throughput) -> Row:
    elapsed_s = max(measured.elapsed_s, 1e-9)
    return {
        "phase": phase,
        "records": measured.records,
        "seconds": round(measured.elapsed_s, 3),
        "records_per_s": round(measured.records / elapsed_s),
        "mb_per_s": round(measured.size_bytes / elapsed_s / 1e6, 1),
        **_percentiles(measured.latencies_s),
    }


def latency_rows(measured: Latencies) -> list[Row]:
    return [
        {
            "phase": phase,
            "records": len(latencies_s),
            "seconds": None,
            "records_per_s": None,
            "mb_per_s": None,
            **_percentiles(latencies_s),
        }
        for phase, latencies_s in (("ack", measured.acknowledged_s), ("end to end", measured.received_s))
    ]


def _percentiles(latencies_s: Sequence[float]) -> dict[str, float | None]:
    names = {"p50_ms": 50, "p99_ms": 99, "p99.9_ms": 99.9, "max_ms": 100}
    return {
        name: round(percentile(latencies_s, percent) * 1000, 2) if latencies_s else None
        for name, percent in names.items()
    }
