"""Fetch sessions as dialogues: what a client says, and what it hears."""

from __future__ import annotations

from typing import Any

import pytest

from batches import TIMESTAMP_MS, batch
from broker_fixture import HandlerBroker
from kwire.errors import BrokerError, ErrorCode
from kwire.handlers.fetch_sessions import EPOCH_MAX, EVICTION_MS, FetchEntry, FetchSession, FetchSessions
from kwire.handlers.reply import Later
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic, ForgottenTopic


class Client:
    """A consumer with a session on partitions of one topic. Says only what it is told to say."""

    def __init__(self, broker: HandlerBroker, version: int = 12) -> None:
        self.broker = broker
        self.version = version
        self.session_id = 0
        self.epoch = 0

    def fetch(self, *partitions: tuple[int, int], forget: tuple[int, ...] = (), **fields: Any) -> Any:
        """Asks for (partition, offset) pairs with the next epoch; (error, session id, {partition: records size})."""
        fields = {"session_id": self.session_id, "session_epoch": self.epoch, "max_wait_ms": 0, **fields}
        response = self.broker.ask(self.request(partitions, forget, **fields), self.version)
        if response.error_code == 0:
            self.session_id = response.session_id
            self.epoch = fields["session_epoch"] + 1
        told = {row.partition_index: len(row.records) for topic in response.responses for row in topic.partitions}
        self.codes = {row.partition_index: row.error_code for topic in response.responses for row in topic.partitions}
        return response.error_code, response.session_id, told

    def request(self, partitions: Any, forget: tuple[int, ...] = (), **fields: Any) -> FetchRequest:
        topic_id = self.broker.partition("t").topic_id
        named = {"topic": "t"} if self.version < 13 else {"topic_id": topic_id}
        asked = [
            FetchPartition(index, fetch_offset=offset, partition_max_bytes=1 << 20) for index, offset in partitions
        ]
        return FetchRequest(
            min_bytes=1,
            max_bytes=fields.pop("max_bytes", 1 << 20),
            topics=[FetchTopic(partitions=asked, **named)] if asked else [],
            forgotten_topics_data=[ForgottenTopic(partitions=list(forget), **named)] if forget else [],
            **fields,
        )


@pytest.fixture(params=[7, 12, 13, 18])
def client(request: pytest.FixtureRequest) -> Client:
    broker = HandlerBroker()
    broker.create_topic("t", 4)
    return Client(broker, request.param)


def append(client: Client, index: int) -> int:
    data = batch("a")
    client.broker.partition("t", index).append(memoryview(bytearray(data)), TIMESTAMP_MS)
    return len(data)


def test_a_session_tells_everything_once_and_then_what_changed(client: Client) -> None:
    size = append(client, 1)
    error, session_id, told = client.fetch((0, 0), (1, 0), (2, 0))
    assert (error, told) == (0, {0: 0, 1: size, 2: 0})
    assert session_id > 0
    assert client.fetch((1, 1)) == (0, session_id, {})
    append(client, 2)
    assert client.fetch() == (0, session_id, {2: size})
    assert client.fetch() == (0, session_id, {2: size})  # the client has not moved on
    assert client.fetch((2, 1)) == (0, session_id, {})
    client.broker.partition("t", 1).log.delete_records_before(1)
    assert client.fetch() == (0, session_id, {1: 0})
    assert client.fetch() == (0, session_id, {})


def test_partitions_come_and_go(client: Client) -> None:
    size = append(client, 3)
    _, session_id, _ = client.fetch((0, 0))
    assert client.fetch((3, 0)) == (0, session_id, {3: size})
    assert client.fetch(forget=(3,)) == (0, session_id, {})
    append(client, 0)
    assert client.fetch() == (0, session_id, {0: size})


def test_a_session_whose_last_partition_is_forgotten_ends_at_once(client: Client) -> None:
    _, session_id, _ = client.fetch((0, 0))
    assert client.fetch(forget=(0,), max_wait_ms=10_000) == (0, 0, {})
    assert client.fetch(session_id=session_id, session_epoch=2)[0] == ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_a_session_may_begin_without_partitions(client: Client) -> None:
    error, session_id, told = client.fetch(max_wait_ms=10_000)
    assert (error, told) == (0, {})
    assert session_id > 0
    size = append(client, 0)
    assert client.fetch((0, 0)) == (0, session_id, {0: size})


def test_an_error_is_told_every_time_and_its_end_too(client: Client) -> None:
    _, session_id, told = client.fetch((0, 5), (1, 0))
    assert (told, client.codes) == ({0: 0, 1: 0}, {0: ErrorCode.OFFSET_OUT_OF_RANGE, 1: 0})
    for _ in range(2):
        assert client.fetch() == (0, session_id, {0: 0})
        assert client.codes == {0: ErrorCode.OFFSET_OUT_OF_RANGE}
    assert client.fetch((0, 0)) == (0, session_id, {0: 0})
    assert client.codes == {0: 0}
    assert client.fetch() == (0, session_id, {})


def test_who_had_data_goes_to_the_end_of_the_line(client: Client) -> None:
    size = 0
    for index in (0, 1, 2):
        size = append(client, index)
    told = [client.fetch((0, 0), (1, 0), (2, 0), max_bytes=size)[2]]
    told += [client.fetch(max_bytes=size)[2] for _ in range(4)]
    assert [[index for index, length in row.items() if length] for row in told] == [[0], [1], [2], [0], [1]]


def test_what_is_said_wrongly_is_refused_and_the_session_goes_on(client: Client) -> None:
    _, session_id, _ = client.fetch((0, 0))
    said = [
        ({"session_id": session_id + 1}, ErrorCode.FETCH_SESSION_ID_NOT_FOUND),
        ({"session_id": 0, "session_epoch": 1}, ErrorCode.FETCH_SESSION_ID_NOT_FOUND),
        ({"session_epoch": 2}, ErrorCode.INVALID_FETCH_SESSION_EPOCH),
        ({"session_epoch": -7}, ErrorCode.INVALID_FETCH_SESSION_EPOCH),
        ({"session_epoch": EPOCH_MAX}, ErrorCode.INVALID_FETCH_SESSION_EPOCH),
    ]
    for fields, code in said:
        assert client.fetch(**fields) == (code, 0, {})
    assert client.fetch() == (0, session_id, {})
    assert client.fetch(session_epoch=1)[0] == ErrorCode.INVALID_FETCH_SESSION_EPOCH  # said before


def test_names_and_ids_do_not_mix_in_a_session(client: Client) -> None:
    client.fetch((0, 0))
    client.version = 12 if client.version >= 13 else 13
    assert client.fetch() == (ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR, 0, {})


def test_a_session_ends_when_the_client_says_so_or_begins_another(client: Client) -> None:
    _, first, _ = client.fetch((0, 0))
    _, second, told = client.fetch((1, 0), session_epoch=0)
    assert (second != first, told) == (True, {1: 0})
    assert client.fetch(session_id=first, session_epoch=1)[0] == ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    assert client.fetch((2, 0), session_id=second, session_epoch=-1) == (0, 0, {2: 0})
    assert client.fetch(session_id=second, session_epoch=1)[0] == ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    assert len(client.broker.context.fetch_sessions) == 0


def test_without_a_session_there_is_none(client: Client) -> None:
    assert client.fetch((0, 0), session_epoch=-1) == (0, 0, {0: 0})
    assert len(client.broker.context.fetch_sessions) == 0


def test_a_long_poll_of_a_session_is_answered_with_what_came(client: Client) -> None:
    client.fetch((0, 0), (1, 0))
    request = client.request((), session_id=client.session_id, session_epoch=1, max_wait_ms=60_000)
    reply = client.broker.reply(request, client.version)
    assert isinstance(reply, Later)
    append(client, 1)
    client.broker.context.ready.run(10)
    assert reply.message is not None
    assert [row.partition_index for topic in reply.message.responses for row in topic.partitions] == [1]


def test_a_partition_that_is_forgotten_while_its_data_is_on_the_way_does_no_harm(client: Client) -> None:
    client.fetch((0, 0), (1, 0))
    request = client.request((), session_id=client.session_id, session_epoch=1, max_wait_ms=60_000)
    reply = client.broker.reply(request, client.version)
    assert isinstance(reply, Later)
    client.epoch = 2
    client.fetch(forget=(1,))
    append(client, 1)
    client.broker.context.ready.run(10)
    assert reply.message is not None


# ---- the cache -------------------------------------------------------------------------------------------------------


def entries(count: int) -> list[FetchEntry]:
    return [FetchEntry("t", bytes(16), index, 0, 1, -1, -1) for index in range(count)]


def sessions(slots: int) -> FetchSessions:
    ids = iter(range(1, 1000))
    return FetchSessions(slots, lambda: next(ids))


def created(cache: FetchSessions, size: int, now_ms: int) -> FetchSession:
    session = cache.create(entries(size), False, now_ms)
    assert session is not None
    return session


def test_a_full_cache_lets_a_session_in_for_one_that_is_not_used() -> None:
    cache = sessions(2)
    old, used = created(cache, 9, 0), created(cache, 9, 0)
    cache.next(used.id, 1, False, EVICTION_MS)
    assert cache.create(entries(9), False, EVICTION_MS) is None
    new = created(cache, 1, EVICTION_MS + 1)
    assert len(cache) == 2
    with pytest.raises(BrokerError) as gone:
        cache.next(old.id, 1, False, EVICTION_MS + 1)
    assert gone.value.code is ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    cache.next(used.id, 2, False, EVICTION_MS + 1)
    cache.next(new.id, 1, False, EVICTION_MS + 1)


def test_a_full_cache_lets_a_session_in_for_a_smaller_one_that_has_had_its_time() -> None:
    cache = sessions(2)
    small, large = created(cache, 2, 0), created(cache, 5, 0)
    assert cache.create(entries(3), False, 1000) is None  # both are too young to make room
    now_ms = EVICTION_MS + 1
    for session in (small, large):
        cache.next(session.id, 1, False, now_ms - 10)
    assert cache.create(entries(2), False, now_ms) is None
    created(cache, 3, now_ms)
    cache.next(large.id, 2, False, now_ms)
    with pytest.raises(BrokerError):
        cache.next(small.id, 2, False, now_ms)


def test_epochs_begin_again_after_the_last() -> None:
    cache = sessions(1)
    session = created(cache, 1, 0)
    session.epoch = EPOCH_MAX - 1
    for epoch in (EPOCH_MAX, 1, 2):
        assert cache.next(session.id, epoch, False, 0) is session


def test_ids_are_never_used_twice_at_a_time() -> None:
    ids = iter([0, 5, 5, 6])
    cache = FetchSessions(2, lambda: next(ids))
    assert [created(cache, 1, 0).id, created(cache, 1, 0).id] == [5, 6]


def test_no_slots_means_no_sessions() -> None:
    assert sessions(0).create(entries(1), False, 0) is None
