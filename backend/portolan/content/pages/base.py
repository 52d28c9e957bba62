"""What all pages have in common. A family adds its name, its rules for parents and children, and its own fields."""

from collections.abc import Callable
from typing import Any, ClassVar, Final, Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail.admin.forms.pages import WagtailAdminPageForm
from wagtail.admin.panels import FieldPanel, MultiFieldPanel, Panel, TitleFieldPanel
from wagtail.models import Page, Site
from wagtail.models.panels import CommentPanelPlaceholder
from wagtail.search import index

from ...domain.routes import normalise_path
from ...schemas.base import Schema
from ...schemas.page import HeaderKind
from ..fields import BodyField
from ..freeze import TranslationKeys
from ..page_fields import find_misplaced_placeholders, freeze_fields
from ..page_rights import RolePagePermissionTester
from ..rules import check_page_slug, check_placeholders
from ..schedule_panel import SchedulePanel
from ..site_records import SiteRoot, load_site_roots
from ..typed_texts import typed_texts

SEO_TITLE_LENGTH: Final = (10, 60)
DESCRIPTION_LENGTH: Final = (50, 160)


class TreePageForm(WagtailAdminPageForm):
    """Refuses a slug at its field where the path of the page would be one that the product uses itself."""

    def _post_clean(self) -> None:
        """Check the slug once the model has made one of the title, where the field is empty."""
        super()._post_clean()
        if self.instance.slug and "slug" not in self.errors:
            try:
                check_page_slug(self.instance.slug, self.parent_page)
            except ValidationError as error:
                self.add_error("slug" if "slug" in self.fields else None, error)


class TreePage(Page):
    """Anything in a site's tree of pages."""

    preview_modes: ClassVar[list[tuple[str, str]]] = []
    private_page_options: ClassVar[list[str]] = []  # the sites are public files
    is_creatable = False
    base_form_class = TreePageForm

    content_panels: ClassVar[list[Panel]] = [
        TitleFieldPanel(
            "title",
            help_text=_(
                "The page's name: in the studio, and in browser tabs where Promote gives no other. "
                "The heading visitors see is the hero's title."
            ),
        )
    ]
    promote_panels: ClassVar[list[Panel]] = [
        FieldPanel(
            "slug",
            heading=_("Address"),
            help_text=_(
                "Last part of the page's address: small letters, digits, hyphens. After a change, the old "
                "address leads visitors to the new one, and our own links follow."
            ),
        )
    ]
    settings_panels: ClassVar[list[Panel]] = [SchedulePanel(), CommentPanelPlaceholder()]

    class Meta:
        abstract = True

    def permissions_for_user(self, user: Any) -> RolePagePermissionTester:
        return RolePagePermissionTester(user, self)

    def clean(self) -> None:
        super().clean()
        if self.slug:
            try:
                check_page_slug(self.slug)
            except ValidationError as error:
                raise ValidationError({"slug": error}) from error

    def path_in_site(self, root_url_path: str) -> str:
        """The page's normalised path on its site, whose home page has ``root_url_path``."""
        return normalise_path(self.url_path.removeprefix(root_url_path))

    def get_url_parts(self, request: HttpRequest | None = None) -> tuple[int, str, str] | None:
        """The page's address on its own country site, at the origin the site has in this environment. Wagtail's own
        rule would be wrong: it counts the translations of a site's home page as homes of that site too, and uses the
        port that its rows were written with.
        """
        for root in _site_roots(request):
            if self.url_path.startswith(root.root_url_path):
                return root.wagtail_site_id, settings.SITE_ORIGINS[root.key], self.path_in_site(root.root_url_path)
        return None

    def get_url(self, request: HttpRequest | None = None, current_site: Site | None = None) -> str | None:
        """Always absolute, because the studio has a host of its own."""
        url: str | None = self.get_full_url(request)
        return url

    url = property(get_url)


class SitePage(TreePage):
    """A page that visitors see: a body of blocks, and what search engines show of it."""

    preview_modes: ClassVar[list[tuple[str, str]]] = [("", "Page")]
    show_draft: ClassVar["Callable[[SitePage, HttpRequest], HttpResponse] | None"] = None
    """Shows the page as it is in memory. Set by the studio, which can render pages."""
    find_held: ClassVar["Callable[[SitePage], str] | None"] = None
    """Returns ``why_held_back``. Set by the studio, which knows the result of the last publish."""
    family: ClassVar[str]
    Fields: ClassVar[type[Schema] | None] = None
    """Of a plugin's family: the schema of what its layout shows beside the blocks, a model field for each, of the same name."""
    header: ClassVar[HeaderKind] = "solid"
    """Of a plugin's family: whether the header lies on what the page begins with. Of the product's the route decides
    (``domain.headers``)."""
    begins_with: ClassVar[tuple[str, ...]] = ("hero",)
    """Types of the blocks that a new page of the family has: what it cannot do without. The form shows what they lack."""
    body = BodyField(blank=True)
    hidden_here = models.BooleanField(
        _("hide on this site"),
        default=False,
        help_text=_(
            "The page stays in the studio, and visitors of this site find nothing at its address. "
            "Other sites keep theirs."
        ),
    )
    switcher_hidden = models.BooleanField(
        _("hide the language switcher"),
        default=False,
        help_text=_("For pages that only one country has, such as its legal pages."),
    )

    search_fields: ClassVar[list[index.BaseField]] = [*TreePage.search_fields, index.SearchField("searched_text")]

    content_panels: ClassVar[list[Panel]] = [*TreePage.content_panels, FieldPanel("body")]
    promote_panels: ClassVar[list[Panel]] = [
        *TreePage.promote_panels,
        MultiFieldPanel(
            [
                FieldPanel(
                    "seo_title",
                    heading=_("Title in search results"),
                    help_text=format_lazy(
                        _("Stands in the browser tab too. Use {least} to {most} characters. Empty: the page's title."),
                        least=SEO_TITLE_LENGTH[0],
                        most=SEO_TITLE_LENGTH[1],
                    ),
                ),
                FieldPanel(
                    "search_description",
                    heading=_("Description in search results"),
                    help_text=format_lazy(
                        _("One or two sentences below the title. Use {least} to {most} characters."),
                        least=DESCRIPTION_LENGTH[0],
                        most=DESCRIPTION_LENGTH[1],
                    ),
                ),
            ],
            heading=_("For search engines"),
        ),
    ]
    settings_panels: ClassVar[list[Panel]] = [
        *TreePage.settings_panels,
        MultiFieldPanel([FieldPanel("hidden_here"), FieldPanel("switcher_hidden")], heading=_("On this site")),
    ]

    class Meta:
        abstract = True

    def searched_text(self) -> str:
        """What the studio's search finds the page by, beside its title: all texts of its blocks, what search engines show,
        the last part of its address."""
        texts = typed_texts(self.body)
        return " ".join(filter(None, [*texts, self.seo_title, self.search_description, self.slug]))

    def freeze_fields(self, pages: TranslationKeys) -> dict[str, Any]:
        """The frozen value of ``Fields``. A family extends it where a field is not the editor's, or is kept otherwise."""
        return freeze_fields(self, self.Fields, pages) if self.Fields else {}

    def clean(self) -> None:
        super().clean()
        problems: dict[str, Any] = find_misplaced_placeholders(self) if self.Fields else {}
        for field, (shortest, longest) in (
            ("title", (1, 120)),
            ("seo_title", SEO_TITLE_LENGTH),
            ("search_description", DESCRIPTION_LENGTH),
        ):
            text = getattr(self, field)
            try:
                check_placeholders(text)
            except ValidationError as error:
                problems[field] = error
            if text and not shortest <= len(text) <= longest:
                problems[field] = gettext(
                    "This has {count} characters. Use {shortest} to {longest}: so much is shown in full everywhere."
                ).format(count=len(text), shortest=shortest, longest=longest)
        if problems:
            raise ValidationError(problems)

    def get_url_parts(self, request: HttpRequest | None = None) -> tuple[int, str, str] | None:
        """None if it is hidden: then the studio offers no link, because visitors find nothing at that address."""
        return None if self.hidden_here else super().get_url_parts(request)

    @property
    def status_string(self) -> str:
        status: str = super().status_string
        if self.live and self.hidden_here:
            return gettext("hidden on this site")
        return "held back" if self.live and self.why_held_back else status

    @property
    def why_held_back(self) -> str:
        """Why visitors do not see the last published state of the page; empty if they do. Answered by the studio."""
        return SitePage.find_held(self) if SitePage.find_held else ""

    def serve_preview(self, request: HttpRequest, mode_name: str) -> HttpResponse:
        if SitePage.show_draft is None:
            raise NotImplementedError("Nobody draws drafts: the studio's app is not installed.")
        return SitePage.show_draft(self, request)

    def with_content_json(self, content: dict[str, Any]) -> Self:
        """Wagtail copies a published page over its aliases. Whether an alias is hidden on its own site must not be
        copied."""
        page: Self = super().with_content_json(content)
        if self.alias_of_id:
            page.hidden_here = self.hidden_here
        return page


def _site_roots(request: HttpRequest | None) -> list[SiteRoot]:
    """All sites, the deepest first; read once a request."""
    known: list[SiteRoot] | None = getattr(request, "_portolan_sites", None)
    if known is None:
        known = sorted(load_site_roots().values(), key=lambda root: root.root_url_path, reverse=True)
        if request is not None:
            request._portolan_sites = known  # type: ignore[attr-defined]
    return known
