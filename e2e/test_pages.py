"""Every page of every site, fetched once: routes, heads, translations, structured data, links and pictures (spec §1, §2)."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema_rs
import pytest

from .documents import Addresses, Document, crawl, describe, find_faults_by_the_standard
from .product import Product
from .routes import (
    CORE,
    ERRORS,
    FULL,
    LANGUAGE,
    LISTED,
    NOWHERE,
    PLAIN,
    ROUTES,
    SITES,
    SWITCHER,
    SWITCHER_HIDDEN_ON,
    Kind,
)

pytestmark = pytest.mark.one_worker  # all of them read the same pages

SCHEMA = json.loads((Path(__file__).parent / "structured_data.schema.json").read_text(encoding="utf-8"))
ABOUT = {
    "home": ("Organization", "WebSite"),
    "article": ("NewsArticle",),
    "blueprint": ("TechArticle",),
    "event": ("Event",),
    "service": ("Service",),
    "tech-stack": ("Service",),
}
"""What pages of a family tell of themselves beside the way to them."""
SITEMAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


@pytest.fixture(scope="module")
def documents(product: Product) -> list[Document]:
    found = crawl(product)
    assert {document.site for document in found} == {*product.registry.sites}
    return found


@pytest.fixture(scope="module")
def pages(documents: list[Document]) -> list[Document]:
    """Documents that search engines may list."""
    return [document for document in documents if not document.is_error]


def check(problems: dict[str, Any]) -> None:
    assert not problems, describe(problems)


def test_routes_are_on_their_sites_and_nowhere_else(product: Product, documents: list[Document]) -> None:
    found = {(document.site, document.path): document for document in documents}
    wanted = {**ROUTES, **dict(_listed_routes(found)), **dict.fromkeys(ERRORS, (PLAIN, SITES))}
    assert {site: {path for where, path in found if where == site} for site in SITES} == {
        site: {path for path, (_, sites) in wanted.items() if site in sites} for site in SITES
    }
    with product.client() as get:
        for path in (*ROUTES, NOWHERE):
            for site in {*SITES} - {*(ROUTES[path][1] if path in ROUTES else ())}:
                reply = get(site, path)
                assert reply.status_code == 404, f"{path} on {site}"
                assert reply.text == found[site, "/404.html"].html, f"{path} on {site}"


def _listed_routes(found: Iterable[tuple[str, str]]) -> Iterable[tuple[str, tuple[Kind, tuple[str, ...]]]]:
    """Yield each path that editors add, with its kind and sites. Check the number of pages on each site."""
    for pattern, (kind, full, core) in LISTED.items():
        listed = [(site, path) for site, path in found if re.fullmatch(pattern, path)]
        for site, count in Counter(site for site, _ in listed).items():
            assert site in (*FULL, *CORE) and (full if site in FULL else core), f"{site} has {pattern}"
            assert count >= (full if site in FULL else core), f"{site} has {count} of {pattern}"
        assert {*FULL} <= {site for site, _ in listed}
        assert not core or {*CORE} <= {site for site, _ in listed}
        for path in {path for _, path in listed}:
            yield path, (kind, tuple(site for site in SITES if (site, path) in listed))


def test_around_the_content_stands_what_its_route_asks_for(product: Product, documents: list[Document]) -> None:
    routes = {**ROUTES, **dict(_listed_routes([(document.site, document.path) for document in documents]))}
    problems: dict[str, Any] = {}
    for page in documents:
        found = read(page)
        wanted = (
            {**found, "alternates": {}, "header": "solid"}
            if page.is_error
            else expected(product, page.site, page.path, *routes[page.path])
        )
        language, direction, _ = LANGUAGE[page.site]
        wanted |= {"lang": language, "dir": direction}
        if found != wanted:
            problems[str(page)] = {name: found[name] for name in wanted if found[name] != wanted[name]}
    check(problems)


def expected(product: Product, site: str, path: str, kind: Kind, sites: tuple[str, ...]) -> dict[str, object]:
    shown = site in SWITCHER and path not in SWITCHER_HIDDEN_ON
    return {
        "alternates": {tag: address(product, other, path) for other in sites for tag in LANGUAGE[other][2]},
        "header": kind.header,
        "progress": kind.progress,
        "anchors": kind.anchors,
        "switcher": {LANGUAGE[other][2][0]: switched(product, site, other, path, sites) for other in SWITCHER}
        if shown
        else {},
    }


def switched(product: Product, site: str, other: str, path: str, sites: tuple[str, ...]) -> str:
    """Where the switcher leads: to the same page, else to the site's home; within the own site by its path."""
    target = path if other in sites else "/"
    return target if other == site else address(product, other, target)


def address(product: Product, site: str, path: str) -> str:
    return product.origin(site) + path.rstrip("/")


def read(page: Document) -> dict[str, object]:
    """The frame around a page's content."""
    (html,), (header,) = page.all("html"), page.all("header")
    switcher = re.search(r"<details[^>]* data-switcher.*?</details>", page.html, re.DOTALL)
    languages = Document(page.site, page.path, "", switcher[0]).all("a") if switcher else []
    return {
        "lang": html["lang"],
        "dir": html["dir"],
        "alternates": page.alternates,
        "header": "transparent" if "data-transparent" in header else "solid",
        "progress": any("data-reading-progress" in attributes for _, attributes in page.elements),
        "anchors": any("data-anchor-menu" in attributes for _, attributes in page.elements),
        "switcher": {link["hreflang"]: link["href"] for link in languages},
    }


def test_titles_and_descriptions_are_shown_in_full_and_are_each_page_s_own(documents: list[Document]) -> None:
    problems = {}
    said: Counter[tuple[str, str]] = Counter()
    for document in documents:
        (description,) = document.metas["description"]
        said.update({(document.site, document.title): 1, (document.site, description): 1})
        if not 10 <= len(document.title) <= 60:
            problems[f"{document} title"] = f"{len(document.title)} characters: {document.title}"
        if not 50 <= len(description) <= 160:
            problems[f"{document} description"] = f"{len(description)} characters: {description}"
    check(problems | {f"{site} {text!r}": f"on {count} pages" for (site, text), count in said.items() if count > 1})


def test_documents_are_valid_html(documents: list[Document]) -> None:
    check(find_faults_by_the_standard(documents))


def test_every_document_has_one_main_heading(documents: list[Document]) -> None:
    headings = {str(document): len(document.all("h1")) for document in documents}
    check({where: f"{count} h1" for where, count in headings.items() if count != 1})


def test_every_page_is_its_own_canonical_address(documents: list[Document]) -> None:
    check(
        {
            str(document): document.canonical
            for document in documents
            if document.canonical != (None if document.is_error else document.url)
        }
    )


def test_translations_name_each_other_across_all_domains(product: Product, pages: list[Document]) -> None:
    by_url = {page.url: page for page in pages}
    problems = {}
    for page in pages:
        own = product.registry.sites[page.site].hreflang
        if any(page.alternates.get(tag) != page.url for tag in own):
            problems[str(page)] = f"does not name itself: {page.alternates}"
        for tag, url in page.alternates.items():
            other = by_url.get(url)
            if other is None:
                problems[f"{page} {tag}"] = f"{url} is not there"
            elif other.alternates != page.alternates:
                problems[f"{page} {tag}"] = f"{url} names {other.alternates}"
    check(problems)
    # The fallback is the international page, wherever there is one.
    default = product.registry.default_site.key
    fallbacks = {page.url for page in pages if "x-default" in page.alternates and page.site == default}
    assert fallbacks == {page.url for page in pages if page.site == default}


def test_sitemaps_list_the_pages_and_say_of_their_translations_what_the_pages_say(
    product: Product, pages: list[Document]
) -> None:
    for site in product.registry.sites:
        answer = product.get(site, "/sitemap.xml")
        assert answer.headers["content-type"] == "application/xml"
        listed = {
            url.findtext("s:loc", namespaces=SITEMAP): {
                str(link.get("hreflang")): str(link.get("href")) for link in url.findall("x:link", SITEMAP)
            }
            for url in ElementTree.fromstring(answer.content).findall("s:url", SITEMAP)
        }
        assert listed == {page.url: page.alternates for page in pages if page.site == site}
        assert f"Sitemap: {product.origin(site)}/sitemap.xml" in product.get(site, "/robots.txt").text


def test_what_is_told_of_a_page_can_be_understood(documents: list[Document]) -> None:
    schema = jsonschema_rs.Draft202012Validator(SCHEMA)
    problems = {}
    for document in documents:
        for data in document.structured_data:
            for error in schema.iter_errors(json.loads(data)):
                problems[f"{document} at {'.'.join(map(str, error.instance_path))}"] = error.message[:300]
    check(problems)


def test_each_kind_of_page_says_what_it_is_about(pages: list[Document]) -> None:
    kinds: dict[str, set[str]] = {}
    for page in pages:
        (main,) = page.main.all("main")
        template = main["data-template"]
        types = {thing["@type"] for data in page.structured_data for thing in json.loads(data)["@graph"]}
        kinds[template] = kinds.get(template, types) & types
        # Videos are told of wherever a page shows some; those in the menu are no page's subject.
        shown = re.findall(r' data-video="', page.html[page.html.index("<main") :])
        assert ("VideoObject" in types) == bool(shown), page
    assert {*ABOUT} <= {*kinds}
    for template, types in kinds.items():
        assert types - {"VideoObject"} == {
            *ABOUT.get(template, ()),
            *(() if template == "home" else ("BreadcrumbList",)),
        }, template


def test_every_page_can_be_shared(product: Product, pages: list[Document]) -> None:
    manifests = product.live()
    problems = {}
    for page in pages:
        site = product.registry.sites[page.site]
        others = [product.registry.sites[key] for key in _sites_of(product, page) - {page.site}]
        expected = {
            "og:title": [page.title],
            "og:description": page.metas["description"],
            "og:url": [page.url],
            "og:locale": [site.og_locale],
            "og:locale:alternate": [other.og_locale for other in others],
            "og:image:width": ["1200"],
            "og:image:height": ["630"],
            "og:image:alt": [page.title],
            "twitter:card": ["summary_large_image"],
        }
        for name, values in expected.items():
            if sorted(page.metas.get(name, [])) != sorted(values):
                problems[f"{page} {name}"] = page.metas.get(name)
        (picture,) = page.metas["og:image"]
        file = manifests[page.site].files.get(picture.removeprefix(product.origin(page.site)))
        if file is None or file.content_type != "image/jpeg" or not 10_000 < file.size < 60_000:
            problems[f"{page} {picture}"] = file
    check(problems)


def _sites_of(product: Product, page: Document) -> set[str]:
    """Sites that have the page."""
    by_tag = {tag: key for key, site in product.registry.sites.items() for tag in site.hreflang}
    return {by_tag[tag] for tag in page.alternates}


def test_every_link_leads_to_a_page_and_to_a_part_of_it(product: Product, documents: list[Document]) -> None:
    addresses = Addresses(product, documents)
    problems = {}
    for document in documents:
        for link in {link["href"] for link in document.all("a") if "href" in link}:
            fault = addresses.find_fault(document.url, link)
            if fault:
                problems[f"{document} links to {link}"] = fault
    check(problems)


def test_every_picture_and_file_is_there(product: Product, documents: list[Document]) -> None:
    addresses = Addresses(product, documents)
    problems = {}
    for document in documents:
        for url in set(_files_of(document)):
            fault = addresses.find_fault(document.url, url)
            if fault:
                problems[f"{document} shows {url}"] = fault
    check(problems)


def _files_of(document: Document) -> Iterable[str]:
    for name, attributes in document.elements:
        yield from (attributes[key] for key in ("src", "poster") if key in attributes)
        for key in ("srcset", "imagesrcset"):
            yield from (part.split()[0] for part in attributes.get(key, "").split(",") if part.strip())
        if name in ("link", "use") and not {"alternate", "canonical"} & {*attributes.get("rel", "").split()}:
            yield attributes.get("href", "#top")
