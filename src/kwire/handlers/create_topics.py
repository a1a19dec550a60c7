"""CreateTopics: v2-v7.

v4 takes the defaults of the broker as -1. v5 is flexible and tells what was created: partitions, replicas, configs. v6
may be throttled by a quota. v7 tells the topic's id.

The answer goes out when the topics are there: what a client creates it can write to at once, so that `timeout_ms` has
nothing to bound.
"""

from __future__ import annotations

from kwire.config.sources import describe_topic
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import Reply
from kwire.metadata.decision import Decision
from kwire.metadata.image import MetadataImage
from kwire.metadata.topics import CreatedTopic, create_topics
from kwire.protocol.messages.create_topics_request import CreateTopicsRequest
from kwire.protocol.messages.create_topics_response import (
    CreatableTopicConfigs,
    CreatableTopicResult,
    CreateTopicsResponse,
)


@serves(19, 2, 7)
def create(context: Context, request: CreateTopicsRequest, call: Call) -> Reply:
    def decide(image: MetadataImage) -> Decision[CreatedTopic]:
        decision = create_topics(image, request.topics, context.config, context.random_bytes)
        return decision.without_changes() if request.validate_only else decision

    def respond(decision: Decision[CreatedTopic]) -> CreateTopicsResponse:
        return CreateTopicsResponse(topics=[_row(context, request, row) for row in decision.rows])

    return context.change(decide, respond)


def _row(context: Context, request: CreateTopicsRequest, row: CreatedTopic) -> CreatableTopicResult:
    topic = row.topic
    if topic is None:
        return CreatableTopicResult(row.name, error_code=row.error, error_message=row.message)
    configs = [
        CreatableTopicConfigs(described.key.name, described.value, described.read_only, described.source)
        for described in describe_topic(row.configs or {}, context.config)
    ]
    return CreatableTopicResult(
        topic.name,
        topic.id if not request.validate_only else bytes(16),
        error_message=None,
        num_partitions=len(topic.partitions),
        replication_factor=row.replication_factor,
        configs=configs,
    )
