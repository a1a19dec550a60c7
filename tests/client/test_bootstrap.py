"""Bootstrap addresses as people write them."""

from __future__ import annotations

import pytest

from kwire.client.bootstrap import parse_bootstrap
from kwire.errors import UsageError


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("127.0.0.1:9092", (("127.0.0.1", 9092),)),
        ("localhost", (("localhost", 9092),)),
        ("a:1, b:2,", (("a", 1), ("b", 2))),
        ("[::1]:9093", (("::1", 9093),)),
        ("[fe80::1]", (("fe80::1", 9092),)),
    ],
)
def test_addresses(text: str, addresses: tuple[tuple[str, int], ...]) -> None:
    assert parse_bootstrap(text) == addresses


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no bootstrap server given"),
        (" , ", "no bootstrap server given"),
        (":9092", "':9092' is no address"),
        ("host:port", "it is host:port"),
        ("host:0", "is no address"),
        ("host:65536", "is no address"),
        ("host:-1", "is no address"),
        ("host:²", "is no address"),
        ("::1:9092", "goes into brackets"),
        ("PLAINTEXT://host:9092", "leave the protocol away"),
    ],
)
def test_what_is_no_address_is_said_with_a_hint(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_bootstrap(text)
