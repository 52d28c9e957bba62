"""Convert the comparison's content to release items for our blocks: the same pages, texts, links, images and numbers.

Where the two differ, Portolan publishes more:

- Six more pages with a hero only: contact, about us, two policies and two error pages. They are not counted. The other
  generators only link to some of them, but publish checks reject dead links.

- An image has three widths in both, in Portolan each as AVIF and WebP in two densities. Menu images have one width.

- A hero draws the page's chart next to its image.

- A page's head has alternates, Open Graph and JSON-LD. An article's date has a counter of views. Pages are also stored
  as page data.

- Rich text has no title, so the other generators' title becomes its first heading.

- A testimonial has a score and the company's logo. Tags of a case study are technologies. Four icons differ.

- The menu's tabs and news are lists of links.

- The form has the same fields, but its countries are part of React's phone field. It also has a captcha, errors and an
  island. Header and footer have our frame's parts: consent, phone number, brand.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from ..items import Item
from .content import PeerSite, write_site
from .writer import PICTURES

_TEMPLATES: Final = {
    "home": "home",
    "service": "service",
    "industry": "industry",
    "case": "case-study",
    "article": "article",
}
_ICONS: Final = {"cloud": "cloud", "phone": "smartphone", "gear": "workflow", "chart": "chart-line", "pin": "map-pin"}
_THEMES: Final = {"cards": "image-cards"}
_COUNTRIES: Final = {
    "Dallas": "us", "Berlin": "de", "Dubai": "ae", "Baku": "az", "Paris": "fr", "Almaty": "kz", "Warsaw": "pl", "London": "gb",
}  # fmt: skip
_BESIDE: Final = {
    "/contact-us": ("contact", "Contact us"),
    "/about-us": ("about", "About us"),
    "/privacy-policy": ("legal", "Privacy policy"),
    "/cookies-policy": ("legal", "Cookies policy"),
    "/404.html": ("error", "Not found"),
    "/500.html": ("error", "Something broke"),
}
"""Pages that only Portolan has: template and title by path."""
_OFFICES: Final = "offices"
_LINK: Final = re.compile(r'<a href="(/[^"]*)">')
_SIZES: Final = {"mobile": 400, "tablet": 800, "desktop": 1600}


def write_peer_items(site: str, index: int, pages: int) -> Iterator[Item]:
    """Yield all items of one site except images. ``index``: the site's number in the content."""
    content = write_site(index, pages)
    frozen = _Frozen(site, content)
    frame = content.frame
    for office in frame["offices"]:
        yield Item(site, "office", str(office["id"]), _office(office))
    yield Item(site, "menu", "main", frozen.menu())
    yield Item(site, "footer", "main", frozen.footer())
    for path in _BESIDE:
        yield Item(site, "page", frozen.key(path), frozen.beside(path))
    for page in content.pages:
        key = frozen.key(page["path"])
        if page["type"] == "article":
            yield Item(site, "news", key, frozen.card(page))
        yield Item(site, "page", key, frozen.page(page))


def write_peer_pictures() -> Iterator[Item]:
    """Yield the images of all sites."""
    for number in range(1, PICTURES + 1):
        name = f"p{number:02d}"
        widths = {device: _variant(name, device) for device in _SIZES}
        yield Item("", "picture", name, _picture(widths["desktop"]["webp"], 1600, 900, **widths))
        small = _variant(name, "mobile")
        yield Item("", "picture", f"{name}-s", _picture(small["webp"], 400, 225, mobile=small))
    yield Item("", "picture", "logo", _picture("/media/logo.svg", 120, 40, vector="/media/logo.svg"))


def edited_page(site: str, edit: int, pages: int) -> str:
    """Return the key of the page that an edit changes, never the home page."""
    return f"{site}-{2 + edit % (pages - 1)}"


class _Frozen:
    """Bodies of one site's items."""

    def __init__(self, site: str, content: PeerSite) -> None:
        self._frame = content.frame
        beside = {path: f"{site}{path}" for path in _BESIDE}
        own = {_path(page.path): f"{site}-{number}" for number, page in enumerate(content.plan, 1)}
        self._keys = beside | own
        self._blocks: Mapping[str, Callable[[Any], dict[str, Any]]] = {
            "hero": self._hero,
            "stats": _stats,
            "cards": self._cards,
            "logos": _logos,
            "testimonials": _testimonials,
            "faq": _faq,
            "richtext": self._rich_text,
            "caseTeasers": self._teasers,
            "form": self._form,
        }

    def key(self, path: str) -> str:
        """Return the translation key of the page at a path of the content. Pages have no translations."""
        return self._keys[_path(path)]

    def page(self, page: Mapping[str, Any]) -> dict[str, Any]:
        blocks = [self.block(block) for block in page["blocks"]]
        return _page(
            _path(page["path"]), _TEMPLATES[page["type"]], page["title"], page["description"], blocks, page["date"]
        )

    def beside(self, path: str) -> dict[str, Any]:
        template, title = _BESIDE[path]
        own = {"type": "hero", "id": "hero", "tone": "navy", "anchor": _OFFICES if template == "about" else None}
        return _page(path, template, title, f"{title}.", [own | _hero_fields(title, "", [], None)], "2026-11-01")

    def card(self, page: Mapping[str, Any]) -> dict[str, Any]:
        """Return the news item of an article, which has the date that its page shows."""
        value = {
            "id": self.key(page["path"]),
            "title": page["title"],
            "summary": page["description"],
            "previewImage": _picture_of(page["img"]),
            "date": page["date"],
            "link": self._link(page["path"], page["title"]),
        }
        return {"order": page["id"], "value": value, "pages": []}

    def block(self, block: Mapping[str, Any]) -> dict[str, Any]:
        tone = "navy" if block["type"] == "hero" else "paper"
        return {"id": block["id"], "tone": tone, "anchor": block["id"], **self._blocks[block["type"]](block)}

    def menu(self) -> dict[str, Any]:
        return {
            "items": [self._menu_item(item) for item in self._frame["menu"]],
            "contact": self._link("/contact-us/", "Contact us"),
        }

    def footer(self) -> dict[str, Any]:
        groups = [
            {
                "key": f"group-{number}",
                "title": group["title"],
                "links": [
                    {"link": self._link(to["link"], to["title"]), "region": None, "target": None}
                    for to in group["links"]
                ],
            }
            for number, group in enumerate(self._frame["footer"])
        ]
        policies = ("/privacy-policy", "/cookies-policy")
        return {
            "groups": groups,
            "legal_links": [self._link(path, _BESIDE[path][1]) for path in policies],
            "offices_link": {**self._link("/about-us/", "See more"), "anchor": _OFFICES},
            "personal_data": None,
        }

    def _menu_item(self, item: Mapping[str, Any]) -> dict[str, Any]:
        kind = item["contentType"]
        submenu = [
            {
                "title": entry["title"],
                "description": entry["description"],
                "url": self._link(entry["url"], entry["title"]),
                "img": {"$picture": _name(entry["img"]), "alt": ""} if kind == "cards" else None,
                "linkList": [],
                "contentType": None,
                "videos": [],
            }
            for entry in item["submenu"]
        ]
        options = {"theme": _THEMES.get(kind, "text-links")}
        own = {"key": item["key"], "title": item["title"], "to": None}
        return {**own, "submenu": submenu, "parentLink": None, "options": options}

    def _link(self, path: str, title: str) -> dict[str, Any]:
        return {"$page": self.key(path), "title": title}

    def _hero(self, block: Mapping[str, Any]) -> dict[str, Any]:
        action = self._link(block["cta"]["url"], block["cta"]["title"])
        picture = _picture_of(block["img"])
        return {"type": "hero", **_hero_fields(block["title"], block["text"], [action], picture)}

    def _cards(self, block: Mapping[str, Any]) -> dict[str, Any]:
        cards = [
            {
                "title": card["title"],
                "text": card["text"],
                "icon": _ICONS[card["icon"]],
                "picture": None,
                "link": self._link(card["url"], "Learn more"),
            }
            for card in block["items"]
        ]
        return {"type": "cards", "title": block["title"], "text": "", "cards": cards}

    def _rich_text(self, block: Mapping[str, Any]) -> dict[str, Any]:
        html = _LINK.sub(lambda link: f'<a data-page="{self.key(link[1])}">', block["html"])
        return {"type": "rich_text", "html": {"$html": f"<h2>{block['title']}</h2>{html}"}}

    def _teasers(self, block: Mapping[str, Any]) -> dict[str, Any]:
        projects = [
            {
                "id": self.key(case["url"]),
                "slug": _path(case["url"]).rpartition("/")[2],
                "title": case["title"],
                "summary": case["text"],
                "client": "",
                "country": "gb",
                "cover": _picture_of(case["img"]),
                "link": self._link(case["url"], case["title"]),
                "industries": [],
                "services": [],
                "technologies": [{"facet": "technology", "slug": tag, "name": tag} for tag in case["tags"]],
            }
            for case in block["items"]
        ]
        return {"type": "project_teasers", "title": block["title"], "text": "", "projects": projects, "link": None}

    def _form(self, block: Mapping[str, Any]) -> dict[str, Any]:
        fields = ["name", "email", "phone", "company", "message"]
        definition = {
            "form": "contact",
            "steps": [{"key": "contact", "title": "", "text": "", "fields": fields}],
            "required": ["name", "email", "phone"],
            "services": [],
            "submit": "Send",
            "thanksTitle": "Thank you",
            "thanksText": "",
            "privacy": self._link("/privacy-policy/", "Privacy policy"),
        }
        own = {"title": block["title"], "text": block["text"]}
        return {"type": "contact_form", **own, "definition": definition, "rateCards": []}


def _stats(block: Mapping[str, Any]) -> dict[str, Any]:
    stats = [{"value": stat["value"], "caption": stat["label"]} for stat in block["items"]]
    return {"type": "stats", "title": block["title"], "stats": stats}


def _logos(block: Mapping[str, Any]) -> dict[str, Any]:
    logos = [{"name": logo["name"], "picture": {"$picture": _name(logo["url"]), "alt": ""}} for logo in block["items"]]
    return {"type": "logos", "title": block["title"], "logos": logos}


def _testimonials(block: Mapping[str, Any]) -> dict[str, Any]:
    reviews = [
        {
            "id": f"{block['id']}-{number}",
            "person": said["name"],
            "role": said["role"],
            "company": "",
            "country": "gb",
            "score": 5,
            "text": said["quote"],
            "logo": _picture_of(said["img"]),
        }
        for number, said in enumerate(block["items"])
    ]
    return {"type": "testimonials", "title": block["title"], "text": "", "reviews": reviews, "total": 0}


def _faq(block: Mapping[str, Any]) -> dict[str, Any]:
    questions = [{"question": item["q"], "answer": {"$html": f"<p>{item['a']}</p>"}} for item in block["items"]]
    return {"type": "faq", "title": block["title"], "questions": questions}


def _hero_fields(title: str, text: str, actions: Sequence[Any], picture: Any) -> dict[str, Any]:
    words = {"eyebrow": "", "title": title, "text": text}
    return {**words, "actions": actions, "phones": [], "picture": picture, "film": None}


def _page(
    path: str, template: str, title: str, description: str, blocks: Sequence[dict[str, Any]], date: str
) -> dict[str, Any]:
    return {
        "path": path,
        "template": template,
        "title": title,
        "head": {"title": title, "description": description},
        "blocks": blocks,
        "anchors": [],
        "parent": None,
        "changed": f"{date}T09:00:00+00:00",
        "switcher_hidden": False,
    }


def _office(office: Mapping[str, Any]) -> dict[str, Any]:
    value = {
        **{name: office[name] for name in ("city", "address", "phone")},
        "id": str(office["id"]),
        "category": {"name": office["category"]["name"], "icon": _ICONS[office["category"]["icon"]]},
        "country": _COUNTRIES[office["city"]],
        "lat": 50.0 + office["id"],
        "lng": 1.5,
        "sets": ["default"],
        "opened": None,
        "hours": "",
    }
    return {"order": office["id"], "value": value, "pages": []}


def _picture_of(picture: Mapping[str, str]) -> dict[str, str]:
    return {"$picture": _name(picture["base"]), "alt": picture["alt"]}


def _picture(url: str, width: int, height: int, **parts: Any) -> dict[str, Any]:
    none = {"mobile": None, "tablet": None, "desktop": None, "vector": None, "focus": None}
    return {"url": url, "width": width, "height": height, **none, **parts}


def _variant(name: str, device: str) -> dict[str, Any]:
    width = _SIZES[device]
    files = {
        f"{kind}{density}": f"/media/{name}-{device}{density}.{kind}"
        for kind in ("webp", "avif")
        for density in ("", "2X")
    }
    return {"width": width, "height": width * 9 // 16, **files}


def _name(address: str) -> str:
    """Return the key of an image by its URL in the content.

    >>> _name("/img/p03"), _name("/img/p03-s.webp"), _name("/img/logo.svg")
    ('p03', 'p03-s', 'logo')
    """
    return address.rpartition("/")[2].partition(".")[0]


def _path(path: str) -> str:
    """Return our path for a path of the content, which ends with a slash and may have double hyphens.

    >>> _path("/news/a-title-that-was-cut--7/"), _path("/")
    ('/news/a-title-that-was-cut-7', '/')
    """
    return path.rstrip("/").replace("--", "-") or "/"
