"""Pages from ``<site>/pages/*.toml``, through what an editor's save takes: a revision, its checks, its publication.

First every page is made as an empty draft, so that texts can link to any of them; then each is filled and published.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

from django.core.exceptions import ValidationError
from django.db import transaction
from wagtail.actions.convert_alias import ConvertAliasPageAction
from wagtail.models import Page

from portolan.content.pages import FAMILIES
from portolan.content.pages.base import SitePage, TreePage
from portolan.content.pages.error import ErrorPage
from portolan.content.pages.folder import FolderPage
from portolan.content.site_records import SiteRecord
from portolan.domain.routes import OFFLINE_PAGE

from .batch import saved_at_once
from .fixtures import Fixture
from .model_fields import ModelField, is_same, own_fields, put_values, read_values
from .problems import FixtureProblem, flatten
from .report import Outcome, SeedReport, was_edited_by_a_person
from .streams import StreamBuilder, clean_stream, plain_stream

_FAMILY: Final = {family.family: family for family in FAMILIES}
_FIELD_IN_FIXTURE: Final = {"seo_title": "head.title", "search_description": "head.description", "body": "blocks"}
_AT_ONCE: Final = 40
"""Pages in one transaction: for so long, editors' saves wait."""


def family_fields() -> Mapping[str, Mapping[str, ModelField]]:
    """What may stand in ``[fields]``, by family."""
    shared = {field.name for field in SitePage._meta.get_fields()}
    # Which error a page is for is said by its file.
    return {name: own_fields(family, without={*shared, "code"}) for name, family in _FAMILY.items()}


class SiteTree:
    """A site's pages by their paths, and what fixtures of this site may name."""

    def __init__(
        self,
        record: SiteRecord,
        pictures: Mapping[str, int],
        documents: Mapping[str, int],
        fallback: "SiteTree | None",
    ) -> None:
        self.record = record
        self._pictures = pictures
        self._documents = documents
        self._fallback = fallback
        root = record.wagtail_site.root_page
        self._by_path: dict[str, TreePage] = {}
        for page in Page.objects.descendant_of(root, inclusive=True).order_by("path").specific(defer=True):
            self._by_path[page.path_in_site(root.url_path)] = page

    def pages(self) -> Iterable[tuple[str, TreePage]]:
        return self._by_path.items()

    def get(self, path: str) -> TreePage | None:
        return self._by_path.get(path)

    def put(self, path: str, page: TreePage) -> None:
        self._by_path[path] = page

    def page(self, path: str) -> int | None:
        """Id of this site's page, else of the default site's."""
        found = self._by_path.get(path)
        if found is not None:
            return int(found.pk)
        return self._fallback.page(path) if self._fallback else None

    def original_page(self, path: str) -> int | None:
        """Id of the default site's page."""
        return (self._fallback or self).page(path)

    def picture(self, name: str) -> int | None:
        return self._pictures.get(name)

    def document(self, name: str) -> int | None:
        return self._documents.get(name)


class PageLoader:
    """Loads one site's pages. ``keys`` maps paths to translation keys and is shared by all sites."""

    def __init__(
        self,
        tree: SiteTree,
        fields: Mapping[str, Mapping[str, ModelField]],
        keys: dict[str, UUID],
        report: SeedReport,
        problems: list[FixtureProblem],
    ) -> None:
        self._tree = tree
        self._fields = fields
        self._keys = keys
        self._report = report
        self._problems = problems

    def make_drafts(self, pages: Mapping[str, Fixture]) -> None:
        """See that each page exists, at least as an empty draft."""
        for some in _chunks(pages):
            with saved_at_once():
                for path, fixture in some:
                    self._see_that_there_is(path, fixture)

    def publish(self, pages: Mapping[str, Fixture]) -> None:
        for some in _chunks(pages):
            with saved_at_once():
                for path, fixture in some:
                    self._report.begin("pages", fixture.file.as_posix())
                    page = self._tree.get(path)
                    if isinstance(page, SitePage) and page.family == fixture.data["template"]:
                        # read anew: pages were added below it since, and saving would write back the old count of children
                        self._publish(type(page).objects.get(pk=page.pk), fixture)

    def _see_that_there_is(self, path: str, fixture: Fixture) -> None:
        family = _FAMILY.get(fixture.data["template"])
        page = self._tree.get(path)
        if family is None:
            self._complain(fixture, "template", f"there is no such family; choose one of {', '.join(_FAMILY)}")
        elif page is None:
            self._make_draft(path, family, fixture)
        elif not isinstance(page, family):
            kind = page._meta.verbose_name
            self._complain(fixture, "template", f"the studio has a {kind} at {path}; delete it there, or change this")

    def _make_draft(self, path: str, family: type[SitePage], fixture: Fixture) -> None:
        parent_path, _, last = path.rpartition("/")
        parent = self._tree.get("/") if path.endswith(".html") else self._parent(parent_path)
        if parent is None or path == "/":
            raise LookupError(f"Site {self._tree.record.key} has no home page; `portolan sites sync` makes it.")
        page = family(title=fixture.data["title"], slug=last.removesuffix(".html"), live=False)
        if isinstance(page, ErrorPage):
            page.code = ErrorPage.Code.OFFLINE if path == OFFLINE_PAGE else int(page.slug)
        self._add(page, parent, path)

    def _parent(self, path: str) -> TreePage | None:
        """The page or folder at ``path``; folders are made where they are missing."""
        found = self._tree.get(path or "/")
        if found is not None or not path:
            return found
        above, _, last = path.rpartition("/")
        parent = self._parent(above)
        if parent is None:
            return None
        folder = FolderPage(title=last.replace("-", " ").capitalize(), slug=last, live=False)
        self._add(folder, parent, path)
        folder.save_revision().publish()
        return folder

    def _add(self, page: TreePage, parent: TreePage, path: str) -> None:
        page.locale_id = self._tree.record.locale_id
        page.translation_key = self._keys.setdefault(path, uuid5(NAMESPACE_URL, f"portolan:demo:{path}"))
        Page.objects.get(pk=parent.pk).add_child(instance=page)  # a fresh parent: the tree's own counters move on
        self._tree.put(path, page)

    def _publish(self, page: SitePage, fixture: Fixture) -> None:
        before = len(self._problems)
        wanted, own = self._wanted(page, fixture)
        if len(self._problems) > before:
            return
        fields = self._fields[page.family]
        is_new = page.live_revision_id is None and page.alias_of_id is None
        is_published = page.live and not page.has_unpublished_changes and not page.alias_of_id
        if is_published and _matches(page, wanted) and is_same(fields, page, own):
            self._report.note("pages", Outcome.UNCHANGED)
            return
        if was_edited_by_a_person(page):
            self._report.note("pages", Outcome.KEPT)
            return
        try:
            with transaction.atomic():
                self._save(page, wanted, own)
        except ValidationError as error:
            for field, text in flatten(error):
                head, _, rest = field.partition(".")
                place = f"fields.{head}" if head in fields else _FIELD_IN_FIXTURE.get(head, head)
                self._complain(fixture, ".".join(filter(None, (place, rest))), text)
            return
        self._report.note("pages", Outcome.CREATED if is_new else Outcome.CHANGED)

    def _save(self, page: SitePage, wanted: Mapping[str, Any], own: Mapping[str, Any]) -> None:
        clean_stream("body", wanted["body"])
        if page.alias_of_id:  # an override of an inherited page
            ConvertAliasPageAction(page).execute(skip_permission_checks=True)
        for name, value in wanted.items():
            setattr(page, name, value)
        put_values(self._fields[page.family], page, own)
        page.save_revision(clean=False).publish()  # publishing checks the same

    def _wanted(self, page: SitePage, fixture: Fixture) -> tuple[dict[str, Any], dict[str, Any]]:
        """What all pages have, and the family's own fields."""
        data = fixture.data
        builder = StreamBuilder(
            self._tree, fixture.file.as_posix(), lambda field, message: self._complain(fixture, field, message)
        )
        stream_block = page.body.stream_block
        head = data.get("head", {})
        shared = {
            "title": data["title"],
            "draft_title": data["title"],
            "seo_title": head.get("title", ""),
            "search_description": head.get("description", ""),
            "switcher_hidden": data.get("switcher_hidden", False),
            "body": stream_block.to_python(builder.stream(stream_block, data.get("blocks", []), "blocks")),
        }
        return shared, read_values(self._fields[page.family], data.get("fields", {}), "fields", builder)

    def _complain(self, fixture: Fixture, field: str, message: str) -> None:
        self._problems.append(FixtureProblem(fixture.file, field, message))


def _chunks(pages: Mapping[str, Fixture]) -> Iterator[list[tuple[str, Fixture]]]:
    entries = list(pages.items())
    return (entries[start : start + _AT_ONCE] for start in range(0, len(entries), _AT_ONCE))


def _matches(page: SitePage, wanted: Mapping[str, Any]) -> bool:
    return plain_stream(page.body) == plain_stream(wanted["body"]) and all(
        getattr(page, name) == value for name, value in wanted.items() if name != "body"
    )
