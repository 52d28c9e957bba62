"""Explain the response at a URL.

For a page: its last rendering with reasons, its dependencies, and links in both directions. Reads the live pointer, the
journal and the index, and a manifest if the URL is not a page.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.live import LivePointer, read_live
from ..builds.manifest import BuildError, Manifest, read_manifest
from ..builds.store import ContentStore
from ..domain.cards import CARD_KINDS
from ..domain.problems import Problem
from ..domain.redirects import GONE, NOT_IN_BUILDS, Redirect, RedirectTable, spellings, wildcards_above
from ..releases.diff import compare_items, say_field
from ..releases.index import Page
from ..releases.reader import ALL_SITES, FormerAddress, ItemId, ReleaseInfo, ReleaseReader
from ..releases.release_view import release_view_of
from .addresses import Addresses
from .depends import find_dependencies
from .journal import Entry, Rendering, find_beginning, find_renderings, read_entries
from .outcome import read_outcome
from .page_links import PageLinks, find_page_links
from .reasons import Cause, Reason, Reasons
from .redirects import REDIRECT
from .snapshot import Snapshot

_EARLIER: Final = 4
"""Number of earlier renderings listed before the last one."""
_MOST_FIELDS: Final = 5
_CLOCKS_DIFFER: Final = timedelta(minutes=1)
"""Largest difference between the clocks of the release worker and the publisher."""
_FRAME_KINDS: Final = {
    "menu": "menu", "contact": "menu", "footer": "footer", "legalLinks": "footer", "personalData": "footer",
    "officesLink": "footer", "offices": "office", "phones": "phone", "words": "words", "frameWords": "words",
}  # fmt: skip
"""Kind of the items that a field of the shared data is made from. Other fields come from the configuration and
figures."""


class Answer(StrEnum):
    """Kinds of responses at a URL."""

    PAGE = "page"
    FILE = "file"
    """A file of the build other than a page: a script, the sitemap."""
    MOVED = "moved"
    GONE = "gone"
    MISSING = "missing"
    """The site's error page."""
    OTHER = "other"
    """A response from outside the builds: the API, uploaded files."""
    NO_SITE = "no site"
    """The site has never been live."""


class Edit(NamedTuple):
    """The change of an item in one release."""

    item: ItemId
    change: str
    """``added``, ``changed`` or ``removed``."""
    fields: tuple[str, ...]
    """Names of the first changed fields."""
    release: ReleaseInfo


class Why(NamedTuple):
    reason: Reason
    edits: tuple[Edit, ...]
    """The edits that caused the reason, as far as releases record them."""


class Rendered(NamedTuple):
    """One rendering of a page."""

    entry: Entry
    release: ReleaseInfo | None
    """The release that it was rendered for; None if the site showed that already, or the database lacks it."""
    why: tuple[Why, ...]
    back: Entry | None
    """The entry of a later rollback to this build."""


class PageFacts(NamedTuple):
    """Facts about a live page."""

    page: Page
    last: Rendered | None
    """None if it was rendered before the journal began."""
    earlier: tuple[Rendered, ...]
    """Earlier renderings, newest first."""
    problems: tuple[Problem, ...]
    """Why changes of the page wait."""
    depends_on: tuple[Reason, ...]
    links: PageLinks


class Explanation(NamedTuple):
    site: str
    path: str
    url: str
    answer: Answer
    live: LivePointer
    begins: str
    """When the site's journal began, ISO; empty without a journal."""
    facts: PageFacts | None = None
    redirect: Redirect | None = None
    rule: str = ""
    """An editor's redirect: its path, perhaps with a wildcard."""
    former: FormerAddress | None = None
    """The last page at the path."""
    waiting: Page | None = None
    """The page at the path in the newest release, which is not live on the site."""
    elsewhere: tuple[Page, ...] = ()
    """Pages at the same path on other sites."""


class Explainer:
    """Explains URLs of one installation in its present state."""

    def __init__(self, builds: Path, reader: ReleaseReader, addresses: Addresses) -> None:
        """Raise BuildError if the live pointer is damaged."""
        self._builds = builds
        self._reader = reader
        self._addresses = addresses
        self._live = read_live(builds)
        self._edits: dict[tuple[ItemId, int, str], Edit | None] = {}
        """Shared by many pages that were rendered for the same edits."""
        self._releases: dict[int, ReleaseInfo | None] = {}

    def explain(self, site: str, path: str) -> Explanation:
        """Return the explanation.

        Raise BuildError if the path is not a page and the site's manifest is unreadable.
        """
        url = self._addresses.url(site, path)
        if site not in self._live.builds:
            return Explanation(site, path, url, Answer.NO_SITE, self._live, "")
        found = self.snapshot(site).pages_at(path)
        page = next((page for page in found if page.site == site), None)
        elsewhere = tuple(other for other in found if other.site != site)
        known = Explanation(site, path, url, Answer.PAGE, self._live, self.find_beginning(site), elsewhere=elsewhere)
        return known._replace(facts=self.explain_page(page)) if page else self._explain_other(known)

    def explain_page(self, page: Page) -> PageFacts:
        """Return the facts about a live page."""
        snapshot = self.snapshot(page.site)
        renderings = [self._say(found, page.site) for found in islice(self._find_renderings(page), 1 + _EARLIER)]
        return PageFacts(
            page,
            renderings[0] if renderings else None,
            tuple(renderings[1:]),
            tuple(self._find_problems(page)),
            tuple(find_dependencies(page, snapshot, self._addresses)),
            find_page_links(page, snapshot, self._addresses, self.read_html(page)),
        )

    def find_page(self, site: str, key: str) -> Page | None:
        """Return a site's live page with this translation key, or None."""
        if site not in self._live.builds:
            return None
        return next((page for page in self.snapshot(site).translations([key]) if page.site == site), None)

    def find_last(self, page: Page) -> Rendered | None:
        """Return only the last rendering of a live page, which is quick."""
        found = next(self._find_renderings(page), None)
        return found and self._say(found, page.site)

    def explain_reasons(self, entry: Entry, reasons: Reasons, site: str) -> Rendered:
        """Return the rendering of a site's build for these reasons."""
        return self._say(Rendering(entry, reasons, None), site)

    def find_beginning(self, site: str) -> str:
        """Return when the journal of a site began, ISO; empty without a journal."""
        return find_beginning(self._builds, site)

    def snapshot(self, site: str) -> Snapshot:
        """Return the content that a live site shows."""
        release_view = release_view_of(self._reader, self._live.releases[site]).blocking(
            self._live.blocked.get(site, {})
        )
        return Snapshot(self._reader, release_view)

    def _find_renderings(self, page: Page) -> Iterator[Rendering]:
        return find_renderings(read_entries(self._builds, page.site), self._live.builds[page.site], page.path)

    def _say(self, rendering: Rendering, site: str) -> Rendered:
        entry = rendering.entry
        why = tuple(Why(reason, tuple(self._find_edits(reason, entry, site))) for reason in rendering.reasons)
        release = None if entry.release == entry.since else self._release(entry.release, entry)
        return Rendered(entry, release, why, rendering.back)

    def _find_edits(self, reason: Reason, entry: Entry, site: str) -> Iterator[Edit]:
        if reason.item:
            number = self._reader.last_change(max(entry.release, entry.since), reason.item)
            changes = [(reason.item, number)] if number else []
        elif reason.cause == Cause.FRAME and entry.since:
            changes = self._find_frame_changes(reason.parts, entry, site)
        else:
            changes = []
        for item, number in changes:
            key = item, number, entry.at
            if key not in self._edits:
                self._edits[key] = self._find_edit(item, number, entry)
            if edit := self._edits[key]:
                yield edit

    def _find_edit(self, item: ItemId, number: int, entry: Entry) -> Edit | None:
        release = self._release(number, entry)
        sides = self._reader.item(number - 1, *item), self._reader.item(number, *item)
        if not release or not any(sides):
            return None
        change = compare_items(*sides)
        fields = [say_field(field.field) for field in change.fields if field.field != "changed"]
        return Edit(item, change.change, tuple(dict.fromkeys(fields))[:_MOST_FIELDS], release)

    def _find_frame_changes(self, parts: Iterable[str], entry: Entry, site: str) -> list[tuple[ItemId, int]]:
        """Return the edits behind these fields of the shared data.

        Without any, return edits of items that they refer to.
        """
        changed = partial(self._reader.changed_between, entry.since, entry.release)
        kinds = {_FRAME_KINDS[part] for part in parts if part in _FRAME_KINDS}
        found = changed(site, kinds) if kinds else []
        if found:
            return found
        newest = max(entry.release, entry.since)
        references = {each for kind in kinds for each in self._reader.references(newest, site, kind, ["main"])}
        referred = [
            (id, number)
            for id, number in (*changed(site, ["page"]), *changed(ALL_SITES, ["picture"]))
            if (id.kind, id.key) in references
        ]
        return [*referred, *changed(ALL_SITES, ["figures"])]

    def _release(self, number: int, entry: Entry) -> ReleaseInfo | None:
        """Return a release made before the build.

        A later one has a reused number of a restored database.
        """
        if number not in self._releases:
            self._releases[number] = self._reader.release(number)
        found = self._releases[number]
        latest = datetime.fromisoformat(entry.at) + _CLOCKS_DIFFER
        return found if found and found.created_at <= latest else None

    def _find_problems(self, page: Page) -> Iterator[Problem]:
        items = {(page.site, "page", page.key), (page.site, CARD_KINDS.get(page.template, ""), page.key)}
        outcome = read_outcome(self._builds)
        for problem in (*outcome.problems, *outcome.live_problems) if outcome else ():
            if problem.item in items:
                yield problem
        for blocked in (*(outcome.blocked if outcome else ()), *self._reader.blocked_changes()):
            if (blocked.site, blocked.kind, blocked.key) in items:
                yield blocked.problem

    def read_html(self, page: Page) -> str | None:
        """Return a live page's HTML, or None if a file is damaged.

        Its links then come from its content.
        """
        try:
            file = self._manifest(page.site).file(page.path)
        except BuildError:
            return None
        data = ContentStore(self._builds).read(file.digest) if file else None
        return None if data is None else data.decode()

    def _manifest(self, site: str) -> Manifest:
        return read_manifest(self._builds, site, self._live.builds[site])

    def _explain_other(self, known: Explanation) -> Explanation:
        """Explain a path without a page."""
        site, path = known.site, known.path
        manifest = self._manifest(site)
        former = self._reader.former_address(site, path)
        newest = self._reader.latest() or 0
        waiting = next((page for page in self._reader.pages_at(newest, path) if page.site == site), None)
        known = known._replace(former=former, waiting=waiting)
        if manifest.file(path):
            return known._replace(answer=Answer.FILE)
        if path.startswith(NOT_IN_BUILDS):
            return known._replace(answer=Answer.OTHER)
        redirects = RedirectTable(manifest.redirects)
        redirect = redirects.find(path, lambda own: own.startswith(NOT_IN_BUILDS) or manifest.file(own) is not None)
        if redirect is None:
            return known._replace(answer=Answer.MISSING)
        answer = Answer.GONE if redirect.status == GONE else Answer.MOVED
        return known._replace(answer=answer, redirect=redirect, rule=self._find_rule(site, path))

    def _find_rule(self, site: str, path: str) -> str:
        """Return the editors' redirect that covers a path, or an empty string."""
        snapshot = self.snapshot(site)
        sources = [source for own in spellings(path) for source in (own, *wildcards_above(own))]
        return next((source for source in sources if snapshot.body(ItemId(site, REDIRECT, source))), "")
