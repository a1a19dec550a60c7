"""What a client may do, as bits (KIP-430): one for each operation of Kafka's access control that fits a resource.

Without an authorizer everything is allowed to everybody, and all bits are set.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class AclOperation(IntEnum):
    """Kafka's operations, by wire value."""

    READ = 3
    WRITE = 4
    CREATE = 5
    DELETE = 6
    ALTER = 7
    DESCRIBE = 8
    CLUSTER_ACTION = 9
    DESCRIBE_CONFIGS = 10
    ALTER_CONFIGS = 11
    IDEMPOTENT_WRITE = 12


def _bits(operations: Iterable[AclOperation]) -> int:
    return sum(1 << operation for operation in operations)


_ON_ANY = (
    AclOperation.CREATE,
    AclOperation.ALTER,
    AclOperation.DESCRIBE,
    AclOperation.DESCRIBE_CONFIGS,
    AclOperation.ALTER_CONFIGS,
)

ON_TOPIC = _bits((*_ON_ANY, AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE))
ON_CLUSTER = _bits((*_ON_ANY, AclOperation.CLUSTER_ACTION, AclOperation.IDEMPOTENT_WRITE))
NOT_ASKED = -(2**31)
"""What stands there if the client did not want to know."""
