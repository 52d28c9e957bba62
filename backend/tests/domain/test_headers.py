"""Which header is over a page (spec §2 Routes, decisions: Which site has which pages)."""

from typing import get_args

import pytest

from portolan.domain.headers import SOLID_TEMPLATES, choose_header
from portolan.schemas.page import Template


@pytest.mark.parametrize(
    ("path", "template", "kind"),
    [
        ("/", "home", "transparent"),
        ("/contact-us", "contact", "solid"),
        ("/agb", "legal", "solid"),
        ("/impressum", "legal", "solid"),
        ("/privacy-policy", "legal", "solid"),
        ("/blueprint", "listing", "solid"),
        ("/blueprint/ten-sites", "blueprint", "solid"),
        ("/project-cases", "listing", "solid"),
        ("/project-cases/lumen", "case-study", "solid"),
        ("/industries/healthcare/telemedicine-app-development", "case-study", "solid"),
        ("/find-developers/back-end", "tech-stack", "solid"),
        ("/industries/retail", "industry", "solid"),
        ("/services/web-development", "service", "solid"),
        ("/services/ai", "service", "solid"),
        ("/retail", "industry", "solid"),
        ("/rust", "tech-stack", "solid"),
        ("/about-us", "about", "solid"),
        ("/company/insights", "listing", "solid"),
        ("/company/insights/a-berth-plan", "article", "solid"),
        ("/company/testimonials", "listing", "solid"),
        ("/404.html", "error", "solid"),
        ("/500.html", "error", "solid"),
        ("/events", "listing", "transparent"),
        ("/events/harbour-days", "event", "transparent"),
        ("/eventsful", "listing", "transparent"),
    ],
)
def test_a_page_of_the_table_is_solid_and_any_other_transparent(path: str, template: str, kind: str) -> None:
    assert choose_header(path, template) == kind


def test_the_families_of_the_table_are_families() -> None:
    assert set(get_args(Template)) >= SOLID_TEMPLATES
