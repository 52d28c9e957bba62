"""Manage redirects by editors, from URLs without a page.

The checks in the studio keep loops and redirects without a target out of releases.
"""

import re
from collections.abc import Iterable, Mapping
from typing import ClassVar, Final, NamedTuple
from urllib.parse import unquote, urlsplit
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel, Panel
from wagtail.models import Page

from ..domain.redirects import (
    GONE,
    NOT_IN_BUILDS,
    PERMANENT,
    TEMPORARY,
    WILDCARD,
    Rule,
    RuleProblem,
    own_path,
    resolve_redirects,
    spell,
)
from ..domain.redirects import Redirect as Answer
from ..domain.reserved import PREFIXES
from ..domain.routes import normalise_path
from ..domain.snapshot_bodies import RedirectBody
from ..schemas.visible_text import trim
from .drafts import Drafted, only_shown
from .items import REDIRECT, ItemKey
from .page_rows import load_hidden_ids, page_kinds
from .pages.error import ErrorPage
from .quoted import quoted
from .rules import check_url
from .schedule_panel import SchedulePanel
from .site_records import SiteRecord, SiteRoot, load_site_roots

_IMPOSSIBLE: Final = re.compile(r"[\x00-\x1f\x7f\\?#]|(?:^|/)\.{1,2}(?:/|$)")
_ERROR: Final = ErrorPage._meta.model_name
_STATUSES: Final = {
    PERMANENT: _("Permanent (301)"),
    TEMPORARY: _("Temporary (302)"),
    GONE: _("Gone, without a replacement (410)"),
}

_check_web_address: Final = URLValidator(schemes=("http", "https"))


class Redirect(Drafted, models.Model):
    """A redirect of one URL, or of all URLs below it, on one site or on all."""

    site = models.ForeignKey(
        SiteRecord,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="redirects",
        help_text=_("Empty: all sites. A redirect of one site has priority over one of all sites."),
    )
    source = models.CharField(
        _("old URL"),
        max_length=400,
        help_text=_("The path, e.g. /old-page. With /* at the end, e.g. /blog/*, it covers all paths below."),
    )
    source.required_on_save = True  # type: ignore[attr-defined]  # unique, so two drafts without a value would conflict
    status = models.PositiveSmallIntegerField(_("response"), choices=list(_STATUSES.items()), default=PERMANENT)
    page = models.ForeignKey(
        Page,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("target page"),
        help_text=_("The redirect follows the page if it moves. On every site, the target is that site's own page."),
    )
    anchor = models.CharField(
        _("section"),
        max_length=100,
        blank=True,
        help_text=_("Anchor of a section on the page, without #. Empty: the top."),
    )
    address = models.CharField(
        _("or target URL"),
        max_length=1000,
        blank=True,
        help_text=_(
            "A web address, or a path on the same site. If both end in /*, the rest of the path is kept: "
            "/blog/* to /insights/* redirects /blog/first to /insights/first."
        ),
    )
    note = models.CharField(max_length=200, blank=True, help_text=_("The reason, for colleagues."))

    preview_modes: ClassVar[list[tuple[str, str]]] = []

    panels: ClassVar[list[Panel]] = [
        FieldRowPanel([FieldPanel("site"), FieldPanel("source")]),
        FieldPanel("status"),
        MultiFieldPanel(
            [FieldRowPanel([FieldPanel("page"), FieldPanel("anchor")]), FieldPanel("address")],
            heading=_("Target"),
            help_text=_("Choose a page or enter a URL. Leave both empty if the URL is gone."),
        ),
        FieldPanel("note"),
        SchedulePanel(),
    ]

    class Meta:
        verbose_name = _("redirect")
        ordering = ("source", "site")
        constraints = (
            models.UniqueConstraint(fields=("site", "source"), name="one_redirect_per_site_and_address"),
            models.UniqueConstraint(
                fields=("source",), condition=models.Q(site=None), name="one_redirect_of_all_sites_per_address"
            ),
        )

    def __str__(self) -> str:
        return self.source

    def sites(self) -> list[str]:
        """Return the keys of its sites."""
        return [self.site_id] if self.site_id else list(load_site_roots())

    def target(self) -> str:
        """Return the target as editors read it."""
        if self.status == GONE:
            return "gone"
        if self.page is not None:
            return quoted(self.page.title) + (f" #{self.anchor}" if self.anchor else "")
        return self.address or gettext("gone: its page was deleted")

    def path(self) -> str:
        """Return the target for the CSV file: for a page, its path on the site or on the default site."""
        if self.page is None:
            return self.address
        roots = load_site_roots()
        order = (self.site_id, settings.SITES_REGISTRY.company.default_site, *roots)
        keys = [key for key in order if key and key in roots]
        rows = {page.locale_id: page for page in Page.objects.filter(translation_key=self.page.translation_key)}
        found = next(((roots[key], page) for key in keys if (page := rows.get(roots[key].locale_id))), None)
        if found is None:
            return ""
        root, page = found
        path = normalise_path(page.url_path.removeprefix(root.root_url_path))
        return f"{path}#{self.anchor}" if self.anchor else path

    def snapshot(self) -> RedirectBody:
        if self.status == GONE or (self.page is None and not self.address):  # its page was deleted for good
            return {"status": GONE, "page": None, "anchor": "", "address": ""}
        if self.page is not None:
            key = str(self.page.translation_key)
            return {"status": self.status, "page": key, "anchor": self.anchor, "address": ""}
        return {"status": self.status, "page": None, "anchor": "", "address": self.address}

    def clean(self) -> None:
        super().clean()
        RedirectCheck().clean(self)


class RedirectCheck:
    """Check redirects before they are saved. Use one object for many redirects, so that pages and rules are read
    once."""

    def __init__(self) -> None:
        self._roots = load_site_roots()
        self._paths: dict[str, dict[str, _LivePage]] = {}
        self._rules = {(row.site_id, row.source): row for row in Redirect.objects.select_related("page")}
        self._decide = {key for key, row in self._rules.items() if row.live}
        """Those that lead visitors somewhere: the others are drafts."""

    def known(self, redirect: Redirect) -> Redirect | None:
        """Return the saved redirect of the same URL and site. Raise ValidationError for an invalid URL."""
        return self._rules.get((redirect.site_id, self._spell_source(redirect)))

    def add(self, redirect: Redirect) -> None:
        """Check the following redirects as if this one were saved."""
        self._rules = {key: row for key, row in self._rules.items() if redirect.pk is None or row.pk != redirect.pk}
        self._rules[redirect.site_id, redirect.source] = redirect
        self._decide.add((redirect.site_id, redirect.source))

    def clean(self, redirect: Redirect) -> None:
        """Normalise the fields. Raise ValidationError with a text for each wrong field."""
        self.clean_fields(redirect)
        self.add(redirect)
        if found := self.find_problems(redirect.sites()).get((redirect.site_id, redirect.source)):
            raise ValidationError({"page" if redirect.page_id else "address": found})

    def clean_fields(self, redirect: Redirect) -> None:
        """Normalise and check the fields, without following other redirects."""
        wrong: dict[str, str] = {}
        for field, check in (("source", self._clean_source), ("address", self._clean_target)):
            try:
                check(redirect)
            except ValidationError as error:
                texts = error.message_dict if hasattr(error, "error_dict") else {field: error.messages}
                wrong |= {name: " ".join(found) for name, found in texts.items()}
        if wrong:
            raise ValidationError(wrong)

    def find_problems(self, sites: Iterable[str]) -> dict[tuple[str | None, str], str]:
        """Return the problems of redirects on these sites that loop or have no target, by site and source."""
        found: dict[tuple[str | None, str], str] = {}
        for site in sites:
            deciding = [row for key, row in self._rules.items() if key in self._decide]
            rows = {row.source: row for row in deciding if row.site_id is None}
            rows |= {row.source: row for row in deciding if row.site_id == site}
            rules = [Rule(source, _answer(site, row)) for source, row in rows.items()]
            for problem in resolve_redirects(lambda path, site=site: self._is_there(site, path), {}, rules)[1]:  # type: ignore[misc]
                row = rows[problem.source]
                found.setdefault((row.site_id, row.source), _say_rule_problem(problem, site))
        return found

    def _clean_source(self, redirect: Redirect) -> None:
        redirect.source = self._spell_source(redirect)
        other = self._rules.get((redirect.site_id, redirect.source))
        if other is not None and other.pk != redirect.pk:
            where = gettext("this site") if redirect.site_id else gettext("all sites")
            raise ValidationError(
                gettext("{source} already has a redirect for {where}. Edit that redirect.").format(
                    source=redirect.source, where=where
                )
            )
        sites = redirect.sites()
        pages = [page for site in sites if (page := self._pages(site).get(redirect.source))]
        if pages and len(pages) == len(sites):
            raise ValidationError(
                gettext(
                    "“{title}” is at {source}, and a page has priority over a redirect. Move or unpublish the page first. "
                    "Its old URL then redirects to it by itself."
                ).format(title=pages[0].title, source=redirect.source)
            )

    def _spell_source(self, redirect: Redirect) -> str:
        text = trim(redirect.source)
        if "://" in text:
            text = self._without_origin(redirect, text)
        if "?" in text or "#" in text:
            raise ValidationError(
                gettext("Remove ? and # and the rest of the URL. A redirect applies to the path with any query.")
            )
        if not text.startswith("/"):
            raise ValidationError(gettext("Start with a slash, e.g. /old-page."))
        path = unquote(text)
        base = path.removesuffix(WILDCARD)
        if "*" in base:
            raise ValidationError(gettext("Use * only at the end of the path, after a slash, e.g. /blog/*."))
        if _IMPOSSIBLE.search(base):
            raise ValidationError(gettext("Browsers cannot request this URL. Copy it from the browser's address bar."))
        source = spell(base) + (WILDCARD if base != path else "")
        if source == "/" or spell(base) == "/":
            raise ValidationError(
                gettext("This would cover the whole site. Enter one path, or a part of the site, e.g. /blog/*.")
            )
        if f"{spell(base)}/".startswith(PREFIXES):
            raise ValidationError(gettext("The website itself uses this path, so it cannot be redirected."))
        return source

    def _without_origin(self, redirect: Redirect, text: str) -> str:
        parts = urlsplit(text)
        site = _sites_by_host().get(parts.hostname or "")
        if site is None or (redirect.site_id or site) != site:
            raise ValidationError(
                gettext(
                    "Enter only the path, e.g. /old-page, and choose its site. URLs of other hosts cannot be redirected here."
                )
            )
        return text.split(parts.netloc, 1)[1] or "/"

    def _clean_target(self, redirect: Redirect) -> None:
        redirect.address = trim(redirect.address)
        redirect.anchor = trim(redirect.anchor).removeprefix("#")
        if redirect.status == GONE:
            if redirect.page_id or redirect.address:
                raise ValidationError(
                    gettext("A gone URL has no target. Clear page and URL, or choose another response.")
                )
            redirect.anchor = ""
        elif redirect.page_id and redirect.address:
            raise ValidationError(gettext("Use either a page or a URL. Clear one of them."))
        elif redirect.page_id:
            self._check_page(redirect)
        elif redirect.address:
            self._clean_address(redirect)
        else:
            raise ValidationError(
                gettext("Choose a target page or enter a URL. If there is no replacement, choose “Gone”.")
            )

    def _check_page(self, redirect: Redirect) -> None:
        page = redirect.page
        assert page is not None
        default = settings.SITES_REGISTRY.company.default_site
        for site in {*redirect.sites(), default}:
            if any(found.translation_key == page.translation_key for found in self._pages(site).values()):
                return
        raise ValidationError(
            {
                "page": gettext(
                    "“{title}” is not live on this site, so visitors would get an error. Publish it first, or choose another page."
                ).format(title=page.title)
            }
        )

    def _clean_address(self, redirect: Redirect) -> None:
        address = iri_to_uri(redirect.address)
        site = _sites_by_host().get(urlsplit(address).hostname or "") if "://" in address else None
        if site is not None and site == redirect.site_id:
            address = address.split(urlsplit(address).netloc, 1)[1] or "/"
        redirect.address = address
        wildcard = address.endswith(WILDCARD)
        if "*" in address.removesuffix(WILDCARD):
            raise ValidationError(gettext("Use * only at the end of the URL, after a slash."))
        if wildcard and not redirect.source.endswith(WILDCARD):
            raise ValidationError(
                gettext("A target with /* requires an old URL with /* at its end. Remove the /* here.")
            )
        if address.startswith("/") and not address.startswith("//"):
            if address.startswith(NOT_IN_BUILDS[0]):
                check_url(address)
            self._take_page(redirect)
            return
        parts = urlsplit(address)
        try:
            _check_web_address(address.removesuffix("*"))
        except ValidationError:
            parts = parts._replace(scheme="")
        if parts.scheme not in ("http", "https") or "@" in parts.netloc or "\\" in address:
            raise ValidationError(
                gettext(
                    "{address!r} is not a URL. Enter a web address, e.g. https://example.com/page, or a path on the same "
                    "site, e.g. /services."
                ).format(address=redirect.address)
            )

    def _take_page(self, redirect: Redirect) -> None:
        """Replace the path of a page by the page itself, so that the redirect follows the page."""
        path, query = own_path(redirect.address), urlsplit(redirect.address).query
        if redirect.address.endswith(WILDCARD) or query or path is None:
            return
        pages = [page for site in redirect.sites() if (page := self._pages(site).get(spell(path)))]
        if pages and len({page.translation_key for page in pages}) == 1:
            redirect.page = Page.objects.get(pk=pages[0].pk)
            redirect.address, redirect.anchor = "", urlsplit(redirect.address).fragment

    def _is_there(self, site: str, path: str) -> bool:
        return path in self._pages(site) or path.startswith(NOT_IN_BUILDS)

    def _pages(self, site: str) -> "Mapping[str, _LivePage]":
        """Return the live pages of a site by path."""
        if site not in self._paths:
            self._paths[site] = _load_paths(self._roots[site]) if site in self._roots else {}
        return self._paths[site]


def _answer(site: str, row: Redirect) -> Answer:
    if row.page_id is not None:
        return Answer(row.status, f"https://{site}.invalid")  # the page exists, so only other URLs can loop
    return Answer(row.status, row.address) if row.address else Answer(GONE, "")


def _say_rule_problem(problem: RuleProblem, site: str) -> str:
    if problem.what == "loop":
        return gettext(
            "This would be a redirect loop: {target} redirects back to {source}. Choose another target."
        ).format(target=problem.target, source=problem.source)
    return gettext(
        "There is no page at {target} on {site}, so visitors would get an error. Choose a page, or correct the URL."
    ).format(target=problem.target, site=known.name if (known := settings.SITES_REGISTRY.sites.get(site)) else site)


def find_redirect(site: str, source: str) -> Redirect | None:
    """Return the redirect that applies on a site."""
    found = Redirect.objects.filter(models.Q(site=site) | models.Q(site=None), source=source, live=True)
    return max(found, key=lambda row: row.site_id is not None, default=None)


def snapshot_redirects(keys: Iterable[ItemKey], roots: Mapping[str, SiteRoot]) -> dict[ItemKey, RedirectBody]:
    """Return the bodies of existing redirects. A redirect of one site has priority over one of all sites."""
    wanted = {key for key in keys if key.kind == REDIRECT and key.site in roots}
    if not wanted:
        return {}
    stored = Redirect.objects.filter(source__in={key.key for key in wanted}, live=True).select_related("page")
    rows: dict[tuple[str | None, str], Redirect] = {(row.site_id, row.source): row for row in only_shown(stored)}
    found = {key: rows.get((key.site, key.key)) or rows.get((None, key.key)) for key in wanted}
    return {key: row.snapshot() for key, row in found.items() if row}


def redirect_keys(roots: Iterable[str]) -> set[ItemKey]:
    """Return the keys of all redirects that can be published."""
    rows = Redirect.objects.filter(live=True).values_list("site_id", "source")
    return {ItemKey(site, REDIRECT, source) for of, source in rows for site in roots if of in (None, site)}


class _LivePage(NamedTuple):
    pk: int
    title: str
    translation_key: UUID


def _load_paths(root: SiteRoot) -> dict[str, _LivePage]:
    hidden = load_hidden_ids()
    rows = Page.objects.filter(path__startswith=root.root_path, live=True)
    fields = ("url_path", "content_type__model", "pk", "title", "translation_key")
    return {
        normalise_path(url_path.removeprefix(root.root_url_path)): _LivePage(*page)
        for url_path, page_type, *page in rows.values_list(*fields)
        if page[0] not in hidden and page_type != _ERROR and page_kinds(page_type)
    }


def _sites_by_host() -> dict[str, str]:
    registry = settings.SITES_REGISTRY
    return {
        urlsplit(site.origin(environment, 0)).hostname or "": key
        for key, site in registry.sites.items()
        for environment in registry.environments
    }
