"""A process that starts children, kills each (``SIGKILL``) at one step of its work, and counts the remaining leads and
files.

``python -m tests.leads.kill_nursery ROUNDS`` prints one line of JSON for each step. It needs a separate database and
folder (``DATABASE_URL``, ``PORTOLAN_VAR_DIR``). Children are forked from a process that has loaded everything, which
takes milliseconds each.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from portolan.config.start_django import start_django

start_django()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import OperationalError, connection, connections  # noqa: E402
from django.utils import timezone  # noqa: E402

from portolan.builds import disk  # noqa: E402
from portolan.leads import accept, delivery_worker, file_store, records, spool  # noqa: E402
from portolan.leads.destinations.base import Payload  # noqa: E402
from portolan.leads.file_store import FileStore  # noqa: E402
from portolan.leads.housekeeping import remove_leftovers  # noqa: E402
from portolan.leads.models import Delivery, DeliveryAttempt, Lead, LeadFile  # noqa: E402
from portolan.sites.destinations import Mailbox  # noqa: E402

from .conftest import PDF, post  # noqa: E402
from .making import reconcile  # noqa: E402

VAR: Final = Path(os.environ["PORTOLAN_VAR_DIR"])
ACKNOWLEDGED: Final = VAR / "acknowledged"
RECEIVED: Final = VAR / "received"

_late = timedelta()
"""How far the workers' clock is ahead: a minute more for each, so that claims of killed ones have expired."""


class Disk:
    """Store received leads on the disk, where they survive a kill."""

    name = "crm"

    def send(self, payload: Payload, now: Any) -> str:
        append(RECEIVED, payload.id)
        return "returned 200"


def append(file: Path, line: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(descriptor, f"{line}\n".encode())
    os.fsync(descriptor)
    os.close(descriptor)


def take_lead() -> None:
    receipt = accept.accept_lead(post({"message": os.urandom(8).hex()}, [("attachments[0]", "cv.pdf", PDF)]))
    append(ACKNOWLEDGED, json.loads(receipt.body)["id"])


def take_lead_while_away() -> None:
    def away(*_: Any) -> None:
        raise OperationalError

    accept.find_answer = away  # type: ignore[assignment]
    take_lead()


def replay() -> None:
    spool.replay_spool(FileStore(settings.LEADS_DIR))


def deliver() -> None:
    def clock() -> Any:
        return timezone.now() + _late

    delivery_worker.DeliveryWorker(Disk(), Path, lambda _: None, clock, lambda _: None).run_due()


def prepare_spool() -> None:
    in_child(take_lead_while_away, lambda: None)


def prepare_lead() -> None:
    in_child(take_lead, lambda: None)


def die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def before(owner: Any, name: str) -> Callable[[], None]:
    return lambda: setattr(owner, name, die)


def after(owner: Any, name: str) -> Callable[[], None]:
    original = getattr(owner, name)

    def patched(*values: Any, **options: Any) -> Any:
        original(*values, **options)
        die()

    return lambda: setattr(owner, name, patched)


def nothing() -> None:
    """Prepare nothing."""


STEPS: Final[dict[str, tuple[Callable[[], None], Callable[[], None], Callable[[], None]]]] = {
    # the preparation, the action, the step of the kill
    "the body is read": (nothing, take_lead, after(accept, "read_body")),
    "the fields are checked": (nothing, take_lead, after(accept, "check_fields")),
    "files are about to be synced": (nothing, take_lead, before(file_store, "sync_file")),
    "files are moved": (nothing, take_lead, after(file_store.IncomingFiles, "keep")),
    "the answer is saved": (nothing, take_lead, after(records, "save_answer")),
    "the lead is saved": (nothing, take_lead, after(Lead, "save")),
    "its files are saved": (nothing, take_lead, before(records, "make_deliveries")),
    "all is committed": (nothing, take_lead, after(accept, "store_intake")),
    "the receipt is ready": (nothing, take_lead, before(accept, "wake_worker")),
    "the spool's file is written": (nothing, take_lead_while_away, before(disk.os, "rename")),
    "the spool's file is moved": (nothing, take_lead_while_away, before(spool, "sync_folder")),
    "the spooled lead is promised": (nothing, take_lead_while_away, after(spool.Spool, "put")),
    "the spooled lead is stored": (prepare_spool, replay, after(spool, "store_intake")),
    "the spool's file is to be removed": (prepare_spool, replay, before(spool.Spool, "remove")),
    "a delivery is claimed": (prepare_lead, deliver, after(delivery_worker, "claim")),
    "the lead is about to be sent": (prepare_lead, deliver, before(Disk, "send")),
    "the lead is sent": (prepare_lead, deliver, after(Disk, "send")),
    "the history is written": (prepare_lead, deliver, before(delivery_worker, "flush")),
    "the backlog is due": (prepare_lead, deliver, after(delivery_worker, "flush")),
}


def in_child(work: Callable[[], None], arm: Callable[[], None]) -> int:
    """Return the exit status of a child that does the work, or -9 if it was killed."""
    pid = os.fork()
    if pid == 0:
        try:
            arm()
            work()
            connections.close_all()
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def read(file: Path) -> list[str]:
    return file.read_text().split() if file.exists() else []


def check(step: str, killed: int) -> dict[str, Any]:
    """Check after recovery that all acknowledged leads are stored and delivered, and their files are intact."""
    global _late
    stored_files = FileStore(settings.LEADS_DIR)
    replay()
    _late += timedelta(seconds=61)
    deliver()
    waiting = reconcile(read(ACKNOWLEDGED), read(RECEIVED))
    for file in LeadFile.objects.all():
        assert stored_files.path(file.path).read_bytes() == PDF, step
    result = {
        "step": step,
        "killed": killed,
        "acknowledged": len(read(ACKNOWLEDGED)),
        "stored": Lead.objects.count(),
        "received": len(read(RECEIVED)),
        "received once": len(set(read(RECEIVED))),
        "waiting": len(waiting),
        "noted": DeliveryAttempt.objects.filter(succeeded=True).values("delivery").distinct().count(),
        "delivered": Delivery.objects.filter(state=Delivery.State.DELIVERED).count(),
    }
    connections.close_all()
    return result


def main(rounds: int) -> None:
    global _late
    for app in ("contenttypes", "leads"):
        call_command("migrate", app, verbosity=0)
    accept.require_fitting_database = lambda lock: None  # the tables of other apps are not needed here
    entry = Mailbox(name="crm", kind="email", to=["sales@brightmoor.example"])
    settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"destinations": [entry]})
    connections.close_all()
    for step, (prepare, work, arm) in STEPS.items():
        killed = 0
        for _ in range(rounds):
            _late += timedelta(seconds=61)
            prepare()
            killed += in_child(work, arm) == -signal.SIGKILL
        print(json.dumps(check(step, killed)), flush=True)  # noqa: T201
    later = FileStore(settings.LEADS_DIR)
    for folder in settings.LEADS_DIR.rglob("*"):
        os.utime(folder, (0, 0))
    removed = remove_leftovers(later)
    whole = all(later.path(file.path).exists() for file in LeadFile.objects.all())
    left = {file.parent.name for file in settings.LEADS_DIR.glob("*/**/*") if file.is_file()}
    strays = left - {str(id) for id in Lead.objects.values_list("pk", flat=True)} - {"spool"}
    print(json.dumps({"removed": removed, "whole": whole, "strays": len(strays)}), flush=True)  # noqa: T201
    connection.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
