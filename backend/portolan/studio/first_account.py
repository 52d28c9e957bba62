"""Create the first account of an installation, with a password in a file that only its owner can read."""

import json
import os
import secrets
from pathlib import Path
from typing import Final, NamedTuple

from django.contrib.auth import get_user_model

from .leads.rights import sync_leads_group
from .permissions import sync_editors_group


class Account(NamedTuple):
    name: str
    full_name: str
    administers: bool
    """True for a superuser; False for an editor who also works with leads."""


EDITOR_OF_DEMO: Final = Account("editor", "Demo editor", administers=False)
ADMINISTRATOR: Final = Account("admin", "Administrator", administers=True)


def load_account(file: Path, url: str, account: Account) -> bool:
    """Create or update the account and its file. Return False if both were up to date."""
    groups = {sync_editors_group(), sync_leads_group()}
    User = get_user_model()
    known = _read(file)
    user = User.objects.filter(username=account.name).first()
    is_known = user and known.get("url") == url and user.check_password(known.get("password", ""))
    if user and is_known and groups <= set(user.groups.all()):
        return False
    password = known.get("password") or secrets.token_urlsafe(12)
    first_name, _, last_name = account.full_name.partition(" ")
    user = user or User(
        username=account.name, first_name=first_name, last_name=last_name, is_superuser=account.administers
    )
    user.set_password(password)
    user.save()
    user.groups.set(groups)
    _write(file, {"url": url, "user": account.name, "password": password})
    return True


def _read(file: Path) -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def _write(file: Path, login: dict[str, str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(login, indent=2) + "\n", encoding="utf-8")
    draft.rename(file)
