"""What a node tells the cluster when it starts: who it is, where it is reached, and which features are new.

On a new store this is also what founds the cluster. A start that has nothing new to tell changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from kwire.metadata import entries
from kwire.metadata.decision import Decision, Draft
from kwire.metadata.features import stored_levels, with_new_features
from kwire.metadata.image import MetadataImage
from kwire.metadata.store import MISSING
from kwire.metadata.topics import new_id
from kwire.metadata.values import Node


def register_node(
    image: MetadataImage, node: Node, cluster_id: str | None, random_bytes: Callable[[int], bytes]
) -> Decision[str]:
    """Decides about a node's start; the only row is the cluster's id.

    `cluster_id` is what the node's meta.properties says, which a new store takes over; None if there is none yet.
    """
    draft = Draft()
    if not image.cluster_id:
        cluster_id = cluster_id or entries.id_text(new_id(random_bytes))
        draft.changes.append(entries.cluster_change(cluster_id))
        draft.expected[entries.CLUSTER] = MISSING
    else:
        cluster_id = image.cluster_id
    known = image.nodes.get(node.id)
    change = entries.node_change(node)
    if known is None or entries.node_change(known) != change:
        draft.changes.append(change)
        draft.expected[change.key] = known.revision if known else MISSING
    levels = with_new_features(image.features)
    if levels != stored_levels(image.features):
        draft.changes.append(entries.features_change(levels))
        draft.expected[entries.FEATURES] = image.features.revision
    return draft.decide([cluster_id])
