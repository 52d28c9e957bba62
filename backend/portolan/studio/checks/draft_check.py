"""Check a draft as a publish would: make a snapshot, render it, and run the publish checks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from django.conf import settings

from ...builds.media_source import MediaFolder
from ...content.errors import SnapshotError
from ...content.export import Draft, examine_draft
from ...content.items import PAGE, ItemKey
from ...content.pages.base import SitePage
from ...domain.cards import CARD_KINDS
from ...domain.problems import (
    InvalidPath,
    MissingAnchor,
    Problem,
    RenderingFailed,
    Subject,
    TakenPath,
    WrongHeadings,
    in_order,
)
from ...domain.snapshot_bodies import PageBody
from ...publisher.locate import locate_links
from ...publisher.problem import UsageError
from ...publisher.publish_checks import Media, PublishChecks
from ...publisher.route_table import subject_of
from ...publisher.well_known import SITE_FILES
from ..drawing import Drawing, draw, draw_all
from .language_warnings import find_language_warnings
from .live_sites import LiveSites
from .lost_anchors import find_lost_anchors
from .placements import find_unseen_placements
from .warnings import find_changed_pictures, find_warnings

_KINDS_WITH_HEADING: Final = frozenset(CARD_KINDS[page_type] for page_type in ("article", "event", "blueprint"))
"""Cards whose layout has a main heading (`web/src/layouts/opening/opening.tsx`)."""


def check_draft(page: SitePage) -> list[Problem]:
    """Return the problems and warnings of the page in memory.

    A hidden page has none. Problems of menu and footer belong to their own forms.
    """
    if page.hidden_here:
        return []
    try:
        draft = examine_draft(page)
    except SnapshotError as error:
        return error.problems
    key = next(key for key in draft.bodies if key.kind == PAGE)
    found = [*draft.problems, *_check_drawn(key, draft), *draft.warnings]
    site = settings.SITES_REGISTRY.sites[key.site]
    path = str(draft.bodies[key]["path"])
    subject = Subject(*key, page.title, path)
    found += find_warnings(cast(PageBody, draft.bodies[key]), subject, site.language)
    source = settings.SITES_REGISTRY.default_site
    found += find_language_warnings(key, draft.bodies[key], page.title, site, source)
    found += find_unseen_placements(page, subject)
    found += find_changed_pictures(draft.bodies, page.title)
    return in_order(dict.fromkeys(found))


def check_together(bodies: Mapping[ItemKey, Any]) -> list[Problem]:
    """Run the publish checks on the pages of a snapshot, as if all went live in one release.

    A body of ``None`` removes the item. Broken links to removed items are found when they are published.
    """
    there = {key: body for key, body in bodies.items() if body is not None}
    pages = [key for key in there if key.kind == PAGE]
    live = LiveSites(settings.BUILDS_DIR)
    found: list[Problem] = []
    try:
        for key, drawing in zip(pages, draw_all(there, pages) if pages else (), strict=True):
            if isinstance(drawing, SnapshotError):
                found += [problem for problem in drawing.problems if problem.item == (*key,)]
            else:
                found += _check_as_publish(drawing, live)
    except UsageError:
        pass  # rendering is not possible here; the dashboard shows it
    return in_order(dict.fromkeys(found))


def _check_drawn(key: ItemKey, draft: Draft) -> list[Problem]:
    whole = _drawable(draft)
    if whole is None:
        return []
    try:
        drawing = draw(whole)
    except SnapshotError as error:  # it never has more than one problem
        found = [problem for problem in error.problems if problem.item == (*key,)]
    except UsageError:
        return []  # rendering is not possible here; the dashboard shows it
    else:
        found = _check_as_publish(drawing)
        found += find_lost_anchors(drawing)
    return [problem for problem in found if _is_certain(problem, draft)]


def _drawable(draft: Draft) -> Mapping[ItemKey, Any] | None:
    """Return the bodies that can be rendered despite the problems.

    Leave out blocks and cards with a problem. Return ``None`` if the problem is elsewhere.
    """
    bodies: dict[ItemKey, Any] = dict(draft.bodies)
    with_problems: set[str] = set()
    for problem in draft.problems:
        subject = problem.subject
        if subject.block:
            with_problems.add(subject.block.id)
        elif subject.kind != PAGE:
            bodies.pop(ItemKey(*problem.item), None)
        else:
            return None
    if with_problems:
        (key,) = (key for key in bodies if key.kind == PAGE)
        rest = [block for block in bodies[key]["blocks"] if block["id"] not in with_problems]
        bodies[key] = {**bodies[key], "blocks": rest, "anchors": []}
    return bodies


def _is_certain(problem: Problem, draft: Draft) -> bool:
    """Return whether the problem would also be in the whole page, and does not come from a part that was left out."""
    if not draft.problems:
        return True
    missing = [problem.subject for problem in draft.problems]
    match problem.detail:
        case RenderingFailed():
            return False
        case WrongHeadings():
            has_heading = any(subject.block and subject.block.type == "hero" for subject in missing)
            return not has_heading and not any(subject.kind in _KINDS_WITH_HEADING for subject in missing)
        case MissingAnchor():
            return not any(subject.block for subject in missing)
    return True


def _check_as_publish(drawing: Drawing, live: LiveSites | None = None) -> list[Problem]:
    own = subject_of(drawing.page)[:3]
    return [problem for problem in judge(drawing, live) if problem.item == own]


def judge(drawing: Drawing, live: LiveSites | None = None) -> list[Problem]:
    """Return the problems of a rendered page, its menu and its footer, by the publish checks.

    Pass the same ``live`` for several pages to check all against the same live builds.
    """
    page, routes, addresses = drawing.page, drawing.routes, drawing.addresses
    site, subject = page.site, subject_of(page)
    live = live or LiveSites(settings.BUILDS_DIR)
    known = {site, addresses.registry.default_site.key}

    def is_file(where: str, path: str) -> bool:
        if path in SITE_FILES or (where == site and (path in drawing.web.files or path == drawing.shared.path)):
            return True
        return live.may_have(where, path) if where not in known else False

    def read_page(where: str, path: str) -> bytes | None:
        return drawing.rendered.html if (where, path) == (site, page.path) else live.read_page(where, path)

    publish_checks = PublishChecks(routes, addresses, _media(), is_file, live.redirects, known)
    checked = publish_checks.check_page(
        subject, drawing.rendered.seen, routes.alternates(page), routes.alternates_in_head(page)
    )
    found = [*checked.problems, *_check_path(drawing)]
    for url in sorted(checked.cross_page_links):
        found += publish_checks.check_cross_page_links(site, url, [page.path], read_page)
    return locate_links(found, site, drawing.shared.data, lambda _site, _path: drawing.content["blocks"])


def _check_path(drawing: Drawing) -> list[Problem]:
    page = drawing.page
    found: list[Problem] = []
    for problem in drawing.routes.problems(page.site):
        match problem.detail:
            case InvalidPath() if problem.subject.path == page.path:
                found.append(problem)
            case TakenPath(path, title) if path == page.path:
                other = title if problem.subject.key == page.key else problem.subject.title
                found.append(Problem(subject_of(page), TakenPath(path, other)))
    return found


def _media() -> Media:
    return MediaFolder(Path(settings.MEDIA_ROOT)) if settings.MEDIA_ROOT else _AnyMedia()


class _AnyMedia:
    """Accepts all media of a shared storage. Checking each image is slow, and a publish does it."""

    def has(self, name: str) -> bool:
        return True
