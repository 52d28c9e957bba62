"""Items of the examples: a few of each kind in lists, as a release stores them."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

PAGES: Final = {
    1: "/contact-us",
    2: "/project-cases/northwind-port-authority",
    3: "/services/web-development",
    4: "/project-cases/lumen-clinic-network",
    5: "/company/insights/a-berth-plan-in-two-seconds",
    6: "/events/harbour-days",
    7: "/project-cases/kestrel-freight",
}
"""Pages to which the examples link, by id."""

PAGE_KEYS: Final = {id: f"00000000-0000-4000-8000-{id:012d}" for id in PAGES}

_INDUSTRIES: Final = {"logistics": "Logistics", "healthcare": "Healthcare"}
_SERVICES: Final = {"web-development": "Web development", "mobile-development": "Mobile development"}
_TECHNOLOGIES: Final = {"python": "Python", "react-js": "React"}


def _link(page: int, title: str) -> dict[str, Any]:
    return {"$page": PAGE_KEYS[page], "title": title}


def _facets(facet: str, names: Mapping[str, str], *slugs: str) -> list[dict[str, Any]]:
    return [{"facet": facet, "slug": slug, "name": names[slug]} for slug in slugs]


def _project(
    page: int, title: str, summary: str, client: str, place: tuple[str, float, float], facets: Sequence[Sequence[str]]
) -> dict[str, Any]:
    industries, services, technologies = facets
    country, lat, lng = place
    return {
        "id": PAGE_KEYS[page],
        "slug": PAGES[page].rpartition("/")[2],
        "title": title,
        "summary": summary,
        "client": client,
        "country": country,
        "cover": {"$picture": "2", "alt": "Container cranes at dawn, seen from the water"},
        "link": _link(page, title),
        "industries": _facets("industry", _INDUSTRIES, *industries),
        "services": _facets("service", _SERVICES, *services),
        "technologies": _facets("technology", _TECHNOLOGIES, *technologies),
        "results": [{"value": "−31%", "caption": "hours spent waiting at anchor"}],
        "lat": lat,
        "lng": lng,
        "gallery": [{"$picture": "2", "alt": "Container cranes at dawn, seen from the water"}],
        "rank": page // 2,
    }


def _article(number: int) -> dict[str, Any]:
    title = f"Sounding no. {number}: a berth plan in two seconds"
    return {
        "id": f"00000000-0000-4000-8001-{number:012d}",
        "title": title,
        "summary": "What we measured, what we threw away, and why the plan is quicker than the telephone now.",
        "previewImage": {"$picture": "2", "alt": ""},
        "date": (date(2026, 3, 1) - timedelta(days=9 * (12 - number))).isoformat(),
        "link": _link(5, title),
    }


def _review(number: int, company: str, country: str, score: float, with_logo: bool) -> dict[str, Any]:
    return {
        "id": f"review-{number}",
        "person": "Head of Vessel Traffic" if number % 2 else "Medical Director",
        "role": "Vessel traffic services" if number % 2 else "Clinics",
        "company": company,
        "country": country,
        "score": score,
        "text": "They asked what the plan is for before they asked what it should look like. "
        "Nobody had done that in eleven years.",
        "logo": {"$picture": "1", "alt": company} if with_logo else None,
    }


def _event(number: int, title: str, days: int, place: tuple[str, str], past: bool = False) -> dict[str, Any]:
    start = date(2026, 9, 1) + timedelta(days=30 * number)
    return {
        "id": f"00000000-0000-4000-8002-{number:012d}",
        "title": title,
        "summary": "Three talks, one workshop, and a table with coffee where our engineers sit all day.",
        "start": start.isoformat(),
        "end": (start + timedelta(days=days - 1)).isoformat(),
        "past": past,
        "city": place[0],
        "country": place[1],
        "registration": "" if past else "https://tickets.example/" + str(number),
        "cover": {"$picture": "2", "alt": "Container cranes at dawn, seen from the water"},
        "link": _link(6, title),
    }


def _rates(role: str, name: str, low: int) -> list[dict[str, Any]]:
    return [
        {"role": role, "name": name, "seniority": seniority, "low": low + more, "high": low + more + 2400}
        for seniority, more in (("junior", 0), ("middle", 2000), ("senior", 4200), ("lead", 6400))
    ]


def _certificate(key: str, title: str, issuer: str, issued: int, years: int | None) -> dict[str, Any]:
    return {
        "id": key,
        "title": title,
        "issuer": issuer,
        "issued": date(issued, 6, 3).isoformat(),
        "expires": date(issued + years, 6, 2).isoformat() if years else None,
        "number": "PA-0412" if years else "",
        "picture": None if years else {"$picture": "1", "alt": title},
    }


def _cv(key: str, role: str, seniority: str, years: int, country: str) -> dict[str, Any]:
    return {
        "id": key,
        "role": role,
        "seniority": seniority,
        "years": years,
        "country": country,
        "summary": "Led the replacement of a payment core with eleven minutes of interruption. Still writes code.",
        "skills": ["Python", "PostgreSQL", "Kafka"],
        "languages": ["English (C1)", "German (B1)"],
        "picture": None,
    }


def _video(number: int, title: str) -> dict[str, Any]:
    return {
        "id": f"video-{number}",
        "title": title,
        "cover": {"$picture": "2", "alt": ""},
        "videoId": f"example-00{number}",
        "film": None,
        "published": f"2026-03-0{number}",
    }


ITEMS: Final[Mapping[str, list[dict[str, Any]]]] = {
    "rate_card": [
        {
            "currency": "EUR",
            "rates": [*_rates("back-end", "Back-end developer", 5600), *_rates("qa", "Test engineer", 4800)],
            "services": [
                {
                    "service": "web-development",
                    "supplement": 0,
                    "team": [{"role": "back-end", "count": 2}, {"role": "qa", "count": 1}],
                }
            ],
            "starts": {"now": 10, "quarter": 0, "later": -5},
            "longTerm": {"months": 12, "discount": 5},
        }
    ],
    "project": [
        _project(
            2,
            "A port that replans itself",
            "Four spreadsheets became one plan for 11 terminals, recalculated in 1.8 seconds.",
            "Northwind Port Authority",
            ("gb", 54.6, -5.9),
            (["logistics"], ["web-development"], ["python", "react-js"]),
        ),
        _project(
            4,
            "One record, 38 clinics",
            "Five patient systems became one, without closing a surgery for a day.",
            "Lumen Clinic Network",
            ("de", 52.5, 13.4),
            (["healthcare"], ["web-development", "mobile-development"], ["python"]),
        ),
        _project(
            7,
            "Kestrel Freight",
            "Drivers see the next stop on a telephone that works in the hold, with gloves on.",
            "Kestrel Freight",
            ("us", 32.8, -96.8),
            (["logistics"], ["mobile-development"], ["react-js"]),
        ),
    ],
    "news": [_article(number) for number in range(12, 0, -1)],
    "review": [
        _review(number, company, country, score, with_logo)
        for number, (company, country, score, with_logo) in enumerate(
            [
                ("Northwind Port Authority", "gb", 5.0, True),
                ("Lumen Clinic Network", "de", 4.5, True),
                ("Saltmarsh Bank", "gb", 5.0, False),
                ("Ostwind Reederei", "de", 5.0, True),
                ("Gulf Lantern Logistics", "ae", 4.0, False),
                ("Caspian Grid", "az", 5.0, False),
                ("Rive Gauche Assurances", "fr", 4.5, True),
            ],
            start=1,
        )
    ],
    "event": [
        _event(0, "Harbour Days", 3, ("Hamburg", "de")),
        _event(1, "Clinic Systems Day", 1, ("London", "gb")),
        _event(2, "Ask a platform team", 1, ("", "")),
        _event(3, "Open day at the quay", 1, ("Dubai", "ae")),
    ],
    "certificate": [
        _certificate("iso-27001", "ISO/IEC 27001:2022: information security management", "Plimsoll Assurance", 2025, 3),
        _certificate("iso-9001", "ISO 9001:2015: quality management", "Plimsoll Assurance", 2024, 3),
        _certificate("soc-2", "SOC 2 Type II: report on security and availability", "Halyard Register", 2026, None),
    ],
    "cv": [
        _cv("java-lead", "Back-end developer, Java", "lead", 14, "pl"),
        _cv("go-middle", "Back-end developer, Go", "middle", 1, "in"),
        _cv("react-senior", "Front-end developer, React", "senior", 7, "fr"),
    ],
    "video": [
        _video(1, "How a release is frozen"),
        _video(2, "A berth plan in nine minutes"),
        _video(3, "What a restore drill found"),
    ],
    "short": [_video(4, "What a review is for"), _video(5, "Gloves"), _video(6, "A label printer, explained")],
}
"""Values by kind with unresolved references, in the order of a release."""
