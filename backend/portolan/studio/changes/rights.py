"""Who may do what with a change set. On a site where a reviewer publishes, nobody publishes alone: what goes live there passes
a change set that somebody else has approved.
"""

from collections.abc import Iterable
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest
from wagtail.models import Page, PagePermissionTester
from wagtail.permission_policies.pages import PagePermissionPolicy
from wagtail.permissions import policy_registry

from ...content.change_sets.holding import load_things, own_sites, reviewed_sites
from ...content.change_sets.models import ChangeSet, ChangeSetItem
from ...content.site_records import load_site_roots
from ...domain.change_sets import Standing

_ANSWER: Final = "_reviewed_roots"
_ASKED: Final = ("can_publish", "can_publish_subpage")


def person(request: HttpRequest) -> Any:
    """Who asks; the studio's screens ask nobody else."""
    return request.user


def may_see(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whoever works on content, also by proposing drafts."""
    return PagePermissionPolicy().user_has_any_permission(user, {"add", "change", "publish"})


def may_edit(user: Any, thing: Any) -> bool:
    if isinstance(thing, Page):
        return bool(thing.permissions_for_user(user).can_edit())
    return bool(policy_registry.get(thing).user_has_permission_for_instance(user, "change", thing))


def may_publish(user: Any, thing: Any) -> bool:
    """Has the right to, whatever the site's rule of review says."""
    return bool(policy_registry.get(thing).user_has_permission_for_instance(user, "publish", thing))


def standing_of(user: Any, change_set: ChangeSet, items: Iterable[ChangeSetItem] | None = None) -> Standing:
    rows = list(change_set.items.all() if items is None else items)
    load_things(rows)
    things = [thing for row in rows if (thing := row.load()) is not None]
    is_owner = change_set.owner_id == user.pk
    return Standing(
        edits=is_owner or any(may_edit(user, thing) for thing in things) or (not things and may_see(user)),
        publishes=bool(things) and all(may_publish(user, thing) for thing in things),
        is_author=is_owner or change_set.sent_by_id == user.pk,
    )


def needs_review(items: Iterable[ChangeSetItem]) -> bool:
    """Whether on a site of it a reviewer publishes."""
    reviewed = reviewed_sites()
    return bool(reviewed) and any(
        not reviewed.isdisjoint(own_sites(thing)) for row in items if (thing := row.load()) is not None
    )


def find_reviewers(change_set: ChangeSet) -> list[Any]:
    """Who may approve it."""
    rows = list(change_set.items.all())
    strict = needs_review(rows)
    people = get_user_model().objects.filter(is_active=True).order_by("pk")
    found = []
    for user in people:
        standing = standing_of(user, change_set, rows)
        if standing.publishes and not (strict and standing.is_author):
            found.append(user)
    return found


def is_reviewed(user: Any, page: Page) -> bool:
    """Whether a reviewer publishes where the page stands. Asked for each row of a list: read once a request."""
    roots = getattr(user, _ANSWER, None)
    if roots is None:
        reviewed = reviewed_sites()
        roots = [root.root_path for root in load_site_roots().values() if root.key in reviewed] if reviewed else []
        setattr(user, _ANSWER, roots)
    return any(page.path.startswith(root) for root in roots)


def is_site_reviewed(thing: Any) -> bool:
    return not reviewed_sites().isdisjoint(own_sites(thing))


def connect() -> None:
    """Wagtail's own question, which its buttons, views, bulk actions and API ask. Taking a page down stays as it is: an error
    goes quicker than it came. A second call changes nothing."""
    for name in _ASKED:
        asked = getattr(PagePermissionTester, name)
        if not hasattr(asked, "__wrapped__"):
            setattr(PagePermissionTester, name, _unless_reviewed(asked))


def _unless_reviewed(asked: Any) -> Any:
    def answer(self: Any) -> bool:
        return bool(asked(self)) and not is_reviewed(self.user, self.page)

    answer.__wrapped__ = asked  # type: ignore[attr-defined]
    return answer
