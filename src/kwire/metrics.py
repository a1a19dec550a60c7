"""The declared metrics: what the broker counts, one table from which the counters and their documentation follow.

A metric stands here only when something counts it; docs/METRICS.md is written from the table by `make docs`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    kind: str  # counter: only grows; gauge: goes up and down
    doc: str


METRICS = {
    metric.name: metric
    for metric in (
        Metric("connections_accepted", "counter", "Connections that were accepted."),
        Metric("connections_open", "gauge", "Connections that are open now."),
        Metric("connections_refused", "counter", "Connections closed for bytes that are not Kafka's protocol."),
        Metric("requests", "counter", "Requests that were answered."),
        Metric("bytes_received", "counter", "Bytes read from clients, frame sizes included."),
        Metric("bytes_sent", "counter", "Bytes written to clients, frame sizes included."),
    )
}


class BrokerMetrics:
    """The counters of one broker: plain attributes, since all of them change on the event loop alone."""

    __slots__ = tuple(METRICS)

    connections_accepted: int
    connections_open: int
    connections_refused: int
    requests: int
    bytes_received: int
    bytes_sent: int

    def __init__(self) -> None:
        for name in METRICS:
            setattr(self, name, 0)
