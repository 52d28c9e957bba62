"""Project teasers: a few case studies on a page about another topic, chosen by a rule."""

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
from ..snapshot import TranslationKeys
from .base import LineBlock, LinkBlock, ParagraphBlock, SiteBlock

_SELECTORS = {"top": "ranked", "placed": "placed", "related": "related"}
"""Selectors of ``domain.selectors`` by the source that an editor chooses."""


class ProjectTeasersData(BlockData):
    type: Literal["project_teasers"] = "project_teasers"
    title: str
    text: str = ""
    projects: list[ProjectCard]
    """If it is empty, the block is hidden."""
    link: Link | None = None


_Choices = list[tuple[str, list[tuple[str, str]]]]
_kept: ContextVar[list[_Choices] | None] = ContextVar("facet_choices", default=None)


@contextmanager
def facet_choices_kept() -> Iterator[None]:
    """Cache the values of facets for many saves, because each check of a block reads them. Do not save facets
    inside."""
    token = _kept.set([])
    try:
        yield
    finally:
        _kept.reset(token)


def _facet_values() -> _Choices:
    """Return all values of facets for the studio's form, by facet."""
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
    """Some case studies. A published, ranked or assigned case study shows here at once. It never shows its own card."""

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
            ("top", _("The best: case studies with a rank")),
            ("placed", _("Assigned to this page")),
            ("related", _("Most similar to this case study")),
            ("filter", _("Of one industry, service or technology")),
        ],
        default="top",
        label=_("Selection"),
        help_text=_("Without matching case studies, the block is hidden."),
    )
    facet = blocks.ChoiceBlock(
        choices=[(facet, facet.capitalize()) for facet in FACETS],
        required=False,
        help_text=_("Only for the selection by industry, service or technology."),
    )
    value = blocks.ChoiceBlock(
        choices=_facet_values, required=False, help_text=_("The industry, service or technology.")
    )
    limit = blocks.IntegerBlock(default=3, min_value=1, max_value=12, label=_("At most"))
    link = LinkBlock(required=False, help_text=_("Link below the cards, e.g. to all case studies."))

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

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        frozen = super().snapshot(raw, id, pages)
        source, facet, value, limit = (frozen.pop(name) for name in ("source", "facet", "value", "limit"))
        selector = ["valued", facet, value] if source == "filter" else [_SELECTORS[source]]
        cards = {"$items": "project", "choose": selector, "first": limit, "pick": wire_names(ProjectCard)}
        return {**frozen, "projects": cards}


def _find_problem(source: str, facet: str, value: str) -> ValidationError | None:
    """Return the error in the choice of a facet value, or None."""
    if source != "filter":
        return None
    if not facet or not value:
        return ValidationError(gettext("Choose a facet and one of its values."), code="required")
    if not FacetValue.objects.filter(facet=facet, key=value).exists():
        return ValidationError(
            gettext("This value is not of the facet {facet}. Choose another value or facet.").format(facet=facet),
            code="facet",
        )
    return None
