"""List the collections. For a new one, add a file here and a line below."""

from collections.abc import Mapping
from typing import Final

from .base import Entry
from .certificates import Certificate
from .cvs import Cv
from .facets import FacetValue
from .offices import Office
from .phones import Phone
from .reviews import Review
from .videos import InsightShort, InsightVideo

COLLECTIONS: Final[Mapping[str, type[Entry]]] = {
    model.kind: model for model in (Office, Phone, Certificate, Cv, Review, FacetValue, InsightVideo, InsightShort)
}
"""Models by the kind of their items."""
