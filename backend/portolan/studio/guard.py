"""Check rights on single entries and redirects.

Wagtail's snippet views only check whether the user may act on any object of the type.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.contrib.admin.utils import unquote
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from wagtail.admin.auth import permission_denied
from wagtail.permissions import policy_registry
from wagtail.snippets.models import get_snippet_models

from ..content.entry_rights import EntryPolicy, may_change_all
from ..rights.held import has_everywhere, right_on

_SEES: Final = frozenset(
    {
        "inspect",
        "history",
        "history_results",
        "usage",
        "workflow_history",
        "workflow_history_detail",
        "revisions_compare",
    }
)
_WHOLE: Final[Mapping[str, str]] = {
    "unpublish": "publish",
    "revisions_unschedule": "publish",
    "revisions_revert": "change",
    "lock": "change",
    "unlock": "change",
}
"""Rights that views need on all sites of an entry, because they act on all of them."""


class GuardEntries:
    """Django middleware: returns Wagtail's refusal instead of the view."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Iterable[Any], kwargs: Mapping[str, Any]
    ) -> HttpResponseBase | None:
        match = request.resolver_match
        if match is None or not match.namespace.startswith("wagtailsnippets_") or "pk" not in kwargs:
            return None
        model = _models().get(match.namespace)
        if model is None or request.user.is_anonymous or _may(request.user, model, str(match.url_name), kwargs["pk"]):
            return None
        refusal: HttpResponseBase = permission_denied(request)
        return refusal


def _models() -> dict[str, type[Model]]:
    return {
        model.snippet_viewset.url_namespace: model
        for model in get_snippet_models()
        if isinstance(policy_registry.get_by_type(model), EntryPolicy)
    }


def _may(user: Any, model: type[Model], name: str, key: object) -> bool:
    if name == "reorder":  # the order has no draft, so a change is live at once
        return has_everywhere(user, right_on(model, "publish"))
    instance = model._default_manager.filter(pk=unquote(str(key))).first()
    if instance is None:
        return True  # the view returns 404
    if name in _WHOLE:
        return may_change_all(user, instance, _WHOLE[name])
    action = "view" if name in _SEES else "delete" if name == "delete" else "change"
    return bool(policy_registry.get_by_type(model).user_has_permission_for_instance(user, action, instance))
