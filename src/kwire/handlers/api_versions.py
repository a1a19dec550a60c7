"""ApiVersions: v0-v4.

v1 adds the throttle time. v2 changes nothing. v3 is flexible, names the client's software, and may carry features.
v4 lets a feature's lowest level be 0 (KIP-584).
"""

from __future__ import annotations

import re

from kwire.errors import ErrorCode
from kwire.handlers.registry import served_apis, serves
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse

# What Kafka takes as a client's name and version (KIP-511).
_SOFTWARE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9\-.]*[A-Za-z0-9])?")


@serves(18, 0, 4)
def api_versions(request: ApiVersionsRequest, version: int) -> ApiVersionsResponse:
    software = (request.client_software_name, request.client_software_version)
    if version >= 3 and not all(map(_SOFTWARE.fullmatch, software)):
        return ApiVersionsResponse(error_code=ErrorCode.INVALID_REQUEST)
    return ApiVersionsResponse(api_keys=_table())


def unsupported_version() -> ApiVersionsResponse:
    """The answer, in the layout of version 0, to a version newer than ours: the client picks one and asks again."""
    return ApiVersionsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, api_keys=_table())


def _table() -> list[ApiVersion]:
    return [ApiVersion(key, served.versions.low, served.versions.high) for key, served in served_apis().items()]
