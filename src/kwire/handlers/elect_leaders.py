"""ElectLeaders: v0-v2.

v0 elects preferred leaders only. v1 can let a replica that is not in sync lead, and has an error of its own. v2 is
flexible.

A single replica leads its partitions, or nobody can. So there is nothing to elect: either it leads, or its log
directory has failed.
"""

from __future__ import annotations

from enum import IntEnum

from kwire.errors import ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.protocol.messages.elect_leaders_request import ElectLeadersRequest
from kwire.protocol.messages.elect_leaders_response import (
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResult,
)


class Election(IntEnum):
    """Who may become leader, by wire value."""

    PREFERRED = 0
    UNCLEAN = 1


_NOBODY_LEFT = {
    Election.PREFERRED: ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
    Election.UNCLEAN: ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
}


@serves(43, 0, 2)
def elect_leaders(context: Context, request: ElectLeadersRequest, call: Call) -> ElectLeadersResponse:
    asked = request.topic_partitions
    if request.election_type not in _NOBODY_LEFT:
        code, message = ErrorCode.INVALID_REQUEST, f"There is no election type {request.election_type}."
        return ElectLeadersResponse(
            error_code=code,
            replica_election_results=[
                ReplicaElectionResult(
                    topic.topic, [PartitionResult(index, code, message) for index in topic.partitions]
                )
                for topic in asked or ()
            ],
        )
    election = Election(request.election_type)
    if asked is None:
        # Of all partitions, those are told for which something was done or went wrong.
        rows = [
            ReplicaElectionResult(
                topic.name,
                [
                    result
                    for index in topic.partitions
                    if (result := _result(context, topic.name, index, election)).error_code
                    != ErrorCode.ELECTION_NOT_NEEDED
                ],
            )
            for topic in context.image.topics.values()
        ]
    else:
        rows = [
            ReplicaElectionResult(
                topic.topic, [_result(context, topic.topic, index, election) for index in topic.partitions]
            )
            for topic in asked
        ]
    return ElectLeadersResponse(replica_election_results=rows)


def _result(context: Context, topic: str, index: int, election: Election) -> PartitionResult:
    known = context.image.topics.get(topic)
    if known is None or index not in known.partitions:
        return PartitionResult(index, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"There is no partition {topic}-{index}.")
    if context.partitions.get(topic, index) is None:
        return PartitionResult(index, _NOBODY_LEFT[election], "The partition's log directory is offline.")
    return PartitionResult(index, ErrorCode.ELECTION_NOT_NEEDED, "The partition has its preferred leader.")
