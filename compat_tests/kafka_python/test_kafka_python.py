"""kafka-python against kwire."""

from __future__ import annotations

from contextlib import closing

import pytest
from compat_tests.checks import ClientChecks
from compat_tests.client import Client
from compat_tests.confluent_kafka.confluent_client import ConfluentClient
from compat_tests.kafka_python.kafka_python_client import KafkaPythonClient

from kwire.testing import Broker


class TestKafkaPython(ClientChecks):
    @staticmethod
    def connect(bootstrap: str) -> closing[KafkaPythonClient]:
        return closing(KafkaPythonClient(bootstrap))

    @pytest.fixture
    def header_writer(self, broker: Broker) -> Client:
        return ConfluentClient(broker.bootstrap)  # kafka-python itself refuses to send a null header
