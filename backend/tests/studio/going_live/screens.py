"""List every URL that accepts data, from the URL resolver and Wagtail's registries."""

import pkgutil
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from django.urls import URLPattern, get_resolver
from wagtail.admin.api import actions
from wagtail.admin.views.bulk_action.registry import bulk_action_registry
from wagtail.permissions import policy_registry
from wagtail.snippets.models import get_snippet_models


class Screen(NamedTuple):
    name: str
    """Namespace and name; the route if there is no name."""
    pattern: URLPattern

    @property
    def view(self) -> Any:
        return self.pattern.callback

    @property
    def parameters(self) -> list[str]:
        pattern: Any = self.pattern.pattern
        return list(pattern.converters) or list(pattern.regex.groupindex)


def all_screens() -> list[Screen]:
    """Return every screen, in the order of URL resolution."""
    return [*_walk(get_resolver().url_patterns, (), "")]


def every_screen(preferred: Collection[str] = ()) -> Iterator[Screen]:
    """Yield screens in the order of URL resolution. Of snippets with the same view and the same rights, yield only the
    first. Models in ``preferred`` come before others."""
    known = set()
    page_types = {model.snippet_viewset.url_namespace: _page_type(model) for model in get_snippet_models()}
    for screen in sorted(
        all_screens(), key=lambda each: each.name.rpartition(":")[0].rpartition("_")[2] not in preferred
    ):
        namespace, _, name = screen.name.rpartition(":")
        kind = getattr(screen.view, "view_class", None)
        if kind is not None and not (hasattr(kind, "post") and "post" in kind.http_method_names):
            continue
        if "post" not in getattr(screen.view, "actions", {"post": ""}):  # views of Django REST framework
            continue
        if namespace in page_types:
            alike = (name, kind.__qualname__ if kind else screen.view, page_types[namespace])
            if alike in known:
                continue
            known.add(alike)
        yield screen


def _page_type(model: Any) -> tuple[Any, ...]:
    """Return the classes that decide rights: two models of a page type have the same rights."""
    return (
        type(policy_registry.get_by_type(model)),
        model.snippet_viewset.__class__.__mro__[1],
        hasattr(model, "translations"),
    )


def _walk(patterns: Any, namespaces: tuple[str, ...], before: str) -> Iterator[Screen]:
    for each in patterns:
        route = before + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from _walk(each.url_patterns, (*namespaces, each.namespace) if each.namespace else namespaces, route)
        else:
            yield Screen(":".join([*namespaces, each.name]) if each.name else route, each)


def every_bulk_action() -> list[tuple[str, str, str]]:
    """Return app, model and action of each bulk action."""
    bulk_action_registry.get_bulk_actions_for_model("wagtailcore", "page")  # fills the registry
    known = bulk_action_registry.actions
    return [(app, model, action) for app in known for model in known[app] for action in known[app][model]]


def every_api_action() -> list[str]:
    """Return the names of all page actions of Wagtail's own API, including actions that the studio does not offer."""
    return [each.name for each in pkgutil.iter_modules(actions.__path__) if each.name != "base"]
