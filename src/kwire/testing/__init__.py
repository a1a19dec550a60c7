"""For tests and comparisons: a broker in this process, the reference broker, a faulty disk. Imports nothing by itself.

from kwire.testing import Broker
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kwire.testing.broker import Broker

__all__ = ["Broker"]


def __getattr__(name: str) -> Any:
    # What tests of other parts need must not cost the import of the whole server.
    if name == "Broker":
        from kwire.testing.broker import Broker

        return Broker
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
