"""Add thousands of pages to the demo's studio: ``python -m portolan_dev.bench.studio_pages PAGES``.

They are written directly into the tables, as after years of editing: revisions, history, references, drafts and a
change set. Saving them one by one would take an hour.
"""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5
from zlib import crc32

from portolan.config.start_django import start_django
from portolan.releases.index import chunks

from .content import Writer

BIG_SITE: Final = "de"
"""The site with most pages, most of them below one listing."""
BIG_SHARE: Final = 0.6
BIG_SLUG, FOLDER_SLUG, LISTING_SLUG = "archive", "library", "reports"
CHANGE_SET: Final = "Bench: a hundred drafts"
PUBLISHER, ADMINISTRATOR = "bench-publisher", "bench-administrator"
_IN_SET: Final = 100
_AT_ONCE: Final = 500
_LINKED: Final = ("servicepage", "industrypage", "aboutpage", "listingpage", "casestudypage")
_DRAFT_EVERY: Final = 20
"""One page in this many has a draft."""
_BEGAN: Final = datetime(2024, 1, 8, 9, tzinfo=UTC)
_KINDS: Final = ("rich_text", "rich_text", "rich_text", "stats", "call_to_action", "faq")


def fill(pages: int) -> None:
    """Add ``pages`` pages. ``BIG_SHARE`` of them are articles below one listing of one site.

    The others are divided among all sites: half articles, half service pages in folders of fifty. Pages with the same
    number are translations of each other, or copies if a site inherits from another.
    """
    from django.conf import settings
    from django.core.management import call_command
    from django.db import transaction

    from portolan.content.models import ArticlePage, FolderPage, ListingPage, ServicePage
    from portolan.content.site_records import SiteRecord

    big = int(pages * BIG_SHARE)
    share = (pages - big) // len(settings.SITES_REGISTRY.sites)
    records = {row.key: row for row in SiteRecord.objects.select_related("wagtail_site__root_page", "locale")}
    sources: dict[tuple[str, str], Any] = {}
    with transaction.atomic():
        people = _add_people()
        for key, site in sorted(settings.SITES_REGISTRY.sites.items(), key=lambda each: bool(each[1].inherits)):
            record = records[key]
            maker = _Maker(key, record, site.inherits, sources, people)
            home = record.wagtail_site.root_page
            if key == BIG_SITE:
                (listing,) = maker.add(home, ListingPage, [BIG_SLUG])
                maker.add(listing, ArticlePage, [f"{BIG_SLUG}-{number}" for number in range(big)])
            listing, folder = (
                maker.add(home, kind, [slug])[0]
                for kind, slug in ((ListingPage, LISTING_SLUG), (FolderPage, FOLDER_SLUG))
            )
            maker.add(listing, ArticlePage, [f"report-{number}" for number in range(share // 2)])
            shelves = maker.add(folder, FolderPage, [f"shelf-{number}" for number in range(-(-share // 100))])
            for number, shelf in enumerate(shelves):
                slugs = [f"service-{number * 50 + each}" for each in range(min(50, share // 2 - number * 50))]
                maker.add(shelf, ServicePage, slugs)
        _add_change_set(people)
    call_command("update_index", verbosity=0)


def _add_people() -> list[Any]:
    """Add an administrator, and a publisher of the big site. They are the authors of all pages."""
    from django.contrib.auth.models import User

    from portolan.domain.roles import Role
    from portolan.rights.models import RoleGroup

    administrator = User.objects.create_superuser(ADMINISTRATOR, f"{ADMINISTRATOR}@bench.example", first_name="Ada")
    publisher = User.objects.create_user(PUBLISHER, f"{PUBLISHER}@bench.example", first_name="Paula")
    publisher.groups.add(RoleGroup.objects.get(role=Role.PUBLISHER, site=BIG_SITE).group)
    return [administrator, publisher]


def _add_change_set(people: Sequence[Any]) -> None:
    from django.contrib.contenttypes.models import ContentType
    from wagtail.models import Page

    from portolan.content.change_sets.models import ChangeSet, ChangeSetItem
    from portolan.content.site_records import load_site_roots

    change_set = ChangeSet.objects.create(name=CHANGE_SET, owner=people[1])
    own = load_site_roots()[BIG_SITE].root_path
    drafts = Page.objects.filter(path__startswith=own, has_unpublished_changes=True, slug__startswith="report-")
    more = Page.objects.filter(path__startswith=own, has_unpublished_changes=True, slug__startswith=f"{BIG_SLUG}-")
    kind = ContentType.objects.get_for_model(Page)
    ChangeSetItem.objects.bulk_create(
        ChangeSetItem(
            change_set=change_set, content_type=kind, object_id=page.pk, title=page.draft_title, base=page.live_revision_id, added_by=people[1]
        )
        for page in [*drafts, *more][:_IN_SET]
    )  # fmt: skip


class _Maker:
    """Adds pages to one site."""

    def __init__(
        self, key: str, record: Any, inherits: str | None, sources: dict[tuple[str, str], Any], people: Sequence[Any]
    ) -> None:
        from wagtail.models import Page

        from portolan.content.pictures import SiteImage

        self._key, self._record, self._inherits, self._sources, self._people = key, record, inherits, sources, people
        self._pictures = list(SiteImage.objects.order_by("pk").values_list("pk", flat=True)[:12])
        below = record.wagtail_site.root_page.path
        seen = Page.objects.filter(path__startswith=below, live=True, content_type__model__in=_LINKED)
        self._targets = list(seen.order_by("path").values_list("pk", flat=True)[:60])

    def add(self, parent: Any, page_type: Any, slugs: Sequence[str]) -> list[Any]:
        """Add pages after the existing children."""
        from wagtail.models import Page

        parent = Page.objects.get(pk=parent.pk)
        first = parent.numchild and int(parent.get_last_child().path[-Page.steplen :], 36)
        made: list[Any] = []
        for some in chunks(enumerate(slugs, first + 1), _AT_ONCE):
            pages = [self._page(parent, page_type, place, slug) for place, slug in some]
            _insert(page_type, pages)
            self._write_history(pages)
            made += pages
        Page.objects.filter(pk=parent.pk).update(numchild=parent.numchild + len(made))
        return made

    def _page(self, parent: Any, page_type: Any, place: int, slug: str) -> Any:
        from django.contrib.contenttypes.models import ContentType
        from wagtail.models import Page

        known = self._sources.get((self._inherits, slug)) if self._inherits else None
        writer = Writer(crc32(f"{(known and self._inherits) or self._key}/{slug}".encode()))
        title = writer.title()
        at = _BEGAN + timedelta(minutes=writer.random.randrange(1_000_000))
        values = {
            "title": title, "draft_title": title, "slug": slug, "locale": self._record.locale, "live": True,
            "path": Page._get_path(parent.path, parent.depth + 1, place), "depth": parent.depth + 1,
            "url_path": f"{parent.url_path}{slug}/", "content_type": ContentType.objects.get_for_model(page_type),
            "translation_key": uuid5(NAMESPACE_URL, f"portolan:bench:{slug}"), "owner": self._people[-1],
            "first_published_at": at, "last_published_at": at, "latest_revision_created_at": at, "alias_of_id": known and known.pk,
        }  # fmt: skip
        names = {field.name for field in page_type._meta.concrete_fields}
        if "body" in names:
            values |= {"body": self._body(page_type, writer), "search_description": writer.sentence(10, 14)[:150]}
        if "date" in names:
            values |= {
                "date": date(2019, 1, 1) + timedelta(days=writer.random.randrange(2500)),
                "summary": writer.paragraph(1),
            }
            values |= {"preview_id": self._pictures[0], "preview_alt": ""}
        page = page_type(**values)
        self._sources[self._key, slug] = page
        return page

    def _body(self, page_type: Any, writer: Writer) -> Any:
        kinds = ["hero", *writer.random.choices(_KINDS, k=writer.random.randint(6, 10)), "call_to_action"]
        raw = [
            {"type": kind, "id": f"{number:08x}", "value": self._block(writer, kind)}
            for number, kind in enumerate(kinds)
        ]
        return page_type._meta.get_field("body").stream_block.to_python(raw)

    def _block(self, writer: Writer, kind: str) -> dict[str, Any]:
        if kind == "rich_text":
            return {"tone": "paper", "html": self._html(writer)}
        own: dict[str, Any] = {"tone": "navy" if kind == "hero" else "paper", "title": writer.title()}
        if kind == "stats":
            return own | {"stats": _items({"value": f"{n} %", "caption": writer.title(2, 4)} for n in (81, 92, 97))}
        if kind == "faq":
            return own | {
                "questions": _items(
                    {"question": f"{writer.title(6, 10)}?", "answer": self._html(writer, 1)} for _ in range(4)
                )
            }
        link = {"title": writer.title(2, 4), "page": writer.random.choice(self._targets)}
        own |= {"text": writer.paragraph(1)[:390], "actions": _items([link])}
        if kind == "hero":
            own |= {
                "eyebrow": writer.title(2, 3)[:60],
                "picture": {"image": writer.random.choice(self._pictures), "alt": ""},
            }
        return own

    def _html(self, writer: Writer, paragraphs: int = 3) -> str:
        parts = [f"<h3>{writer.title()}</h3>"] if paragraphs > 1 else []
        for _ in range(paragraphs):
            link = f'<a id="{writer.random.choice(self._targets)}" linktype="page">{writer.title(2, 4)}</a>'
            parts.append(f"<p>{writer.paragraph(2)} {link} {writer.sentence(6, 10)}</p>")
        return "".join(parts)

    def _write_history(self, pages: Sequence[Any]) -> None:
        """Write a live revision, drafts, references and log entries."""
        from wagtail.models import Page, PageLogEntry

        own = [page for page in pages if not page.alias_of_id]
        for number, page in enumerate(own):
            page.has_unpublished_changes = number % _DRAFT_EVERY == 1 and hasattr(page, "body")
        lives = _write_revisions(own, timedelta())
        for page, revision in zip(own, lives, strict=True):
            page.live_revision_id = page.latest_revision_id = revision.pk
        drafted = [page for page in own if page.has_unpublished_changes]
        for page in drafted:
            page.draft_title = f"{page.title}, once more"
        for page, revision in zip(drafted, _write_revisions(drafted, timedelta(days=1)), strict=True):
            page.latest_revision_id, page.latest_revision_created_at = revision.pk, revision.created_at
        rows = [
            Page(**{field.attname: getattr(page, field.attname) for field in Page._meta.concrete_fields})
            for page in own
        ]
        changed = (
            "live_revision",
            "latest_revision",
            "latest_revision_created_at",
            "has_unpublished_changes",
            "draft_title",
        )
        Page.objects.bulk_update(rows, changed, batch_size=50)
        _write_references(pages)
        PageLogEntry.objects.bulk_create(
            PageLogEntry(
                page_id=page.pk, label=page.title, action=action, content_type=page.content_type, user=page.owner, content_changed=True,
                timestamp=page.last_published_at + timedelta(minutes=minute), revision_id=page.live_revision_id, data={},
            )
            for page in own
            for minute, action in enumerate(("wagtail.create", "wagtail.edit", "wagtail.publish"))
        )  # fmt: skip


def _items(values: Any) -> list[dict[str, Any]]:
    return [{"type": "item", "id": f"{number:08x}", "value": value} for number, value in enumerate(values)]


def _insert(page_type: Any, pages: Sequence[Any]) -> None:
    """Insert pages into both tables, because Django's bulk insert only supports one."""
    from django.db.models.sql import InsertQuery
    from wagtail.models import Page

    rows = [
        Page(**{field.attname: getattr(page, field.attname) for field in Page._meta.concrete_fields}) for page in pages
    ]
    for page, row in zip(pages, Page.objects.bulk_create(rows), strict=True):
        page.pk = page.id = row.pk
    fields = page_type._meta.local_concrete_fields
    for some in chunks(pages, 900 // len(fields)):
        query = InsertQuery(page_type)
        query.insert_values(fields, some)
        query.get_compiler("default").execute_sql()


def _write_revisions(pages: Sequence[Any], later: timedelta) -> list[Any]:
    from django.contrib.contenttypes.models import ContentType
    from wagtail.models import Page, Revision

    base = ContentType.objects.get_for_model(Page)
    return list(
        Revision.objects.bulk_create(
            Revision(
                base_content_type=base, content_type=page.content_type, object_id=str(page.pk), object_str=str(page), user=page.owner,
                created_at=page.last_published_at + later, content={**page.serializable_data(), "title": page.draft_title},
            )
            for page in pages
        )
    )  # fmt: skip


def _write_references(pages: Sequence[Any]) -> None:
    from wagtail.models import ReferenceIndex

    def rows() -> Iterator[Any]:
        for page in pages:
            for type_id, id, model_path, content_path in set(ReferenceIndex._extract_references_from_object(page)):
                yield ReferenceIndex(
                    content_type=page.content_type, base_content_type=ReferenceIndex._get_base_content_type(page), object_id=page.pk,
                    to_content_type_id=type_id, to_object_id=id, model_path=model_path, content_path=content_path,
                    content_path_hash=ReferenceIndex._get_content_path_hash(content_path),
                )  # fmt: skip

    ReferenceIndex.objects.bulk_create(rows(), batch_size=_AT_ONCE)


if __name__ == "__main__":
    start_django()
    fill(int(sys.argv[1]))
