"""The order of pages below one: a page changes places with those between it and another. Treebeard gives all that come after new
places, one by one, which takes seconds where thousands do."""

from typing import Any

from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Concat, Substr
from wagtail.models import Page


@transaction.atomic
def put_beside(page: Page, target: Page, is_before: bool) -> bool:
    """``page`` goes right before or after ``target``, one of those beside it. False where it stands there already."""
    parent = page.get_parent()
    if parent.pk != target.get_parent().pk:
        raise ValueError(f"Page {target.pk} does not stand beside page {page.pk}.")
    goes_up = target.path < page.path
    first, last = sorted((page.path, target.path))
    places = list(parent.get_children().filter(path__gte=first, path__lte=last).values_list("path", flat=True))
    if goes_up != is_before:
        places.remove(target.path)
    if len(places) < 2:
        return False
    if goes_up:
        places.reverse()
    aside = _next(parent.get_last_child().path)
    _carry(page.path, aside)
    for taken, free in zip(places[1:], places, strict=False):
        _carry(taken, free)
    _carry(aside, places[-1])
    page.refresh_from_db()
    return True


def _carry(before: str, after: str) -> None:
    """A page and all below it."""
    below: Any = Page.objects.filter(path__gte=before, path__lt=_next(before))
    below.order_by().update(path=Concat(Value(after), Substr(F("path"), len(before) + 1)))


def _next(path: str) -> str:
    """The place after this one."""
    return str(Page(path=path)._inc_path())
