"""Project teasers: a few case studies on a page about something else, chosen by a rule."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.blocks.struct_block import StructBlockValidationError

from ...schemas.base import BlockData, wire_names
from ...schemas.link import Link
from ...schemas.project import ProjectCard
from ..collections.facets import FACETS, FacetValue
from ..freeze import TranslationKeys
from .base import LineBlock, LinkBlock, ParagraphBlock, SiteBlock

_SELECTORS = {"top": "ranked", "placed": "placed", "related": "related"}
"""Selectors of ``domain.selectors`` by what an editor calls them."""


class ProjectTeasersData(BlockData):
    type: Literal["project_teasers"] = "project_teasers"
    title: str
    text: str = ""
    projects: list[ProjectCard]
    """Where there is none, nothing of the block is shown."""
    link: Link | None = None


_Choices = list[tuple[str, list[tuple[str, str]]]]
_kept: ContextVar[list[_Choices] | None] = ContextVar("facet_choices", default=None)


@contextmanager
def facet_choices_kept() -> Iterator[None]:
    """Inside, values of facets are read once, when they are first asked for: each check of a page's blocks asks. For many saves,
    none of which is a facet's after a page's."""
    token = _kept.set([])
    try:
        yield
    finally:
        _kept.reset(token)


def _facet_values() -> _Choices:
    """All values of facets as the studio's form offers them, by facet."""
    kept = _kept.get()
    if kept:
        return kept[0]
    values = list(FacetValue.objects.prefetch_related(*FacetValue.related))
    choices = [
        (facet.capitalize(), [(value.key, str(value)) for value in values if value.facet == facet]) for facet in FACETS
    ]
    if kept is not None:
        kept.append(choices)
    return choices


class ProjectTeasersBlock(SiteBlock):
    """The cards come from the case studies: one that is published, ranked or placed shows here at once. A case study never
    shows its own card.
    """

    Data = ProjectTeasersData
    EXAMPLES = {
        "default": {
            "anchor": "work",
            "title": "Work we can show",
            "text": "What was wrong, what we tried, and what is measurably different now.",
            "link": {"title": "All case studies", "page": 2},
        },
        "related": {"tone": "ink", "title": "Closest to this one", "source": "related", "limit": 1},
        "filter": {
            "tone": "navy",
            "title": "For clinics and laboratories",
            "source": "filter",
            "facet": "industry",
            "value": "healthcare",
        },
        "placed": {"title": "From this page's own waters", "source": "placed"},
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    source = blocks.ChoiceBlock(
        choices=[
            ("top", _("The best: those with a rank")),
            ("placed", _("Those that are placed on this page")),
            ("related", _("Those that have most in common with this case study")),
            ("filter", _("Those of one industry, service or technology")),
        ],
        default="top",
        label=_("Which ones"),
        help_text=_("Where there are none, the block is not shown."),
    )
    facet = blocks.ChoiceBlock(
        choices=[(facet, facet.capitalize()) for facet in FACETS],
        required=False,
        help_text=_("For those of one industry, service or technology: which of the three it is."),
    )
    value = blocks.ChoiceBlock(choices=_facet_values, required=False, help_text=_("And which one."))
    limit = blocks.IntegerBlock(default=3, min_value=1, max_value=12, label=_("At most"))
    link = LinkBlock(required=False, help_text=_("Below the cards, e.g. to all case studies."))

    class Meta:
        icon = "folder-open-inverse"
        label = _("Some case studies")
        group = _("Teasers")

    def clean(self, value: Any) -> Any:
        cleaned = super().clean(value)
        problem = _find_problem(cleaned["source"], cleaned["facet"], cleaned["value"])
        if problem and not (self.is_deferred_validation and problem.code == "required"):
            raise StructBlockValidationError(block_errors={"value": problem})
        return cleaned

    def freeze(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        frozen = super().freeze(raw, id, pages)
        source, facet, value, limit = (frozen.pop(name) for name in ("source", "facet", "value", "limit"))
        selector = ["valued", facet, value] if source == "filter" else [_SELECTORS[source]]
        cards = {"$items": "project", "choose": selector, "first": limit, "pick": wire_names(ProjectCard)}
        return {**frozen, "projects": cards}


def _find_problem(source: str, facet: str, value: str) -> ValidationError | None:
    """What is wrong with the choice of one facet value."""
    if source != "filter":
        return None
    if not facet or not value:
        return ValidationError(
            gettext("Choose which industry, service or technology is meant, and its kind."), code="required"
        )
    if not FacetValue.objects.filter(facet=facet, key=value).exists():
        return ValidationError(
            gettext("This is no {facet}. Choose one, or correct the kind above.").format(facet=facet), code="facet"
        )
    return None
