"""The batch that fills while another is on its way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from kwire.client.errors import ClientError
from kwire.client.outbox import Delivery, Outbox
from kwire.client.topology import TopicPartition
from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import read_header
from kwire.records.compression import CompressionType

AT = TopicPartition("orders", 0)


def run(scenario: Callable[[Outbox], Awaitable[None]], batch_bytes: int = 200) -> None:
    async def main() -> None:
        await scenario(Outbox(AT, batch_bytes, CompressionType.NONE, None))

    trio.run(main, clock=MockClock(autojump_threshold=0))


def test_records_of_one_batch_share_a_delivery() -> None:
    async def scenario(outbox: Outbox) -> None:
        assert outbox.is_empty
        assert outbox.is_idle
        first, second = (outbox.append(1, b"k", b"v", ()) for _ in range(2))
        assert first is second
        assert (first.at, first.record_count) == (AT, 2)
        builder, delivery = outbox.take()
        assert delivery is first
        assert read_header(builder.build()).record_count == 2
        assert outbox.is_empty
        assert not outbox.is_idle  # one batch is on its way
        assert outbox.append(1, None, b"next", ()) is not first
        outbox.sent()
        assert not outbox.is_idle
        outbox.take()
        outbox.sent()
        assert outbox.is_idle

    run(scenario)


def test_a_batch_is_closed_when_a_record_does_not_fit() -> None:
    async def scenario(outbox: Outbox) -> None:
        assert outbox.has_room(None, bytes(5000))  # the first of a batch always fits
        outbox.append(1, None, bytes(100), ())
        assert outbox.has_room(None, bytes(50))
        assert not outbox.closed
        assert not outbox.has_room(bytes(40), bytes(40))
        assert outbox.closed
        assert not outbox.has_room(None, b"")  # now nothing fits, so that order is kept
        outbox.take()
        assert not outbox.closed
        assert outbox.has_room(None, bytes(5000))

    run(scenario)


def test_whoever_waits_is_woken_by_opening_closing_taking_and_sending() -> None:
    async def scenario(outbox: Outbox) -> None:
        woken: list[str] = []

        async def watch() -> None:
            for name in ("opened", "closed", "taken", "sent"):
                await outbox.wait_changed()
                woken.append(name)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            await wait_all_tasks_blocked()
            for act in (lambda: outbox.append(1, None, b"v", ()), outbox.close, outbox.take, outbox.sent):
                act()
                await wait_all_tasks_blocked()
        assert woken == ["opened", "closed", "taken", "sent"]
        outbox.close()  # nothing there to close
        assert not outbox.closed

    run(scenario)


def test_a_record_that_the_format_refuses_opens_no_batch() -> None:
    async def scenario(outbox: Outbox) -> None:
        with pytest.raises(BrokerError, match="INVALID_TIMESTAMP"):
            outbox.append(-5, None, b"v", ())
        assert outbox.is_idle

    run(scenario)


def test_the_linger_counts_from_the_first_record() -> None:
    async def scenario(outbox: Outbox) -> None:
        await trio.sleep(3)
        outbox.append(1, None, b"v", ())
        opened_at_s = outbox.opened_at_s
        await trio.sleep(3)
        outbox.append(1, None, b"v", ())
        assert outbox.opened_at_s == opened_at_s == trio.current_time() - 3

    run(scenario)


def test_a_delivery_tells_the_offset_or_the_error() -> None:
    async def main() -> None:
        good, bad = Delivery(AT), Delivery(AT)
        assert not good.is_done
        good.resolve(42)
        bad.reject(ClientError(ErrorCode.MESSAGE_TOO_LARGE, "too large"))
        assert good.is_done
        assert bad.is_done
        assert await good.wait() == 42
        with pytest.raises(ClientError, match="too large"):
            await bad.wait()

    trio.run(main)
