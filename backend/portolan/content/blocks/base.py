"""Define the base of blocks: fields, :class:`PictureBlock`, :class:`LinkBlock`, and :class:`SiteBlock`.

Publishing an editor's value has two parts. ``snapshot`` turns the stream's raw data into JSON with references to other
items (``domain.references``). ``resolve`` replaces the references. ``snapshot`` reads no database: the caller loads a map
of page IDs with one query.
"""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Final, get_args

from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.blocks.struct_block import BlockGroup, StructBlockValidationError
from wagtail.images.blocks import ImageChooserBlock

from ...domain.company import PLACEHOLDERS
from ...domain.references import Lookup, resolve
from ...domain.snapshot_bodies import AnchorBody
from ...schemas.base import BlockData
from ...schemas.icon import IconName
from ..page_chooser import LinkedPageBlock
from ..rich_text import FEATURES, drop_unshowable
from ..rules import check_anchor, check_block_anchor, check_links, check_placeholders, check_url
from ..snapshot import TranslationKeys, snapshot_struct, translation_key_of
from ..trimmed import Trimmed

FIGURES_HELP: Final = format_lazy(
    "{} {}.", _("You can use the company's figures:"), ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
)


class LineBlock(Trimmed, blocks.CharBlock):
    """One line of plain text. May contain placeholders such as ``{company}``."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validators=(check_placeholders,), **kwargs)


class ParagraphBlock(Trimmed, blocks.TextBlock):
    """A few sentences of plain text."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validators=(check_placeholders,), **{"rows": 3, **kwargs})


_DEEPEST_LIST: Final = 20
"""Deepest level of a list. The rich text editor allows four."""


class HtmlBlock(blocks.RichTextBlock):
    """Rich text: headings, paragraphs, lists and links."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            validators=(check_placeholders, check_links), **{"features": list(FEATURES), "editor": "default", **kwargs}
        )

    def value_from_datadict(self, data: Any, files: Any, prefix: str) -> Any:
        """Raise ValueError for lists that are too deep for a page. Wagtail would convert every level of them."""
        typed = json.loads(data.get(prefix) or "{}") or {}
        if any(block.get("depth", 0) > _DEEPEST_LIST for block in typed.get("blocks", ())):
            raise ValueError(f"a list has more than {_DEEPEST_LIST} levels")
        return super().value_from_datadict(data, files, prefix)

    def value_from_form(self, value: str | None) -> Any:
        """Drop halves of characters, which the JSON of the rich text editor may contain."""
        return super().value_from_form(drop_unshowable(value) if value else value)


class VerbatimBlock(blocks.TextBlock):
    """A text that is published exactly as typed: braces are literal, and its first line may be indented."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.field_options["strip"] = False

    def snapshot(self, raw: str, pages: TranslationKeys) -> dict[str, str]:
        # Browsers send the lines of a form with CRLF.
        return {"$verbatim": raw.replace("\r\n", "\n").strip("\n")}


class IconBlock(blocks.ChoiceBlock):
    choices = [(name, name.replace("-", " ")) for name in get_args(IconName)]


class OptionalStructBlock(blocks.StructBlock):
    """A group of fields that may be empty as a whole, with ``required=False``."""

    class Meta:
        required = True

    @property
    def required(self) -> bool:
        return bool(self.meta.required)

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        """Return the errors of a value that is not empty, by field. Saving a draft ignores code ``required``."""
        return {}

    def clean(self, value: Any) -> Any:
        if not self.required and not any(value.values()):
            return value
        cleaned = super().clean(value)
        problems = {
            name: problem
            for name, problem in self.problems(cleaned).items()
            if not (self.is_deferred_validation and problem.code == "required")
        }
        if problems:
            raise StructBlockValidationError(block_errors=problems)
        return cleaned


class PictureBlock(OptionalStructBlock):
    """An image and its description. Published as :class:`~portolan.schemas.media.Picture`."""

    image = ImageChooserBlock(required=False, label=_("Image"))
    alt = LineBlock(
        required=False,
        max_length=160,
        label=_("Description"),
        help_text=_("Describes the image to people who cannot see it. Leave empty if the image is decoration."),
    )

    class Meta:
        icon = "image"
        label = _("Image")
        label_format = "{alt}"

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        return {} if value["image"] else {"image": ValidationError(gettext("Choose an image."), code="required")}

    def snapshot(self, raw: Mapping[str, Any], pages: TranslationKeys) -> dict[str, Any] | None:
        if not raw.get("image"):
            return None
        return {"$picture": str(raw["image"]), "alt": raw.get("alt") or ""}


class TargetBlock(OptionalStructBlock):
    """The target of a link: one of our pages or a URL."""

    page = LinkedPageBlock(
        required=False, help_text=_("One of our pages. On other sites, the link goes to their own version of the page.")
    )
    anchor = blocks.CharBlock(
        required=False, max_length=40, help_text=_("Anchor of a block on that page, without #, e.g. offices.")
    )
    url = blocks.CharBlock(
        required=False,
        max_length=500,
        label=_("URL"),
        help_text=_("Instead of a page: https://…, mailto:…, tel:… or an uploaded file (/media/…)."),
    )

    class Meta:
        icon = "link"
        target_required = True

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        problems: dict[str, ValidationError] = {}
        if self.meta.target_required and not value["page"] and not value["url"]:
            problems["page"] = ValidationError(gettext("Choose a page or enter a URL below."), code="required")
        if value["page"] and value["url"]:
            problems["url"] = ValidationError(gettext("Use either a page or a URL. Clear one of them."), code="both")
        if value["anchor"] and not value["page"]:
            problems["anchor"] = ValidationError(
                gettext("An anchor needs a page. Choose a page, or add the anchor to the URL."), code="page"
            )
        for name, check in (("anchor", check_anchor), ("url", check_url)):
            if value[name] and name not in problems:
                try:
                    check(value[name])
                except ValidationError as error:
                    problems[name] = error
        return problems

    def snapshot_target(self, raw: Mapping[str, Any], pages: TranslationKeys, title: str) -> dict[str, Any] | None:
        """Return the link as a reference, or None for a missing target."""
        if page := raw.get("page"):
            link = {"$page": translation_key_of(page, pages), "title": title}
            return {**link, "anchor": raw["anchor"]} if raw.get("anchor") else link
        if url := raw.get("url"):
            return {"$url": url, "title": title}
        return None


class LinkBlock(TargetBlock):
    """A link to one of our pages or a URL. Published as :class:`~portolan.schemas.link.Link`."""

    title = LineBlock(required=False, max_length=80, help_text=_("The text of the link."))

    class Meta:
        label = _("Link")
        label_format = "{title} {page} {url}"
        form_layout = ["title", "page", "anchor", "url"]

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        if value["title"]:
            return super().problems(value)
        return {
            "title": ValidationError(gettext("Enter the text of the link."), code="required"),
            **super().problems(value),
        }

    def snapshot(self, raw: Mapping[str, Any], pages: TranslationKeys) -> dict[str, Any] | None:
        return self.snapshot_target(raw, pages, raw.get("title") or "")


class SiteBlock(blocks.StructBlock):
    """A block of a page: its form for editors, its published schema, and its examples.

    A subclass names its schema in ``Data`` and has a field of the same name for each field of the schema. It extends
    ``snapshot`` for fields that the editor does not enter.
    """

    Data: ClassVar[type[BlockData]]
    EXAMPLES: ClassVar[dict[str, dict[str, Any]]]
    """Raw values by name, with pages and images of ``portolan_dev.contract.examples``: fixtures of both test suites."""

    def __init__(self, local_blocks: Any = None, **kwargs: Any) -> None:
        tone = blocks.ChoiceBlock(
            choices=[
                ("navy", _("Navy (dark)")),
                ("ink", _("Ink (near-black)")),
                ("paper", _("Paper (light)")),
            ],
            default=self.Data.model_fields["tone"].default,
            help_text=_("The background colour of this block."),
        )
        anchor = blocks.CharBlock(
            required=False,
            max_length=40,
            validators=(check_block_anchor,),
            help_text=_("A name for links to this block, e.g. offices. Unique on the page."),
        )
        anchor_title = LineBlock(
            required=False,
            max_length=40,
            label=_("Name in the anchor menu"),
            help_text=_(
                "The block's name in the page's anchor menu. Requires an anchor above. Empty: not in the menu."
            ),
        )
        settings = [("tone", tone), ("anchor", anchor), ("anchor_title", anchor_title)]
        super().__init__([*settings, *(local_blocks or ())], **kwargs)

    def clean(self, value: Any) -> Any:
        cleaned = super().clean(value)
        if cleaned.get("anchor_title") and not cleaned.get("anchor"):
            missing = ValidationError(
                gettext("The anchor menu links to anchors. Enter an anchor for this block, e.g. results.")
            )
            raise StructBlockValidationError(block_errors={"anchor": missing})
        return cleaned

    def get_form_layout(self) -> BlockGroup:
        settings = ["tone", "anchor", "anchor_title"]
        return BlockGroup(children=[name for name in self.child_blocks if name not in settings], settings=settings)

    @classmethod
    def type_name(cls) -> str:
        return str(cls.Data.model_fields["type"].default)

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        """Return the JSON that a release stores: every field of the schema, in wire names, with references."""
        frozen = snapshot_struct(self, raw, pages)
        del frozen["anchorTitle"]
        return {"type": self.type_name(), "id": id, **frozen, "anchor": raw.get("anchor") or None}

    @staticmethod
    def snapshot_anchor(raw: Mapping[str, Any]) -> AnchorBody | None:
        """Return the block's link in the page's anchor menu (:class:`~portolan.schemas.navigation.AnchorLink`), or
        None."""
        anchor, title = raw.get("anchor"), raw.get("anchor_title")
        return AnchorBody(anchor=anchor, title=title) if anchor and title else None

    def to_data(
        self, raw: Mapping[str, Any], lookup: Lookup, id: str = "", pages: TranslationKeys | None = None
    ) -> BlockData:
        """Return the published value. Raise UnresolvedReference or pydantic's ValidationError."""
        return self.Data.model_validate(resolve(self.snapshot(raw, id, pages or {}), lookup))
