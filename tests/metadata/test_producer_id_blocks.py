"""Blocks of producer ids: no id is in two of them."""

from __future__ import annotations

import pytest

from clusters import Cluster
from kwire.metadata import entries
from kwire.metadata.decision import RefusedError
from kwire.metadata.embedded import EmbeddedStore
from kwire.metadata.image import MetadataImage
from kwire.metadata.producer_ids import BLOCK_SIZE, PRODUCER_ID_MAX, ProducerIdBlock, allocate_producer_ids
from kwire.metadata.store import Commit, ConflictError


def test_blocks_follow_each_other() -> None:
    cluster = Cluster()
    blocks = [cluster.commit(allocate_producer_ids(cluster.image))[0] for _ in range(3)]
    assert blocks == [ProducerIdBlock(0, 1000), ProducerIdBlock(1000, 1000), ProducerIdBlock(2000, 1000)]


def test_a_restart_does_not_give_a_block_again() -> None:
    store = EmbeddedStore.in_memory()
    decision = allocate_producer_ids(MetadataImage.of(store.snapshot()))
    store.commit(decision.changes, decision.expected)
    (block,) = allocate_producer_ids(MetadataImage.of(store.snapshot())).rows
    assert block.first == BLOCK_SIZE
    store.close()


def test_of_two_who_take_a_block_one_is_told_to_decide_again() -> None:
    cluster = Cluster()
    first, second = allocate_producer_ids(cluster.image), allocate_producer_ids(cluster.image)
    cluster.commit(first)
    with pytest.raises(ConflictError):
        cluster.commit(second)


def test_ids_do_not_overflow() -> None:
    image = MetadataImage().apply(Commit(1, (entries.producer_ids_change(PRODUCER_ID_MAX - BLOCK_SIZE),)))
    (block,) = allocate_producer_ids(image).rows
    assert block.first + block.size == PRODUCER_ID_MAX
    image = MetadataImage().apply(Commit(1, (entries.producer_ids_change(PRODUCER_ID_MAX - BLOCK_SIZE + 1),)))
    with pytest.raises(RefusedError):
        allocate_producer_ids(image)
