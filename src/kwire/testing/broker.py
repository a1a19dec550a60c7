"""A broker inside this process, for as long as a `with` block: what a test starts instead of a JVM.

    with Broker() as broker:
        producer = KafkaProducer(bootstrap_servers=broker.bootstrap)

It is the same broker that `kwire serve` runs, on an event loop in a thread of its own, on a free loopback port, with
its data in a temporary directory. It is ready when the block begins, a tenth of a second after it was asked for, and
stopped cleanly when the block ends. Nothing stays behind: no thread, no port, no file.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import trio

from kwire.config import BrokerConfig
from kwire.handlers.registry import served_apis
from kwire.server.broker import run_broker

HOST = "127.0.0.1"

served_apis()  # so that the handlers are loaded with this module, and not when a test waits for its broker


class _Running(NamedTuple):
    """What the thread tells once the broker is ready: where it listens, and how to end it."""

    endpoints: dict[str, tuple[str, int]]
    token: trio.lowlevel.TrioToken
    stop: trio.Event


class Broker:
    """A kwire broker in a thread of this process. See the module.

    `properties` are Kafka's, as in server.properties, and win over what is set here. `data_dir` is a directory of the
    caller's, which stays; without it the data lie in a temporary one. Inside the block, `stop` and `start` restart the
    broker on the same data and the same port. An error that ends the broker is raised where the block ends.
    """

    bootstrap: str  # host:port; this and what follows is there from the start of the block
    host: str
    port: int
    data_dir: Path

    def __init__(self, *, properties: Mapping[str, str] | None = None, data_dir: Path | None = None) -> None:
        self._properties = dict(properties or {})
        self._given_data_dir = data_dir
        self._running: _Running | None = None
        self._thread: threading.Thread | None = None
        self._ended: Future[None] = Future()
        self._listeners = f"PLAINTEXT://{HOST}:0"
        self._cleanup = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as cleanup:
            if self._given_data_dir is None:
                self.data_dir = Path(tempfile.mkdtemp(prefix="kwire-"))
                cleanup.callback(shutil.rmtree, self.data_dir, ignore_errors=True)
            else:
                self.data_dir = self._given_data_dir
            cleanup.callback(self.stop)
            self.start()
            self._cleanup = cleanup.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cleanup.close()

    @property
    def endpoints(self) -> dict[str, tuple[str, int]]:
        """Where each listener is reached, by its name."""
        assert self._running is not None, "the broker is not running"
        return dict(self._running.endpoints)

    def start(self) -> None:
        """Starts the broker, and returns when it answers. What keeps it from starting is raised here."""
        assert self._thread is None, "the broker is running already"
        config = BrokerConfig.resolve(
            {"listeners": self._listeners, "log.dirs": str(self.data_dir)}, overrides=self._properties
        )
        ready: Future[_Running] = Future()
        ended = self._ended = Future[None]()
        self._thread = threading.Thread(target=_run, args=(config, ready, ended), name="kwire-broker", daemon=True)
        self._thread.start()
        try:
            running = ready.result()
        except Exception:
            self._thread.join()
            self._thread = None
            raise
        self._running = running
        self.host, self.port = next(iter(running.endpoints.values()))
        self.bootstrap = f"{self.host}:{self.port}"
        self._listeners = f"PLAINTEXT://{HOST}:{self.port}"

    def stop(self) -> None:
        """Stops the broker cleanly: what was asked is answered, logs are closed. Raises what had ended it before."""
        thread, self._thread = self._thread, None
        running, self._running = self._running, None
        if thread is None or running is None:
            return
        with suppress(trio.RunFinishedError):
            trio.from_thread.run_sync(running.stop.set, trio_token=running.token)
        thread.join()
        self._ended.result()


def _run(config: BrokerConfig, ready: Future[_Running], ended: Future[None]) -> None:
    """The thread: an event loop with a broker in it."""
    try:
        trio.run(_serve, config, ready)
    except BaseException as error:
        if not ready.done():
            ready.set_exception(error)
        ended.set_exception(error)
    else:
        ended.set_result(None)


async def _serve(config: BrokerConfig, ready: Future[_Running]) -> None:
    stop = trio.Event()
    async with run_broker(config) as broker:
        ready.set_result(_Running(broker.endpoints, trio.lowlevel.current_trio_token(), stop))
        await stop.wait()
