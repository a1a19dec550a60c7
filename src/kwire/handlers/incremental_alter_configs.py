"""IncrementalAlterConfigs: v0-v1.

v1 is flexible.

Keys are set, deleted, and lists appended to or subtracted from (KIP-339). A change acts at once.
"""

from __future__ import annotations

from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import Reply
from kwire.metadata import configs
from kwire.metadata.configs import AlteredConfig
from kwire.metadata.decision import Decision
from kwire.metadata.image import MetadataImage
from kwire.protocol.messages.incremental_alter_configs_request import IncrementalAlterConfigsRequest
from kwire.protocol.messages.incremental_alter_configs_response import (
    AlterConfigsResourceResponse,
    IncrementalAlterConfigsResponse,
)


@serves(44, 0, 1)
def incremental_alter_configs(context: Context, request: IncrementalAlterConfigsRequest, call: Call) -> Reply:
    def decide(image: MetadataImage) -> Decision[AlteredConfig]:
        decision = configs.incremental_alter_configs(image, request.resources, context.config)
        return decision.without_changes() if request.validate_only else decision

    def respond(decision: Decision[AlteredConfig]) -> IncrementalAlterConfigsResponse:
        return IncrementalAlterConfigsResponse(
            responses=[
                AlterConfigsResourceResponse(row.error, row.message, row.resource_type, row.resource_name)
                for row in decision.rows
            ]
        )

    return context.change(decide, respond)
