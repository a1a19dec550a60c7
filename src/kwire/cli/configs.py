"""`kwire configs`: what is configured on topics and brokers, and changing it while they run."""

from __future__ import annotations

import click

from kwire.cli.output import Row
from kwire.cli.session import Session, client_command, key_values
from kwire.client.admin_configs import (
    DEFAULT_SOURCE,
    ConfigEntry,
    Resource,
    ResourceType,
    alter_configs,
    describe_configs,
)
from kwire.errors import UsageError

RESOURCES = {
    "topic": ResourceType.TOPIC,
    "broker": ResourceType.BROKER,
    "broker-logger": ResourceType.BROKER_LOGGER,
    "client-metrics": ResourceType.CLIENT_METRICS,
    "group": ResourceType.GROUP,
}
ALL_BROKERS = "default"

_type_argument = click.argument("kind", type=click.Choice(list(RESOURCES)), metavar="TYPE")
_name_argument = click.argument("name")


@click.group("configs")
def command() -> None:
    """Show and change the configuration of topics and brokers.

    TYPE is topic, broker, broker-logger, client-metrics or group. A broker's NAME is its id; `default` stands for
    what holds for all brokers.

    \b
    Examples:
      kwire configs describe topic orders
      kwire configs set topic orders retention.ms=86400000
      kwire configs unset topic orders retention.ms
      kwire configs describe broker 1 --all
      kwire configs set broker default log.retention.ms=86400000
    """


@command.command("describe")
@_type_argument
@_name_argument
@click.option("--all", "with_defaults", is_flag=True, help="Those that are at their default too.")
@client_command
async def describe(session: Session, kind: str, name: str, with_defaults: bool) -> None:
    """Show what is configured, and where each value comes from.

    \b
    Examples:
      kwire configs describe topic orders
      kwire configs describe topic orders --all
      kwire configs describe broker 1 --json
    """
    entries = await describe_configs(session.cluster, _resource(kind, name))
    session.show(*(_row(entry) for entry in entries if with_defaults or entry.source != DEFAULT_SOURCE))


@command.command("set")
@_type_argument
@_name_argument
@click.argument("settings", nargs=-1, required=True, callback=key_values, metavar="KEY=VALUE...")
@client_command
async def set_(session: Session, kind: str, name: str, settings: dict[str, str]) -> None:
    """Set values. Keys that are not named stay as they are.

    \b
    Examples:
      kwire configs set topic orders retention.ms=86400000 cleanup.policy=compact
      kwire configs set broker 1 log.cleaner.threads=2
    """
    await alter_configs(session.cluster, _resource(kind, name), settings)


@command.command("unset")
@_type_argument
@_name_argument
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@client_command
async def unset(session: Session, kind: str, name: str, keys: tuple[str, ...]) -> None:
    """Take values back to what they are by default.

    \b
    Examples:
      kwire configs unset topic orders retention.ms cleanup.policy
      kwire configs unset broker default log.retention.ms
    """
    await alter_configs(session.cluster, _resource(kind, name), {}, keys)


def _resource(kind: str, name: str) -> Resource:
    resource_type = RESOURCES[kind]
    if resource_type in (ResourceType.BROKER, ResourceType.BROKER_LOGGER):
        if name == ALL_BROKERS and resource_type is ResourceType.BROKER:
            return Resource(resource_type, "")
        if not (name.isascii() and name.isdecimal()):
            raise UsageError(f"{name!r} is no broker", "a broker's id, or `default` for all brokers")
    return Resource(resource_type, name)


def _row(entry: ConfigEntry) -> Row:
    return {
        "name": entry.name,
        "value": entry.value,
        "source": entry.source,
        "read_only": entry.read_only,
        "sensitive": entry.sensitive,
    }
