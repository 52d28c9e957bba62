"""The screens of change sets."""

from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.admin.menu import MenuItem

from ...content.change_sets.holding import standings
from ...content.change_sets.models import ChangeSet
from ...content.entered import NotPossible
from ...content.site_records import site_roots_kept
from ...domain.change_sets import HOLDS, State, Step, say_state, steps_for, why_not
from ..authors import name_of
from ..moments import say_moment
from ..pins import say_pins
from ..revert import revert
from . import adding, moving, review
from .checks import check, check_if_quick
from .describe import describe, say_history, say_where_it_stands
from .details import ASSIGNED, DETAILS, edit_details
from .forms import NameForm, ReasonForm, TimeForm
from .rights import may_see, needs_review, person, standing_of
from .seeing import find_set, sets_seen_by
from .steps import LOGGED, Refused, mark_of, note_reverted, take_step
from .waiting import waiting_for

_A_PAGE: Final = 30
_WORDS: Final = {f"portolan.change_set.{step.value}": word for step, word in LOGGED.items()} | {
    DETAILS: gettext_noop("Name or note changed"),
    ASSIGNED: gettext_noop("Assigned"),
}
_DONE: Final = {
    Step.SEND: gettext_noop("“{}” is sent for review. All people who may approve it are notified."),
    Step.APPROVE: gettext_noop("“{}” is approved as it is now. Later edits of its drafts are not included."),
    Step.REOPEN: gettext_noop("“{}” is open again."),
    Step.UNSCHEDULE: gettext_noop("“{}” is removed from the schedule. It stays approved."),
    Step.DROP: gettext_noop("“{}” is closed. Its drafts stay as they are."),
}


def list_sets(request: HttpRequest) -> HttpResponse:
    user = _reader(request)
    form = NameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = ChangeSet.objects.create(name=form.cleaned_data["name"].strip(), owner=user)
        request.session["change_set"] = made.pk
        return redirect("studio_change_set", made.pk)
    is_over = request.GET.get("show") == "over"
    sets = sets_seen_by(user).annotate(things=Count("items")).select_related("owner").order_by("-pk")
    shown = sets.exclude(state__in=HOLDS) if is_over else sets.filter(state__in=HOLDS)
    page = Paginator(shown, _A_PAGE).get_page(request.GET.get("p"))
    context = {
        "rows": [(row, say_state(row.at, gettext), name_of(row.owner) if row.owner else "") for row in page],
        "page": page,
        "is_over": is_over,
        "waiting": waiting_for(user),
        "form": form,
        "may_set_rules": review.may_set(user),
        "zone": _zone(),
    }
    return TemplateResponse(request, "studio/changes/list.html", context)


def show_set(request: HttpRequest, id: int) -> HttpResponse:
    user = person(request)
    change_set = find_set(user, id)
    with site_roots_kept():
        context = _describe(user, change_set, waits="checked" in request.GET)
    return TemplateResponse(request, "studio/changes/set.html", context)


def _describe(user: Any, change_set: ChangeSet, waits: bool) -> dict[str, Any]:
    """Return the context of the screen.

    ``waits``: check the drafts first, even if that takes long. Otherwise the screen loads without the check, and its
    script reloads it.
    """
    items = list(change_set.items.select_related("content_type", "added_by"))
    standing, strict = standing_of(user, change_set, items), needs_review(items)
    look = check if waits else check_if_quick
    checked = look(change_set) if change_set.holds else None
    described = describe(change_set, checked, user, items) if checked else None
    steps = steps_for(change_set.at, standing, strict)
    return {
        "change_set": change_set,
        "state": say_state(change_set.at, gettext),
        "where": say_where_it_stands(change_set),
        "owner": name_of(change_set.owner) if change_set.owner else "",
        "described": described,
        "is_looked_at": bool(described) or not change_set.holds,
        "titles": [] if described else [item.title for item in items],
        "steps": {step.value for step in steps},
        "has_review": Step.SEND in steps,
        "why_not": why_not(change_set.at, _aim(change_set.at, strict), standing, strict, gettext),
        "strict": strict,
        "is_ready": bool(described and items and not described.problem_count),
        "mark": mark_of(items),
        "time_form": TimeForm(initial={"at": change_set.go_live_at}),
        "reason_form": ReasonForm(),
        "history": say_history(change_set, _WORDS),
        "zone": _zone(),
        "pinned": say_pins(),
    }


@require_POST
def step_set(request: HttpRequest, id: int, step: str) -> HttpResponse:
    user = person(request)
    change_set = find_set(user, id)
    try:
        wanted = Step(step)
        if wanted in (Step.CHANGE, Step.FAIL, Step.REVERT):
            raise ValueError
    except ValueError:
        raise Http404(f"There is no step {step}.") from None
    at, said = None, ""
    if wanted is Step.SCHEDULE:
        form = TimeForm(request.POST)
        if not form.is_valid():
            messages.error(request, " ".join(map(str, form.errors.get("at", ()))))
            return redirect("studio_change_set", id)
        at = form.cleaned_data["at"]
    if wanted is Step.REOPEN:
        said = " ".join(request.POST.get("said", "").split())[:500]
    try:
        row = take_step(change_set, wanted, user, request.POST.get("seen", ""), at, said)
    except Refused as error:
        messages.error(request, str(error))
        return redirect("studio_change_set", id)
    _say_done(request, row, wanted)
    return redirect("studio_change_set", id)


def take_set_back(request: HttpRequest, id: int) -> HttpResponse:
    """Show the changes to revert; on POST, revert them."""
    user = person(request)
    change_set = find_set(user, id)
    items = list(change_set.items.all())
    if said := why_not(change_set.at, Step.REVERT, standing_of(user, change_set, items), needs_review(items), gettext):
        messages.error(request, said)
        return redirect("studio_change_set", id)
    is_trial = request.method != "POST"
    try:
        found = revert(change_set.release or 0, name_of(user), user, is_trial)
    except NotPossible as error:
        messages.error(request, str(error))
        return redirect("studio_change_set", id)
    if is_trial:
        context = {"change_set": change_set, "found": found, "pinned": say_pins()}
        return TemplateResponse(request, "studio/changes/revert.html", context)
    if found.new is None:
        messages.warning(
            request, gettext("Nothing was reverted: everything is already as before, or has changed since.")
        )
        return redirect("studio_change_set", id)
    note_reverted(change_set, found.new, user)
    left = (
        gettext(" Left unchanged: {count}. See the reasons in release {release}.").format(
            count=len(found.left), release=found.new
        )
        if found.left
        else ""
    )
    messages.success(
        request,
        gettext("“{change_set}” is reverted by release {new}.{left}").format(
            change_set=change_set, new=found.new, left=left
        ),
    )
    return redirect("studio_change_set", id)


@require_POST
def remove_item(request: HttpRequest, id: int, item_id: int) -> HttpResponse:
    """Remove an item. Its draft stays."""
    change_set, item = _changeable(request, id, item_id)
    item.delete()
    messages.success(
        request,
        gettext("“{title}” is removed from “{change_set}”. Its draft stays.").format(
            title=item.title, change_set=change_set
        ),
    )
    return redirect("studio_change_set", id)


@require_POST
def keep_item(request: HttpRequest, id: int, item_id: int) -> HttpResponse:
    """Keep the change set's draft, although another version went live meanwhile."""
    _, item = _changeable(request, id, item_id)
    now = standings([item]).get(item.pk)
    if now:
        item.base = now.live
        item.save(update_fields=["base"])
        messages.success(
            request,
            gettext("The draft of “{title}” in this change set replaces the live version.").format(title=item.title),
        )
    return redirect("studio_change_set", id)


def _changeable(request: HttpRequest, id: int, item_id: int) -> tuple[ChangeSet, Any]:
    user = person(request)
    change_set = find_set(user, id)
    item = get_object_or_404(change_set.items, pk=item_id)
    if said := why_not(
        change_set.at, Step.CHANGE, standing_of(user, change_set), needs_review=False, translate=gettext
    ):
        raise PermissionDenied(said)
    return change_set, item


def _say_done(request: HttpRequest, row: ChangeSet, step: Step) -> None:
    if step is Step.SCHEDULE and row.go_live_at:
        messages.success(
            request,
            gettext("“{row}” goes live on {time}.").format(row=row, time=say_moment(row.go_live_at)),
        )
    elif step is Step.PUBLISH:
        pinned = f" {pin}" if (pin := say_pins()) else ""
        messages.success(
            request,
            gettext("“{row}” is being published as release {release}.{pinned}").format(
                row=row, release=row.release, pinned=pinned
            ),
        )
    else:
        messages.success(request, gettext(_DONE[step]).format(row))


def _aim(state: State, strict: bool) -> Step:
    """Return the main step of this state. If the user may not take it, the screen gives the reason."""
    if state is State.REVIEW:
        return Step.APPROVE
    return Step.REVERT if state not in HOLDS else Step.PUBLISH


def _reader(request: HttpRequest) -> Any:
    user = person(request)
    if not may_see(user):
        raise PermissionDenied
    return user


def _zone() -> str:
    return timezone.get_current_timezone_name()


class ChangesItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Changes"),
            reverse_lazy("studio_change_sets"),
            name="changes",
            icon_name="folder-open-1",
            order=160,
        )

    def is_shown(self, request: HttpRequest) -> bool:
        return may_see(request.user)


URLS: Final[list[URLPattern]] = [
    path("changes/", list_sets, name="studio_change_sets"),
    path("changes/rules/", review.show_rules, name="studio_review_rules"),
    path("changes/add/<int:type_id>/<str:id>/", adding.choose_set, name="studio_change_set_add"),
    path("changes/move/<int:page_id>/<int:parent_id>/", moving.plan_move, name="studio_change_set_move"),
    path("changes/alone/<int:type_id>/<str:id>/", adding.publish_alone, name="studio_change_set_alone"),
    path("changes/<int:id>/", show_set, name="studio_change_set"),
    path("changes/<int:id>/details/", edit_details, name="studio_change_set_details"),
    path("changes/<int:id>/revert/", take_set_back, name="studio_change_set_revert"),
    path("changes/<int:id>/items/<int:item_id>/remove/", remove_item, name="studio_change_set_remove"),
    path("changes/<int:id>/items/<int:item_id>/keep/", keep_item, name="studio_change_set_keep"),
    path("changes/<int:id>/<slug:step>/", step_set, name="studio_change_set_step"),
]
