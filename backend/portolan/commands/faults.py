"""Find faults of the installation for alerts. They do not block edits from going live."""

from collections.abc import Iterator
from datetime import datetime

from ..alerts.causes import BACKUP, DATABASE_DAMAGE, SET_ASIDE, Cause
from ..alerts.roles import find_in_answer, find_refused_leads, find_silent_roles, find_unwritable_folders
from ..backups.last import read_last
from ..config.database_check import read_checked
from ..config.env import Env
from ..config.folders import find_unwritable, say_unwritable
from ..config.health import count_set_aside, say_set_aside
from ..config.role_answers import Place, ask_ready
from ..observing.role_board import current_board
from ..releases.database_errors import damaged


def find_faults(settings: Env) -> Iterator[Cause]:
    """Yield faults of this command's processes and of this machine; of API and studio too if they run elsewhere."""
    yield from find_damage(settings)
    yield from find_silent_roles(current_board().rows())
    yield from find_refused_leads(*current_board().refusals())
    yield from find_unwritable_folders(say_unwritable(find_unwritable("serve")))
    for role, url in (("API", settings.api_url), ("studio", settings.studio_url)):
        if url:
            yield from find_in_answer(role, ask_ready(Place(url)))


def find_damage(settings: Env) -> Iterator[Cause]:
    """Yield damage and losses on this machine: the database, backups, and leads set aside."""
    checked = read_checked(settings.var_dir, settings.database)
    if checked and checked.damage:
        trouble = damaged(checked.damage)
        yield Cause(DATABASE_DAMAGE, trouble.what, trouble.fix, datetime.fromisoformat(checked.since))
    last = read_last(settings.var_dir)
    if last and last.failure:
        what = f"Backups to {last.target} fail: {last.failure}"
        fix = "Fix this, then run `portolan backup` again."
        yield Cause(BACKUP, what, fix, datetime.fromisoformat(last.failed_at))
    if count := count_set_aside(settings.leads_dir):
        yield Cause(SET_ASIDE, *say_set_aside(count, settings.leads_dir))
