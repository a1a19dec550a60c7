"""DeleteTopics: v1-v6.

v1 adds the throttle time. v3 has an error of its own for brokers on which topics may not be deleted. v4 is flexible. v5
adds messages. v6 takes ids instead of names (KIP-516).
"""

from __future__ import annotations

from kwire.errors import ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import Reply
from kwire.metadata.decision import Decision
from kwire.metadata.topics import DeletedTopic, delete_topics
from kwire.protocol.messages.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from kwire.protocol.messages.delete_topics_response import DeletableTopicResult, DeleteTopicsResponse

IDS_SINCE_VERSION = 6
DELETION_DISABLED_SINCE_VERSION = 3


@serves(20, 1, 6)
def delete(context: Context, request: DeleteTopicsRequest, call: Call) -> Reply:
    topics = request.topics
    if call.version < IDS_SINCE_VERSION:
        topics = [DeleteTopicState(name) for name in request.topic_names]

    def respond(decision: Decision[DeletedTopic]) -> DeleteTopicsResponse:
        return DeleteTopicsResponse(
            responses=[
                DeletableTopicResult(row.name, row.id, _known(row.error, call.version), row.message)
                for row in decision.rows
            ]
        )

    return context.change(lambda image: delete_topics(image, topics, context.config), respond)


def _known(code: ErrorCode, version: int) -> ErrorCode:
    """The code, if clients of this version know it."""
    if code is ErrorCode.TOPIC_DELETION_DISABLED and version < DELETION_DISABLED_SINCE_VERSION:
        return ErrorCode.INVALID_REQUEST
    return code
