"""AlterConfigs: v0-v2.

v1 changes nothing. v2 is flexible.

What is given becomes all that is set; IncrementalAlterConfigs changes key by key. A change acts at once.
"""

from __future__ import annotations

from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import Reply
from kwire.metadata import configs
from kwire.metadata.configs import AlteredConfig
from kwire.metadata.decision import Decision
from kwire.metadata.image import MetadataImage
from kwire.protocol.messages.alter_configs_request import AlterConfigsRequest
from kwire.protocol.messages.alter_configs_response import AlterConfigsResourceResponse, AlterConfigsResponse


@serves(33, 0, 2)
def alter_configs(context: Context, request: AlterConfigsRequest, call: Call) -> Reply:
    def decide(image: MetadataImage) -> Decision[AlteredConfig]:
        decision = configs.alter_configs(image, request.resources, context.config)
        return decision.without_changes() if request.validate_only else decision

    def respond(decision: Decision[AlteredConfig]) -> AlterConfigsResponse:
        return AlterConfigsResponse(
            responses=[
                AlterConfigsResourceResponse(row.error, row.message, row.resource_type, row.resource_name)
                for row in decision.rows
            ]
        )

    return context.change(decide, respond)
