"""Store choices about cookies, and find records past their retention period."""

from datetime import datetime
from typing import Final

from ..retention.guard import Rule
from ..schemas.consent import ConsentChoice
from .models import ConsentRecord

SUBJECT: Final = "consent records"


def old_records(before: datetime) -> Rule:
    records = ConsentRecord.objects.all()
    return Rule(
        SUBJECT,
        count=records.filter(made_at__lt=before).count,
        total=records.count,
        remove=lambda: records.purge(before),
    )


def record_choice(site: str, choice: ConsentChoice) -> None:
    ConsentRecord.objects.create(
        site=site,
        policy_version=choice.policy_version,
        text_hash=choice.text_hash,
        ad_storage=choice.choices.ad_storage,
        analytics_storage=choice.choices.analytics_storage,
        method=choice.method,
    )
