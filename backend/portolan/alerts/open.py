"""Create the watch for late edits from site configuration and environment."""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from ..domain.mail_server import MailServer
from ..leads.destinations.email import Mailer
from ..leads.destinations.webhook import read_secrets
from ..outgoing.post import Poster
from ..releases.database_errors import find_trouble
from ..releases.reader import ReleaseReader, open_reader
from ..sites.registry import Registry
from .causes import Cause, find_causes
from .receivers import MailReceiver, Receiver, UnusableReceiver, WebhookReceiver
from .watch import AlertWatch

_LONGEST_PAUSE_S: Final = 15

_log = logging.getLogger(__name__)


def open_receivers(
    registry: Registry, secrets: Mapping[str, str], mail_server: MailServer | None, poster: Poster | None = None
) -> dict[str, Receiver]:
    """Return the receivers by name. A receiver without its secret is included and fails with a log message."""
    rules = registry.alerts
    found: dict[str, Receiver] = {}
    if rules.webhook and rules.secret_env:
        found["webhook"] = _open_webhook(rules.webhook, rules.secret_env, secrets, poster or Poster())
    if rules.mail_to:
        mailer = Mailer(mail_server, registry.leads.sender)
        found["mail"] = MailReceiver(rules.mail_to, mailer, registry.company.name)
    return found


def _open_webhook(url: str, variable: str, secrets: Mapping[str, str], poster: Poster) -> Receiver:
    if not secrets.get(variable):
        return UnusableReceiver(f"{variable} is not set. Set it in the environment.")
    try:
        return WebhookReceiver(url, read_secrets(secrets[variable]), poster)
    except ValueError as error:
        return UnusableReceiver(f"{variable} is not a webhook secret: {error}.")


class AlertThread:
    """Check for late edits in a thread for the lifetime of the process."""

    def __init__(
        self,
        database: str,
        builds: Path,
        file: Path,
        after_s: float,
        receivers: Mapping[str, Receiver],
        find_faults: Callable[[], Iterable[Cause]] = lambda: (),
    ) -> None:
        """``find_faults``: finds problems of the installation, independent of edits."""
        self._pause_s = min(_LONGEST_PAUSE_S, max(1.0, after_s / 4))
        self._finder = _Finder(lambda: open_reader(database), builds, find_faults)
        self._watch = AlertWatch(self._finder, receivers, file, after_s)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="alerts", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._pause_s):
            try:
                self._watch.look()
            except Exception:  # the next check may succeed
                _log.exception("Checking for late edits failed")
        self._finder.close()


class _Finder:
    """Finds causes with a database connection that is opened at first use, and again after an error."""

    def __init__(
        self, connect: Callable[[], ReleaseReader], builds: Path, find_faults: Callable[[], Iterable[Cause]]
    ) -> None:
        self._connect = connect
        self._find_faults = find_faults
        self._builds = builds
        self._reader: ReleaseReader | None = None

    def __call__(self) -> list[Cause]:
        return [*self._find_late_edits(), *self._find_faults()]

    def _find_late_edits(self) -> list[Cause]:
        try:
            self._reader = self._reader or self._connect()
        except Exception as error:
            if (trouble := find_trouble(error)) is None:
                raise
            return [Cause("database", trouble.what, trouble.fix)]
        causes = find_causes(self._reader, self._builds)
        if any(cause.key == "database" for cause in causes):
            self.close()
        return causes

    def close(self) -> None:
        if self._reader:
            with suppress(Exception):
                self._reader.close()
            self._reader = None
