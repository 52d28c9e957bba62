"""Store the leads of this machine's spool once the database is back, on a machine without delivery.

The delivery on another machine cannot read this disk.
"""

import logging
import threading
from typing import Final

from django.conf import settings
from django.db import close_old_connections, connection

from ..releases.connection import require_fitting_database
from .durable import AWAY
from .open_store import open_store
from .spool import open_spool, replay_spool

_EVERY_S: Final = 15
_log = logging.getLogger(__name__)


class SpoolKeeper:
    """A thread. Several on one machine take turns."""

    def __init__(self, every_s: float = _EVERY_S) -> None:
        self._every_s = every_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="leads-spool", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._every_s):
            if open_spool(settings.LEADS_DIR).list():
                self._replay()

    def _replay(self) -> None:
        try:
            close_old_connections()
            require_fitting_database(settings.UPGRADE_LOCK)
            replay_spool(open_store())
        except AWAY:
            pass  # the process that accepted the leads has reported it
        except Exception as error:  # its message may quote a lead
            _log.error("Leads of the spool could not be stored (%s). They are tried again.", type(error).__name__)
        finally:
            connection.close()
