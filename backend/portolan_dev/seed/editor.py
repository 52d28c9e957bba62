"""The demo's one account: an editor who works with leads too, whose password is made here and kept where only its owner can read it."""

import json
import os
import secrets
from pathlib import Path
from typing import Final

from django.contrib.auth import get_user_model

from portolan.studio.leads.rights import sync_leads_group
from portolan.studio.permissions import sync_editors_group

USER_NAME: Final = "editor"


def load_editor(file: Path, url: str) -> bool:
    """See that the editor exists and that ``file`` says how to log in. False where both were there."""
    groups = {sync_editors_group(), sync_leads_group()}
    User = get_user_model()
    known = _read(file)
    user = User.objects.filter(username=USER_NAME).first()
    is_known = user and known.get("url") == url and user.check_password(known.get("password", ""))
    if user and is_known and groups <= set(user.groups.all()):
        return False
    password = known.get("password") or secrets.token_urlsafe(12)
    user = user or User(username=USER_NAME, first_name="Demo", last_name="editor")
    user.set_password(password)
    user.save()
    user.groups.set(groups)
    _write(file, {"url": url, "user": USER_NAME, "password": password})
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
