"""`kwire topics`: list, create, describe, alter, delete."""

from __future__ import annotations

from collections.abc import Mapping

import click

from kwire.cli.output import Row, table, to_json, uuid_text
from kwire.cli.session import Session, TopicName, client_command, key_values
from kwire.client.admin import (
    BROKER_DEFAULT,
    NewTopic,
    create_partitions,
    create_topic,
    delete_topics,
    describe_topics,
    list_topics,
)
from kwire.client.admin_configs import DEFAULT_SOURCE, Resource, ResourceType, alter_configs, describe_configs
from kwire.client.errors import ClientError
from kwire.client.offsets import EARLIEST, LATEST, list_offsets
from kwire.client.topology import Topic, TopicPartition
from kwire.errors import ErrorCode, UsageError

_config_option = click.option(
    "--config", "-c", "configs", metavar="NAME=VALUE", multiple=True, callback=key_values, help="A topic's setting."
)


@click.group("topics")
def command() -> None:
    """List, create, describe, alter and delete topics.

    \b
    Examples:
      kwire topics create orders --partitions 6 --config retention.ms=86400000
      kwire topics list
      kwire topics describe orders
      kwire topics alter orders --partitions 12
      kwire topics delete orders
    """


@command.command("list")
@click.option("--all", "with_internal", is_flag=True, help="Internal topics too.")
@click.option("--names", "names_only", is_flag=True, help="Names only, one per line.")
@client_command
async def list_(session: Session, with_internal: bool, names_only: bool) -> None:
    """List topics.

    \b
    Examples:
      kwire topics list
      kwire topics list --names | grep '^test-'
      kwire topics list --json -b broker-1:9092
    """
    topics = [topic for topic in await list_topics(session.cluster) if with_internal or not topic.is_internal]
    if names_only:
        for topic in topics:
            click.echo(topic.name)
        return
    session.show(*map(_summary, topics))


@command.command("create")
@click.argument("name")
@click.option(
    "--partitions", "-p", type=click.IntRange(1), metavar="N", help="How many; without it, the broker's default."
)
@click.option(
    "--replication-factor",
    "-r",
    type=click.IntRange(1),
    metavar="N",
    help="Replicas of each; without it, the broker's default.",
)
@_config_option
@click.option("--if-not-exists", is_flag=True, help="A topic that exists already is no error.")
@client_command
async def create(
    session: Session,
    name: str,
    partitions: int | None,
    replication_factor: int | None,
    configs: Mapping[str, str],
    if_not_exists: bool,
) -> None:
    """Create a topic.

    \b
    Examples:
      kwire topics create orders
      kwire topics create orders --partitions 6 --replication-factor 3
      kwire topics create users --config cleanup.policy=compact --if-not-exists
    """
    topic = NewTopic(name, partitions or BROKER_DEFAULT, replication_factor or BROKER_DEFAULT, configs)
    try:
        created = await create_topic(session.cluster, topic)
    except ClientError as error:
        if if_not_exists and error.code is ErrorCode.TOPIC_ALREADY_EXISTS:
            return
        raise
    if session.as_json:
        row = {
            "topic": created.name,
            "topic_id": uuid_text(created.topic_id),
            "partitions": created.partition_count,
            "replication_factor": created.replication_factor,
        }
        click.echo(to_json(row))


@command.command("describe")
@click.argument("names", type=TopicName(), nargs=-1, metavar="[NAME]...")
@click.option("--offsets", "with_offsets", is_flag=True, help="Where each partition's log begins and ends.")
@client_command
async def describe(session: Session, names: tuple[str, ...], with_offsets: bool) -> None:
    """Describe topics: partitions, leaders, replicas in sync, and settings that are not at their default.

    \b
    Examples:
      kwire topics describe orders
      kwire topics describe orders users --offsets
      kwire topics describe --json
    """
    cluster = session.cluster
    if names:
        topics = await describe_topics(cluster, names)
    else:
        topics = [topic for topic in await list_topics(cluster) if not topic.is_internal]
    for position, topic in enumerate(topics):
        configs = await describe_configs(cluster, Resource(ResourceType.TOPIC, topic.name))
        changed = {entry.name: entry.value for entry in configs if entry.source != DEFAULT_SOURCE}
        partitions = [_partition_row(topic, index) for index in range(len(topic.partitions))]
        if with_offsets:
            partitions = await _with_offsets(session, topic, partitions)
        summary = {**_summary(topic), "configs": changed}
        if session.as_json:
            click.echo(to_json({**summary, "partitions": partitions}))
            continue
        if position:
            click.echo()
        for line in [*table([summary]), "", *table(partitions)]:
            click.echo(line)


@command.command("alter")
@click.argument("name", type=TopicName())
@click.option("--partitions", "-p", type=click.IntRange(1), metavar="N", help="Grow to so many.")
@_config_option
@click.option("--unset", metavar="NAME", multiple=True, help="A setting that goes back to its default.")
@client_command
async def alter(
    session: Session, name: str, partitions: int | None, configs: Mapping[str, str], unset: tuple[str, ...]
) -> None:
    """Change a topic's number of partitions or its settings.

    \b
    Examples:
      kwire topics alter orders --partitions 12
      kwire topics alter orders --config retention.ms=3600000 --unset max.message.bytes
    """
    if not (partitions or configs or unset):
        raise UsageError("nothing to change", "give --partitions, --config or --unset")
    if configs or unset:
        await alter_configs(session.cluster, Resource(ResourceType.TOPIC, name), configs, unset)
    if partitions:
        await create_partitions(session.cluster, name, partitions)


@command.command("delete")
@click.argument("names", type=TopicName(), nargs=-1, required=True, metavar="NAME...")
@click.option("--if-exists", is_flag=True, help="A topic that does not exist is no error.")
@client_command
async def delete(session: Session, names: tuple[str, ...], if_exists: bool) -> None:
    """Delete topics with everything in them.

    \b
    Examples:
      kwire topics delete orders
      kwire topics delete orders users --if-exists
    """
    failure: ClientError | None = None
    for name in names:
        try:
            await delete_topics(session.cluster, [name])
        except ClientError as error:
            if not (if_exists and error.code is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION):
                failure = failure or error
    if failure is not None:
        raise failure


def _summary(topic: Topic) -> dict[str, str | int | None]:
    replicas = {len(partition.replicas) for partition in topic.partitions}
    return {
        "topic": topic.name,
        "topic_id": uuid_text(topic.topic_id),
        "partition_count": len(topic.partitions),
        "replication_factor": max(replicas, default=None),
    }


def _partition_row(topic: Topic, index: int) -> Row:
    partition = topic.partitions[index]
    return {
        "partition": partition.index,
        "leader": partition.leader if partition.leader >= 0 else None,
        "leader_epoch": partition.leader_epoch,
        "replicas": partition.replicas,
        "isr": partition.isr,
        "offline": partition.offline,
    }


async def _with_offsets(session: Session, topic: Topic, rows: list[Row]) -> list[Row]:
    at = [TopicPartition(topic.name, partition.index) for partition in topic.partitions]
    begins = await list_offsets(session.cluster, at, EARLIEST)
    ends = await list_offsets(session.cluster, at, LATEST)
    return [
        {**row, "begin": begins[where].offset, "end": ends[where].offset} for row, where in zip(rows, at, strict=True)
    ]
