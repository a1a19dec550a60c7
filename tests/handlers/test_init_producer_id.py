"""InitProducerId: ids for idempotent producers, a block at a time."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.handlers.producer_id_supply import ProducerIdSupply
from kwire.metadata.producer_ids import BLOCK_SIZE, ProducerIdBlock
from kwire.protocol.messages.init_producer_id_request import InitProducerIdRequest

IDEMPOTENT = InitProducerIdRequest(None, 60_000)


def ids(broker: HandlerBroker, count: int) -> list[int]:
    return [broker.ask(IDEMPOTENT, 4).producer_id for _ in range(count)]


@pytest.mark.parametrize("version", range(6))
def test_each_producer_gets_an_id_of_its_own_and_epoch_0(broker: HandlerBroker, version: int) -> None:
    first, second = (broker.ask(IDEMPOTENT, version) for _ in range(2))
    assert (first.error_code, first.producer_id, first.producer_epoch) == (0, 0, 0)
    assert (second.error_code, second.producer_id, second.producer_epoch) == (0, 1, 0)


def test_ids_go_on_across_blocks_with_one_commit_each(broker: HandlerBroker) -> None:
    before = broker.context.image.revision
    assert ids(broker, BLOCK_SIZE + 1) == list(range(BLOCK_SIZE + 1))
    assert broker.context.image.revision == before + 2


def test_ids_of_before_a_crash_are_not_given_again(broker: HandlerBroker) -> None:
    given = ids(broker, 3)
    assert not set(given) & set(ids(broker.restart(), 3))


def test_producers_that_wait_for_the_same_block_share_it(broker: HandlerBroker) -> None:
    """Two requests find no ids left before the first of them has brought new ones."""
    waiting = []
    broker.context.on_change = lambda decide, respond: waiting.append((decide, respond))  # type: ignore[assignment]
    broker.reply(IDEMPOTENT, 4)
    broker.reply(IDEMPOTENT, 4)
    before = broker.context.image.revision
    answers = [respond(broker.decide(decide)) for decide, respond in waiting]
    assert [answer.producer_id for answer in answers] == [0, 1]
    assert broker.context.image.revision == before + 1


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (InitProducerIdRequest("", 60_000), ErrorCode.INVALID_REQUEST),
        (InitProducerIdRequest(None, 60_000, 5, -1), ErrorCode.INVALID_REQUEST),
        (InitProducerIdRequest(None, 60_000, -1, 5), ErrorCode.INVALID_REQUEST),
        (InitProducerIdRequest("transfers", 60_000), ErrorCode.COORDINATOR_NOT_AVAILABLE),
    ],
)
def test_what_gets_no_id(broker: HandlerBroker, request_: InitProducerIdRequest, code: ErrorCode) -> None:
    response = broker.ask(request_, 4)
    assert (response.error_code, response.producer_id, response.producer_epoch) == (code, -1, -1)


def test_a_producer_in_trouble_gets_a_new_id(broker: HandlerBroker) -> None:
    response = broker.ask(InitProducerIdRequest(None, 60_000, 7, 3), 4)
    assert (response.error_code, response.producer_id, response.producer_epoch) == (0, 0, 0)


def test_a_supply_gives_what_it_has_and_no_more() -> None:
    supply = ProducerIdSupply()
    assert len(supply) == 0
    supply.refill(ProducerIdBlock(2000, 2))
    assert (supply.take(), supply.take(), len(supply)) == (2000, 2001, 0)
    with pytest.raises(AssertionError):
        supply.take()
    supply.refill(ProducerIdBlock(5000, 1))
    with pytest.raises(AssertionError):
        supply.refill(ProducerIdBlock(6000, 1))
