"""What the folders here share: the broker that all clients talk to, and the page that their outcomes are written on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from compat_tests.compatibility_page import (
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
)

from kwire.testing import Broker

__all__ = ["pytest_addoption", "pytest_collection_modifyitems", "pytest_configure"]

pytest.register_assert_rewrite("compat_tests.checks")


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker]:
    """kwire with its defaults, one for all clients."""
    with Broker() as broker:
        yield broker


@pytest.fixture(scope="session")
def strict_broker() -> Iterator[Broker]:
    """One that creates no topic unless it is told to. Its topics are nobody's: tests leave none behind."""
    with Broker(properties={"auto.create.topics.enable": "false"}) as broker:
        yield broker
