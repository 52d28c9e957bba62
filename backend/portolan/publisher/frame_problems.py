"""Problems of a site's frame. Every page shows the menu and the footer, so a problem in them is reported once and not
for each page."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import orjson

from .problem import PublishProblem

_PARTS: Final = {
    "menu": ("menu", "contact"),
    "footer": ("footer", "legalLinks", "officesLink", "personalData"),
}
"""Parts of shared data that editors fill with links, by the kind of the item they come from."""


def gather_frame_problems(problems: list[PublishProblem], site: str, shared: bytes) -> list[PublishProblem]:
    """The ``problems`` of a site's pages. Those about a link of the frame are replaced by one problem of the frame.
    ``shared``: the site's shared data.
    """
    if not any(problem.about.kind == "url" for problem in problems):
        return problems
    found = _find_links(orjson.loads(shared))
    return list(dict.fromkeys(_of_frame(problem, found) if problem.site == site else problem for problem in problems))


def _of_frame(problem: PublishProblem, links: dict[str, str]) -> PublishProblem:
    kind = links.get(problem.about.key) if problem.about.kind == "url" else None
    if kind is None:
        return problem
    return problem._replace(path="", title="", what=f"the {kind} {problem.what}", kind=kind)


def _find_links(shared: dict[str, Any]) -> dict[str, str]:
    """Kind of the item by address."""
    return {href: kind for kind, parts in _PARTS.items() for part in parts for href in _hrefs(shared.get(part))}


def _hrefs(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("href"), str):
            yield value["href"]
        yield from _hrefs(list(value.values()))
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for item in value:
            yield from _hrefs(item)
