"""One site's content as the API shows it: from a release, references resolved, in no other way."""

import json
from functools import cached_property
from typing import Any

from django.http import HttpRequest

from ..domain.references import PageTarget, resolve
from ..releases.connection import connected_reader
from ..releases.reader import ALL_SITES, ReleaseReader
from .problems import ApiProblem


class ReleaseContent:
    """Reads one release for one site. It is its own ``domain.references.Lookup``."""

    def __init__(self, reader: ReleaseReader, release: int, site: str) -> None:
        self._reader = reader
        self.release = release
        self.site = site

    def items(self, kind: str) -> list[Any]:
        """Values of all items of a kind, by the editors' order."""
        bodies = [json.loads(item.body) for item in self._reader.collection(self.release, self.site, kind)]
        values = [body["value"] for body in sorted(bodies, key=lambda body: body["order"])]
        return [resolve(value, self, kind) for value in values]

    def item(self, kind: str, key: str) -> Any | None:
        """The value of one item, None where the release has none."""
        found = self._reader.item(self.release, self.site, kind, key)
        return resolve(json.loads(found.body)["value"], self, kind) if found else None

    def picture(self, key: str) -> dict[str, Any] | None:
        found = self._reader.item(self.release, ALL_SITES, "picture", key)
        return json.loads(found.body) if found else None

    def placeholder(self, name: str) -> str | None:
        return self._figures.get(name)

    def page(self, key: str) -> PageTarget | None:
        """The own site's page; the API names no page that the site lacks."""
        found = self._reader.item(self.release, self.site, "page", key)
        return PageTarget(json.loads(found.body)["path"]) if found else None

    def is_external(self, url: str) -> bool:
        return True

    @cached_property
    def _figures(self) -> dict[str, str]:
        found = self._reader.item(self.release, ALL_SITES, "figures", "company")
        return json.loads(found.body) if found else {}


def read_content(request: HttpRequest) -> ReleaseContent:
    """The newest release, for the site the request's headers chose."""
    reader = connected_reader()
    release = reader.latest()
    if release is None:
        raise ApiProblem(503, "nothing-published", "Nothing has been published yet. Try again after the first publish.")
    return ReleaseContent(reader, release, request.site_key)  # type: ignore[attr-defined]
