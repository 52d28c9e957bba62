"""Skip packages that libraries load but Portolan does not use: a third of the time of a start."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Final

_API: Final = "wagtail.api.v3"
_ASKED_OF_API: Final = (
    "wagtail.api.v3.api",
    "wagtail.documents.api.v3.registry",
    "wagtail.documents.api.v3.router",
    "wagtail.images.api.v3.registry",
    "wagtail.images.api.v3.router",
    "wagtail.locales.api.v3",
    "wagtail.snippets.api.v3",
    "wagtail.snippets.api.v3.router",
)
"""Modules that ``ready`` of Wagtail's apps imports."""
_OPTIONAL_FOR_REST: Final = (
    "django.contrib.postgres.fields",  # also loads the driver
    "inflection",
    "markdown",
    "pygments",
    "requests",
    "uritemplate",
    "yaml",
)


def leave_out_content_api(apps: Iterable[str]) -> None:
    """Skip Wagtail's content API, version 3, which is not served but creates three schemas per page type.

    Call it before ``apps`` are set up. If a plugin installs the API, it is loaded.
    """
    if _API not in apps:
        for name in _ASKED_OF_API:
            sys.modules.setdefault(name, _Unserved(name))


def load_rest_framework() -> None:
    """Load the parts of the REST framework for the studio's page lists, without its optional packages."""
    with _absent(_OPTIONAL_FOR_REST):
        import_module("rest_framework.compat")


class _Unserved(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # code that inspects modules finds nothing more
            raise AttributeError(name)
        return _Ignored()


class _Ignored:
    """Accepts every registration, and does nothing."""

    def __call__(self) -> None:
        pass

    def add_router(self, prefix: str, router: Any) -> None:
        pass


@contextmanager
def _absent(names: Iterable[str]) -> Iterator[None]:
    """Make imports of ``names`` fail meanwhile, as if they were not installed."""
    missing: Any = None
    put_aside = {name: sys.modules.get(name) for name in names}
    sys.modules.update(dict.fromkeys(put_aside, missing))
    try:
        yield
    finally:
        for name, module in put_aside.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
