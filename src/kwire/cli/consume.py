"""`kwire consume`: a topic's records on stdout."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import click

from kwire.cli.record_text import Template, record_json
from kwire.cli.session import Session, TopicName, client_command
from kwire.client.consumer import ConsumerSettings, open_consumer
from kwire.client.errors import reply_error
from kwire.client.offsets import Isolation, StartAt, at_offset, at_timestamp, beginning, end, last, resolve
from kwire.client.topology import Topic, TopicPartition
from kwire.errors import ErrorCode, UsageError

ISOLATIONS = {isolation.name.lower(): isolation for isolation in Isolation}

# What --print-... prints, as tokens of a template, in the order in which it comes before the value.
PRINTED = {"timestamp": "%T", "partition": "%p", "offset": "%o", "headers": "%h", "key": "%k"}


def _print_flags(function: Callable[..., None]) -> Callable[..., None]:
    for name in reversed(PRINTED):
        function = click.option(f"--print-{name}", is_flag=True, help=f"Print the {name} before the value.")(function)
    return function


@click.command("consume")
@click.argument("topic", type=TopicName())
@click.option("--from-beginning", is_flag=True, help="Start at the first record; the default without --follow.")
@click.option("--offset", "-o", type=click.IntRange(0), metavar="N", help="Start at this offset.")
@click.option("--timestamp", "-t", metavar="TIME", help="Start at this time: milliseconds since 1970, or ISO 8601.")
@click.option("--last", "last_count", type=click.IntRange(1), metavar="N", help="Start N offsets before each end.")
@click.option(
    "--partition", "-p", "partitions", type=click.IntRange(0), multiple=True, metavar="N", help="Only partition N."
)
@click.option("--count", "-n", type=click.IntRange(1), metavar="N", help="Stop after N records.")
@click.option("--follow", "-F", is_flag=True, help="Go on with what comes, until Ctrl-C; starts at the end.")
@click.option("--format", "-f", "template", metavar="TEXT", help="How to print a record, as above.")
@_print_flags
@click.option("--key-separator", metavar="TEXT", default="\\t", show_default=True, help="Between what is printed.")
@click.option("--delimiter", "-d", metavar="TEXT", default="\\n", show_default=True, help="Behind every record.")
@click.option("--null-value", metavar="TEXT", default="null", show_default=True, help="What stands for null.")
@click.option(
    "--isolation",
    type=click.Choice(list(ISOLATIONS)),
    default="read_uncommitted",
    show_default=True,
    help="Whether records of open and aborted transactions are shown.",
)
@client_command
async def command(
    session: Session,
    topic: str,
    from_beginning: bool,
    offset: int | None,
    timestamp: str | None,
    last_count: int | None,
    partitions: tuple[int, ...],
    count: int | None,
    follow: bool,
    template: str | None,
    key_separator: str,
    delimiter: str,
    null_value: str,
    isolation: str,
    **flags: bool,
) -> None:
    """Print a topic's records: all there are now, or those to come with --follow.

    In a --format, %t is the topic, %p the partition, %o the offset, %T the timestamp, %k the key, %v the value,
    %h the headers, %K and %V are the sizes of key and value; \\n, \\t, \\0 and \\xHH are what they are elsewhere.

    \b
    Examples:
      kwire consume orders
      kwire consume orders --last 10 --print-key
      kwire consume orders --follow --json
      kwire consume orders --partition 2 --offset 1000 --count 5
      kwire consume orders --timestamp 2026-01-31T12:00:00Z --format '%p/%o %k: %v\\n'
    """
    printed = [name for name in PRINTED if flags[f"print_{name}"]]
    if template is not None and printed:
        raise UsageError("--format and --print-... both say what is printed", "give one of them")
    if session.as_json:
        render = record_json
    else:
        if template is None:
            between, behind = (text.replace("%", "%%") for text in (key_separator, delimiter))
            template = between.join([*(PRINTED[name] for name in printed), "%v"]) + behind
        render = Template(template, null_value.encode("utf-8", "surrogateescape")).render
    start = _start(from_beginning, offset, timestamp, last_count, follow)
    described = await session.cluster.topic(topic)
    at = [TopicPartition(topic, partition) for partition in _chosen(described, partitions)]
    settings = ConsumerSettings(ISOLATIONS[isolation])
    begins = await resolve(session.cluster, at, start, settings.isolation)
    ends = None if follow else await resolve(session.cluster, at, end(), settings.isolation)
    out = sys.stdout.buffer
    left = count
    async with open_consumer(session.cluster, begins, ends, settings) as consumer:
        async for found in consumer:
            lines: list[bytes] = []
            write = partial(render, topic, found.at.partition)
            for record in found.records():
                lines.append(write(record))
                if left is not None and len(lines) == left:
                    break
            out.write(b"".join(lines))
            out.flush()
            if left is not None:
                left -= len(lines)
                if not left:
                    return


def _start(
    from_beginning: bool, offset: int | None, timestamp: str | None, last_count: int | None, follow: bool
) -> StartAt:
    """Where to start: what exactly one of the options says, or else by --follow."""
    given: dict[str, StartAt] = {}
    if from_beginning:
        given["--from-beginning"] = beginning()
    if offset is not None:
        given["--offset"] = at_offset(offset)
    if timestamp is not None:
        given["--timestamp"] = at_timestamp(parse_timestamp(timestamp))
    if last_count is not None:
        given["--last"] = last(last_count)
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} all say where to start", "give one of them")
    return next(iter(given.values()), end() if follow else beginning())


def parse_timestamp(text: str) -> int:
    """Milliseconds since 1970, or a date and time as ISO 8601 writes it, in UTC unless it says otherwise."""
    if text.isascii() and text.isdecimal():
        return int(text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is no time", "milliseconds since 1970, or 2026-01-31T12:00:00Z") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def _chosen(topic: Topic, partitions: tuple[int, ...]) -> list[int]:
    there = [partition.index for partition in topic.partitions]
    for partition in partitions:
        if partition not in there:
            hint = f"{topic.name} has partitions 0 to {len(there) - 1}"
            raise reply_error(f"partition {topic.name}-{partition}", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, hint=hint)
    return sorted(set(partitions)) or there
