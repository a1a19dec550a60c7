"""What every command against a broker shares: the options to reach it, and a cluster for as long as it runs.

    @group.command("list")
    @client_command
    async def list_(session: Session) -> None: ...

adds --bootstrap-server, --timeout and --json to the command, and runs it on trio with an open cluster.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

import click
import trio
from click.shell_completion import CompletionItem

from kwire.cli.output import Row, show_rows
from kwire.client.bootstrap import parse_bootstrap
from kwire.client.cluster import Cluster, ClusterSettings, open_cluster
from kwire.errors import BrokerError, UsageError

DEFAULT_BOOTSTRAP = "127.0.0.1:9092"
COMPLETION_TIMEOUT_S = 1

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Session:
    """A command's cluster, and how it prints."""

    cluster: Cluster
    as_json: bool

    def show(self, *rows: Row) -> None:
        show_rows(rows, self.as_json)


def client_command(function: Callable[Concatenate[Session, P], Awaitable[None]]) -> Callable[P, None]:
    """Makes a command's function of an async one that takes a session; see the module."""

    @wraps(function)
    def command(*args: P.args, **kwargs: P.kwargs) -> None:
        options: dict[str, Any] = dict(kwargs)
        bootstrap, timeout_s, as_json = (options.pop(name) for name in ("bootstrap_server", "timeout", "as_json"))
        parse_bootstrap(bootstrap)
        settings = ClusterSettings(
            connect_timeout_s=min(10, timeout_s), request_timeout_s=timeout_s, deadline_s=timeout_s
        )

        async def run() -> None:
            async with open_cluster(bootstrap, settings) as cluster:
                await function(Session(cluster, as_json), *args, **options)

        trio.run(run)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--bootstrap-server",
        "-b",
        metavar="HOST:PORT[,...]",
        envvar="KWIRE_BOOTSTRAP",
        default=DEFAULT_BOOTSTRAP,
        show_default=True,
        show_envvar=True,
        help="Brokers to begin with.",
    ),
    click.option(
        "--timeout",
        metavar="SECONDS",
        type=click.FloatRange(min=0.1),
        default=30,
        show_default=True,
        help="How long to try before giving up.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line."),
)


class TopicName(click.ParamType[str]):
    """A topic's name, completed by asking the broker, if it answers at once."""

    name = "topic"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        bootstrap = ctx.params.get("bootstrap_server") or DEFAULT_BOOTSTRAP
        return [CompletionItem(name) for name in _topic_names(bootstrap) if name.startswith(incomplete)]


def _topic_names(bootstrap: str) -> list[str]:
    async def ask() -> list[str]:
        names: list[str] = []
        with trio.move_on_after(COMPLETION_TIMEOUT_S):
            async with open_cluster(bootstrap) as cluster:
                names += sorted((await cluster.refresh(None)).topics)
        return names

    try:
        return trio.run(ask)
    except (BrokerError, UsageError):
        return []


def key_values(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    """A callback for options like `--config retention.ms=1000`, which may be given several times."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", ctx, param)
        pairs[name] = value
    return pairs
