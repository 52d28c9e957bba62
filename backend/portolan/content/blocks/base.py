"""What blocks are made of: fields, :class:`PictureBlock`, :class:`LinkBlock`, and :class:`SiteBlock` itself.

An editor's value becomes its published shape in two steps. ``freeze`` turns the stream's raw data into JSON in which
other items stand as references (``domain.references``); ``resolve`` fills them in. Freezing reads no database: the
ids of pages are looked up in a map that the caller loaded with one query.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, ClassVar, get_args

from django.core.exceptions import ValidationError
from pydantic.alias_generators import to_camel
from wagtail import blocks
from wagtail.blocks.struct_block import BlockGroup, StructBlockValidationError
from wagtail.images.blocks import ImageChooserBlock

from ...domain.references import Lookup, resolve
from ...shapes.base import BlockData
from ...shapes.icon import IconName
from ..rich_text import FEATURES, find_page_ids, freeze_html
from ..rules import check_anchor, check_links, check_placeholders, check_url

_wire_name = lru_cache(to_camel)

PageKeys = Mapping[int, str]
"""Translation keys of pages by their id."""


class LineBlock(blocks.CharBlock):
    """One line of plain text. Placeholders such as ``{company}`` may stand in it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validators=(check_placeholders,), **kwargs)


class ParagraphBlock(blocks.TextBlock):
    """A few plain sentences."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(validators=(check_placeholders,), **{"rows": 3, **kwargs})


class HtmlBlock(blocks.RichTextBlock):
    """Headings, paragraphs, lists and links."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            validators=(check_placeholders, check_links), **{"features": list(FEATURES), "editor": "default", **kwargs}
        )


class IconBlock(blocks.ChoiceBlock):
    choices = [(name, name.replace("-", " ")) for name in get_args(IconName)]


class OptionalStructBlock(blocks.StructBlock):
    """A group of fields that may be left empty as a whole, with ``required=False``."""

    class Meta:
        required = True

    @property
    def required(self) -> bool:
        return bool(self.meta.required)

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        """What is wrong with a value that is not empty, by field. Code ``required`` waits while a draft is saved."""
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
    """A picture and what it shows. Published as :class:`~portolan.shapes.media.Picture`."""

    image = ImageChooserBlock(required=False, label="Picture")
    alt = LineBlock(
        required=False,
        max_length=160,
        label="Description",
        help_text="What the picture shows, for those who do not see it. Empty where it is decoration.",
    )

    class Meta:
        icon = "image"
        label_format = "{alt}"

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        return {} if value["image"] else {"image": ValidationError("Choose a picture.", code="required")}

    def freeze(self, raw: Mapping[str, Any], pages: PageKeys) -> dict[str, Any] | None:
        if not raw.get("image"):
            return None
        return {"$picture": str(raw["image"]), "alt": raw.get("alt") or ""}


class TargetBlock(OptionalStructBlock):
    """Where something leads: one of our pages or an address."""

    page = blocks.PageChooserBlock(
        required=False, help_text="One of our pages. On other sites the link leads to their own version of it."
    )
    anchor = blocks.CharBlock(
        required=False, max_length=40, help_text="Anchor of a block on that page, e.g. offices. Without #."
    )
    url = blocks.CharBlock(
        required=False,
        max_length=500,
        label="Address",
        help_text="Instead of a page: https://…, mailto:…, tel:… or a file of ours (/media/…).",
    )

    class Meta:
        icon = "link"
        target_required = True

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        problems: dict[str, ValidationError] = {}
        if self.meta.target_required and not value["page"] and not value["url"]:
            problems["page"] = ValidationError("Choose a page or write an address below.", code="required")
        if value["page"] and value["url"]:
            problems["url"] = ValidationError("Either a page or an address: empty one of the two.", code="both")
        if value["anchor"] and not value["page"]:
            problems["anchor"] = ValidationError(
                "An anchor needs a page. Put it into the address instead.", code="page"
            )
        for name, check in (("anchor", check_anchor), ("url", check_url)):
            if value[name] and name not in problems:
                try:
                    check(value[name])
                except ValidationError as error:
                    problems[name] = error
        return problems

    def freeze_target(self, raw: Mapping[str, Any], pages: PageKeys, title: str) -> dict[str, Any] | None:
        """The link as a reference. None where there is no target."""
        if page := raw.get("page"):
            link = {"$page": page_key(page, pages), "title": title}
            return {**link, "anchor": raw["anchor"]} if raw.get("anchor") else link
        if url := raw.get("url"):
            return {"$url": url, "title": title}
        return None


class LinkBlock(TargetBlock):
    """A link to one of our pages or to an address. Published as :class:`~portolan.shapes.link.Link`."""

    title = LineBlock(required=False, max_length=80, help_text="What the link says.")

    class Meta:
        label = "Link"
        label_format = "{title}"
        form_layout = ["title", "page", "anchor", "url"]

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        if value["title"]:
            return super().problems(value)
        return {"title": ValidationError("Say where the link leads.", code="required"), **super().problems(value)}

    def freeze(self, raw: Mapping[str, Any], pages: PageKeys) -> dict[str, Any] | None:
        return self.freeze_target(raw, pages, raw.get("title") or "")


class SiteBlock(blocks.StructBlock):
    """A block of a page: its form for editors, its published shape and its examples.

    A subclass names its shape in ``Data`` and has a field for each of the shape's fields, of the same name. Where a
    field is not the editor's, it extends ``freeze``.
    """

    Data: ClassVar[type[BlockData]]
    EXAMPLES: ClassVar[dict[str, dict[str, Any]]]
    """Raw values by name, with pages and pictures of ``content.examples``: fixtures of both test suites."""

    def __init__(self, local_blocks: Any = None, **kwargs: Any) -> None:
        tone = blocks.ChoiceBlock(
            choices=[("navy", "Navy (dark)"), ("ink", "Ink (near-black)"), ("paper", "Paper (light)")],
            default=self.Data.model_fields["tone"].default,
            help_text="The ground this block stands on.",
        )
        anchor = blocks.CharBlock(
            required=False,
            max_length=40,
            validators=(check_anchor,),
            help_text="Lets links lead to this block, e.g. offices. Unique on the page.",
        )
        super().__init__([("tone", tone), ("anchor", anchor), *(local_blocks or ())], **kwargs)

    def get_form_layout(self) -> BlockGroup:
        settings = ["tone", "anchor"]
        return BlockGroup(children=[name for name in self.child_blocks if name not in settings], settings=settings)

    @classmethod
    def type_name(cls) -> str:
        return str(cls.Data.model_fields["type"].default)

    def freeze(self, raw: Mapping[str, Any], id: str, pages: PageKeys) -> dict[str, Any]:
        """The block's frozen JSON: every field of the shape, in wire names, with references."""
        return {
            "type": self.type_name(),
            "id": id,
            **freeze_struct(self, raw, pages),
            "anchor": raw.get("anchor") or None,
        }

    def to_data(self, raw: Mapping[str, Any], lookup: Lookup, id: str = "", pages: PageKeys | None = None) -> BlockData:
        """The published shape. Raises UnresolvedReference or pydantic's ValidationError."""
        return self.Data.model_validate(resolve(self.freeze(raw, id, pages or {}), lookup))


def freeze_struct(struct: blocks.StructBlock, raw: Mapping[str, Any], pages: PageKeys) -> dict[str, Any]:
    """Every field of ``struct``; one that was added after the value was saved has its default."""
    return {
        _wire_name(name): freeze_value(
            child, raw[name] if name in raw else child.get_prep_value(child.get_default()), pages
        )
        for name, child in struct.child_blocks.items()
    }


def freeze_stream(stream: blocks.StreamValue, pages: PageKeys) -> list[Any]:
    """Frozen values of a stream whose blocks need no id (menus, footers), in its order."""
    return [
        freeze_value(stream.stream_block.child_blocks[child["type"]], child["value"], pages)
        for child in stream.raw_data
    ]


def freeze_value(block: blocks.Block, raw: Any, pages: PageKeys) -> Any:
    if isinstance(block, blocks.StructBlock):
        own_form: Callable[..., Any] | None = getattr(block, "freeze", None)
        if own_form:
            return own_form(raw or {}, pages)
        return freeze_struct(block, raw or {}, pages)
    if isinstance(block, blocks.ListBlock):
        return [freeze_value(block.child_block, item, pages) for item in list_items(raw)]
    if isinstance(block, blocks.RichTextBlock):
        return {"$html": freeze_html(raw or "", pages)}
    if isinstance(block, blocks.ChoiceBlock):
        return raw or None
    if isinstance(block, blocks.CharBlock | blocks.TextBlock):
        return raw or ""
    if isinstance(block, blocks.BooleanBlock | blocks.IntegerBlock):
        return raw
    raise TypeError(f"{type(block).__name__} has no frozen form; give it one in {__name__}.freeze_value")


def list_items(raw: Any) -> list[Any]:
    """Values of a list block's raw data, which keeps each beside its id (or bare, in hand-written data)."""
    return [item["value"] if isinstance(item, dict) and item.get("type") == "item" else item for item in raw or ()]


def page_key(page: int, pages: PageKeys) -> str:
    """Key of a page; one that resolves nowhere if it was deleted, so that the link is reported instead of lost."""
    return pages.get(int(page), f"deleted-page-{page}")


def collect_page_ids(raw: Any) -> set[int]:
    """Ids of all pages that raw stream data links to: what must be in the map that ``freeze`` is given."""
    if isinstance(raw, str):
        return find_page_ids(raw) if 'linktype="page"' in raw else set()
    if isinstance(raw, list):
        return set().union(*map(collect_page_ids, raw)) if raw else set()
    if isinstance(raw, dict):
        own = {int(raw["page"])} if isinstance(raw.get("page"), int) else set()
        return own.union(*map(collect_page_ids, raw.values()))
    return set()
