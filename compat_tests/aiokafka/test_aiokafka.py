"""aiokafka against kwire."""

from __future__ import annotations

from contextlib import closing

from compat_tests.aiokafka.aiokafka_client import AiokafkaClient
from compat_tests.checks import ClientChecks


class TestAiokafka(ClientChecks):
    @staticmethod
    def connect(bootstrap: str) -> closing[AiokafkaClient]:
        return closing(AiokafkaClient(bootstrap))
