"""Listeners: `NAME://host:port`, separated by commas, each with the security protocol that its name is mapped to.

An IPv6 address stands in brackets. Without a host a listener is on all interfaces, and its advertised host is left
empty: the server fills in this machine's name, as it fills in a port that was given as 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kwire.config.keys import nearest
from kwire.errors import UsageError

PLAINTEXT = "PLAINTEXT"
SECURITY_PROTOCOLS = (PLAINTEXT, "SSL", "SASL_PLAINTEXT", "SASL_SSL")
SERVED_PROTOCOLS = (PLAINTEXT,)
"""The others are refused in so many words: a listener that was to be encrypted must not be opened in the clear."""

PORT_MAX = 65535
EVERYWHERE = ("", "0.0.0.0", "::")
"""Hosts that mean all interfaces: fine to listen on, not to connect to."""

_LISTENER = re.compile(r"([^:/]+)://(?:\[([0-9a-zA-Z:.%]+)\]|([0-9a-zA-Z\-._%]*)):(-?[0-9]+)")


@dataclass(frozen=True, slots=True)
class Listener:
    """A name, and where it listens or is to be reached."""

    name: str
    host: str
    port: int
    security_protocol: str = PLAINTEXT

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.name}://{host}:{self.port}"

    @property
    def everywhere(self) -> bool:
        """Whether it is on all interfaces."""
        return self.host in EVERYWHERE


def parse_listener(key: str, text: str) -> Listener:
    """One listener; `key` is the configuration key to blame."""
    found = _LISTENER.fullmatch(text.strip())
    if not found:
        raise UsageError(f"{key}={text}: expected NAME://host:port", "an IPv6 address is written in brackets")
    name, ipv6, host, port = found.groups()
    if not 0 <= int(port) <= PORT_MAX:
        raise UsageError(f"{key}={text}: a port is 0 to {PORT_MAX}")
    return Listener(name.upper(), ipv6 or host, int(port))


def parse_protocol_map(key: str, text: str) -> dict[str, str]:
    """`NAME:PROTOCOL,…` as a mapping."""
    protocols: dict[str, str] = {}
    for item in filter(None, map(str.strip, text.split(","))):
        name, colon, protocol = (part.strip().upper() for part in item.rpartition(":"))
        if not colon or not name or protocol not in SECURITY_PROTOCOLS:
            raise UsageError(f"{key}: {item}: expected NAME:PROTOCOL, PROTOCOL one of {', '.join(SECURITY_PROTOCOLS)}")
        protocols[name] = protocol
    return protocols


def resolve_listeners(
    texts: Sequence[str], protocols: dict[str, str], not_opened: Iterable[str]
) -> tuple[Listener, ...]:
    """The listeners to open. `not_opened` are names of Kafka's controller listeners, which have no use here."""
    key = "listeners"
    skipped = {name.upper() for name in not_opened}
    found = [listener for text in texts if (listener := parse_listener(key, text)).name not in skipped]
    if not found:
        raise UsageError(f"{key}: at least one listener is needed", "such as PLAINTEXT://127.0.0.1:9092")
    _refuse_duplicates(key, [listener.name for listener in found], "name")
    _refuse_duplicates(key, [f"{at.host}:{at.port}" for at in found if at.port], "address")
    return tuple(_with_protocol(key, listener, protocols) for listener in found)


def resolve_advertised(texts: Sequence[str], listeners: Sequence[Listener]) -> tuple[Listener, ...]:
    """Where clients are sent, for every listener in the same order: as given, or else to where it listens."""
    key = "advertised.listeners"
    names = [listener.name for listener in listeners]
    given = [parse_listener(key, text) for text in texts]
    _refuse_duplicates(key, [listener.name for listener in given], "name")
    by_name = {listener.name: listener for listener in given}
    for advertised in given:
        if advertised.name not in names:
            raise UsageError(f"{key}={advertised}: there is no listener of that name", nearest(advertised.name, names))
        if advertised.everywhere:
            raise UsageError(f"{key}={advertised}: clients cannot connect to {advertised.host or 'no host'}")
    resolved: list[Listener] = []
    for listener in listeners:
        advertised = by_name.get(listener.name)
        if advertised is None:
            advertised = replace(listener, host="") if listener.everywhere else listener
        resolved.append(replace(advertised, security_protocol=listener.security_protocol))
    return tuple(resolved)


def _with_protocol(key: str, listener: Listener, protocols: dict[str, str]) -> Listener:
    protocol = protocols.get(listener.name)
    if protocol is None:
        raise UsageError(
            f"{key}={listener}: no security protocol is known for {listener.name}",
            f"add {listener.name}:{PLAINTEXT} to listener.security.protocol.map",
        )
    if protocol not in SERVED_PROTOCOLS:
        raise UsageError(f"{key}={listener}: {protocol} is not served, only {', '.join(SERVED_PROTOCOLS)}")
    return replace(listener, security_protocol=protocol)


def _refuse_duplicates(key: str, values: list[str], what: str) -> None:
    for value in values:
        if values.count(value) > 1:
            raise UsageError(f"{key}: two listeners have the {what} {value}")
