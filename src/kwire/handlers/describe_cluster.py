"""DescribeCluster: v0-v2.

v1 asks for brokers or for controllers; there are no controllers to be reached here. v2 can ask for brokers that are
fenced as well; a single node is not.
"""

from __future__ import annotations

from kwire.errors import ErrorCode
from kwire.handlers import authorized_operations
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.protocol.messages.describe_cluster_request import DescribeClusterRequest
from kwire.protocol.messages.describe_cluster_response import DescribeClusterBroker, DescribeClusterResponse

BROKERS = 1
CONTROLLERS = 2


@serves(60, 0, 2)
def describe_cluster(context: Context, request: DescribeClusterRequest, call: Call) -> DescribeClusterResponse:
    if request.endpoint_type == CONTROLLERS:
        return DescribeClusterResponse(
            error_code=ErrorCode.MISMATCHED_ENDPOINT_TYPE,
            error_message="This is an endpoint of a broker; there are none of controllers.",
        )
    if request.endpoint_type != BROKERS:
        return DescribeClusterResponse(
            error_code=ErrorCode.UNSUPPORTED_ENDPOINT_TYPE,
            error_message=f"There is no endpoint type {request.endpoint_type}.",
        )
    asked = request.include_cluster_authorized_operations
    return DescribeClusterResponse(
        cluster_id=context.image.cluster_id,
        controller_id=context.node_id,
        brokers=[
            DescribeClusterBroker(node.id, endpoint.host, endpoint.port, node.rack)
            for node in context.image.nodes.values()
            if (endpoint := node.endpoints.get(call.listener)) is not None
        ],
        cluster_authorized_operations=authorized_operations.ON_CLUSTER if asked else authorized_operations.NOT_ASKED,
    )
