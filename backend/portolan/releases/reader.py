"""Read published content in plain SQL, so that Django is not needed. The only way to read it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

import orjson

from ..domain.problems import BlockedChange, unpack_all
from ..domain.references import Reference
from .database_version import Migration, require_fit
from .formats import raise_body
from .ids import ALL_SITES as ALL_SITES
from .ids import ItemId as ItemId
from .index import Page, find_differences

Execute = Callable[[str, Sequence[Any]], Iterable[Sequence[Any]]]
"""Runs one statement with ``%s`` parameters and returns its rows."""

_KEYS_PER_STATEMENT = 500
_PAGE = ", ".join(Page._fields)
_RELEASE = "number, created_at, created_by, note, added, changed, removed"
_NEVER = 2**31 - 1
"""Stands for a missing end: later than every release."""
_VALID = "since <= %s AND (until IS NULL OR until > %s)"


Blocked = Mapping[ItemId, int]
"""Blocked items, by the release whose state is read for them, in all reads."""


class Item(NamedTuple):
    site: str
    """Empty for items that belong to all sites."""
    kind: str
    key: str
    digest: str
    """Digest of the body as it was stored."""
    body: bytes
    """In the current format."""


class ReleaseInfo(NamedTuple):
    """A release without its items."""

    number: int
    created_at: datetime
    created_by: str
    note: str
    added: int
    changed: int
    removed: int

    @property
    def items(self) -> int:
        """Number of added, changed and removed items."""
        return self.added + self.changed + self.removed


class FormerAddress(NamedTuple):
    """The last page of a site that had a path."""

    key: str
    """Translation key of the page."""
    title: str
    """Title of the page when it was last at the path."""
    until: int | None
    """First release without the page at the path; None if the newest release still has it."""


class Unverified(NamedTuple):
    """A site whose URL did not return the published content at the last check."""

    site: str
    release: int
    """The newest release with this result."""
    verdict: str
    path: str
    why: str
    since: datetime
    """Time of the first release with this result."""


class LiveRequest(NamedTuple):
    """A request from the studio to the publisher."""

    id: int
    release: int | None
    """The release to go back to; None to follow the newest one again."""
    by: str


class ReleaseReader:
    """Read releases through one connection."""

    def __init__(
        self, execute: Execute, close: Callable[[], None] | None = None, blocked: Blocked | None = None
    ) -> None:
        self._execute = execute
        self._close = close
        self._blocked = blocked or {}

    def with_blocked(self, blocked: Blocked) -> "ReleaseReader":
        """Return a reader on the same connection in which these items are blocked."""
        return ReleaseReader(self._execute, blocked=blocked)

    def close(self) -> None:
        """Close the connection if the reader owns it."""
        if self._close is not None:
            self._close()

    def migrations(self) -> list[Migration]:
        """Return the applied migrations."""
        return [Migration(*row) for row in self._execute("SELECT app, name FROM django_migrations", ())]

    def require_fit(self, plugins: Iterable[str]) -> None:
        """Raise NewerDatabase or OlderDatabase if the database is not of this version of the product or of these
        plugins."""
        require_fit(self.migrations(), plugins)

    def count_pages_by_app(self) -> dict[str, int]:
        """Return the number of live pages in the studio by Django app, without deleted pages."""
        rows = self._execute(
            "SELECT t.app_label, count(*) FROM wagtailcore_page p JOIN django_content_type t ON t.id = p.content_type_id "
            "WHERE p.live AND NOT EXISTS (SELECT 1 FROM studio_deletedpage d JOIN wagtailcore_page h ON h.id = d.page_ptr_id "
            "WHERE p.path LIKE h.path || '%%') GROUP BY t.app_label ORDER BY t.app_label",
            (),
        )
        return {str(app): int(count) for app, count in rows}

    def formats(self) -> dict[tuple[str, int], int]:
        """Return the number of current items by kind and format."""
        rows = self._execute(
            "SELECT kind, format, count(*) FROM releases_releaseitem WHERE until IS NULL GROUP BY kind, format "
            "ORDER BY kind, format",
            (),
        )
        return {(kind, int(format)): int(count) for kind, format, count in rows}

    def has_index(self) -> bool:
        """Return whether the index of releases exists, or there is nothing to index."""
        rows = self._execute(
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM releases_releaseroute) "
            "OR NOT EXISTS (SELECT 1 FROM releases_releaseitem WHERE kind = 'page')",
            (),
        )
        return any(True for _ in rows)

    def latest(self) -> int | None:
        """Return the number of the newest release, or None."""
        for (number,) in self._execute("SELECT max(number) FROM releases_release", ()):
            return None if number is None else int(number)
        return None

    def is_pending(self) -> bool:
        """Return whether changes wait for a release, blocked ones excluded."""
        return any(True for _ in self._execute("SELECT 1 FROM releases_pendingchange WHERE problem = '' LIMIT 1", ()))

    def oldest_pending(self) -> datetime | None:
        """Return the time of the oldest change that waits for a release, blocked ones excluded."""
        rows = self._execute("SELECT min(noted_at) FROM releases_pendingchange WHERE problem = ''", ())
        return next((_time(moment) for (moment,) in rows if moment), None)

    def refused(self) -> list[tuple[ItemId, datetime, str]]:
        """Return the blocked changes: the start of the wait, and the packed problems."""
        rows = self._execute(
            "SELECT site, kind, key, min(noted_at), min(problem) FROM releases_pendingchange WHERE problem <> '' "
            "GROUP BY site, kind, key ORDER BY site, kind, key",
            (),
        )
        return [(ItemId(site, kind, key), _time(since), problem) for site, kind, key, since, problem in rows]

    def unverified(self) -> list[Unverified]:
        """Return the sites whose URL did not return the published content, each since the first such release.

        A failure is over when a later release on the same site was verified.
        """
        rows = self._execute(
            "SELECT v.site, v.release, v.verdict, v.path, v.why, r.created_at FROM releases_verification v "
            "JOIN releases_release r ON r.number = v.release WHERE v.verdict <> 'same' AND NOT EXISTS ("
            "SELECT 1 FROM releases_verification n WHERE n.site = v.site AND n.release > v.release AND n.verdict = 'same'"
            ") ORDER BY v.site, v.release DESC",
            (),
        )
        found: dict[str, Unverified] = {}
        for site, release, verdict, path, why, since in rows:
            newest = found.get(site) or Unverified(site, release, verdict, path, why, _time(since))
            found[site] = newest._replace(since=_time(since))
        return list(found.values())

    def live_requests(self) -> list[LiveRequest]:
        """Return the studio's open requests to the publisher, the oldest first."""
        rows = self._execute('SELECT id, release, "by" FROM releases_liverequest WHERE done_at IS NULL ORDER BY id', ())
        return [LiveRequest(*row) for row in rows]

    def last_live(self) -> list[tuple[str, str]]:
        """Return the stored last content of each site (``last_live`` parses it)."""
        rows = self._execute("SELECT site, shows FROM releases_lastlive ORDER BY site", ())
        return [(str(site), str(shows)) for site, shows in rows]

    def added_sites(self) -> dict[str, str]:
        """Return the sites that were added in the studio: JSON of the site configuration by key."""
        rows = self._execute("SELECT key, config FROM content_addedsite ORDER BY added_at, key", ())
        return {str(row[0]): str(row[1]) for row in rows}

    def next_scheduled(self) -> datetime | None:
        """Return the time at which the next page, entry or change set goes live or expires.

        In the past if it was missed, or None.
        """
        rows = self._execute(
            "SELECT min(approved_go_live_at) FROM wagtailcore_revision UNION ALL "
            "SELECT min(expire_at) FROM wagtailcore_page WHERE live AND expire_at IS NOT NULL UNION ALL "
            "SELECT min(at) FROM releases_moment UNION ALL "
            "SELECT min(go_live_at) FROM content_changeset WHERE state = 'scheduled'",
            (),
        )
        return min((_time(moment) for (moment,) in rows if moment), default=None)

    def blocked_changes(self) -> list[BlockedChange]:
        """Return the blocked changes, one for each problem."""
        rows = self._execute(
            "SELECT DISTINCT site, kind, key, problem FROM releases_pendingchange WHERE problem <> '' "
            "ORDER BY site, kind, key",
            (),
        )
        newest = self.latest() or 0
        blocked = []
        for site, kind, key, text in list(rows):
            is_there = self.item(newest, site, kind, key) is not None
            for problem in unpack_all(text, (site, kind, key)):
                title = problem.subject.title if kind == "page" else ""
                blocked.append(BlockedChange(site, kind, key, title, newest, is_there, problem))
        return blocked

    def oldest(self) -> int | None:
        """Return the number of the oldest stored release, or None."""
        for (number,) in self._execute("SELECT min(number) FROM releases_release", ()):
            return None if number is None else int(number)
        return None

    def changed_in(self, release: int, id: ItemId) -> int | None:
        """Return the last release, up to this one, that added, changed or removed an item; None if it is unknown."""
        rows = self._execute(
            "SELECT max(at) FROM (SELECT since AS at FROM releases_releaseitem WHERE site = %s AND kind = %s AND key = %s "
            "AND since <= %s UNION ALL SELECT until FROM releases_releaseitem WHERE site = %s AND kind = %s AND key = %s "
            "AND until <= %s) moments",
            (*id, release, *id, release),
        )
        return next((None if at is None else int(at) for (at,) in rows), None)

    def exists(self, release: int) -> bool:
        return any(True for _ in self._execute("SELECT 1 FROM releases_release WHERE number = %s", (release,)))

    def releases(self, limit: int | None = None) -> list[ReleaseInfo]:
        """Return releases, the newest first."""
        rows = self._execute(
            f"SELECT {_RELEASE} FROM releases_release ORDER BY number DESC LIMIT %s",  # noqa: S608
            (limit if limit is not None else 2**31,),
        )
        return [ReleaseInfo(int(row[0]), _time(row[1]), *row[2:]) for row in rows]

    def releases_after(self, older: int, newest: int, limit: int) -> list[ReleaseInfo]:
        """Return the releases after ``older``, up to ``newest``, the newest first."""
        rows = self._execute(
            f"SELECT {_RELEASE} FROM releases_release WHERE number > %s AND number <= %s ORDER BY number DESC LIMIT %s",  # noqa: S608
            (older, newest, limit),
        )
        return [ReleaseInfo(int(row[0]), _time(row[1]), *row[2:]) for row in rows]

    def oldest_release_after(self, older: int) -> datetime | None:
        """Return the creation time of the first release after this one, or None."""
        rows = self._execute("SELECT min(created_at) FROM releases_release WHERE number > %s", (older,))
        return next((_time(moment) for (moment,) in rows if moment), None)

    def release(self, number: int) -> ReleaseInfo | None:
        """Return a release, or None."""
        rows = self._execute(f"SELECT {_RELEASE} FROM releases_release WHERE number = %s", (number,))  # noqa: S608
        return next((ReleaseInfo(int(row[0]), _time(row[1]), *row[2:]) for row in rows), None)

    def last_change(self, release: int, id: ItemId) -> int | None:
        """Return the last release up to ``release`` that added, changed or removed an item."""
        rows = self._execute(
            "SELECT since, until FROM releases_releaseitem WHERE site = %s AND kind = %s AND key = %s AND since <= %s "
            "ORDER BY since DESC LIMIT 1",
            (*id, release),
        )
        return next((until if until and until <= release else since for since, until in rows), None)

    def changed_between(self, older: int, newer: int, site: str, kinds: Iterable[str]) -> list[tuple[ItemId, int]]:
        """Return items of these kinds on a site that changed between two releases, each with the last release that
        changed it."""
        wanted = sorted(set(kinds))
        low, high = sorted((older, newer))
        rows = self._execute(
            "SELECT kind, key, max(CASE WHEN until <= %s THEN until ELSE since END) FROM releases_releaseitem "  # noqa: S608
            f"WHERE site = %s AND kind IN ({_marks(wanted)}) "
            "AND ((since > %s AND since <= %s) OR (until > %s AND until <= %s)) GROUP BY kind, key ORDER BY kind, key",
            (high, site, *wanted, low, high, low, high),
        )
        return [(ItemId(site, kind, key), int(number)) for kind, key, number in rows]

    def items(self, release: int) -> list[Item]:
        """Return every item of a release on all sites, in a stable order."""
        rows = self._execute(
            f"SELECT site, kind, key, digest, format, body FROM releases_releaseitem WHERE {_VALID} ORDER BY site, kind, key",  # noqa: S608
            (release, release),
        )
        return self._overlay([_item(row) for row in rows], lambda id: True)

    def collection(self, release: int, site: str, kind: str) -> list[Item]:
        """Return the items of one kind on one site, by key."""
        rows = self._execute(
            "SELECT site, kind, key, digest, format, body FROM releases_releaseitem "  # noqa: S608
            f"WHERE site = %s AND kind = %s AND {_VALID} ORDER BY key",
            (site, kind, release, release),
        )
        return self._overlay([_item(row) for row in rows], lambda id: (id.site, id.kind) == (site, kind))

    def item(self, release: int, site: str, kind: str, key: str) -> Item | None:
        release = self._blocked.get(ItemId(site, kind, key), release)
        rows = self._execute(
            "SELECT site, kind, key, digest, format, body FROM releases_releaseitem "  # noqa: S608
            f"WHERE site = %s AND kind = %s AND key = %s AND {_VALID}",
            (site, kind, key, release, release),
        )
        return next((_item(row) for row in rows), None)

    def some_items(self, release: int, site: str, kind: str, keys: Iterable[str]) -> list[Item]:
        """Return the named items that the release has, with as few statements as possible."""
        wanted = frozenset(keys)
        found: list[Item] = []
        for some in _chunks(wanted):
            rows = self._execute(
                "SELECT site, kind, key, digest, format, body FROM releases_releaseitem "  # noqa: S608
                f"WHERE site = %s AND kind = %s AND key IN ({_marks(some)}) AND {_VALID} ORDER BY key",
                (site, kind, *some, release, release),
            )
            found += [_item(row) for row in rows]
        return self._overlay(found, lambda id: (id.site, id.kind) == (site, kind) and id.key in wanted)

    def digests(self, release: int, site: str, kind: str) -> dict[str, str]:
        """Return the digests of all items of one kind on one site, by key, without reading bodies."""
        rows = self._execute(
            f"SELECT key, digest FROM releases_releaseitem WHERE site = %s AND kind = %s AND {_VALID} ORDER BY key",  # noqa: S608
            (site, kind, release, release),
        )
        found = {row[0]: row[1] for row in rows}
        for id in self._blocked:
            if (id.site, id.kind) == (site, kind):
                found.pop(id.key, None)
                if item := self.item(release, *id):
                    found[id.key] = item.digest
        return found

    def kinds(self, release: int) -> list[tuple[str, str]]:
        """Return the pairs of site and kind that a release has items of."""
        select = f"SELECT DISTINCT site, kind FROM releases_releaseitem WHERE {_VALID} ORDER BY site, kind"  # noqa: S608
        return [(site, kind) for site, kind in self._execute(select, (release, release))]

    def documents_mark(self) -> tuple[Any, ...]:
        """Return a value that changes when any document in any release changes."""
        ((mark),) = self._execute(
            "SELECT count(*), max(since), max(until) FROM releases_releaseitem WHERE site = %s AND kind = 'document'",
            (ALL_SITES,),
        )
        return tuple(mark)

    def every_document(self) -> Iterator[tuple[bytes, bool]]:
        """Yield all bodies of documents in any release, and whether the newest release has the document."""
        rows = list(
            self._execute(
                "SELECT key, body, until FROM releases_releaseitem WHERE site = %s AND kind = 'document'", (ALL_SITES,)
            )
        )
        there = {key for key, _, until in rows if until is None}
        for key, body, _ in rows:
            yield bytes(body), key in there

    def former_addresses(self, site: str) -> dict[str, FormerAddress]:
        """Return every path that a page of the site had in any release."""
        rows = self._execute(
            f"SELECT path, key, title, max(coalesce(until, {_NEVER})) FROM releases_releaseroute "  # noqa: S608
            "WHERE site = %s AND template <> 'error' GROUP BY path, key, title ORDER BY 4, key",
            (site,),
        )
        return {path: FormerAddress(key, title, None if until == _NEVER else until) for path, key, title, until in rows}

    def former_address(self, site: str, path: str) -> FormerAddress | None:
        """Return the last page of the site that had a path in any release."""
        rows = self._execute(
            "SELECT key, title, until FROM releases_releaseroute WHERE path = %s AND site = %s AND template <> 'error' "  # noqa: S608
            f"ORDER BY coalesce(until, {_NEVER}) DESC, since DESC LIMIT 1",
            (path, site),
        )
        return next((FormerAddress(*row) for row in rows), None)

    def pages(self, release: int, sites: Iterable[str] | None = None) -> list[Page]:
        """Return the pages of these sites, or of all, by site and key, without reading bodies."""
        if sites is None:
            return self._pages(release, "", (), lambda page: True)
        wanted = sorted(set(sites))
        return self._pages(release, f"site IN ({_marks(wanted)}) AND ", wanted, lambda page: page.site in wanted)

    def pages_at(self, release: int, path: str) -> list[Page]:
        """Return the pages at a path on all sites. Two pages of one site may have the same path."""
        return self._pages(release, "path = %s AND ", (path,), lambda page: page.path == path)

    def translations(self, release: int, keys: Iterable[str]) -> list[Page]:
        """Return the pages with these translation keys on all sites."""
        wanted = frozenset(keys)
        found: list[Page] = []
        for some in _chunks(wanted):
            found += self._pages(release, f"key IN ({_marks(some)}) AND ", some, lambda page: page.key in wanted)
        return sorted(set(found), key=lambda page: page[:2])  # each statement adds the blocked items

    def pages_of_types(self, release: int, templates: Iterable[str]) -> list[Page]:
        wanted = sorted(templates)
        where = f"template IN ({_marks(wanted)}) AND "
        return self._pages(release, where, wanted, lambda page: page.template in wanted)

    def holders(self, release: int, reference: Reference) -> list[ItemId]:
        """Return the items whose body contains ``reference``, in a stable order."""
        select = (
            "SELECT site, kind, key FROM releases_releasereference "  # noqa: S608
            f"WHERE target_kind = %s AND target_key = %s AND {_VALID}"
        )
        found = {ItemId(*row) for row in self._execute(select, (*reference, release, release))} - self._blocked.keys()
        for id, at in self._blocked.items():
            rows = self._execute(f"{select} AND site = %s AND kind = %s AND key = %s", (*reference, at, at, *id))
            found |= {ItemId(*row) for row in rows}
        return sorted(found)

    def holders_of_any(self, release: int, kind: str, keys: Iterable[str]) -> set[tuple[ItemId, str]]:
        """Return the items whose body has a reference of this kind to one of the keys, with the key. Uses few
        statements."""
        found: set[tuple[ItemId, str]] = set()
        for some in _chunks(frozenset(keys)):
            select = (
                "SELECT site, kind, key, target_key FROM releases_releasereference "  # noqa: S608
                f"WHERE target_kind = %s AND target_key IN ({_marks(some)}) AND {_VALID}"
            )
            rows = self._execute(select, (kind, *some, release, release))
            found |= {(id, row[3]) for row in rows if (id := ItemId(*row[:3])) not in self._blocked}
            for id, at in self._blocked.items():
                rows = self._execute(f"{select} AND site = %s AND kind = %s AND key = %s", (kind, *some, at, at, *id))
                found |= {(id, row[3]) for row in rows}
        return found

    def references(self, release: int, site: str, kind: str, keys: Iterable[str]) -> set[Reference]:
        """Return the references in the bodies of these items of one kind on one site."""
        wanted = set(keys)
        blocked = [
            (id.key, at) for id, at in self._blocked.items() if (id.site, id.kind) == (site, kind) and id.key in wanted
        ]
        sought = [(some, release) for some in _chunks(wanted - {key for key, _ in blocked})]
        found: set[Reference] = set()
        for some, at in [*sought, *(([key], at) for key, at in blocked)]:
            rows = self._execute(
                "SELECT DISTINCT target_kind, target_key FROM releases_releasereference "  # noqa: S608
                f"WHERE site = %s AND kind = %s AND key IN ({_marks(some)}) AND {_VALID}",
                (site, kind, *some, at, at),
            )
            found |= {Reference(*row) for row in rows}
        return found

    def check_index(self) -> list[str]:
        """Return a sentence for each difference between the index and the newest release's items."""
        newest = self.latest()
        groups = self._execute("SELECT DISTINCT site, kind FROM releases_releaseitem WHERE until IS NULL", ())
        return find_differences(
            self._execute,
            (
                (ItemId(item.site, item.kind, item.key), orjson.loads(item.body))
                for site, kind in (groups if newest else ())
                for some in _chunks(self.digests(newest or 0, site, kind))
                for item in self.some_items(newest or 0, site, kind, some)
            ),
        )

    def created_at(self, release: int) -> datetime | None:
        """Return the creation time of a release, or None."""
        for (created,) in self._execute("SELECT created_at FROM releases_release WHERE number = %s", (release,)):
            return _time(created)
        return None

    def mark(self, release: int) -> str | None:
        """Return a mark that identifies a release, or None.

        Numbers alone are ambiguous, because a database restored from a backup uses numbers again.
        """
        created = self.created_at(release)
        return None if created is None else f"{release} of {created.isoformat()}"

    def changes(self, older: int, newer: int, limit: int | None = None) -> list[tuple[Item | None, Item | None]]:
        """Return pairs (before, after) of the items that differ between two releases; None if a side lacks the item.

        ``limit``: return at most this many, by site, kind and key. Blocked items are ignored here; see
        ``release_view.read_difference``.
        """
        if older == newer:
            return []
        low, high = sorted((older, newer))
        # A row that ends in between is the earlier state; one that starts in between and continues is the later one.
        rows = self._execute(
            "SELECT since <= %s, site, kind, key, digest, format, body FROM releases_releaseitem "
            "WHERE (since <= %s AND until > %s AND until <= %s) "
            "OR (since > %s AND since <= %s AND (until IS NULL OR until > %s)) ORDER BY site, kind, key LIMIT %s",
            (low, low, low, high, low, high, high, _NEVER if limit is None else 2 * limit),
        )
        sides: dict[ItemId, dict[int, Item]] = {}
        for is_low, *row in rows:
            sides.setdefault(ItemId(*row[:3]), {})[low if is_low else high] = _item(row)
        pairs = [
            (found.get(older), found.get(newer)) for found in [*sides.values()][:limit]
        ]  # further items may have lost a side
        return [pair for pair in pairs if (pair[0] and pair[0].digest) != (pair[1] and pair[1].digest)]

    def _pages(self, release: int, where: str, values: Sequence[str], covers: Callable[[Page], bool]) -> list[Page]:
        select = f"SELECT {_PAGE} FROM releases_releaseroute WHERE {{}}{_VALID} ORDER BY site, key"  # noqa: S608
        found = [_page(row) for row in self._execute(select.format(where), (*values, release, release))]
        blocked = [(id, at) for id, at in self._blocked.items() if id.kind == "page"]
        if not blocked:
            return found
        found = [page for page in found if ItemId(page.site, "page", page.key) not in self._blocked]
        for id, at in blocked:
            rows = self._execute(select.format("site = %s AND key = %s AND "), (id.site, id.key, at, at))
            found += [page for row in rows if covers(page := _page(row))]
        return sorted(found, key=lambda page: page[:2])

    def _overlay(self, found: list[Item], covers: Callable[[ItemId], bool]) -> list[Item]:
        """Return ``found`` with the blocked items among them replaced by their earlier state."""
        blocked = [id for id in self._blocked if covers(id)]
        if not blocked:
            return found
        rest = [item for item in found if ItemId(*item[:3]) not in self._blocked]
        return sorted([*rest, *(item for id in blocked if (item := self.item(0, *id)))], key=lambda item: item[:3])


def open_reader(database_url: str) -> ReleaseReader:
    """Open a reader with its own connection: ``sqlite:///path`` (read-only; the file must exist) or ``postgres://…``.

    PostgreSQL may be down at any time: then each query fails within seconds, and the next one tries again.
    """
    scheme = urlsplit(database_url).scheme
    if scheme == "sqlite":
        import sqlite3  # the edge imports this module for its types, and has no database

        path = unquote(urlsplit(database_url).path[1:])
        connection = sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, timeout=20, check_same_thread=False)
        return ReleaseReader(
            lambda sql, args: connection.execute(sql.replace("%s", "?"), args).fetchall(), connection.close
        )
    from .postgres import PostgresConnection  # takes 40 ms, which SQLite installations save

    postgres = PostgresConnection(database_url)
    return ReleaseReader(postgres.execute, postgres.close)


def _time(value: datetime | str) -> datetime:
    """Return a time with zone. SQLite stores times as text in UTC without a zone."""
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _item(row: Sequence[Any]) -> Item:
    site, kind, key, digest, format, body = row
    return Item(site, kind, key, digest, raise_body(kind, format, bytes(body)))


def _page(row: Sequence[Any]) -> Page:
    *others, hidden, fallback = row
    return Page._make((*others, bool(hidden), fallback))  # SQLite has no booleans


def _chunks(keys: Iterable[str]) -> Iterator[Sequence[str]]:
    """Yield sorted keys in lists that fit into one statement."""
    wanted = sorted(set(keys))
    for start in range(0, len(wanted), _KEYS_PER_STATEMENT):
        yield wanted[start : start + _KEYS_PER_STATEMENT]


def _marks(values: Sequence[Any]) -> str:
    return ", ".join(["%s"] * len(values))
