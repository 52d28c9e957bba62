"""Causes of alerts that do not keep edits from going live: damage, failed backups, and leads set aside."""

from datetime import datetime

from ..alerts.causes import BACKUP, DATABASE_DAMAGE, SET_ASIDE, Cause
from ..backups.last import read_last
from ..config.database_check import read_checked
from ..config.env import Env
from ..config.health import count_set_aside, say_set_aside
from ..releases.database_errors import damaged


def find_other_causes(settings: Env) -> list[Cause]:
    """Return the causes on this machine."""
    found = []
    checked = read_checked(settings.var_dir, settings.database)
    if checked and checked.damage:
        trouble = damaged(checked.damage)
        found.append(Cause(DATABASE_DAMAGE, trouble.what, trouble.fix, datetime.fromisoformat(checked.since)))
    last = read_last(settings.var_dir)
    if last and last.failure:
        what = f"Backups to {last.target} fail: {last.failure}"
        fix = "Repair what it names, then run `portolan backup` again."
        found.append(Cause(BACKUP, what, fix, datetime.fromisoformat(last.failed_at)))
    if count := count_set_aside(settings.leads_dir):
        found.append(Cause(SET_ASIDE, *say_set_aside(count, settings.leads_dir)))
    return found
