"""ApiVersions: v0-v4.

v1 adds the throttle time. v2 changes nothing. v3 is flexible, names the client's software, and tells features
(KIP-584). v4 can carry a feature whose lowest level is 0; v3 leaves it out, since clients of that time reject it.
"""

from __future__ import annotations

import re

from kwire.errors import ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, served_apis, serves
from kwire.metadata.features import SUPPORTED_FEATURES
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.api_versions_response import (
    ApiVersion,
    ApiVersionsResponse,
    FinalizedFeatureKey,
    SupportedFeatureKey,
)

# What Kafka takes as a client's name and version (KIP-511).
_SOFTWARE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9\-.]*[A-Za-z0-9])?")


@serves(18, 0, 4)
def api_versions(context: Context, request: ApiVersionsRequest, call: Call) -> ApiVersionsResponse:
    software = (request.client_software_name, request.client_software_version)
    if call.version >= 3 and not all(map(_SOFTWARE.fullmatch, software)):
        return ApiVersionsResponse(error_code=ErrorCode.INVALID_REQUEST)
    features = context.image.features
    return ApiVersionsResponse(
        api_keys=_table(),
        supported_features=[
            SupportedFeatureKey(name, feature.low, feature.high)
            for name, feature in SUPPORTED_FEATURES.items()
            if feature.low > 0 or call.version >= 4
        ],
        finalized_features_epoch=features.epoch,
        finalized_features=[FinalizedFeatureKey(name, level, level) for name, level in features.levels.items()],
    )


def unsupported_version() -> ApiVersionsResponse:
    """The answer, in the layout of version 0, to a version newer than ours: the client picks one and asks again."""
    return ApiVersionsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, api_keys=_table())


def _table() -> list[ApiVersion]:
    return [ApiVersion(key, served.advertised_low, served.versions.high) for key, served in served_apis().items()]
