"""Every address to which something can be sent, by the URL resolver and the registries of Wagtail."""

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
    """Namespace and name; of one without a name its route."""
    pattern: URLPattern

    @property
    def view(self) -> Any:
        return self.pattern.callback

    @property
    def parameters(self) -> list[str]:
        pattern: Any = self.pattern.pattern
        return list(pattern.converters) or list(pattern.regex.groupindex)


def every_screen(preferred: Collection[str] = ()) -> Iterator[Screen]:
    """In the order in which addresses are resolved. Of snippets that one view and one kind of rights look after, the first one;
    models of ``preferred`` are before others."""
    known = set()
    families = {model.snippet_viewset.url_namespace: _family(model) for model in get_snippet_models()}
    screens = list(_walk(get_resolver().url_patterns, (), ""))
    for screen in sorted(screens, key=lambda each: each.name.rpartition(":")[0].rpartition("_")[2] not in preferred):
        namespace, _, name = screen.name.rpartition(":")
        kind = getattr(screen.view, "view_class", None)
        if kind is not None and not (hasattr(kind, "post") and "post" in kind.http_method_names):
            continue
        if "post" not in getattr(screen.view, "actions", {"post": ""}):  # of Django REST framework
            continue
        if namespace in families:
            alike = (name, kind.__qualname__ if kind else screen.view, families[namespace])
            if alike in known:
                continue
            known.add(alike)
        yield screen


def _family(model: Any) -> tuple[Any, ...]:
    """What decides who may do what: two models of a family have the same rights."""
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
    """App, model and action."""
    bulk_action_registry.get_bulk_actions_for_model("wagtailcore", "page")  # it looks for them at the first question
    known = bulk_action_registry.actions
    return [(app, model, action) for app in known for model in known[app] for action in known[app][model]]


def every_api_action() -> list[str]:
    """Names of what Wagtail's own API could do with pages, whether the studio offers it or not."""
    return [each.name for each in pkgutil.iter_modules(actions.__path__) if each.name != "base"]
