"""CreatePartitions: v0-v3.

v1 changes nothing. v2 is flexible. v3 may be throttled by a quota.
"""

from __future__ import annotations

from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import Reply
from kwire.metadata.decision import Decision
from kwire.metadata.image import MetadataImage
from kwire.metadata.topics import GrownTopic
from kwire.metadata.topics import create_partitions as decide_partitions
from kwire.protocol.messages.create_partitions_request import CreatePartitionsRequest
from kwire.protocol.messages.create_partitions_response import CreatePartitionsResponse, CreatePartitionsTopicResult


@serves(37, 0, 3)
def create_partitions(context: Context, request: CreatePartitionsRequest, call: Call) -> Reply:
    def decide(image: MetadataImage) -> Decision[GrownTopic]:
        decision = decide_partitions(image, request.topics)
        return decision.without_changes() if request.validate_only else decision

    def respond(decision: Decision[GrownTopic]) -> CreatePartitionsResponse:
        rows = [CreatePartitionsTopicResult(row.name, row.error, row.message) for row in decision.rows]
        return CreatePartitionsResponse(results=rows)

    return context.change(decide, respond)
