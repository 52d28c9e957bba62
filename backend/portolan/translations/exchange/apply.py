"""Write the translations of a file into drafts. Nothing goes live."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from wagtail.models import Locale

from ...content.change_sets.holding import find_item
from ...content.site_records import SiteRoot
from ...content.texts import has_unknown_blocks
from ..segments import Kind, Segment, match, read_segments, with_segments
from ..tracking import forget_base
from .additions import add_missing
from .checking import breaks_tags, find_lost_codes, find_unknown_code
from .inline import join
from .pages import Pair, address_of, draft_of, find_ids_by_key, find_roots, load_pairs
from .units import Returned, mark_of


@dataclass(frozen=True, slots=True)
class Options:
    overwrite: bool = False
    """Also replace texts that were changed on the site since the export."""
    add_blocks: bool = False
    """Also copy blocks of the source that the translation lacks."""
    take: Collection[str] = ()
    """Names of conflicts whose text is replaced."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A text that was changed on the site since the export, so that the text of the file was not taken."""

    name: str
    """Page and path of the source, and ``mark_of`` the present text."""
    page_id: int
    path: str
    address: str
    label: str
    kind: Kind
    target_was: str
    """``mark_of`` the text at the export; empty if the file does not say it."""
    now: str
    new: str
    """From the file."""


@dataclass(slots=True)
class Report:
    """The result of an import."""

    created: list[str] = field(default_factory=list)
    """Paths of source pages whose translation is new."""
    changed: list[str] = field(default_factory=list)
    """Paths of source pages whose translation has a new draft."""
    texts: int = 0
    """Number of texts written."""
    unchanged: int = 0
    unfinished: int = 0
    """Texts without a translation, or with one that is marked as not finished."""
    conflicts: list[Conflict] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Other texts and pages that were not taken, and why, as sentences."""
    notices: list[str] = field(default_factory=list)
    """Texts that were taken and need a look, as sentences."""


class _LeftOut(Exception):
    """The page cannot be changed. The message says why."""


def apply(returned: Sequence[Returned], site: str, user: Any, options: Options) -> Report:
    """Write finished translations into the drafts of pages on ``site``, with one revision for each page.

    Raise NothingToDo for a site without a source.
    """
    source, own = find_roots(site)
    report = Report()
    by_page = {
        key: list(units) for key, units in groupby(sorted(returned, key=attrgetter("page")), key=attrgetter("page"))
    }
    found = set[UUID]()
    for pk in find_ids_by_key(source, list(by_page)):  # one at a time, so that a new parent page is found
        for pair in load_pairs([pk], own):
            key = pair.source.translation_key
            found.add(key)
            _Page(pair, address_of(pair.source, source), own, user, options, report).write(by_page[key])
    for key in by_page.keys() - found:
        report.left_out.append(
            _("The page {key} is not on the site {site}. It was deleted or moved to another site.").format(
                key=key, site=source.key
            )
        )
    return report


class _Page:
    def __init__(self, pair: Pair, address: str, root: SiteRoot, user: Any, options: Options, report: Report) -> None:
        self._pair = pair
        self._address = address
        self._root = root
        self._user = user
        self._options = options
        self._report = report
        self._is_outdated = False
        """True if the file translates an earlier text of the source."""

    def write(self, units: Sequence[Returned]) -> None:
        finished = [unit for unit in units if unit.target and unit.is_finished]
        self._report.unfinished += len(units) - len(finished)
        if not finished:
            return
        try:
            with transaction.atomic():
                self._write(finished)
        except _LeftOut as error:
            self._report.left_out.append(f"{self._address}: {error}")

    def _write(self, units: Sequence[Returned]) -> None:
        page = self._pair.page
        is_new = page is None
        if page is None:
            page = self._create()
        self._check(page)
        draft = draft_of(page)
        has_added = self._options.add_blocks and self._add_blocks(draft, units)
        texts = self._choose(draft, units, is_new)
        if not texts and not has_added:
            transaction.set_rollback(is_new)  # a page without a single translated text is not created
            return
        were = _problems_of(draft)
        with_segments(draft, texts)
        self._note(problem for problem in _problems_of(draft) if problem not in were)
        draft.save_revision(user=self._user, log_action=True, clean=False)
        if is_new and self._is_outdated:
            forget_base(page.translation_key, self._root.key, self._pair.source)
        self._report.texts += len(texts)
        (self._report.created if is_new else self._report.changed).append(self._address)
        if held := find_item(page):
            in_set = _("The draft is in the change set {number} ({name}).")
            self._note([in_set.format(number=held.change_set_id, name=held.change_set)])

    def _choose(self, draft: Any, units: Sequence[Returned], is_new: bool) -> dict[str, str]:
        """Return the texts to set by path of the translation, and report the others."""
        source = self._pair.source
        texts = {segment.path: segment for segment in read_segments(source, with_empty=True)}
        drafted = {segment.path: segment for segment in read_segments(draft_of(source), with_empty=True)}
        own = {segment.path: segment for segment in read_segments(draft, with_empty=True)}
        segments = {**drafted, **texts}
        pairs = match(list(segments.values()), list(own.values()))
        chosen: dict[str, str] = {}
        for unit in units:
            segment = segments.get(unit.path)
            place = own.get(pairs.get(unit.path, ""))
            versions = [version[unit.path].text for version in (texts, drafted) if unit.path in version]
            if segment is None or not any(versions):
                self._leave_out(unit.path, _("the source page lacks this text."))
            elif place is None:
                self._leave_out(
                    segment.label,
                    _("the translation has no such block. Import again and add missing blocks (--add-blocks)."),
                )
            elif (target := self._take(unit, segment, place, versions, is_new)) is not None:
                chosen[place.path] = target
        return chosen

    def _take(self, unit: Returned, segment: Segment, place: Segment, now: list[str], is_new: bool) -> str | None:
        """Return the text to set; None if it stays, which is reported."""
        source, target = join(unit.source, segment.kind), join(unit.target, segment.kind)
        if target == place.text:
            self._report.unchanged += 1
            return None
        is_untouched = is_new or place.text in ("", source, *now) or mark_of(place.text) == unit.target_was
        name = f"{unit.page}/{unit.path}@{mark_of(place.text)}"
        is_kept = not is_untouched and not self._options.overwrite and name not in self._options.take
        if code := find_unknown_code(target, segment.kind, [source, *now, place.text]):
            self._leave_out(place.label, _("it contains {code}, which is new.").format(code=code))
            return None
        if breaks_tags(source, target, segment.kind):
            self._leave_out(place.label, _("a tag of its translation has no end."))
            return None
        if problem := _find_problem(place, target):
            self._leave_out(place.label, problem)
            return None
        if is_kept and self._pair.page:
            self._report.conflicts.append(
                Conflict(
                    name,
                    self._pair.page.pk,
                    place.path,
                    self._address,
                    place.label,
                    segment.kind,
                    unit.target_was,
                    place.text,
                    target,
                )
            )
            return None
        if source not in now:
            self._is_outdated = True
            outdated = _("{text}: the source was changed since the export. The translation is outdated.")
            self._note([outdated.format(text=place.label)])
        if lost := find_lost_codes(source, target, segment.kind):
            lacks = _("{text}: the translation lacks {codes}.")
            self._note([lacks.format(text=place.label, codes=", ".join(lost))])
        return target

    def _add_blocks(self, draft: Any, units: Sequence[Returned]) -> bool:
        """Return whether the draft has changed."""
        source = self._pair.source
        segments = {segment.path: segment for segment in read_segments(source, with_empty=True)}
        before = match(list(segments.values()), read_segments(draft, with_empty=True))
        missing = [unit.path for unit in units if unit.path in segments and unit.path not in before]
        add_missing(source, draft, missing)
        after = match(list(segments.values()), read_segments(draft, with_empty=True))
        added = [segment for path, segment in segments.items() if path in after and path not in before]
        copied = _("{text}: copied from the source.")
        self._note(copied.format(text=segment.label) for segment in added if segment.text)
        return bool(added)

    def _create(self) -> Any:
        source = self._pair.source
        locale = self._root.locale_id
        parent = source.get_parent().get_translations().filter(locale_id=locale).first()
        if parent is None:
            raise _LeftOut(
                _("its parent page does not exist on the site {site}. Create that page first.").format(
                    site=self._root.key
                )
            )
        may_translate = self._user.has_perm("simple_translation.submit_translation")
        if not may_translate or not parent.specific.permissions_for_user(self._user).can_add_subpage():
            raise _LeftOut(
                _("{user} may not create pages on the site {site}.").format(user=self._user, site=self._root.key)
            )
        created = source.copy_for_translation(Locale.objects.get(pk=locale))
        return type(source).objects.get(pk=created.pk)

    def _check(self, page: Any) -> None:
        """Raise _LeftOut if the person cannot change the page."""
        if page.alias_of_id:
            copy = _(
                "the site {site} shows a live copy of it. Make it a page of its own in the studio, then try again."
            )
            raise _LeftOut(copy.format(site=self._root.key))
        if not page.permissions_for_user(self._user).can_edit():
            raise _LeftOut(
                _("{user} may not edit the page on the site {site}.").format(user=self._user, site=self._root.key)
            )
        lock = page.get_lock()
        if lock and lock.for_user(self._user):
            raise _LeftOut(_("it is locked, or its draft is scheduled. Unlock it or cancel the schedule first."))
        if has_unknown_blocks(page):
            raise _LeftOut(_("it has blocks of a plugin that is not in the site configuration."))

    def _leave_out(self, place: str, why: str) -> None:
        self._report.left_out.append(f"{self._address}, {place}: {why}")

    def _note(self, notices: Any) -> None:
        self._report.notices += (f"{self._address}: {notice}" for notice in notices)


def _find_problem(place: Segment, target: str) -> str:
    """Return why the form would refuse the text; empty if it would refuse the present one too."""
    if place.origin is None:
        return ""
    known = place.origin.problems(place.text)
    return next((problem for problem in place.origin.problems(target) if problem not in known), "")


def _problems_of(draft: Any) -> list[str]:
    try:
        draft.clean()
    except ValidationError as error:
        return [str(message) for message in error.messages]
    return []
