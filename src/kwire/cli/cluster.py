"""`kwire cluster`: brokers, feature levels, APIs and log directories."""

from __future__ import annotations

import click

from kwire.cli.output import human_bytes
from kwire.cli.session import Session, client_command
from kwire.client.admin_cluster import describe_apis, describe_cluster, describe_features, describe_log_dirs

_broker_option = click.option("--broker", "node_id", type=click.IntRange(0), metavar="ID", help="Only this broker.")


@click.group("cluster")
def command() -> None:
    """Show brokers, features, APIs and log directories of a cluster.

    \b
    Examples:
      kwire cluster describe
      kwire cluster brokers
      kwire cluster features
      kwire cluster apis
      kwire cluster log-dirs --partitions
    """


@command.command("describe")
@client_command
async def describe(session: Session) -> None:
    """Show the cluster's id, its controller and how many brokers it has.

    \b
    Examples:
      kwire cluster describe
      kwire cluster describe --json -b broker-1:9092,broker-2:9092
    """
    cluster = await describe_cluster(session.cluster)
    session.show(
        {
            "cluster_id": cluster.cluster_id,
            "controller": cluster.controller_id if cluster.controller_id >= 0 else None,
            "brokers": len(cluster.nodes),
        }
    )


@command.command("brokers")
@client_command
async def brokers(session: Session) -> None:
    """List brokers with the addresses that they advertise.

    \b
    Examples:
      kwire cluster brokers
      kwire cluster brokers --json
    """
    cluster = await describe_cluster(session.cluster)
    rows = (
        {
            "broker": node.node_id,
            "host": node.host,
            "port": node.port,
            "rack": node.rack,
            "controller": node.node_id == cluster.controller_id,
        }
        for node in cluster.nodes
    )
    session.show(*rows)


@command.command("features")
@client_command
async def features(session: Session) -> None:
    """List feature levels: what the broker supports, and what the cluster has agreed on.

    \b
    Examples:
      kwire cluster features
      kwire cluster features --json
    """
    rows = (
        {
            "feature": feature.name,
            "supported_min": feature.supported.low,
            "supported_max": feature.supported.high,
            "finalized": feature.finalized,
        }
        for feature in await describe_features(session.cluster)
    )
    session.show(*rows)


@command.command("apis")
@_broker_option
@client_command
async def apis(session: Session, node_id: int | None) -> None:
    """List the APIs that a broker serves, with their versions, beside those that this client knows.

    \b
    Examples:
      kwire cluster apis
      kwire cluster apis --broker 2 --json
    """
    rows = (
        {
            "key": api.key,
            "name": api.name,
            "min_version": api.served.low,
            "max_version": api.served.high,
            "known": None if api.known is None else str(api.known),
        }
        for api in await describe_apis(session.cluster, node_id)
    )
    session.show(*rows)


@command.command("log-dirs")
@_broker_option
@click.option("--partitions", "by_partition", is_flag=True, help="A line for every partition.")
@client_command
async def log_dirs(session: Session, node_id: int | None, by_partition: bool) -> None:
    """List brokers' log directories: how much they hold, and how much room is left.

    \b
    Examples:
      kwire cluster log-dirs
      kwire cluster log-dirs --broker 1 --partitions --json
    """
    nodes = (await describe_cluster(session.cluster)).nodes
    wanted = [node.node_id for node in nodes] if node_id is None else [node_id]
    dirs = [each for node in wanted for each in await describe_log_dirs(session.cluster, node)]

    def size(count: int) -> int | str | None:
        if session.as_json:
            return count
        return human_bytes(count) if count >= 0 else None

    if by_partition:
        rows = [
            {
                "broker": each.node_id,
                "log_dir": each.path,
                "topic": row.topic,
                "partition": row.partition,
                "size_bytes": row.size_bytes,
                "offset_lag": row.offset_lag,
                "future": row.is_future,
            }
            for each in dirs
            for row in each.partitions
        ]
    else:
        rows = [
            {
                "broker": each.node_id,
                "log_dir": each.path,
                "partitions": len(each.partitions),
                "logs": size(sum(row.size_bytes for row in each.partitions)),
                "usable": size(each.usable_bytes),
                "total": size(each.total_bytes),
            }
            for each in dirs
        ]
    session.show(*rows)
