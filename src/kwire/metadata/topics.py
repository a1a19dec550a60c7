"""Creating and deleting topics, and giving them more partitions: Kafka's rules, as pure decisions.

Each thing asked for is decided by itself: one that is refused takes nothing from the others. A topic that is asked for
twice in one request is refused, with one row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kwire.config import BrokerConfig, topic_settings
from kwire.errors import ErrorCode, UsageError
from kwire.metadata import entries
from kwire.metadata.decision import Decision, Draft, RefusedError
from kwire.metadata.image import MetadataImage
from kwire.metadata.placement import check_assignment, new_partitions, place
from kwire.metadata.store import MISSING, Change
from kwire.metadata.values import Partition, Resource, ResourceType, Topic
from kwire.protocol.messages.create_partitions_request import CreatePartitionsTopic
from kwire.protocol.messages.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
)
from kwire.protocol.messages.delete_topics_request import DeleteTopicState

RandomBytes = Callable[[int], bytes]

DEFAULT_COUNT = -1
"""As number of partitions or replication factor: what the broker is configured to."""

TOPIC_NAME_LENGTH_MAX = 249
PARTITIONS_PER_REQUEST_MAX = 10_000
"""Kafka's own limit on what one CreateTopics may ask for in all; it keeps a typing mistake from filling a disk."""

ZERO_ID = bytes(16)
CLUSTER_METADATA_TOPIC = "__cluster_metadata"
_RESERVED_IDS = frozenset({ZERO_ID, bytes(15) + b"\1"})  # the second is that of Kafka's __cluster_metadata
_TOPIC_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class CreatedTopic:
    """A row of CreateTopics: the topic as it was created, or as it would have been; None if it was refused."""

    name: str
    error: ErrorCode
    message: str | None
    topic: Topic | None = None
    configs: Mapping[str, str] | None = None
    replication_factor: int = -1


@dataclass(frozen=True, slots=True)
class DeletedTopic:
    """A row of DeleteTopics. Name and id are both filled in where the topic is known."""

    name: str | None
    id: bytes
    error: ErrorCode
    message: str | None


@dataclass(frozen=True, slots=True)
class GrownTopic:
    """A row of CreatePartitions, with the partitions that are new."""

    name: str
    error: ErrorCode
    message: str | None
    added: tuple[Partition, ...] = ()


def invalid_topic_name(name: str) -> str | None:
    """Why this cannot be a topic's name; None if it can."""
    if not name:
        return "Topic name is invalid: it is empty."
    if name in (".", ".."):
        return f"Topic name is invalid: '{name}' is not allowed."
    if len(name) > TOPIC_NAME_LENGTH_MAX:
        return f"Topic name is invalid: it has {len(name)} characters, where {TOPIC_NAME_LENGTH_MAX} are allowed."
    if not _TOPIC_NAME.fullmatch(name):
        return f"Topic name is invalid: '{name}' has characters other than ASCII letters, digits, '.', '_' and '-'."
    return None


# Creating


def create_topics(
    image: MetadataImage, topics: Sequence[CreatableTopic], config: BrokerConfig, random_bytes: RandomBytes
) -> Decision[CreatedTopic]:
    """Decides CreateTopics. `random_bytes` is where topic ids come from."""
    draft = Draft()
    rows: list[CreatedTopic] = []
    names = Counter(topic.name for topic in topics)
    too_many = sum(_partition_count(topic, config) for topic in topics) > PARTITIONS_PER_REQUEST_MAX
    for asked in {topic.name: topic for topic in topics}.values():
        try:
            if names[asked.name] > 1:
                raise RefusedError(ErrorCode.INVALID_REQUEST, "The topic is in the request more than once.")
            if too_many:
                raise RefusedError(ErrorCode.POLICY_VIOLATION, _TOO_MANY_PARTITIONS)
            _check_new_name(image, asked.name)
            rows.append(_create(image, asked, config, random_bytes, draft))
        except RefusedError as refused:
            rows.append(CreatedTopic(asked.name, refused.code, refused.message))
    return draft.decide(rows)


def auto_create_topics(
    image: MetadataImage, names: Iterable[str], config: BrokerConfig, random_bytes: RandomBytes
) -> Decision[CreatedTopic]:
    """Decides about topics that a client asked for by name, with the broker's defaults."""
    asked = [CreatableTopic(name, DEFAULT_COUNT, DEFAULT_COUNT) for name in dict.fromkeys(names)]
    return create_topics(image, asked, config, random_bytes)


_TOO_MANY_PARTITIONS = f"One request may create {PARTITIONS_PER_REQUEST_MAX} partitions in all, and not more."


def _partition_count(topic: CreatableTopic, config: BrokerConfig) -> int:
    if topic.assignments:
        return len(topic.assignments)
    return config.num_partitions if topic.num_partitions == DEFAULT_COUNT else max(topic.num_partitions, 0)


def _check_new_name(image: MetadataImage, name: str) -> None:
    wrong = invalid_topic_name(name)
    if wrong:
        raise RefusedError(ErrorCode.INVALID_TOPIC_EXCEPTION, wrong)
    if name == CLUSTER_METADATA_TOPIC:
        raise RefusedError(ErrorCode.INVALID_REQUEST, f"Topic {name} is Kafka's own and cannot be created.")
    if name in image.topics:
        raise RefusedError(ErrorCode.TOPIC_ALREADY_EXISTS, f"Topic '{name}' already exists.")
    if "." in name or "_" in name:
        # Metrics know both as _, so that two such topics could not be told apart there.
        length, merged = len(name), name.replace(".", "_")
        for other in image.topics:
            if len(other) == length and other.replace(".", "_") == merged:
                raise RefusedError(
                    ErrorCode.INVALID_TOPIC_EXCEPTION,
                    f"Topic '{name}' collides with topic '{other}': '.' counts as '_'.",
                )


def _create(
    image: MetadataImage, asked: CreatableTopic, config: BrokerConfig, random_bytes: RandomBytes, draft: Draft
) -> CreatedTopic:
    configs = _checked_configs(asked.configs, config)
    if asked.assignments:
        partitions = _assigned(image, asked)
    else:
        count = config.num_partitions if asked.num_partitions == DEFAULT_COUNT else asked.num_partitions
        factor = asked.replication_factor
        factor = config.default_replication_factor if factor == DEFAULT_COUNT else factor
        if factor < 1:
            raise RefusedError(
                ErrorCode.INVALID_REPLICATION_FACTOR,
                "The replication factor must be at least 1, or -1 for the default.",
            )
        if count < 1:
            raise RefusedError(
                ErrorCode.INVALID_PARTITIONS, "The number of partitions must be at least 1, or -1 for the default."
            )
        partitions = place(image, range(count), factor)

    topic = Topic(asked.name, new_id(random_bytes), {partition.index: partition for partition in partitions})
    draft.changes.append(entries.topic_change(topic))
    draft.changes += [entries.partition_change(topic.id, partition) for partition in partitions]
    draft.expected[entries.topic_key(topic.name)] = MISSING
    if configs:
        draft.changes.append(entries.config_change(Resource(ResourceType.TOPIC, topic.name), configs))
    return CreatedTopic(topic.name, ErrorCode.NONE, None, topic, configs, len(partitions[0].replicas))


def _checked_configs(given: Sequence[CreatableTopicConfig], config: BrokerConfig) -> dict[str, str]:
    configs: dict[str, str] = {}
    for item in given:
        if item.value is None:
            raise RefusedError(ErrorCode.INVALID_CONFIG, f"{item.name} has no value.")
        configs[item.name] = item.value
    try:
        topic_settings(configs, config.effective)
    except UsageError as error:
        raise RefusedError(ErrorCode.INVALID_CONFIG, str(error)) from None
    return configs


def _assigned(image: MetadataImage, asked: CreatableTopic) -> list[Partition]:
    """The partitions of a topic whose replicas the client has chosen."""
    if asked.replication_factor != DEFAULT_COUNT:
        raise RefusedError(
            ErrorCode.INVALID_REQUEST, "With a manual assignment the replication factor must be given as -1."
        )
    if asked.num_partitions != DEFAULT_COUNT:
        raise RefusedError(
            ErrorCode.INVALID_REQUEST, "With a manual assignment the number of partitions must be given as -1."
        )
    by_index: dict[int, CreatableReplicaAssignment] = {}
    for assignment in asked.assignments:
        if assignment.partition_index in by_index:
            raise RefusedError(
                ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                f"The manual assignment has partition {assignment.partition_index} more than once.",
            )
        by_index[assignment.partition_index] = assignment
        factor = len(asked.assignments[0].broker_ids) if len(by_index) > 1 else None
        check_assignment(image, assignment.broker_ids, factor)
    if sorted(by_index) != list(range(len(by_index))):
        raise RefusedError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            "The manual assignment must number the partitions from 0 without gaps.",
        )
    return new_partitions(image, ((index, by_index[index].broker_ids) for index in range(len(by_index))))


def new_id(random_bytes: RandomBytes) -> bytes:
    """A random id (UUID version 4) that is not reserved and does not begin with - when printed, as in Kafka."""
    while True:
        raw = bytearray(random_bytes(16))
        raw[6] = raw[6] & 0x0F | 0x40
        raw[8] = raw[8] & 0x3F | 0x80
        id_ = bytes(raw)
        if id_ not in _RESERVED_IDS and not entries.id_text(id_).startswith("-"):
            return id_


# Deleting


def delete_topics(
    image: MetadataImage, topics: Sequence[DeleteTopicState], config: BrokerConfig
) -> Decision[DeletedTopic]:
    """Decides DeleteTopics, by name or by id. Old versions' `topic_names` are asked for as states with a name."""
    draft = Draft()
    rows: list[DeletedTopic] = []
    names = Counter(state.name for state in topics if state.name is not None)
    ids = Counter(state.topic_id for state in topics if state.name is None)
    # Rows are told apart by name and id: what is in the request twice is answered once.
    for name, id_ in dict.fromkeys((state.name, state.topic_id) for state in topics):
        topic = image.topics_by_id.get(id_) if name is None else image.topics.get(name)
        try:
            _check_state(name, id_, names, ids)
            if not config.delete_topic_enable:
                raise RefusedError(ErrorCode.TOPIC_DELETION_DISABLED)
            if topic is None and name is None:
                raise RefusedError(ErrorCode.UNKNOWN_TOPIC_ID, "There is no topic with this id.")
            if topic is None:
                raise RefusedError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "There is no topic of this name.")
            if names[topic.name] and ids[topic.id]:
                raise RefusedError(ErrorCode.INVALID_REQUEST, "The topic is in the request by its name and by its id.")
        except RefusedError as refused:
            rows.append(DeletedTopic(name, id_, refused.code, refused.message))
            continue
        _delete(image, topic, draft)
        rows.append(DeletedTopic(topic.name, topic.id, ErrorCode.NONE, None))
    return draft.decide(rows)


def _check_state(name: str | None, id_: bytes, names: Counter[str], ids: Counter[bytes]) -> None:
    if name is None and id_ == ZERO_ID:
        raise RefusedError(ErrorCode.INVALID_REQUEST, "Neither the topic's name nor its id is given.")
    if name is not None and id_ != ZERO_ID:
        raise RefusedError(ErrorCode.INVALID_REQUEST, "Either the topic's name or its id can be given, not both.")
    if (names[name] if name is not None else ids[id_]) > 1:
        raise RefusedError(ErrorCode.INVALID_REQUEST, "The topic is in the request more than once.")


def _delete(image: MetadataImage, topic: Topic, draft: Draft) -> None:
    draft.expected[entries.topic_key(topic.name)] = topic.revision
    draft.changes.append(Change(entries.topic_key(topic.name), None))
    draft.changes += [Change(entries.partition_key(topic.id, index), None) for index in topic.partitions]
    resource = Resource(ResourceType.TOPIC, topic.name)
    if resource in image.configs:
        draft.changes.append(Change(entries.config_key(resource), None))


# More partitions


def create_partitions(image: MetadataImage, topics: Sequence[CreatePartitionsTopic]) -> Decision[GrownTopic]:
    """Decides CreatePartitions: `count` is what the topic is to have in all."""
    draft = Draft()
    rows: list[GrownTopic] = []
    names = Counter(topic.name for topic in topics)
    left = PARTITIONS_PER_REQUEST_MAX
    for asked in {topic.name: topic for topic in topics}.values():
        try:
            if names[asked.name] > 1:
                raise RefusedError(ErrorCode.INVALID_REQUEST, "The topic is in the request more than once.")
            topic = image.topics.get(asked.name)
            if topic is None:
                raise RefusedError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
            added = _added(image, topic, asked, left)
        except RefusedError as refused:
            rows.append(GrownTopic(asked.name, refused.code, refused.message))
            continue
        left -= len(added)
        draft.expected[entries.topic_key(topic.name)] = topic.revision
        for partition in added:
            change = entries.partition_change(topic.id, partition)
            draft.changes.append(change)
            draft.expected[change.key] = MISSING
        rows.append(GrownTopic(topic.name, ErrorCode.NONE, None, tuple(added)))
    return draft.decide(rows)


def _added(image: MetadataImage, topic: Topic, asked: CreatePartitionsTopic, left: int) -> list[Partition]:
    present = len(topic.partitions)
    if asked.count <= present:
        raise RefusedError(
            ErrorCode.INVALID_PARTITIONS,
            f"Topic '{topic.name}' has {present} partition(s); {asked.count} would not be more.",
        )
    if asked.count - present > left:
        raise RefusedError(ErrorCode.POLICY_VIOLATION, _TOO_MANY_PARTITIONS)
    indexes = range(present, asked.count)
    factor = len(topic.partitions[0].replicas)
    if asked.assignments is None:
        return place(image, indexes, factor)
    if len(asked.assignments) != len(indexes):
        raise RefusedError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"{len(indexes)} partition(s) are to be added, and {len(asked.assignments)} are assigned.",
        )
    for assignment in asked.assignments:
        check_assignment(image, assignment.broker_ids, factor)
    return new_partitions(
        image, ((index, item.broker_ids) for index, item in zip(indexes, asked.assignments, strict=True))
    )
