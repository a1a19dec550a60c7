"""Both brokers, side by side."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from differential import Pair
from kwire.testing import Broker
from kwire.testing.apache_kafka import ApacheKafka


@pytest.fixture(scope="session")
def pair(apache_kafka: ApacheKafka) -> Iterator[Pair]:
    """Apache Kafka and kwire, with the same configuration: their defaults."""
    host, port = apache_kafka.bootstrap.split(":")
    with Broker() as broker:
        brokers = Pair((host, int(port)), (broker.host, broker.port))
        yield brokers
        brokers.close()
