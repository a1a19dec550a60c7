"""UpdateFeatures: v0-v2.

v0 allows a downgrade or not; v1 tells a safe one from an unsafe one, and can validate only. Up to v1 there is a row for
each feature, if all went well; v2 has none. All features are updated or none, so that there is one error for all.
"""

from __future__ import annotations

from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import Reply
from kwire.metadata import features
from kwire.metadata.decision import Decision
from kwire.metadata.features import UpdatedFeature, UpgradeType
from kwire.metadata.image import MetadataImage
from kwire.protocol.messages.update_features_request import FeatureUpdateKey, UpdateFeaturesRequest
from kwire.protocol.messages.update_features_response import UpdatableFeatureResult, UpdateFeaturesResponse


@serves(57, 0, 2)
def update_features(context: Context, request: UpdateFeaturesRequest, call: Call) -> Reply:
    updates = [_with_type(update) if call.version == 0 else update for update in request.feature_updates]

    def decide(image: MetadataImage) -> Decision[UpdatedFeature]:
        decision = features.update_features(image, updates)
        return decision.without_changes() if request.validate_only else decision

    def respond(decision: Decision[UpdatedFeature]) -> UpdateFeaturesResponse:
        for row in decision.rows:
            if row.error:
                return UpdateFeaturesResponse(error_code=row.error, error_message=row.message)
        return UpdateFeaturesResponse(
            error_message=None,
            results=[UpdatableFeatureResult(row.feature, error_message=None) for row in decision.rows],
        )

    return context.change(decide, respond)


def _with_type(update: FeatureUpdateKey) -> FeatureUpdateKey:
    upgrade_type = UpgradeType.SAFE_DOWNGRADE if update.allow_downgrade else UpgradeType.UPGRADE
    return FeatureUpdateKey(update.feature, update.max_version_level, update.allow_downgrade, upgrade_type)
