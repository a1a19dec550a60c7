"""A node's start: it founds a cluster, joins it again, and tells only what is new."""

from __future__ import annotations

from dataclasses import replace

from clusters import counted_bytes
from kwire.metadata.embedded import EmbeddedStore
from kwire.metadata.features import SUPPORTED_FEATURES
from kwire.metadata.image import MetadataImage
from kwire.metadata.registration import register_node
from kwire.metadata.values import Endpoint, Node

NODE = Node(1, {"PLAINTEXT": Endpoint("localhost", 9092, "PLAINTEXT")}, (bytes(16),), "eu")


def start(store: EmbeddedStore, node: Node, cluster_id: str | None = None) -> MetadataImage:
    decision = register_node(MetadataImage.of(store.snapshot()), node, cluster_id, counted_bytes())
    store.commit(decision.changes, decision.expected)
    image = MetadataImage.of(store.snapshot())
    assert decision.rows == (image.cluster_id,)
    return image


def test_the_first_start_founds_a_cluster() -> None:
    store = EmbeddedStore.in_memory()
    image = start(store, NODE)
    assert len(image.cluster_id) == 22
    assert image.nodes == {1: replace(NODE, revision=1)}
    assert image.features.levels == {name: kept.initial for name, kept in SUPPORTED_FEATURES.items()}
    store.close()


def test_a_directory_that_belongs_to_a_cluster_keeps_its_id() -> None:
    store = EmbeddedStore.in_memory()
    assert start(store, NODE, "kGhvE2DqTTiPyV5WJmsH1A").cluster_id == "kGhvE2DqTTiPyV5WJmsH1A"
    store.close()


def test_a_start_with_nothing_new_changes_nothing() -> None:
    store = EmbeddedStore.in_memory()
    assert start(store, NODE) == start(store, NODE)
    assert store.snapshot().revision == 1
    store.close()


def test_a_node_that_moved_says_where_it_is() -> None:
    store = EmbeddedStore.in_memory()
    before = start(store, NODE)
    moved = replace(NODE, endpoints={"PLAINTEXT": Endpoint("localhost", 9093, "PLAINTEXT")})
    after = start(store, moved)
    assert after.nodes[1].endpoints["PLAINTEXT"].port == 9093
    assert (after.cluster_id, after.features) == (before.cluster_id, before.features)
    store.close()
