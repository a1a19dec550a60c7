"""ListPartitionReassignments: v0.

Partitions that are on their way from some brokers to others. On a single node none ever are.
"""

from __future__ import annotations

from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.protocol.messages.list_partition_reassignments_request import ListPartitionReassignmentsRequest
from kwire.protocol.messages.list_partition_reassignments_response import ListPartitionReassignmentsResponse


@serves(46, 0, 0)
def list_partition_reassignments(
    context: Context, request: ListPartitionReassignmentsRequest, call: Call
) -> ListPartitionReassignmentsResponse:
    return ListPartitionReassignmentsResponse(error_message=None)
