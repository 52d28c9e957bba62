"""The secret key of an installation without a configured one: made once, stored where only its owner can read it."""

import secrets
from pathlib import Path

from .private_database import FOLDER_MODE


def load_secret_key(var_dir: Path) -> str:
    """The key in ``var_dir/secret-key``, written first where there is none. Safe when several processes start at once."""
    file = var_dir / "secret-key"
    if not file.exists():
        var_dir.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        draft = var_dir / f"secret-key.{secrets.token_hex(8)}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50), encoding="utf-8")
        try:
            file.hardlink_to(draft)  # fails where another process was quicker: its key is the one
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return file.read_text(encoding="utf-8").strip()
