"""Add items to change sets, and publish an item without its change set."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext
from wagtail.admin import messages
from wagtail.admin.action_menu import ActionMenuItem as PageAction
from wagtail.admin.views.pages.bulk_actions.page_bulk_action import PageBulkAction
from wagtail.admin.widgets.button import Button
from wagtail.models import DraftStateMixin, Page
from wagtail.snippets.action_menu import ActionMenuItem as SnippetAction

from ...content.change_sets.holding import HeldElsewhere, add, find_item, subject_of
from ...content.change_sets.models import ChangeSet, ChangeSetItem
from ...content.going_live import is_offered, require, why_not_own_part
from ...domain.change_sets import State
from ..publishing import say_published
from .details import AssignForm
from .forms import AddForm, open_sets
from .rights import draft_of, may_edit, person

ACTION: Final = "action-change-set"
"""Name of the form's button. Its value is the ID of the change set, or ``choose``."""
CHOOSE: Final = "choose"
_RECENT: Final = "change_set"
_TEMPLATE: Final = "studio/changes/action.html"


class _SaveToSet:
    """The form's button: save to the change set of the item, or to the last one used."""

    name = ACTION
    template_name = _TEMPLATE
    is_recent = False

    def is_shown(self, context: Any) -> bool:
        if context.get("locked_for_user") or context["view"] == "revisions_revert":
            return False
        return not self.is_recent or self._find(context) is not None

    def get_context_data(self, parent_context: Any) -> dict[str, Any]:
        found = self._find(parent_context)
        label = gettext("Save to “{change_set}”").format(change_set=found) if found else gettext("Save to change set…")
        return {**parent_context, "name": ACTION, "value": found.pk if found else CHOOSE, "label": label}

    def _find(self, context: Any) -> ChangeSet | None:
        thing = context.get("page") or context.get("instance")
        held = find_item(thing) if thing is not None and thing.pk else None
        if self.is_recent:
            return None if held else _recent(context["request"])
        return held.change_set if held else None


class PageSaveToSet(_SaveToSet, PageAction):
    order = 25


class PageSaveToRecent(_SaveToSet, PageAction):
    order = 24
    is_recent = True


class SnippetSaveToSet(_SaveToSet, SnippetAction):
    order = 25


class SnippetSaveToRecent(_SaveToSet, SnippetAction):
    order = 24
    is_recent = True


def snippet_action(item: type[Any]) -> Any:
    """Return an action for models that have drafts."""
    return lambda model: item() if issubclass(model, DraftStateMixin) else None


def after_saving(request: HttpRequest, thing: Any) -> HttpResponse | None:
    """Hook: add the saved draft to the change set."""
    wanted = request.POST.get(ACTION)
    if not wanted:
        return None
    if held := find_item(thing):
        return _say_added(request, held)
    chosen = open_sets(person(request)).filter(pk=wanted).first() if wanted.isdecimal() else None
    if chosen is None:
        return redirect(_address("studio_change_set_add", thing))
    return _add(request, chosen, thing, ChangeSetItem.PUBLISH)


def before_publishing(request: HttpRequest, thing: Any) -> HttpResponse | None:
    """Hook: ask before an item of a change set is published alone. Its draft is saved already."""
    if find_item(thing):
        return redirect(_address("studio_change_set_alone", thing))
    if isinstance(thing, Page):  # Wagtail has checked the permission
        return None
    user, live = person(request), type(thing)._default_manager.get(pk=thing.pk)
    if reason := why_not_own_part(user, live, thing):
        messages.warning(request, gettext("The draft is saved. {reason}").format(reason=reason))
        return redirect(_address("studio_change_set_add", thing))
    return None


def leave_publishing_out(items: list[Any], request: HttpRequest, context: Any) -> None:
    """Hook: remove the publish button if the item needs review."""
    thing = context.get("instance")
    if thing is not None and thing.pk and isinstance(thing, DraftStateMixin) and not is_offered(request.user, thing):
        items[:] = [item for item in items if item.name != "action-publish"]


def choose_set(request: HttpRequest, type_id: int, id: str) -> HttpResponse:
    user, thing = person(request), _find(type_id, id)
    if not may_edit(user, thing):
        raise PermissionDenied
    if held := find_item(thing):
        messages.info(
            request,
            gettext("“{title}” is already in the change set “{change_set}”.").format(
                title=held.title, change_set=held.change_set
            ),
        )
        return redirect("studio_change_set", held.change_set_id)
    recent = _recent(request)
    form = AddForm(user, request.POST or None, initial={"change_set": recent.pk if recent else None})
    if not (isinstance(thing, Page) and thing.live):
        del form.fields["what"]
    if request.method == "POST" and form.is_valid():
        return _add(request, form.open(user), thing, form.cleaned_data.get("what", ChangeSetItem.PUBLISH))
    context = {"form": form, "thing": thing, "title": _title(thing), "back": _edit_url(thing)}
    return TemplateResponse(request, "studio/changes/add.html", context)


def publish_alone(request: HttpRequest, type_id: int, id: str) -> HttpResponse:
    """Publish an item of a change set without the change set."""
    user, thing = person(request), _find(type_id, id)
    item = find_item(thing)
    if item is None:
        return redirect(_edit_url(thing))
    require(user, thing, draft_of(item))
    can = item.change_set.at is State.OPEN
    if request.method == "POST" and can:
        item.delete()
        thing.latest_revision.publish(user=user)
        if isinstance(thing, Page):
            return say_published(request, type(thing)._default_manager.get(pk=thing.pk)) or redirect(_edit_url(thing))
        messages.success(
            request, gettext("“{title}” is published and was removed from its change set.").format(title=item.title)
        )
        return redirect(_edit_url(thing))
    context = {"item": item, "change_set": item.change_set, "can": can, "back": _edit_url(thing)}
    return TemplateResponse(request, "studio/changes/alone.html", context)


class AddTicked(PageBulkAction):
    """Adds the selected pages to one change set."""

    display_name = gettext_lazy("Add to change set")
    action_type = "add_to_change_set"
    aria_label = gettext_lazy("Add the selected pages to a change set")
    template_name = "studio/changes/add_ticked.html"
    action_priority = 45
    form_class = AssignForm

    def check_perm(self, page: Page) -> bool:
        return bool(page.permissions_for_user(self.request.user).can_edit()) and not page.alias_of_id

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "user": self.request.user}

    def get_execution_context(self) -> dict[str, Any]:
        self.change_set = self.cleaned_form.open(self.request.user)
        return {**super().get_execution_context(), "change_set": self.change_set}

    @classmethod
    def execute_action(
        cls, objects: Iterable[Page], user: Any = None, change_set: Any = None, **_: Any
    ) -> tuple[int, int]:
        """Add the pages, except those in another change set."""
        added = 0
        for page in objects:
            try:
                add(change_set, page, user)
                added += 1
            except HeldElsewhere:
                continue
        return added, 0

    def get_success_message(self, num_parent_objects: int, num_child_objects: int) -> str:
        held = gettext(" Pages in other change sets stay there.") if num_parent_objects < self.wanted else ""
        return ngettext(
            "{count} page is in the change set “{change_set}”.{held}",
            "{count} pages are in the change set “{change_set}”.{held}",
            num_parent_objects,
        ).format(count=num_parent_objects, change_set=self.change_set, held=held)

    def prepare_action(self, objects: Any, objects_without_access: Any) -> None:
        self.wanted = len(objects)

    def form_valid(self, form: Any) -> HttpResponse:
        super().form_valid(form)
        return redirect("studio_change_set", self.change_set.pk)


def header_button(page: Page, user: Any, view_name: str, next_url: str | None = None) -> Iterator[Button]:
    """Yield the button next to a page's other actions."""
    if not page.alias_of_id and page.depth > 1 and page.permissions_for_user(user).can_edit():
        yield Button(
            gettext("Add to change set"),
            _address("studio_change_set_add", page),
            icon_name="folder-open-1",
            priority=45,
        )


def _add(request: HttpRequest, change_set: ChangeSet, thing: Any, what: str) -> HttpResponse:
    try:
        item = add(change_set, thing, person(request), what)
    except HeldElsewhere as error:
        messages.warning(request, str(error))
        return redirect("studio_change_set", error.change_set.pk)
    request.session[_RECENT] = change_set.pk
    return _say_added(request, item)


def _say_added(request: HttpRequest, item: ChangeSetItem) -> HttpResponse:
    """Confirm, and return to the list of pages, where editors often choose the next page."""
    thing = item.load()
    button = messages.button(reverse("studio_change_set", args=[item.change_set_id]), gettext("Open change set"))
    taken_down = item.what == ChangeSetItem.UNPUBLISH
    said = (
        gettext("“{title}” will be unpublished with the change set “{change_set}”. Visitors still see it.")
        if taken_down
        else gettext("“{title}” is saved in the change set “{change_set}”. Visitors do not see the change yet.")
    )
    messages.success(request, said.format(title=item.title, change_set=item.change_set), [button])
    if taken_down or not isinstance(thing, Page):
        return redirect("studio_change_set", item.change_set_id)
    parent: Any = thing.get_parent()
    return redirect("wagtailadmin_explore", parent.pk)


def _recent(request: HttpRequest) -> ChangeSet | None:
    id = request.session.get(_RECENT)
    return open_sets(person(request)).filter(pk=id).first() if id else None


def _address(name: str, thing: Any) -> str:
    return reverse(name, args=subject_of(thing))


def _find(type_id: int, id: str) -> Any:
    """Return the object of a content type and an ID. Raises Http404 if its model has no drafts."""
    model: Any = ContentType.objects.get_for_id(type_id).model_class() if _is_type(type_id) else None
    found = model._default_manager.filter(pk=id).first() if model and issubclass(model, DraftStateMixin) else None
    if found is None or getattr(found, "alias_of_id", None):
        raise Http404("This item cannot be in a change set.")
    return getattr(found, "specific", found)


def _is_type(type_id: int) -> bool:
    return ContentType.objects.filter(pk=type_id).exists()


def _title(thing: Any) -> str:
    return str(getattr(thing, "draft_title", "") or thing)


def _edit_url(thing: Any) -> str:
    from wagtail.admin.admin_url_finder import AdminURLFinder

    return AdminURLFinder().get_edit_url(thing) or reverse("studio_change_sets")
