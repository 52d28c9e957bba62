"""An installation takes leads, is backed up meanwhile and is then killed. The restore has every lead acknowledged
before the backup began, with its files (R15). `make drill` does it with the whole product."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from portolan.backups.catalogue import find_backup
from portolan.backups.folders import Folders
from portolan.backups.keys import NO_KEYS
from portolan.backups.make import Order, make_backup
from portolan.backups.put_back import Wish, put_back
from portolan.backups.target import Target

from ..processes import started
from .conftest import Small

BACKEND = Path(__file__).parents[2]

TAKES_LEADS = """
import json, os, sys
from portolan.config.start_django import start_django
start_django()
from django.conf import settings
from django.db import OperationalError
from portolan.leads import accept
from portolan.leads.file_store import FileStore
from portolan.leads.spool import replay_spool
from tests.leads.conftest import PDF, post
find = accept.find_answer
def away(*_):
    raise OperationalError
for number in range(100_000):
    # Every third lead finds the database away and waits in the spool. Then the spool is emptied.
    accept.find_answer = away if number % 3 == 1 else find
    accept._away_until = 0.0
    data = PDF + str(number).encode()
    answer = json.loads(accept.accept_lead(post({"message": f"{number}"}, [("attachments[0]", "cv.pdf", data)])).body)
    if number % 3 == 2:
        replay_spool(FileStore(settings.LEADS_DIR))
    print(answer["id"], flush=True)
"""


def test_what_was_acknowledged_before_the_backup_is_there_after_the_machine_is_gone(
    small: Small, empty: Small, target: Target
) -> None:
    folders = small.folders._replace(sites_file=BACKEND.parent / "sites.toml")
    environment = {
        **os.environ,
        "PORTOLAN_VAR_DIR": str(folders.var_dir),
        "DATABASE_URL": folders.database,
        "DJANGO_SETTINGS_MODULE": "portolan.config.settings",
        "PORTOLAN_LOG": "text",
    }
    command = [sys.executable, "-c", TAKES_LEADS]
    with started(command, cwd=BACKEND, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout
        acknowledged = {process.stdout.readline().strip() for _ in range(20)}
        assert all(acknowledged), "it ended by itself"
        make_backup(folders, target, Order("acme", "production", NO_KEYS))
        for _ in range(3):  # it has gone on meanwhile
            assert process.stdout.readline()

    put_back(target, find_backup(target, ""), _of(empty.folders, folders), Wish(NO_KEYS, keeps_project=True))
    in_spool = {path.read_text() for path in empty.folders.spool.glob("*.json")}
    stored = empty.leads()
    lost = {id for id in acknowledged if id not in stored and not any(id in text for text in in_spool)}
    assert lost == set()
    files = empty.lead_files()
    assert len(files) >= len(acknowledged & stored)
    for path, digest in files.items():
        assert sha256((empty.folders.leads_dir / "files" / path).read_bytes()).hexdigest() == digest
    with closing(sqlite3.connect(empty.database)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def _of(empty: Folders, running: Folders) -> Folders:
    return empty._replace(sites_file=running.sites_file)
