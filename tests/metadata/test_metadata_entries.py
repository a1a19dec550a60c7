"""Keys and values of the store: readable, compact, and read back as they were written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kwire.metadata import entries
from kwire.metadata.values import Endpoint, Features, Node, Partition, ProducerIds, Resource, ResourceType, Topic

IDS = st.binary(min_size=16, max_size=16)
INT32 = st.integers(0, 2**31 - 1)
TEXTS = st.text(max_size=5)
NODE_IDS = st.lists(INT32, max_size=3).map(tuple)


def test_the_module_shows_what_is_written() -> None:
    topic_id, directory = entries.id_bytes("l-2O0Cc8TYGlJKfVSn9Gtw"), entries.id_bytes("4nuXEDeVTp6TaUDCtgf4fQ")
    endpoint = Endpoint("localhost", 9092, "PLAINTEXT")
    written = [
        entries.cluster_change("kGhvE2DqTTiPyV5WJmsH1A"),
        entries.node_change(Node(1, {"PLAINTEXT": endpoint}, (directory,))),
        entries.topic_change(Topic("orders", topic_id, {})),
        entries.partition_change(topic_id, Partition(0, 1, 0, 0, (1,), (1,), (directory,))),
        entries.config_change(Resource(ResourceType.TOPIC, "orders"), {"retention.ms": "5000"}),
        entries.features_change({"metadata.version": 29, "group.version": 1}),
        entries.producer_ids_change(1000),
    ]
    page = "".join((entries.__doc__ or "").split()).replace("<topicid>", "l-2O0Cc8TYGlJKfVSn9Gtw")
    assert [change for change in written if f"{change.key}{change.value}" not in page] == []


@given(IDS)
def test_ids_are_read_back(id_: bytes) -> None:
    text = entries.id_text(id_)
    assert (len(text), entries.id_bytes(text)) == (22, id_)


@given(
    st.builds(
        Node,
        INT32,
        st.dictionaries(TEXTS, st.builds(Endpoint, TEXTS, st.integers(0, 65535), TEXTS), max_size=3),
        st.lists(IDS, max_size=2).map(tuple),
        st.none() | TEXTS,
        st.just(7),
    )
)
def test_nodes_are_read_back(node: Node) -> None:
    key, value = entries.node_change(node)
    assert value is not None
    assert entries.parse_node(entries.parse_node_key(key), value, 7) == node


@given(
    IDS,
    st.builds(
        Partition,
        INT32,
        st.integers(-1, 9),
        INT32,
        INT32,
        NODE_IDS,
        NODE_IDS,
        st.lists(IDS, max_size=2).map(tuple),
        NODE_IDS,
        st.just(7),
    ),
)
def test_partitions_are_read_back(topic_id: bytes, partition: Partition) -> None:
    key, value = entries.partition_change(topic_id, partition)
    assert value is not None
    assert entries.parse_partition_key(key) == (topic_id, partition.index)
    assert entries.parse_partition(partition.index, value, 7) == partition


@given(
    st.builds(Resource, st.sampled_from([t for t in ResourceType if t is not ResourceType.BROKER_LOGGER]), TEXTS),
    st.dictionaries(TEXTS, TEXTS, min_size=1, max_size=3),
)
def test_configs_are_read_back(resource: Resource, values: dict[str, str]) -> None:
    key, value = entries.config_change(resource, values)
    assert value is not None
    assert entries.parse_config_key(key) == resource
    assert entries.parse_config(value) == values


def test_an_empty_config_has_no_entry() -> None:
    assert entries.config_change(Resource(ResourceType.BROKER, ""), {}) == ("/configs/broker/", None)


@given(st.dictionaries(TEXTS, st.integers(0, 32767)))
def test_features_are_read_back(levels: dict[str, int]) -> None:
    key, value = entries.features_change(levels)
    assert key == entries.FEATURES
    assert value is not None
    on, off = (
        {n: level for n, level in levels.items() if level},
        frozenset(n for n, level in levels.items() if not level),
    )
    assert entries.parse_features(value, 7) == Features(on, off, 7)


def test_topics_and_producer_ids_are_read_back() -> None:
    change = entries.topic_change(Topic("a.b", bytes(range(16)), {}))
    assert change.value is not None
    assert (entries.parse_topic_key(change.key), entries.parse_topic_id(change.value)) == ("a.b", bytes(range(16)))
    change = entries.producer_ids_change(5)
    assert change.value is not None
    assert entries.parse_producer_ids(change.value, 7) == ProducerIds(5, 7)
    change = entries.cluster_change("id")
    assert change.value is not None
    assert entries.parse_cluster(change.value) == "id"
