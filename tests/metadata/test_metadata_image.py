"""The image: the same however it is reached, sharing what did not change, and never changed in place."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.metadata import entries
from kwire.metadata.embedded import EmbeddedStore
from kwire.metadata.image import MetadataImage
from kwire.metadata.store import Change, Commit
from kwire.metadata.values import (
    Endpoint,
    Features,
    Node,
    Partition,
    ProducerIds,
    Resource,
    ResourceConfig,
    ResourceType,
    Topic,
)

DIRECTORY = bytes(range(16))


def partition(index: int, leader: int = 1) -> Partition:
    return Partition(index, leader, 0, 0, (leader,), (leader,), (DIRECTORY,))


def topic_changes(name: str, topic_id: bytes, count: int) -> list[Change]:
    topic = Topic(name, topic_id, {})
    return [
        entries.topic_change(topic),
        *(entries.partition_change(topic_id, partition(index)) for index in range(count)),
    ]


def topic_id(number: int) -> bytes:
    return number.to_bytes(16, "big")


def image_of(*commits: list[Change]) -> MetadataImage:
    image = MetadataImage()
    for number, changes in enumerate(commits, start=1):
        image = image.apply(Commit(number, tuple(changes)))
    return image


def test_an_empty_store_has_an_empty_image() -> None:
    store = EmbeddedStore.in_memory()
    assert MetadataImage.of(store.snapshot()) == MetadataImage()
    store.close()


def test_every_kind_of_entry_is_in_the_image_with_its_revision() -> None:
    node = Node(1, {"PLAINTEXT": Endpoint("localhost", 9092, "PLAINTEXT")}, (DIRECTORY,), "eu")
    resource = Resource(ResourceType.GROUP, "a/group/with/slashes")
    image = image_of(
        [entries.cluster_change("cluster"), entries.node_change(node)],
        topic_changes("orders", topic_id(7), 2),
        [entries.config_change(resource, {"x": "1"}), entries.features_change({"a": 2, "b": 0})],
        [entries.producer_ids_change(3000)],
    )
    topic = Topic("orders", topic_id(7), {index: replace(partition(index), revision=2) for index in (0, 1)}, 2)
    assert image == MetadataImage(
        revision=4,
        cluster_id="cluster",
        nodes={1: replace(node, revision=1)},
        topics={"orders": topic},
        topics_by_id={topic_id(7): topic},
        configs={resource: ResourceConfig({"x": "1"}, 3)},
        features=Features({"a": 2}, frozenset({"b"}), 3),
        producer_ids=ProducerIds(3000, 4),
    )
    assert image.topics["orders"] is image.topics_by_id[topic_id(7)]
    assert image.config(resource) == {"x": "1"}
    assert (image.config_revision(resource), image.features.revision) == (3, 3)


def test_what_was_not_set_has_an_empty_config_at_revision_0() -> None:
    resource = Resource(ResourceType.TOPIC, "orders")
    assert (MetadataImage().config(resource), MetadataImage().config_revision(resource)) == ({}, 0)


def test_every_entry_can_go_again() -> None:
    resource = Resource(ResourceType.TOPIC, "orders")
    changes = [
        entries.cluster_change("cluster"),
        entries.node_change(Node(1, {})),
        *topic_changes("orders", topic_id(7), 1),
        entries.config_change(resource, {"x": "1"}),
        entries.features_change({"a": 2}),
        entries.producer_ids_change(1),
    ]
    image = image_of(changes, [Change(change.key, None) for change in changes])
    assert image == MetadataImage(revision=2)


def test_partitions_are_in_the_order_of_their_numbers() -> None:
    image = image_of(topic_changes("many", topic_id(1), 12))
    more = image.apply(Commit(2, (entries.partition_change(topic_id(1), partition(12)),)))
    assert list(image.topics["many"].partitions) == list(range(12))
    assert list(more.topics["many"].partitions) == list(range(13))
    assert more.topics["many"].partitions[3] is image.topics["many"].partitions[3]


def test_a_partition_that_changes_leaves_the_others_and_the_topics_own_revision() -> None:
    image = image_of(topic_changes("orders", topic_id(1), 2))
    elected = replace(partition(1, leader=2), leader_epoch=1, partition_epoch=1, offline=(1,))
    after = image.apply(Commit(2, (entries.partition_change(topic_id(1), elected),)))
    topic = after.topics["orders"]
    assert topic.partitions == {0: replace(partition(0), revision=1), 1: replace(elected, revision=2)}
    assert topic.revision == 1
    assert image.topics["orders"].partitions[1].leader == 1


def test_a_topic_created_anew_under_an_old_name_has_nothing_of_the_old_one() -> None:
    image = image_of(topic_changes("orders", topic_id(1), 3), topic_changes("orders", topic_id(2), 1))
    assert len(image.topics["orders"].partitions) == 1
    assert list(image.topics_by_id) == [topic_id(2)]


def test_images_share_what_a_commit_did_not_touch() -> None:
    image = image_of(*(topic_changes(f"topic-{number}", topic_id(number), 1) for number in range(1, 50)))
    after = image.apply(Commit(100, tuple(topic_changes("one-more", topic_id(1000), 1))))
    assert all(after.topics[name] is topic for name, topic in image.topics.items())
    assert after.nodes is image.nodes
    assert after.configs is image.configs
    configured = after.apply(Commit(101, (entries.config_change(Resource(ResourceType.TOPIC, "x"), {"a": "b"}),)))
    assert configured.topics is after.topics


def test_keys_of_a_later_version_are_left_alone() -> None:
    image = image_of([Change("/acls/1", "{}"), Change("/configs/user/x", "{}"), Change("/features2", "{}")])
    assert image == MetadataImage(revision=1)


def test_partitions_without_their_topic_are_not_shown() -> None:
    assert image_of([entries.partition_change(topic_id(1), partition(0))]).topics == {}


def test_a_commit_is_applied_once() -> None:
    image = image_of([entries.producer_ids_change(1)])
    with pytest.raises(AssertionError):
        image.apply(Commit(1, ()))


def test_an_image_is_not_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        MetadataImage().revision = 1  # pyright: ignore[reportAttributeAccessIssue]


# However commits are cut, an image that followed them is the image of a fresh snapshot.

NAMES = st.sampled_from(["a", "b.c", "b_c", "__consumer_offsets"])
CONFIGS = st.dictionaries(st.sampled_from(["retention.ms", "x"]), st.text(max_size=3), max_size=2)
RESOURCES = st.builds(Resource, st.sampled_from([ResourceType.TOPIC, ResourceType.GROUP]), st.text(max_size=3))


@st.composite
def commits(draw: st.DrawFn) -> list[list[Change]]:
    """Topics come, grow, change leaders and go, as decisions make them: a topic's entries together."""
    topics: dict[str, Topic] = {}
    result: list[list[Change]] = []
    for number in range(1, draw(st.integers(1, 8))):
        changes: list[Change] = []
        name = draw(NAMES)
        match draw(st.sampled_from(["create", "delete", "grow", "elect", "config", "other"])):
            case "create":
                if name not in topics:
                    topics[name] = Topic(
                        name, topic_id(number), {i: partition(i) for i in range(draw(st.integers(1, 12)))}
                    )
                    changes = topic_changes(name, topic_id(number), len(topics[name].partitions))
            case "delete" if name in topics:
                topic = topics.pop(name)
                changes = [Change(entries.topic_key(name), None)]
                changes += [Change(entries.partition_key(topic.id, index), None) for index in topic.partitions]
            case "grow" if name in topics:
                topic = topics[name]
                added = partition(len(topic.partitions))
                topics[name] = replace(topic, partitions={**topic.partitions, added.index: added})
                changes = [entries.partition_change(topic.id, added)]
            case "elect" if name in topics:
                changes = [entries.partition_change(topics[name].id, partition(0, leader=draw(st.integers(1, 3))))]
            case "config":
                changes = [entries.config_change(draw(RESOURCES), draw(CONFIGS))]
            case "other":
                changes = [
                    entries.cluster_change(draw(st.text(max_size=3))),
                    entries.node_change(Node(draw(st.integers(1, 2)), {}, (), draw(st.none() | st.text(max_size=2)))),
                    entries.features_change(draw(st.dictionaries(st.sampled_from("xy"), st.integers(0, 3)))),
                    entries.producer_ids_change(draw(st.integers(0, 5000))),
                ]
            case _:
                pass
        result.append(changes)
    return result


@settings(deadline=None, max_examples=150)
@given(commits())
def test_following_commits_leads_to_the_image_of_a_snapshot(commits: list[list[Change]]) -> None:
    store = EmbeddedStore.in_memory()
    image = MetadataImage()
    for changes in commits:
        store.commit(changes, {})
        for commit in store.watch(image.revision):
            image = image.apply(commit)
        fresh = MetadataImage.of(store.snapshot())
        assert image == fresh
        assert [list(topic.partitions) for topic in fresh.topics.values()] == [
            list(range(len(topic.partitions))) for topic in fresh.topics.values()
        ]
    store.close()
