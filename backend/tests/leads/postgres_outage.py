"""Leads come in while PostgreSQL is killed (``kill -9`` of all of it) and started again. Prints what became of them as JSON.

To be run beside a server of its own: ``scripts/with_postgres.py python -m tests.leads.postgres_outage``.
"""

import json
import os
import shlex
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from portolan.config.start_django import start_django

start_django()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, connections  # noqa: E402

from portolan.leads.accept import accept_lead  # noqa: E402
from portolan.leads.file_store import FileStore  # noqa: E402
from portolan.leads.models import LeadFile  # noqa: E402
from portolan.leads.refusals import LeadNotStored  # noqa: E402
from portolan.leads.spool import open_spool, replay_spool  # noqa: E402
from portolan.sites.destinations import Mailbox  # noqa: E402

from .conftest import PDF, post  # noqa: E402
from .making import reconcile  # noqa: E402


def send(number: int) -> tuple[str, bool, float] | None:
    """Id, whether it is stored, and how long that took; None where the sender was told to try again."""
    began = time.monotonic()
    try:
        receipt = accept_lead(post(files=[("attachments[0]", "cv.pdf", PDF)], name=f"{number}"))
    except LeadNotStored:
        return None
    finally:
        connection.close()
    return json.loads(receipt.body)["id"], receipt.is_stored, time.monotonic() - began


def main() -> None:
    settings.DATABASES["default"]["OPTIONS"]["pool"]["timeout"] = (
        3  # instead of the twenty seconds that a burst may need
    )
    call_command("migrate", "contenttypes", verbosity=0)
    call_command("migrate", "leads", verbosity=0)
    entry = Mailbox(name="crm", kind="email", to=["sales@brightmoor.example"])
    settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"destinations": [entry]})
    connection.close()
    data = Path(unquote(urlsplit(os.environ["DATABASE_URL"]).hostname or "")) / "data"
    answers: list[Any] = []
    with ThreadPoolExecutor(4) as pool:
        before = pool.map(send, range(40))
        time.sleep(0.1)
        kill(data)
        answers += before
        answers += pool.map(send, range(40, 60))
    spooled = len(open_spool(settings.LEADS_DIR).list())
    server = start_again(data)
    try:
        deadline = time.monotonic() + 60
        while open_spool(settings.LEADS_DIR).list() and time.monotonic() < deadline:
            replay_spool(FileStore(settings.LEADS_DIR))
            connections.close_all()
            time.sleep(0.2)
        acknowledged = [answer[0] for answer in answers if answer]
        waiting = reconcile(acknowledged, [])
        whole = all(FileStore(settings.LEADS_DIR).path(f.path).read_bytes() == PDF for f in LeadFile.objects.all())
        result = {
            "sent": len(answers),
            "acknowledged": len(set(acknowledged)),
            "promised": sum(not answer[1] for answer in answers if answer),
            "spooled": spooled,
            "stored": len(waiting),
            "files are whole": whole,
            "longest": max(answer[2] for answer in answers if answer),
        }
        connection.close()
        print(json.dumps(result))  # noqa: T201
    finally:
        with suppress(Exception):
            connections["default"].close_pool()  # type: ignore[attr-defined]
        server.send_signal(signal.SIGINT)
        server.wait()


def kill(data: Path) -> None:
    postmaster = int((data / "postmaster.pid").read_text().split()[0])
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(postmaster)], capture_output=True, text=True).stdout
    for process in (postmaster, *map(int, children.split())):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def start_again(data: Path) -> "subprocess.Popen[bytes]":
    # The one that was killed may not have been waited for yet, so that its number still seems to be in use.
    for left in (data / "postmaster.pid", *data.parent.glob(".s.PGSQL.*")):
        left.unlink(missing_ok=True)
    owner = data.stat()
    account = {} if os.geteuid() else {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    command = shlex.split((data / "postmaster.opts").read_text())
    return subprocess.Popen(command, cwd=data.parent, stderr=subprocess.DEVNULL, start_new_session=True, **account)  # type: ignore[call-overload,no-any-return]


if __name__ == "__main__":
    main()
