"""Items of a small release of three sites, as ``content`` freezes them, with their references."""

from datetime import date, timedelta
from typing import Any

Items = dict[tuple[str, str, str], Any]

PICTURE = {
    "url": "/media/pictures/a/1280.webp",
    "width": 2560,
    "height": 1600,
    "mobile": {
        "width": 480,
        "height": 300,
        "webp": "/media/pictures/a/480.webp",
        "webp2X": "/media/pictures/a/960.webp",
        "avif": "/media/pictures/a/480.avif",
        "avif2X": "/media/pictures/a/960.avif",
    },
    "tablet": None,
    "desktop": None,
    "vector": None,
    "focus": {"x": 30, "y": 100},
}


def build_release() -> Items:
    """English content, some of it in German. The Arabic site has only offices and phones."""
    items: Items = {
        ("", "figures", "company"): {"company": "Brightmoor", "age": "19"},
        ("", "picture", "1"): PICTURE,
    }
    for site in ("en", "de", "ae"):
        items |= {
            (site, "office", "dallas"): row(2, office("dallas", city=f"Dallas ({site})")),
            (site, "office", "london"): row(1, office("london")),
            (site, "phone", "us"): row(2, {"id": "us", "phone": "+1 214-555-0140", "isDefault": True, "countries": []}),
            (site, "phone", "gb"): row(
                1, {"id": "gb", "phone": "+44 20 7946 0018", "isDefault": False, "countries": ["gb"]}
            ),
        }
    for site in ("en", "de"):
        items |= _site(site)
    items["en", "project", "p-late"] = row(1_000_000, project("p-late", "late", services=["web"], rank=None, lat=None))
    items["en", "page", "p-late"] = page("/project-cases/late")
    del items["de", "news", "n-03"]
    return items


def row(order: int, value: dict[str, Any], pages: list[str] | None = None) -> dict[str, Any]:
    return {"order": order, "value": value, **({"pages": pages} if pages else {})}


def page(path: str) -> dict[str, Any]:
    return {"path": path, "template": "service", "title": path, "blocks": []}


def picture(key: str = "1") -> dict[str, str]:
    return {"$picture": key, "alt": "Cranes of {company}"}


def office(key: str, **values: object) -> dict[str, object]:
    return {
        "id": key,
        "city": key.capitalize(),
        "address": "1 Pier, {company}",
        "phone": "+1 214-555-0140",
        "category": {"name": "Hub", "icon": "anchor"},
        "country": "us",
        "lat": 1.5,
        "lng": 2.0,
        "sets": ["default"],
        "hours": "",
        "opened": None,
        **values,
    }


def project(key: str, slug: str, **values: Any) -> dict[str, Any]:
    facets = {
        "industries": ("industry", values.pop("industries", [])),
        "services": ("service", values.pop("services", [])),
        "technologies": ("technology", values.pop("technologies", [])),
    }
    return {
        "id": key,
        "slug": slug,
        "title": f"Case {slug}",
        "summary": "For {age} years.",
        "client": "Lumen",
        "country": "gb",
        "cover": picture(),
        "link": {"$page": key, "title": f"Case {slug}"},
        "results": [{"value": "26 min", "caption": "saved"}],
        "lat": 51.5,
        "lng": -0.1,
        "gallery": [],
        "rank": 1,
        **{field: [facet(name, slug) for slug in slugs] for field, (name, slugs) in facets.items()},
        **values,
    }


def facet(name: str, slug: str) -> dict[str, str]:
    return {"facet": name, "slug": slug, "name": slug.capitalize()}


def news(number: int) -> tuple[str, dict[str, Any]]:
    key = f"n-{number:02}"
    value = {
        "id": key,
        "title": f"News {number}",
        "summary": "What happened.",
        "previewImage": picture(),
        "date": str(date(2026, 2, 28) + timedelta(days=number)),
        "link": {"$page": key, "title": f"News {number}"},
    }
    return key, row(-number, value)


def event(key: str, country: str, day: int, past: bool = False) -> dict[str, Any]:
    value = {
        "id": key,
        "title": key,
        "summary": "Two days.",
        "start": f"2027-03-{day:02}",
        "end": f"2027-03-{day + 1:02}",
        "past": past,
        "city": "Somewhere",
        "country": country,
        "registration": "",
        "cover": picture(),
        "link": {"$page": key, "title": key},
    }
    return row(day, value)


def review(number: int, country: str, pages: list[str] | None = None) -> tuple[str, dict[str, Any]]:
    key = f"r-{number:02}"
    value = {
        "id": key,
        "person": "Head of Operations",
        "role": "Operations",
        "company": f"Client {number}",
        "country": country,
        "score": 4.5,
        "text": "Good.",
        "logo": picture() if number % 2 else None,
    }
    return key, row(number, value, pages)


def video(key: str, order: int) -> dict[str, Any]:
    return row(order, {"id": key, "title": key, "cover": picture(), "videoId": f"{key}0000000"[:11]})


def _site(site: str) -> Items:
    cards = {
        "project": {
            "p-one": row(
                1,
                project("p-one", "one", services=["web"], technologies=["python", "react"], industries=["health"]),
                ["home", "gone"],
            ),
            "p-two": row(
                2,
                project(
                    "p-two", "two", services=["web"], technologies=["python", "react"], rank=2, gallery=[picture()]
                ),
            ),
            "p-three": row(
                3, project("p-three", "three", technologies=["react"], rank=3, lat=None, lng=None), ["service"]
            ),
        },
        "news": dict(news(number) for number in range(1, 12)),
        "event": {
            "e-us": event("e-us", "us", 1),
            "e-eg": event("e-eg", "eg", 2),
            "e-ae": event("e-ae", "ae", 3),
            "e-online": event("e-online", "", 4),
            "e-past": event("e-past", "ae", 5, past=True),
        },
    }
    entries = {
        "review": dict(
            review(number, "de" if number in (5, 8) else "gb", ["service"] if number in (4, 5) else None)
            for number in range(1, 9)
        ),
        "certificate": {
            "iso": row(
                1,
                {
                    "id": "iso",
                    "title": "Security",
                    "issuer": "Register",
                    "issued": "2024-05-01",
                    "expires": None,
                    "number": "",
                    "picture": picture(),
                },
            )
        },
        "cv": {
            "dev": row(
                1,
                {
                    "id": "dev",
                    "role": "Engineer",
                    "seniority": "lead",
                    "years": 11,
                    "country": "pl",
                    "summary": "Builds.",
                    "skills": ["Python"],
                    "languages": ["English (C1)"],
                    "picture": None,
                },
            )
        },
        "video": {"v-b": video("v-b", 1), "v-a": video("v-a", 2)},
        "short": {"s-a": video("s-a", 1)},
        "facet": {
            slug: row(order, facet(name, slug))
            for order, (name, slug) in enumerate(
                [
                    ("industry", "health"),
                    ("industry", "ports"),
                    ("service", "web"),
                    ("technology", "python"),
                    ("technology", "react"),
                ]
            )
        },
    }
    paths = {"home": "/", "service": "/services/web", **{key: f"/project-cases/{key[2:]}" for key in cards["project"]}}
    paths |= {key: f"/company/insights/{key}" for key in cards["news"]} | {
        key: f"/events/{key}" for key in cards["event"]
    }
    return {
        **{(site, "page", key): page(path) for key, path in paths.items()},
        **{(site, kind, key): body for kind, bodies in (cards | entries).items() for key, body in bodies.items()},
    }
