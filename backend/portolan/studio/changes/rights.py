"""Rights on change sets.

On a site with review, changes go live only in a change set that another person has approved.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest
from wagtail.models import Page
from wagtail.permission_policies.pages import PagePermissionPolicy
from wagtail.permissions import policy_registry

from ...content.change_sets.holding import load_things, reviewed_sites
from ...content.change_sets.models import ChangeSet, ChangeSetItem
from ...content.going_live import may_publish, may_publish_everywhere, needs_reviewer
from ...content.site_setting import SiteSetting
from ...domain.change_sets import Standing


def person(request: HttpRequest) -> Any:
    """Return the user of a studio request."""
    return request.user


def may_see(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether the user works on content, including editors who may only save drafts."""
    return PagePermissionPolicy().user_has_any_permission(user, {"add", "change", "publish"})


def may_edit(user: Any, thing: Any) -> bool:
    if isinstance(thing, Page):
        return bool(thing.permissions_for_user(user).can_edit())
    return bool(policy_registry.get(thing).user_has_permission_for_instance(user, "change", thing))


def standing_of(user: Any, change_set: ChangeSet, items: Iterable[ChangeSetItem] | None = None) -> Standing:
    rows = list(change_set.items.all() if items is None else items)
    load_things(rows)
    things = {row: thing for row in rows if (thing := row.load()) is not None}
    is_owner = change_set.owner_id == user.pk
    return Standing(
        edits=is_owner or any(may_edit(user, thing) for thing in things.values()) or (not things and may_see(user)),
        publishes=bool(things)
        and all(
            may_publish_everywhere(user, thing)
            or may_publish(user, thing, draft_of(row))  # the first check is fast, because reading drafts takes time
            for row, thing in things.items()
        ),
        is_author=is_owner or change_set.sent_by_id == user.pk,
    )


def needs_review(items: Iterable[ChangeSetItem]) -> bool:
    """Return whether a site of the items requires review."""
    return bool(reviewed_sites()) and any(
        needs_reviewer(thing, draft_of(row)) for row in items if (thing := row.load()) is not None
    )


def draft_of(item: ChangeSetItem) -> Any | None:
    """Return the draft of an entry or redirect in the change set. Its sites decide who may publish it.

    ``None`` for pages, menus and similar items, for which the place decides.
    """
    if item.what != ChangeSetItem.PUBLISH or isinstance(item.load(), Page | SiteSetting):
        return None
    revision = item.revision()
    return revision.as_object() if revision else None


def find_reviewers(change_set: ChangeSet) -> list[Any]:
    """Return the users who may approve a change set."""
    rows = list(change_set.items.all())
    strict = needs_review(rows)
    people = get_user_model().objects.filter(is_active=True).order_by("pk")
    found = []
    for user in people:
        standing = standing_of(user, change_set, rows)
        if standing.publishes and not (strict and standing.is_author):
            found.append(user)
    return found
