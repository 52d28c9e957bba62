"""Small installations, each in its own folder: a database of this version, uploads, leads with files, one build."""

import sqlite3
import uuid
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from portolan.backups.folders import Folders
from portolan.backups.keys import NO_KEYS, Keys
from portolan.backups.make import Made, Order, make_backup
from portolan.backups.target import Target, open_target
from portolan.builds.live import switch_live
from portolan.builds.manifest import File, Manifest, now_iso, write_manifest
from portolan.builds.store import ContentStore
from portolan.config.empty_database import begin_database

NOW = "2026-11-24 09:00:00"


class Small:
    """An installation without processes."""

    def __init__(self, root: Path) -> None:
        var = root / "var"
        self.folders = Folders(
            root / "sites.toml",
            var,
            var / "media",
            var / "leads",
            var / "builds",
            var / "web",
            f"sqlite:///{var / 'portolan.sqlite3'}",
        )

    @property
    def database(self) -> Path:
        return self.folders.var_dir / "portolan.sqlite3"

    def fill(self) -> None:
        var = self.folders.var_dir
        var.mkdir(mode=0o700, parents=True)
        begin_database(self.database, "en")
        write(self.folders.project / "sites.toml", b"# the registry")
        write(self.folders.project / "brand.toml", b'[logo]\nfile = "logo.svg"\n')
        write(self.folders.project / "logo.svg", b"<svg/>")
        write(self.folders.project / "public" / "robots.txt", b"User-agent: *")
        write(self.folders.project / "notes.txt", b"nobody asked for these")
        write(var / "secret-key", b"secret")
        write(self.folders.media_dir / "pictures" / "berth.jpg", b"berth")
        digest = ContentStore(self.folders.builds_dir).put(b"<p>home</p>")
        manifest = Manifest(
            site="en",
            build="a",
            release=7,
            web="w",
            created=now_iso(),
            html_headers={},
            files={"/": File(digest, "text/html", 11)},
        )
        write_manifest(self.folders.builds_dir, manifest, None)
        switch_live(self.folders.builds_dir, {"en": "a"})

    def add_lead(self, data: bytes = b"%PDF-1.7") -> str:
        """Add a lead with a file. Return its id."""
        lead = str(uuid.uuid4())
        path = f"2026-11-24/{lead}/{uuid.uuid4().hex}"
        write(self.folders.leads_dir / "files" / path, data)
        with closing(sqlite3.connect(self.database)) as database, database:
            database.execute(
                "INSERT INTO leads_lead (id, site, form, created_at, fields, flags, captcha_token, captcha_status, spam_score,"
                " state, is_begun) VALUES (?, 'en', 'contact', ?, '{}', '[]', '', 'unverified', 0, 'open', 0)",
                [lead.replace("-", ""), NOW],
            )
            database.execute(
                "INSERT INTO leads_leadfile (lead_id, position, name, extension, size, sha256, path)"
                " VALUES (?, 0, 'cv.pdf', 'pdf', ?, ?, ?)",
                [lead.replace("-", ""), len(data), sha256(data).hexdigest(), path],
            )
        return lead

    def leads(self) -> set[str]:
        with closing(sqlite3.connect(self.database)) as database:
            return {str(uuid.UUID(id)) for (id,) in database.execute("SELECT id FROM leads_lead")}

    def lead_files(self) -> dict[str, str]:
        """Return path and digest of each file, by the database."""
        with closing(sqlite3.connect(self.database)) as database:
            return dict(database.execute("SELECT path, sha256 FROM leads_leadfile"))

    def back_up(self, target: Target, keys: Keys = NO_KEYS, keep: int = 0, company: str = "acme") -> Made:
        return make_backup(self.folders, target, Order(company, "production", keys, keep=keep))


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """Return a filled installation with one lead."""
    installation = Small(tmp_path / "small")
    installation.fill()
    installation.add_lead()
    return installation


@pytest.fixture
def empty(tmp_path: Path) -> Small:
    """Return an empty installation."""
    return Small(tmp_path / "empty")


@pytest.fixture
def target(tmp_path: Path) -> Target:
    return open_target(str(tmp_path / "backups"))


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
