"""`kwire serve`: a broker in the foreground, until SIGINT or SIGTERM."""

from __future__ import annotations

import logging
import os
import signal
import time
from pathlib import Path

import click
import trio

from kwire.config import BROKER_KEYS
from kwire.server.broker import Broker, BrokerSettings


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=9092, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one."
)
@click.option(
    "--data-dir",
    default="kwire-data",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the data is kept.",
)
def command(host: str, port: int, data_dir: Path) -> None:
    """Start a broker and serve until it is stopped.

    \b
    Examples:
      kwire serve
      kwire serve --port 0 --data-dir /tmp/kwire
    """
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    request_bytes_max = BROKER_KEYS["socket.request.max.bytes"].default
    assert isinstance(request_bytes_max, int)
    trio.run(_serve, Broker(BrokerSettings(host, port, data_dir, request_bytes_max)))


async def _serve(broker: Broker) -> None:
    settings = broker.settings
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        port = await broker.listen()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(broker.run)
            click.echo(f"kwire: ready on {settings.host}:{port}, data in {settings.data_dir}, {_since_start()}")
            async for _ in signals:
                nursery.cancel_scope.cancel()
                break
    click.echo(f"kwire: stopped after {broker.metrics.requests} requests")


def _since_start() -> str:
    """How long this process has been there, the interpreter's own start included, as Linux tells it."""
    with open("/proc/self/stat") as stat:
        started_ticks = int(stat.read().rpartition(")")[2].split()[19])
    age_s = time.clock_gettime(time.CLOCK_BOOTTIME) - started_ticks / os.sysconf("SC_CLK_TCK")
    return f"started in {age_s:.2f} s"
