"""Which APIs there are: from an API key to its name, versions, header versions and message classes.

This table knows the whole protocol. What a broker serves is another table, that of its handlers.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import NamedTuple

from kwire.protocol.schema import NEVER, Message, Versions


class Api(NamedTuple):
    """One API. `unstable` versions are known but not offered; `response_header` pins that header's version."""

    key: int
    name: str
    versions: Versions
    flexible: Versions
    unstable: Versions = NEVER
    response_header: int | None = None

    def request_header_version(self, version: int) -> int:
        return 2 if version in self.flexible else 1

    def response_header_version(self, version: int) -> int:
        if self.response_header is not None:
            return self.response_header
        return 1 if version in self.flexible else 0

    @property
    def request(self) -> type[Message]:
        return message_class(f"{self.name}Request")

    @property
    def response(self) -> type[Message]:
        return message_class(f"{self.name}Response")


def module_name(message: str) -> str:
    """FetchRequest -> fetch_request: where a message's class is generated to."""
    split = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", message))
    return split.lower()


@cache
def message_class(name: str) -> type[Message]:
    """The generated class of that name. Its module is imported at the first call: most are never needed."""
    return getattr(import_module(f"kwire.protocol.messages.{module_name(name)}"), name)
