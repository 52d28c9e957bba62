"""Build the one item without an editor: the values of the placeholders, from the site configuration and today's
date."""

from datetime import date
from typing import Final

from ..content.items import ItemKey
from ..domain.company import company_age
from ..domain.snapshot_bodies import FiguresBody
from ..sites.registry import Registry

FIGURES_KEY: Final = ItemKey("", "figures", "company")


def build_figures(registry: Registry, today: date) -> FiguresBody:
    """Return values by placeholder. They change on the company's birthday, on New Year's Day, and with the site
    configuration."""
    company, figures = registry.company, registry.figures
    return {
        "age": str(company_age(company.founded, today)),
        "employees": figures.employees,
        "projects": figures.projects,
        "offices": figures.offices,
        "company": company.name,
        "year": str(today.year),
    }
