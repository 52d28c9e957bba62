"""What libraries would load in every process though nothing here uses it: together a third of the time that a start takes."""

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
"""What ``ready`` of Wagtail's apps asks for."""
_OPTIONAL_FOR_REST: Final = (
    "django.contrib.postgres.fields",  # and with it the driver
    "inflection",
    "markdown",
    "pygments",
    "requests",
    "uritemplate",
    "yaml",
)


def leave_out_content_api(apps: Iterable[str]) -> None:
    """Wagtail's own content API, version 3, which is not served: it makes three schemas for each kind of page all the same. Call it
    before ``apps`` are set up. Whoever installs the API, as a plugin can, has it."""
    if _API not in apps:
        for name in _ASKED_OF_API:
            sys.modules.setdefault(name, _Unserved(name))


def load_rest_framework() -> None:
    """Which the studio's lists of pages use, without what it supports where it finds it."""
    with _absent(_OPTIONAL_FOR_REST):
        import_module("rest_framework.compat")


class _Unserved(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # whoever looks through modules finds no more in it than there is
            raise AttributeError(name)
        return _Ignored()


class _Ignored:
    """Takes every registration, and does nothing."""

    def __call__(self) -> None:
        pass

    def add_router(self, prefix: str, router: Any) -> None:
        pass


@contextmanager
def _absent(names: Iterable[str]) -> Iterator[None]:
    """Importing one of ``names`` fails meanwhile, as if it were not installed."""
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
