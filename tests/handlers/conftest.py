"""A broker for handlers, fresh for each test."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker


@pytest.fixture
def broker() -> HandlerBroker:
    return HandlerBroker()
