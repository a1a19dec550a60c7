"""What goes wrong between a client and a broker, said in one line for the person who asked.

Everything in this package that fails does so with a `ClientError`: a `BrokerError` with the broker's own code, or with
NETWORK_EXCEPTION or REQUEST_TIMED_OUT where there was no answer. Its text names what was asked for, and ends in a hint
where somebody can do something about it.
"""

from __future__ import annotations

from kwire.errors import BrokerError, ErrorCode

# What to do about an error, for those where that is known. A call site that knows more gives a hint of its own.
HINTS: dict[ErrorCode, str] = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: "`kwire topics list` shows what there is",
    ErrorCode.TOPIC_ALREADY_EXISTS: "`kwire topics describe` shows it; `kwire topics alter` changes it",
    ErrorCode.INVALID_PARTITIONS: "the number of partitions is at least 1, and can only grow",
    ErrorCode.INVALID_REPLICATION_FACTOR: "`kwire cluster brokers` shows how many brokers there are",
    ErrorCode.INVALID_CONFIG: "`kwire configs describe` shows the names and values",
    ErrorCode.INVALID_TOPIC_EXCEPTION: "1 to 249 of A-Z a-z 0-9 . _ - make a name",
    ErrorCode.MESSAGE_TOO_LARGE: "the topic's max.message.bytes is the limit of a batch",
    ErrorCode.NOT_ENOUGH_REPLICAS: "fewer replicas are in sync than min.insync.replicas asks for",
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND: "fewer replicas are in sync than min.insync.replicas asks for",
    ErrorCode.POLICY_VIOLATION: "the broker's policy forbids it",
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: "the broker's access rules forbid it",
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED: "the broker's access rules forbid it",
}


class ClientError(BrokerError):
    """An operation that failed: what and why, with the broker's code and a hint."""

    def __init__(self, code: ErrorCode, message: str, hint: str = "") -> None:
        super().__init__(code, message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message

    @property
    def retriable(self) -> bool:
        """Whether the same request may succeed a little later, perhaps at another broker."""
        return self.code.retriable


class UnreachableError(ClientError):
    """None of the addresses we were given answers. Waiting for a broker that may never start helps nobody."""

    def __init__(self, message: str, hint: str = "is the broker running? `kwire serve` starts one") -> None:
        super().__init__(ErrorCode.NETWORK_EXCEPTION, message, hint)

    @property
    def retriable(self) -> bool:
        return False


def error_code(number: int) -> ErrorCode:
    """The code of that number; one that a newer broker has and we do not know is UNKNOWN_SERVER_ERROR."""
    try:
        return ErrorCode(number)
    except ValueError:
        return ErrorCode.UNKNOWN_SERVER_ERROR


def reply_error(what: str, number: int, detail: str | None = None, hint: str | None = None) -> ClientError:
    """The error in a reply: `topic orders: TOPIC_ALREADY_EXISTS: Topic 'orders' already exists. (hint)`."""
    code = error_code(number)
    name = code.name if code == number else f"error {number}"
    message = f"{what}: {name}: {detail}" if detail else f"{what}: {name}"
    return ClientError(code, message, HINTS.get(code, "") if hint is None else hint)


def check(what: str, number: int, detail: str | None = None) -> None:
    """Raises unless the code in a reply is NONE."""
    if number:
        raise reply_error(what, number, detail)
