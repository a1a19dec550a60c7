"""Metadata: v0-v13.

v0 takes an empty list for all topics, later versions null. v1 tells the controller, racks and internal topics. v2
tells the cluster's id. v3 adds the throttle time. v4 lets a client forbid that topics are created by asking. v5 tells
offline replicas. v7 tells leader epochs. v8 to v10 tell what the client may do with the cluster, v8 and later with a
topic. v9 is flexible. v10 tells topic ids, v12 takes them. v13 has an error of its own.

Kafka answers UNKNOWN_TOPIC_OR_PARTITION while it creates a topic, and the client asks again. Here the answer waits for
the topic instead, and has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kwire.errors import ErrorCode
from kwire.handlers import authorized_operations
from kwire.handlers.context import Context
from kwire.handlers.partition_state import partition_states
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import Reply
from kwire.metadata.decision import Decision
from kwire.metadata.topics import ZERO_ID, CreatedTopic, auto_create_topics, invalid_topic_name
from kwire.metadata.values import INTERNAL_TOPICS, Topic
from kwire.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from kwire.protocol.messages.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

IDS_SINCE_VERSION = 12
"""Version 10 has the field already, but Kafka refuses to look at it before 12."""


@serves(3, 0, 13)
def metadata(context: Context, request: MetadataRequest, call: Call) -> Reply:
    asked = request.topics
    operations = _topic_operations(request)
    if asked is None or (not asked and call.version == 0):
        topics = context.image.topics.values()
        return _response(context, request, call, [_topic_row(context, topic, operations) for topic in topics])
    if any(_is_malformed(topic, call.version) for topic in asked):
        return _malformed(asked)
    ids = [topic.topic_id for topic in asked if topic.topic_id != ZERO_ID]
    if ids:
        # As Kafka: if one topic is asked for by its id, names do not count.
        return _response(context, request, call, [_row_by_id(context, id_, operations) for id_ in dict.fromkeys(ids)])
    names = list(dict.fromkeys(topic.name or "" for topic in asked))
    missing = _to_create(context, request, names)
    if not missing:
        return _response(context, request, call, _rows_by_name(context, names, operations, {}))

    def respond(decision: Decision[CreatedTopic]) -> MetadataResponse:
        refused = {row.name: row.error for row in decision.rows if row.error}
        return _response(context, request, call, _rows_by_name(context, names, operations, refused))

    return context.change(
        lambda image: auto_create_topics(image, missing, context.config, context.random_bytes), respond
    )


def _is_malformed(topic: MetadataRequestTopic, version: int) -> bool:
    if version < IDS_SINCE_VERSION:
        return topic.name is None or topic.topic_id != ZERO_ID
    return topic.name is None and topic.topic_id == ZERO_ID


def _malformed(asked: Iterable[MetadataRequestTopic]) -> MetadataResponse:
    code = ErrorCode.INVALID_REQUEST
    rows = [MetadataResponseTopic(code, topic.name or "", topic.topic_id) for topic in asked]
    return MetadataResponse(topics=rows, error_code=code)


def _to_create(context: Context, request: MetadataRequest, names: Sequence[str]) -> list[str]:
    """The topics that come to be because they are asked for. Internal ones are their coordinator's to create."""
    if not (request.allow_auto_topic_creation and context.config.auto_create_topics_enable):
        return []
    topics = context.image.topics
    return [
        name
        for name in names
        if name not in topics and name not in INTERNAL_TOPICS and invalid_topic_name(name) is None
    ]


# Rows


def _rows_by_name(
    context: Context, names: Sequence[str], operations: int, refused: Mapping[str, ErrorCode]
) -> list[MetadataResponseTopic]:
    rows: list[MetadataResponseTopic] = []
    for name in names:
        topic = context.image.topics.get(name)
        if topic is not None:
            rows.append(_topic_row(context, topic, operations))
        else:
            invalid = invalid_topic_name(name) is not None
            code = ErrorCode.INVALID_TOPIC_EXCEPTION if invalid else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            rows.append(
                MetadataResponseTopic(
                    refused.get(name, code),
                    name,
                    is_internal=name in INTERNAL_TOPICS,
                    topic_authorized_operations=operations,
                )
            )
    return rows


def _row_by_id(context: Context, topic_id: bytes, operations: int) -> MetadataResponseTopic:
    topic = context.image.topics_by_id.get(topic_id)
    if topic is None:
        return MetadataResponseTopic(ErrorCode.UNKNOWN_TOPIC_ID, None, topic_id)
    return _topic_row(context, topic, operations)


def _topic_row(context: Context, topic: Topic, operations: int) -> MetadataResponseTopic:
    partitions = [MetadataResponsePartition(*state) for state in partition_states(context, topic)]
    return MetadataResponseTopic(0, topic.name, topic.id, topic.internal, partitions, operations)


def _topic_operations(request: MetadataRequest) -> int:
    asked = request.include_topic_authorized_operations
    return authorized_operations.ON_TOPIC if asked else authorized_operations.NOT_ASKED


def _response(
    context: Context, request: MetadataRequest, call: Call, topics: Sequence[MetadataResponseTopic]
) -> MetadataResponse:
    image = context.image
    asked = request.include_cluster_authorized_operations
    return MetadataResponse(
        brokers=[
            MetadataResponseBroker(node.id, endpoint.host, endpoint.port, node.rack)
            for node in image.nodes.values()
            if (endpoint := node.endpoints.get(call.listener)) is not None
        ],
        cluster_id=image.cluster_id,
        controller_id=context.node_id,
        topics=topics,
        cluster_authorized_operations=authorized_operations.ON_CLUSTER if asked else authorized_operations.NOT_ASKED,
    )
