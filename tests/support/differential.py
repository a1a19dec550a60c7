"""The same requests to Apache Kafka and to kwire, and their replies compared field by field.

A table of cases is asked in its order, each case in all of its versions. Replies are flattened to paths,

    topics[orders].partitions[0].leader_id = 1

where elements of an array whose order means nothing are named by their key (`KEYS`). Two replies may differ where an
`Explained` difference says so and why. One that did not occur in a whole table is a failure too: either kwire has
caught up and the explanation is to go, or it was never true.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kwire.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from kwire.protocol.messages.fetch_response import FetchResponse
from kwire.protocol.messages.list_offsets_request import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from kwire.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from kwire.protocol.schema import Message, Struct
from wire_client import ConnectionEndedError, WireClient, api_of

SETTLE_S = 5.0
"""How long a reply may go on to differ. Kafka answers before its brokers have read what its controller decided."""

ABSENT = "(absent)"
NO_ID = bytes(16)
Value = Any


@dataclass(frozen=True, slots=True)
class Explained:
    """A difference that is meant: where (`*` stands for anything), why, and between which values."""

    path: str
    why: str
    when: Callable[[Value, Value], bool] = lambda kafka, kwire: True
    always: bool = True
    """False if it depends on the moment, so that it may as well not occur."""

    def covers(self, path: str, kafka: Value, kwire: Value) -> bool:
        pattern = re.escape(self.path).replace(r"\*", ".*")
        return re.fullmatch(pattern, path) is not None and self.when(kafka, kwire)


def exactly(kafka: Value, kwire: Value) -> Callable[[Value, Value], bool]:
    """Between these two values only."""
    return lambda *found: found == (kafka, kwire)


def both_there(kafka: Value, kwire: Value) -> bool:
    """Both sides have something, and it is not the same."""
    return bool(kafka) and bool(kwire) and ABSENT not in (kafka, kwire)


def only_in_kwire(kafka: Value, kwire: Value) -> bool:
    """kwire says something where Kafka is silent."""
    return not kafka and bool(kwire) and ABSENT not in (kafka, kwire)


def left_out_by_kafka(kafka: Value, kwire: Value) -> bool:
    return kafka == ABSENT


def only_in_kafka(kafka: Value, kwire: Value) -> bool:
    return kwire == ABSENT


PORT = Explained("brokers[*].port", "each has its own", both_there)
CLUSTER_ID = Explained("cluster_id", "each cluster has its own", both_there)
TOPIC_ID = Explained("topics[*].topic_id", "random", both_there)
WORDS = "our own words"


@dataclass(frozen=True, slots=True)
class Case:
    """One request, in some versions. `request` is given a name that is new in each version, for what it creates."""

    label: str
    versions: range
    request: Callable[[str], Message]


def case(label: str, versions: int | tuple[int, int], request: Message | Callable[[str], Message]) -> Case:
    """A row of a table of cases. Versions are one, or the first and the last."""
    low, high = (versions, versions) if isinstance(versions, int) else versions
    return Case(label, range(low, high + 1), request if callable(request) else lambda name: request)


# Elements of these arrays are told apart by a field, in whatever order they come, or by a topic's id if that is empty;
# all others by their position.
KEYS: Mapping[tuple[str, str], str] = {
    ("ApiVersionsResponse", "api_keys"): "api_key",
    ("ApiVersionsResponse", "supported_features"): "name",
    ("ApiVersionsResponse", "finalized_features"): "name",
    ("MetadataResponse", "topics"): "name",
    ("DeleteTopicsResponse", "responses"): "name",
    ("CreateTopicsResponse", "topics"): "name",
    ("CreatableTopicResult", "configs"): "name",
    ("CreatePartitionsResponse", "results"): "name",
    ("DeleteRecordsResponse", "topics"): "name",
    ("DeleteRecordsTopicResult", "partitions"): "partition_index",
    ("DescribeConfigsResult", "configs"): "name",
    ("ListConfigResourcesResponse", "config_resources"): "resource_name",
    ("DescribeLogDirsResult", "topics"): "name",
    ("DescribeLogDirsTopic", "partitions"): "partition_index",
    ("AlterReplicaLogDirsResponse", "results"): "topic_name",
    ("AlterReplicaLogDirTopicResult", "partitions"): "partition_index",
    ("ElectLeadersResponse", "replica_election_results"): "topic",
    ("AlterConfigsResponse", "responses"): "resource_name",
    ("IncrementalAlterConfigsResponse", "responses"): "resource_name",
    ("ProduceResponse", "responses"): "name",
    ("TopicProduceResponse", "partition_responses"): "index",
    ("FetchResponse", "responses"): "topic",
    ("FetchableTopicResponse", "partitions"): "partition_index",
    ("ListOffsetsTopicResponse", "partitions"): "partition_index",
}


def flatten(value: Value, path: str = "") -> Iterator[tuple[str, Value]]:
    """(path, value) of every field."""
    if isinstance(value, Struct):
        for name in value.__slots__:
            yield from _flatten_field(value, name, f"{path}.{name}" if path else name)
    else:
        yield path, bytes(value) if isinstance(value, (bytearray, memoryview)) else value


def _flatten_field(struct: Struct, name: str, path: str) -> Iterator[tuple[str, Value]]:
    value = getattr(struct, name)
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes, bytearray, memoryview)):
        yield from flatten(value, path)
    elif not any(isinstance(element, Struct) for element in value):
        yield path, tuple(value)
    else:
        key = KEYS.get((type(struct).__name__, name))
        seen: dict[str, int] = {}
        for position, element in enumerate(value):
            label = str(position if key is None else getattr(element, key))
            if not label and getattr(element, "topic_id", NO_ID) != NO_ID:
                label = str(element.topic_id)
            # Kafka's Fetch may have several rows for a topic, with some of its partitions each.
            seen[label] = 1 if name == "responses" and isinstance(struct, FetchResponse) else seen.get(label, 0) + 1
            yield from flatten(element, f"{path}[{label}{f'#{seen[label]}' if seen[label] > 1 else ''}]")


def differences(kafka: Message, kwire: Message) -> dict[str, tuple[Value, Value]]:
    """Path -> (Kafka's value, kwire's) wherever they are not the same. An empty array is as good as none."""
    ours, theirs = dict(flatten(kwire)), dict(flatten(kafka))
    paths = {**theirs, **ours}
    found = {path: (theirs.get(path, ABSENT), ours.get(path, ABSENT)) for path in paths}
    return {path: pair for path, pair in found.items() if not _same(*pair)}


def _same(kafka: Value, kwire: Value) -> bool:
    return kafka == kwire or (kafka, kwire) in ((ABSENT, ()), ((), ABSENT))


@dataclass(slots=True)
class Table:
    """What came of a table of cases."""

    explained: Sequence[Explained]
    unexplained: dict[str, list[int]] = field(default_factory=dict[str, list[int]])  # what -> the versions
    occurred: set[int] = field(default_factory=set[int])

    def note(self, label: str, version: int, found: Mapping[str, tuple[Value, Value]]) -> None:
        for path, pair in found.items():
            covering = [index for index, one in enumerate(self.explained) if one.covers(path, *pair)]
            self.occurred.update(covering[:1])
            if not covering:
                difference = f"{label}: {path}: Kafka has {pair[0]!r}, kwire has {pair[1]!r}"
                self.unexplained.setdefault(difference, []).append(version)

    def covers(self, found: Mapping[str, tuple[Value, Value]]) -> bool:
        return all(any(one.covers(path, *pair) for one in self.explained) for path, pair in found.items())

    def problems(self) -> list[str]:
        return [
            f"{difference} (v{', v'.join(map(str, versions))})" for difference, versions in self.unexplained.items()
        ] + [
            f"explained, but did not occur: {one.path} ({one.why})"
            for index, one in enumerate(self.explained)
            if one.always and index not in self.occurred
        ]


class Pair:
    """A connection to each broker. Names of topics are the same on both."""

    def __init__(self, kafka: tuple[str, int], kwire: tuple[str, int]) -> None:
        self.kafka = WireClient(kafka)
        self.kwire = WireClient(kwire)
        self._names = 0

    def close(self) -> None:
        self.kafka.close()
        self.kwire.close()

    def name(self, prefix: str = "topic") -> str:
        """A topic's name that neither broker has seen."""
        self._names += 1
        return f"{prefix}-{self._names}"

    def id(self, topic: str) -> bytes:
        """A topic's id, the same for both: it is replaced by the real one on the way, and back."""
        alias = f"id of {topic}".encode().ljust(16, b".")
        assert len(alias) == 16
        for client in (self.kafka, self.kwire):
            if alias not in client.aliases:
                (row,) = client.ask(MetadataRequest([MetadataRequestTopic(NO_ID, topic)], False), 12).topics
                client.aliases[alias] = row.topic_id
        return alias

    def both(self, request: Message, version: int) -> tuple[Any, Any]:
        """(Kafka's reply, kwire's)."""
        return self.kafka.ask(request, version), self.kwire.ask(request, version)

    def create(self, *topics: tuple[str, int]) -> None:
        """Topics with a number of partitions each, on both brokers, until both tell their leaders."""
        request = CreateTopicsRequest([CreatableTopic(name, count, 1) for name, count in topics], 10_000)
        for response in self.both(request, 7):
            assert [row.error_code for row in response.topics] == [0] * len(topics)
        asked = MetadataRequest([MetadataRequestTopic(NO_ID, name) for name, _ in topics], False)
        self.compare([case("created", 9, asked)], [PORT, CLUSTER_ID])
        # Kafka tells a leader before that leader knows: it leads when it says where its logs end.
        ends = [
            ListOffsetsTopic(name, [ListOffsetsPartition(index, timestamp=LATEST) for index in range(count)])
            for name, count in topics
        ]
        deadline = time.monotonic() + SETTLE_S
        while any(
            row.error_code
            for topic in self.kafka.ask(ListOffsetsRequest(topics=ends), 7).topics
            for row in topic.partitions
        ):
            assert time.monotonic() < deadline, "Kafka does not lead what it created"

    def compare(self, cases: Iterable[Case], explained: Sequence[Explained] = ()) -> None:
        """Asks all cases, and fails with everything that differs without an explanation, or is explained in vain."""
        table = Table(explained)
        for one in cases:
            for version in one.versions:
                request = one.request(self.name())
                label = f"{api_of(request).name}, {one.label}"
                table.note(label, version, self._differences(request, version, table))
        problems = table.problems()
        assert not problems, "\n" + "\n".join(problems)

    def _differences(self, request: Message, version: int, table: Table) -> dict[str, tuple[Value, Value]]:
        """What is left to differ, in a request that changes nothing, after Kafka has had time to settle."""
        deadline = time.monotonic() + (SETTLE_S / 10 if table.unexplained else SETTLE_S)
        while True:
            found = differences(_reply(self.kafka, request, version), _reply(self.kwire, request, version))
            again = api_of(request).name in ONLY_READS and time.monotonic() < deadline
            if not again or table.covers(found):
                return found


LATEST = -1

ONLY_READS = frozenset(
    {
        "DescribeCluster",
        "DescribeConfigs",
        "DescribeLogDirs",
        "DescribeTopicPartitions",
        "Fetch",
        "InitProducerId",  # changes what nobody compares; Kafka asks to try again while it fetches a block of ids
        "ListConfigResources",
        "ListOffsets",
        "Metadata",
        "OffsetForLeaderEpoch",
    }
)


class Closed(Struct):
    """What stands for a reply when the broker closed the connection."""

    __slots__ = ("connection",)

    def __init__(self) -> None:
        self.connection = "closed"


def _reply(client: WireClient, request: Message, version: int) -> Any:
    try:
        return client.ask(request, version)
    except ConnectionEndedError:
        return Closed()
