"""Leads come in while PostgreSQL is killed (``kill -9`` of all of it) and restarted. Prints their fate as JSON.

Run it with a server of its own: ``scripts/with_postgres.py python -m tests.leads.postgres_outage``.
"""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from portolan.config.start_django import start_django

start_django()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, connections  # noqa: E402

from portolan.leads import accept  # noqa: E402
from portolan.leads.file_store import FileStore  # noqa: E402
from portolan.leads.models import LeadFile  # noqa: E402
from portolan.leads.refusals import LeadNotStored  # noqa: E402
from portolan.leads.spool import open_spool, replay_spool  # noqa: E402
from portolan.sites.destinations import Mailbox  # noqa: E402

from ..postgres_server import data_folder, kill, started_again  # noqa: E402
from ..processes import wait_until  # noqa: E402
from .conftest import PDF, post  # noqa: E402
from .making import reconcile  # noqa: E402


def send(number: int) -> tuple[str, bool] | None:
    """Return the id and whether the lead is stored; None if the sender has to try again."""
    try:
        receipt = accept.accept_lead(post(files=[("attachments[0]", "cv.pdf", PDF)], name=f"{number}"))
    except LeadNotStored:
        return None
    finally:
        connection.close()
    return json.loads(receipt.body)["id"], receipt.is_stored


def is_spool_empty() -> bool:
    replay_spool(FileStore(settings.LEADS_DIR))
    connections.close_all()
    return not open_spool(settings.LEADS_DIR).list()


def main() -> None:
    call_command("migrate", "contenttypes", verbosity=0)
    call_command("migrate", "leads", verbosity=0)
    accept.require_fitting_database = lambda lock: None  # the tables of other apps are not needed here
    entry = Mailbox(name="crm", kind="email", to=["sales@brightmoor.example"])
    settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"destinations": [entry]})
    connection.close()
    data = data_folder(os.environ["DATABASE_URL"])
    answers: list[Any] = []
    with ThreadPoolExecutor(4) as pool:
        before = pool.map(send, range(40))
        answers.append(next(before))  # from here on some are stored and others are on their way
        kill(data)
        answers += before
        answers += pool.map(send, range(40, 60))
    spooled = len(open_spool(settings.LEADS_DIR).list())
    with started_again(data):
        wait_until(is_spool_empty)
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
        }
        connection.close()
        print(json.dumps(result))  # noqa: T201
        with suppress(Exception):
            connections["default"].close_pool()  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
