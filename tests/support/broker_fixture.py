"""A broker without sockets, threads, disks and a clock of its own: handlers are called, and answer, at once.

    broker = HandlerBroker({"num.partitions": "3"})
    response = broker.ask(CreateTopicsRequest(...), 7)

It is put together from the parts of the real one. Requests and responses pass through the codec, so that a handler sees
what a version can carry, and a test sees what a client would. What the server does in workers is done on the spot.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from kwire.config import BrokerConfig
from kwire.handlers.context import Context, Decide, Respond
from kwire.handlers.fetch_sessions import FetchSessions
from kwire.handlers.registry import Call, served_apis
from kwire.handlers.reply import Blocking, Later, NoReply, Reply
from kwire.metadata.embedded import EmbeddedStore
from kwire.metadata.image import MetadataImage
from kwire.metadata.registration import register_node
from kwire.metadata.values import Endpoint, Node
from kwire.metrics import BrokerMetrics
from kwire.partitions.partition import Partition
from kwire.partitions.table import PartitionTable
from kwire.partitions.timers import Timers
from kwire.partitions.waits import ReadyQueue
from kwire.protocol.codec import decode, encode, encode_pieces
from kwire.protocol.messages.create_topics_request import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from kwire.protocol.schema import Message
from kwire.server.metadata_changes import MetadataChanges
from kwire.server.partition_keeper import PartitionKeeper, log_config
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.file_system import FileRegion
from kwire.storage.log_config import LogConfig
from kwire.storage.log_dirs import LogDirs
from kwire.storage.log_manager import LogManager
from kwire.storage.recovery import LogSettings
from kwire.testing.fake_files import FakeFileSystem
from wire_client import api_of

T = TypeVar("T")

START_MS = 1_700_000_000_000
ENDPOINTS = {
    "PLAINTEXT": Endpoint("127.0.0.1", 9092, "PLAINTEXT"),
    "OUTSIDE": Endpoint("kwire.test", 19092, "PLAINTEXT"),
}


class HandlerBroker:
    """See above. `log_dirs` lie in `files`; what `restart` finds there and in `store` is what a crash would leave.

    What flush.messages asks for is synced on the spot, unless `flush_soon` is told of it instead.
    """

    def __init__(
        self,
        properties: Mapping[str, str] | None = None,
        *,
        log_dirs: Sequence[str] = ("/data",),
        files: FakeFileSystem | None = None,
        store: EmbeddedStore | None = None,
        rack: str | None = None,
        flush_soon: Callable[[Partition], object] | None = None,
    ) -> None:
        self.config = BrokerConfig.resolve({"log.dirs": ",".join(log_dirs), **(properties or {})})
        self.files = files or FakeFileSystem()
        self.store = store or EmbeddedStore.in_memory()
        self.now_ms = START_MS
        self.random = Random(1)
        self.log_dirs = LogDirs.open(
            self.files,
            self.config.log_dirs,
            node_id=self.config.node_id,
            new_id=lambda: self.random.randbytes(16),
            now_ms=START_MS,
        )
        image = MetadataImage.of(self.store.snapshot())

        def config_of(partition: TopicPartition) -> LogConfig:
            return log_config(partition.topic, image, self.config)

        settings = LogSettings(self.files, self.random.randrange, self.config.producer_id_expiration_ms)
        self.context = Context(
            node_id=self.config.node_id,
            config=self.config,
            image=image,
            partitions=PartitionTable(),
            timers=Timers(lambda: self.now_ms),
            ready=ReadyQueue(),
            fetch_sessions=FetchSessions(100, lambda: self.random.randrange(1, 2**31)),
            metrics=BrokerMetrics(),
            logs=LogManager.open(settings, self.log_dirs, config_of, START_MS),
            now_ms=lambda: self.now_ms,
            random_bytes=self.random.randbytes,
        )
        keeper = PartitionKeeper(
            self.context.logs,
            self.context.partitions,
            self.config.node_id,
            lambda: self.now_ms,
            self.random.randbytes,
            flush_soon or flush,
            at_once,
        )
        self._changes = MetadataChanges(self.store, keeper, at_once)
        self.context.on_storage_failed = keeper.storage_failed
        self.context.on_change = self._change
        finish(keeper.open(image, self.config))
        directories = tuple(log_dir.directory_id for log_dir in self.log_dirs.online)
        node = Node(self.config.node_id, ENDPOINTS, directories, rack)
        self.decide(lambda image: register_node(image, node, self.log_dirs.cluster_id, self.random.randbytes))

    def decide(self, decide: Decide) -> Any:
        """Commits what `decide` comes to, and makes it true."""
        return finish(self._changes.apply(self.context, decide))

    def _change(self, decide: Decide, respond: Respond) -> Later:
        later = Later()
        later.complete(respond(self.decide(decide)))
        return later

    # ---- asking ----------------------------------------------------------------------------------------------

    def reply(self, request: Message, version: int, *, client_id: str = "test", listener: str = "PLAINTEXT") -> Reply:
        """What the handler replies, which may be a response that is not there yet."""
        api = api_of(request)
        served = served_apis()[api.key]
        assert version in served.versions, f"{api.name} {version} is not served"
        # From a bytearray, as the server does it: records are changed in place.
        received = decode(type(request), version, bytearray(encode(request, version)))
        reply = served.handle(self.context, received, Call(version, client_id, ("127.0.0.1", 50000), listener))
        while isinstance(reply, Blocking):
            reply = reply.then(_outcome(reply.work))
        return reply

    def ask(self, request: Message, version: int, *, client_id: str = "test", listener: str = "PLAINTEXT") -> Any:
        """The response, as a client decodes it; time passes until it is there."""
        reply = self.reply(request, version, client_id=client_id, listener=listener)
        assert not isinstance(reply, (NoReply, Blocking))
        if isinstance(reply, Later):
            self.pass_time_until(reply)
            assert reply.message is not None
            reply = reply.message
        return decode(type(reply), version, b"".join(map(_whole, encode_pieces(reply, version))))

    def pass_time_until(self, later: Later) -> None:
        """Does what the server's loop does: answers those whose wait is over, and fires deadlines when all is quiet."""
        timers, ready = self.context.timers, self.context.ready
        while later.is_open:
            if ready:
                ready.run(100)
                continue
            next_ms = timers.next_ms()
            assert next_ms is not None, "nothing will ever answer this"
            self.now_ms = max(self.now_ms, int(next_ms))
            timers.run_due()

    def create_topic(self, name: str, partitions: int = 1, configs: Mapping[str, str] | None = None) -> bytes:
        """Creates a topic; its id."""
        given = [CreatableTopicConfig(*item) for item in (configs or {}).items()]
        (row,) = self.ask(CreateTopicsRequest([CreatableTopic(name, partitions, 1, (), given)], 1000), 7).topics
        assert row.error_code == 0, (row.error_code, row.error_message)
        return row.topic_id

    def partition(self, topic: str, index: int = 0) -> Partition:
        partition = self.context.partitions.get(topic, index)
        assert partition is not None, f"{topic}-{index} is not served"
        return partition

    def restart(self) -> HandlerBroker:
        """A broker on the same files and store, as after the process was killed."""
        self.log_dirs.abandon()
        return HandlerBroker(self.config.static, files=self.files, store=self.store)


def flush(partition: Partition) -> None:
    """Syncs what acknowledgements wait for, on the spot."""
    ticket = partition.log.begin_flush(START_MS)
    if ticket is not None:
        ticket.sync()
        partition.log.finish_flush(ticket)
    partition.flushed()


async def at_once(function: Callable[..., T], *arguments: Any) -> T:
    return function(*arguments)


def finish(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("something waited for an event loop")


def _whole(piece: Any) -> bytes:
    return piece.read() if isinstance(piece, FileRegion) else piece


def _outcome(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except Exception as error:
        return error
