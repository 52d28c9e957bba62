"""Keeps a choice."""

from ..schemas.consent import ConsentChoice
from .models import ConsentRecord


def record_choice(site: str, choice: ConsentChoice) -> None:
    ConsentRecord.objects.create(
        site=site,
        policy_version=choice.policy_version,
        text_hash=choice.text_hash,
        ad_storage=choice.choices.ad_storage,
        analytics_storage=choice.choices.analytics_storage,
        method=choice.method,
    )
