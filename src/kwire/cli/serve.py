"""`kwire serve`: a broker in the foreground, until SIGINT or SIGTERM."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import click
import trio

from kwire.config import BrokerConfig
from kwire.errors import UsageError
from kwire.server.broker import run_broker
from kwire.server_properties import parse_overrides, parse_properties

LOOPBACK = ("localhost", "127.", "::1")
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 9092


@click.command("serve")
@click.option("--host", help=f"Address to listen on.  [default: {DEFAULT_HOST}]")
@click.option("--port", type=click.IntRange(0, 65535), help=f"Port; 0 takes a free one.  [default: {DEFAULT_PORT}]")
@click.option("--data-dir", type=click.Path(path_type=Path), help="Where the data is kept.  [default: kwire-data]")
@click.option("--config", type=click.Path(path_type=Path), help="A server.properties, with Kafka's configuration keys.")
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="One configuration key; goes before --config."
)
@click.option("--ephemeral", is_flag=True, help="Keep the data in a temporary directory that is gone afterwards.")
@click.option("--verbose", is_flag=True, help="Log what happens, not only what goes wrong.")
def command(
    host: str | None,
    port: int | None,
    data_dir: Path | None,
    config: Path | None,
    settings: tuple[str, ...],
    ephemeral: bool,
    verbose: bool,
) -> None:
    """Start a broker and serve until it is stopped.

    \b
    Examples:
      kwire serve
      kwire serve --port 0 --ephemeral
      kwire serve --data-dir /var/lib/kwire --set num.partitions=6
      kwire serve --config server.properties
    """
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="time=%(asctime)s level=%(levelname)s logger=%(name)s message=%(message)r",
    )
    with ExitStack() as stack:
        overrides = parse_overrides(settings)
        if ephemeral:
            if data_dir is not None:
                raise UsageError("--ephemeral keeps no data, so --data-dir cannot be given with it")
            directory = tempfile.mkdtemp(prefix="kwire-")
            stack.callback(shutil.rmtree, directory, ignore_errors=True)
            overrides["log.dirs"] = directory
        elif data_dir is not None:
            overrides["log.dirs"] = str(data_dir)
        if host is not None or port is not None:
            shown = host or DEFAULT_HOST
            shown = f"[{shown}]" if ":" in shown else shown
            overrides["listeners"] = f"PLAINTEXT://{shown}:{DEFAULT_PORT if port is None else port}"
        resolved = BrokerConfig.resolve(_properties(config), overrides)
        _warn(resolved)
        trio.run(_serve, resolved)


def _properties(path: Path | None) -> dict[str, str]:
    if path is None:
        return {}
    try:
        return dict(parse_properties(path.read_text()))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error


def _warn(config: BrokerConfig) -> None:
    if config.ignored:
        click.echo(f"kwire: ignored, since they mean nothing here: {', '.join(config.ignored)}", err=True)
    for listener in config.listeners:
        if not listener.host.startswith(LOOPBACK):
            click.echo(f"kwire: {listener} is open to others, and nobody has to authenticate", err=True)


async def _serve(config: BrokerConfig) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with run_broker(config) as broker:
            where = ", ".join(f"{host}:{port}" for host, port in broker.endpoints.values())
            click.echo(f"kwire: ready on {where}, data in {', '.join(config.log_dirs)}, {_since_start()}")
            async for _ in signals:
                break
    click.echo(f"kwire: stopped after {broker.metrics.requests} requests")


def _since_start() -> str:
    """How long this process has been there, the interpreter's own start included, as Linux tells it."""
    with open("/proc/self/stat") as stat:
        started_ticks = int(stat.read().rpartition(")")[2].split()[19])
    age_s = time.clock_gettime(time.CLOCK_BOOTTIME) - started_ticks / os.sysconf("SC_CLK_TCK")
    return f"started in {age_s:.2f} s"
