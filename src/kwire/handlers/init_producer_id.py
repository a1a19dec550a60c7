"""InitProducerId: v0-v5.

v2 is flexible. v3 lets a transactional producer that was in trouble go on with its id (KIP-360). v4 and v5 concern
errors of transactions.

An idempotent producer gets an id of its own, and epoch 0. Transactional ids have no coordinator yet: such a producer is
told that it is not available, and tries again.
"""

from __future__ import annotations

from kwire.errors import ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import Reply
from kwire.metadata.decision import Decision
from kwire.metadata.image import MetadataImage
from kwire.metadata.producer_ids import ProducerIdBlock, allocate_producer_ids
from kwire.protocol.messages.init_producer_id_request import InitProducerIdRequest
from kwire.protocol.messages.init_producer_id_response import InitProducerIdResponse

NONE = -1


@serves(22, 0, 5)
def init_producer_id(context: Context, request: InitProducerIdRequest, call: Call) -> Reply:
    if request.transactional_id == "" or (request.producer_id == NONE) != (request.producer_epoch == NONE):
        return _error(ErrorCode.INVALID_REQUEST)
    if request.transactional_id is not None:
        return _error(ErrorCode.COORDINATOR_NOT_AVAILABLE)
    supply = context.producer_ids
    if len(supply):
        return InitProducerIdResponse(producer_id=supply.take())

    def decide(image: MetadataImage) -> Decision[ProducerIdBlock]:
        # Changes are made one after the other: another producer's may have brought a block meanwhile.
        return Decision((), {}, ()) if len(supply) else allocate_producer_ids(image)

    def respond(decision: Decision[ProducerIdBlock]) -> InitProducerIdResponse:
        for block in decision.rows:
            supply.refill(block)
        return InitProducerIdResponse(producer_id=supply.take())

    return context.change(decide, respond)


def _error(code: ErrorCode) -> InitProducerIdResponse:
    return InitProducerIdResponse(error_code=code, producer_epoch=NONE)
