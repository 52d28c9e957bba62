"""Preview all sites at a future date, if no editor changes anything until then.

Runs the schedule, the change sets and the clock up to the date, in a transaction that is rolled back.
"""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from ..content.change_sets.models import ChangeSet
from ..content.clock import looking_at
from ..content.site_records import site_roots_kept
from ..domain.change_sets import State
from ..domain.company_day import company_day
from .change_sets import Rehearsal, apply_drafts, nothing_indexed
from .changes import gathering_changes
from .figures import FIGURES_KEY, build_figures
from .schedule import run_dates


def rehearse_until(at: datetime) -> Rehearsal:
    """Return the content at a future time. Nothing is changed, noted or published.

    A change set that cannot be published completely is left out, because it would fail at its time.
    """
    found = Rehearsal()
    with transaction.atomic(), site_roots_kept(), nothing_indexed(), looking_at(at):
        with gathering_changes() as gathered:
            run_dates(at, ahead=True)
            for change_set in ChangeSet.objects.filter(state=State.SCHEDULED.value, go_live_at__lte=at).order_by(
                "go_live_at", "pk"
            ):
                _apply_whole(change_set)
        found.snapshot(gathered.values())
        transaction.set_rollback(True)
    today = company_day(at, settings.SITES_REGISTRY.company.time_zone)
    found.bodies[FIGURES_KEY] = build_figures(settings.SITES_REGISTRY, today)
    return found


def _apply_whole(change_set: ChangeSet) -> None:
    with transaction.atomic():
        if apply_drafts(change_set):
            transaction.set_rollback(True)
