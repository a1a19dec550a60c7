"""kill -9 under load, with flush.messages=1: nothing that was acknowledged is lost, and nothing is there twice.

Producers send idempotent batches over raw frames, several in flight, and send again what was not answered when the
broker comes back on the same port, as a stock client does. What they were told is compared with what is read.
"""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path

import pytest

from batches import batch, values_in
from kwire.protocol.frames import FrameReader, decode_response, encode_request
from kwire.protocol.messages import APIS
from kwire.protocol.messages.create_topics_request import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.protocol.messages.init_producer_id_request import InitProducerIdRequest
from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from wire_client import WireClient

PARTITIONS = 3
ROUNDS = 4
ACKNOWLEDGED_PER_ROUND = 60
IN_FLIGHT = 5
DEADLINE_S = 30.0


class Process:
    """A `kwire serve` of its own, on a data directory and a port that stay the same over restarts."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self.port = 0
        self.start()

    def start(self) -> None:
        options = ["--port", str(self.port), "--data-dir", str(self._data_dir)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "kwire.cli.main", "serve", *options], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        ready = re.match(r"kwire: ready on [\w.]+:(\d+),", self._process.stdout.readline())
        assert ready
        self.port = int(ready[1])

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate(timeout=DEADLINE_S)


class Producer(threading.Thread):
    """Sends numbered records to one partition, and keeps what was acknowledged."""

    def __init__(self, port: int, partition: int, producer_id: int, epoch: int) -> None:
        super().__init__(name=f"producer {partition}", daemon=True)
        self.acknowledged: list[int] = []
        self.moved = threading.Condition()
        self.trouble: Exception | None = None
        self._port = port
        self._partition = partition
        self._producer = (producer_id, epoch)
        self._unanswered: deque[int] = deque()  # numbers, in their order
        self._next = 0
        self._ends = False

    def run(self) -> None:
        try:
            while not (self._ends and not self._unanswered):
                try:
                    with socket.create_connection(("127.0.0.1", self._port), timeout=DEADLINE_S) as sock:
                        self._talk(sock)
                except (ConnectionError, EOFError):
                    continue  # killed, or not back yet
        except Exception as error:
            self.trouble = error
            with self.moved:
                self.moved.notify_all()

    def _talk(self, sock: socket.socket) -> None:
        reader, frames = FrameReader(1 << 20), deque[bytearray]()
        for number in self._unanswered:
            sock.sendall(self._frame(number))
        while True:
            while not self._ends and len(self._unanswered) < IN_FLIGHT:
                self._unanswered.append(self._next)
                self._next += 1
                sock.sendall(self._frame(self._unanswered[-1]))
            if not self._unanswered:
                return
            while not frames:
                data = sock.recv(1 << 16)
                if not data:
                    raise EOFError
                frames += reader.feed(data)
            self._take(frames.popleft())

    def _frame(self, number: int) -> bytes:
        producer_id, epoch = self._producer
        data = batch(b"%d" % number, producer_id=producer_id, epoch=epoch, sequence=number)
        rows = [TopicProduceData(name="t", partition_data=[PartitionProduceData(self._partition, data)])]
        return b"".join(map(bytes, encode_request(APIS[0], 9, number, "kill", ProduceRequest(None, -1, 5000, rows))))

    def _take(self, frame: bytearray) -> None:
        number, response = decode_response(APIS[0], 9, frame)
        (row,) = response.responses[0].partition_responses
        expected = self._unanswered.popleft()
        assert (number, row.error_code) == (expected, 0), (number, expected, row)
        with self.moved:
            self.acknowledged.append(number)
            self.moved.notify_all()

    def wait_for(self, count: int) -> None:
        with self.moved:
            assert self.moved.wait_for(lambda: self.trouble or len(self.acknowledged) >= count, DEADLINE_S)
        if self.trouble is not None:
            raise self.trouble

    def end(self) -> None:
        self._ends = True
        self.join(DEADLINE_S)
        assert not self.is_alive()


def read_all(client: WireClient, partition: int) -> list[int]:
    numbers: list[int] = []
    offset = 0
    while True:
        asked = FetchPartition(partition=partition, fetch_offset=offset, partition_max_bytes=1 << 20)
        request = FetchRequest(
            max_wait_ms=0,
            min_bytes=1,
            max_bytes=1 << 20,
            session_epoch=-1,
            topics=[FetchTopic(topic="t", partitions=[asked])],
        )
        (row,) = client.ask(request, 12).responses[0].partitions
        assert row.error_code == 0
        found = [one for one in values_in(row.records) if one[0] >= offset]
        if not found:
            assert offset == row.high_watermark
            return numbers
        numbers += [int(value) for _, value in found]
        offset = found[-1][0] + 1


@pytest.mark.timeout(180)
def test_nothing_acknowledged_is_lost_and_nothing_is_there_twice(tmp_path: Path) -> None:
    process = Process(tmp_path / "data")
    producers: list[Producer] = []
    try:
        with WireClient(("127.0.0.1", process.port)) as client:
            config = [CreatableTopicConfig("flush.messages", "1")]
            topic = CreatableTopic("t", PARTITIONS, 1, (), config)
            assert client.ask(CreateTopicsRequest([topic], 5000), 7).topics[0].error_code == 0
            for partition in range(PARTITIONS):
                given = client.ask(InitProducerIdRequest(None, 1000), 4)
                assert given.error_code == 0
                producers.append(Producer(process.port, partition, given.producer_id, given.producer_epoch))
        for producer in producers:
            producer.start()
        for _ in range(ROUNDS):
            for producer in producers:
                producer.wait_for(len(producer.acknowledged) + ACKNOWLEDGED_PER_ROUND)
            process.kill()
            told = [len(producer.acknowledged) for producer in producers]
            process.start()
            with WireClient(("127.0.0.1", process.port)) as client:
                for producer, count in zip(producers, told, strict=True):
                    # Before anybody writes again: what was acknowledged can be read at once.
                    assert read_all(client, producer._partition)[:count] == list(range(count))
        for producer in producers:
            producer.wait_for(len(producer.acknowledged) + 1)
            producer.end()
        with WireClient(("127.0.0.1", process.port)) as client:
            for producer in producers:
                assert read_all(client, producer._partition) == producer.acknowledged
                assert producer.acknowledged == list(range(len(producer.acknowledged)))
    finally:
        for producer in producers:
            producer._ends = True
        process.kill()
