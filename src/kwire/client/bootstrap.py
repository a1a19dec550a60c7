"""Bootstrap addresses: `host:port`, several separated by commas, as every Kafka tool takes them."""

from __future__ import annotations

from kwire.errors import UsageError

DEFAULT_PORT = 9092


def parse_bootstrap(text: str) -> tuple[tuple[str, int], ...]:
    """(host, port) of every address in `text`. IPv6 addresses stand in brackets; without a port it is 9092."""
    addresses = tuple(_address(part.strip()) for part in text.split(",") if part.strip())
    if not addresses:
        raise UsageError("no bootstrap server given", "for example --bootstrap-server 127.0.0.1:9092")
    return addresses


def _address(text: str) -> tuple[str, int]:
    if "://" in text:
        raise UsageError(f"bootstrap server {text!r} is no address", "leave the protocol away: host:port")
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":")
    elif text.count(":") > 1:
        raise UsageError(f"bootstrap server {text!r} is no address", "an IPv6 address goes into brackets: [::1]:9092")
    else:
        host, _, port = text.partition(":")
    if not port:
        port = str(DEFAULT_PORT)
    if not host or not port.isascii() or not port.isdecimal() or not 0 < int(port) < 65536:
        raise UsageError(f"bootstrap server {text!r} is no address", "it is host:port, for example 127.0.0.1:9092")
    return host, int(port)
