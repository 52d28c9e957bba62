"""The secret key of an installation without a configured one. It is created once, readable by its owner only."""

import secrets
from pathlib import Path

from .private_database import FOLDER_MODE


def load_secret_key(var_dir: Path) -> str:
    """Return the key in ``var_dir/secret-key``, and create it if missing. Safe for concurrent starts."""
    file = var_dir / "secret-key"
    if not file.exists():
        var_dir.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        draft = var_dir / f"secret-key.{secrets.token_hex(8)}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50), encoding="utf-8")
        try:
            file.hardlink_to(draft)  # fails if another process was faster; its key is used
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return file.read_text(encoding="utf-8").strip()
