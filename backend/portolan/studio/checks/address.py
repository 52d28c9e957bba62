"""The URLs that check a form as it is now. Nothing is saved."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import URLPattern, path
from wagtail.admin.views.pages.preview import PreviewOnCreateView, PreviewOnEditView
from wagtail.snippets.views.snippets import PreviewOnCreateView as PreviewRowOnCreateView
from wagtail.snippets.views.snippets import PreviewOnEditView as PreviewRowOnEditView

from ...content.collections import COLLECTIONS
from ...content.export import SETTINGS
from ...content.redirects import Redirect
from .form import CheckedPageForm, check_form
from .form_problems import FormProblem, Path, count_problems, errors_of, say_count
from .row_form import check_row_form


class _Check:
    """Extends Wagtail's preview views, which read a form without saving it."""

    http_method_names = ("post",)
    object: Any
    request: HttpRequest

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> JsonResponse:
        found = self._find()
        reply = JsonResponse(
            {
                "count": count_problems(found),
                "text": say_count(found),
                "problems": [
                    {
                        "text": each.text,
                        "path": each.path,
                        "url": each.url,
                        "isWarning": each.is_warning,
                        "isBlank": each.is_blank,
                    }
                    for each in found
                ],
            }
        )
        reply["Cache-Control"] = "no-store"
        return reply

    def _find(self) -> list[FormProblem]:
        """Return the errors of the form. If a draft could still be saved, add the problems of the draft."""
        form = self._form()
        if form.is_valid():
            return self._check(form)
        refused = errors_of(form)
        self.object = self.get_object()  # type: ignore[attr-defined]
        draft = self.get_form(self.request.POST)  # type: ignore[attr-defined]
        if not self.validate_form(draft):  # type: ignore[attr-defined]
            return refused
        taken = [each.path for each in refused]
        return [*refused, *(each for each in self._check(draft) if not _is_at(each, taken))]

    def _form(self) -> Any:
        form_class = self.object.get_edit_handler().get_form_class()
        parent, user = self.object.get_parent().specific, self.request.user
        return form_class(self.request.POST, instance=self.object, parent_page=parent, for_user=user)

    def _check(self, form: Any) -> list[FormProblem]:
        if not isinstance(form, CheckedPageForm):
            return []  # a folder, which is not public
        form.save(commit=False)
        return check_form(form)


def _is_at(found: FormProblem, taken: list[Path]) -> bool:
    """Return whether a problem is at a place in ``taken``, or a place in ``taken`` is inside its block."""
    inside = len(found.path) > 1
    return found.path in taken or (inside and any(path[: len(found.path)] == found.path for path in taken))


class _RowCheck(_Check):
    def _form(self) -> Any:
        return self.get_form(self.request.POST)  # type: ignore[attr-defined]

    def _check(self, form: Any) -> list[FormProblem]:
        form.save(commit=False)
        return check_row_form(form)


class _RowCheckOnEdit(_RowCheck, PreviewRowOnEditView):
    pass


class _RowCheckOnCreate(_RowCheck, PreviewRowOnCreateView):
    pass


class CheckOnEdit(_Check, PreviewOnEditView):
    pass


class CheckOnCreate(_Check, PreviewOnCreateView):
    pass


def _list_row_urls() -> Iterator[URLPattern]:
    """Yield the URLs for forms of entries, menus, footers, rate cards and redirects."""
    for model in (*COLLECTIONS.values(), *(model for model, _ in SETTINGS.values()), Redirect):
        viewset: Any = model.snippet_viewset
        prefix, name = viewset.url_prefix, model._meta.model_name
        edit = viewset.construct_view(_RowCheckOnEdit, form_class=viewset.get_form_class(for_update=True))
        yield path(f"{prefix}/edit/<str:pk>/check/", edit, name=f"studio_check_{name}")
        add = viewset.construct_view(_RowCheckOnCreate, form_class=viewset.get_form_class())
        yield path(f"{prefix}/add/check/", add, name=f"studio_check_new_{name}")


def list_urls() -> list[URLPattern]:
    """Return all URLs. Call it after all screens are registered."""
    return [
        path("pages/<int:page_id>/edit/check/", CheckOnEdit.as_view(), name="studio_check_on_edit"),
        path(
            "pages/add/<slug:content_type_app_name>/<slug:content_type_model_name>/<int:parent_page_id>/check/",
            CheckOnCreate.as_view(),
            name="studio_check_on_create",
        ),
        *_list_row_urls(),
    ]
