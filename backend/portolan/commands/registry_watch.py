"""Watch ``sites.toml``, and the sites that were added in the studio, for a process that has read them."""

import logging
import threading
from collections.abc import Callable

from ..config.env import Env
from ..releases.added_sites import copy_added_sites
from ..sites.follow import RegistryFile
from ..sites.load import RegistryError, use_registry
from ..sites.registry import Registry

_LOOK_EVERY_S = 1
_COPY_EVERY_S = 5

_log = logging.getLogger(__name__)


class RegistryWatch:
    """Check the file every second. Report an invalid file once; the loaded site configuration then stays in use."""

    def __init__(self, settings: Env, follow: Callable[[], None], say: Callable[[str], None] = _log.error) -> None:
        """``follow`` is called when ``settings.registry`` has changed."""
        self._settings = settings
        self._follow = follow
        self._say = say
        self._file = RegistryFile(settings.sites_file, settings.registry, settings.added_sites_file)
        self._candidate: Registry | None = None

    def start(self) -> None:
        threading.Thread(target=self._keep_looking, name="registry", daemon=True).start()

    def look(self) -> None:
        try:
            other = self._file.find_other()
        except RegistryError as error:
            self._say(f"{error}\nUntil this is fixed, the previous site configuration is used.")
            other = None
        if other is None or other != self._candidate:
            self._candidate = other  # it may be being written: use it if it is the same at the next check
            return
        self._candidate = None
        use_registry(self._settings.sites_file, other)
        self._file = RegistryFile(self._settings.sites_file, other, self._settings.added_sites_file)
        self._follow()

    def _keep_looking(self) -> None:
        pause, looks = threading.Event(), 0
        while not pause.wait(_LOOK_EVERY_S):
            if looks % _COPY_EVERY_S == 0:
                copy_added_sites(self._settings.database, self._settings.added_sites_file)
            looks += 1
            self.look()
