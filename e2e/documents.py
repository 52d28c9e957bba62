"""Every live HTML document, fetched once: its head, links and images. Read as text, because there are hundreds."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urljoin, urlsplit

from .product import ROOT, Product

_TAG: Final = re.compile(r"<([a-z][a-z0-9]*)((?:\s[^<>\"]*(?:\"[^\"]*\"[^<>\"]*)*)?)>")
_ATTRIBUTE: Final = re.compile(r"([A-Za-z:-]+)(?:=\"([^\"]*)\")?")
_DATA: Final = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
_ALONE: Final = '<!DOCTYPE html>\n<html lang="en"><head><title>Main part</title></head><body>%s</body></html>'
_SCRIPTS: Final = re.compile(r"(<script\b[^>]*>).*?(</script>)", re.DOTALL)


class Document:
    """One page of one site, as it is served."""

    def __init__(self, site: str, path: str, origin: str, html: str) -> None:
        self.site = site
        self.path = path
        self.url = origin + ("" if path == "/" else path)
        self.html = html

    def __repr__(self) -> str:
        return f"{self.site} {self.path}"

    @property
    def is_error(self) -> bool:
        return self.path.endswith(".html")

    @cached_property
    def elements(self) -> list[tuple[str, Mapping[str, str]]]:
        """Name and attributes of every element; names of attributes in lower case."""
        html = _SCRIPTS.sub(r"\1\2", self.html)
        return [
            (name, {key.lower(): unescape(value) for key, value in _ATTRIBUTE.findall(attributes)})
            for name, attributes in _TAG.findall(html)
        ]

    @cached_property
    def main(self) -> "Document":
        """The page without its frame."""
        end = "</main>"
        part = self.html[self.html.index("<main") : self.html.index(end) + len(end)]
        return Document(self.site, self.path, "", part)

    def all(self, wanted: str) -> list[Mapping[str, str]]:
        return [attributes for name, attributes in self.elements if name == wanted]

    @cached_property
    def title(self) -> str:
        titles = re.findall(r"<title>(.*?)</title>", self.html[: self.html.index("</head>")])
        assert len(titles) == 1, self
        return unescape(titles[0])

    @cached_property
    def metas(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for meta in self.all("meta"):
            found.setdefault(meta.get("name") or meta.get("property") or "", []).append(meta.get("content", ""))
        return found

    def links(self, rel: str) -> list[Mapping[str, str]]:
        return [link for link in self.all("link") if rel in link.get("rel", "").split()]

    @property
    def canonical(self) -> str | None:
        found = [link["href"] for link in self.links("canonical")]
        assert len(found) <= 1, self
        return found[0] if found else None

    @cached_property
    def alternates(self) -> dict[str, str]:
        found = [(link["hreflang"], link["href"]) for link in self.links("alternate")]
        assert len(dict(found)) == len(found), f"{self}: a language stands twice"
        return dict(found)

    @cached_property
    def ids(self) -> frozenset[str]:
        found = [attributes["id"] for _, attributes in self.elements if "id" in attributes]
        assert len(set(found)) == len(found), f"{self}: an id stands twice"
        return frozenset(found)

    @property
    def structured_data(self) -> list[str]:
        return _DATA.findall(self.html)


def crawl(product: Product) -> list[Document]:
    """All that is live, of all sites, as visitors get it. Third parties' worker has documents too; they are no pages."""
    found = []
    with product.client() as get:
        for site, manifest in product.live().items():
            for path, file in sorted(manifest.files.items()):
                if file.content_type.startswith("text/html") and not path.startswith("/assets/"):
                    reply = get(site, path)
                    document = Document(site, path, product.origin(site), reply.text)
                    assert reply.status_code == 200, document
                    found.append(document)
    return found


def find_faults_by_the_standard(documents: list[Document]) -> dict[str, list[str]]:
    """Return html-validate's problems by document. Uses all cores.

    Validation takes a tenth of a second a document, most of it for the frame. Each template and each site is therefore checked
    as a whole once. For other pages, only the main part is checked, once for each arrangement of elements.
    """
    looked_at: list[dict[str, str]] = []
    known: set[object] = set()
    for document in documents:
        main = document.main
        kinds = {document.site, main.all("main")[0]["data-template"]}
        arrangement = tuple((name, *sorted(attributes)) for name, attributes in main.elements)
        if kinds - known:
            looked_at.append({"name": str(document), "html": document.html})
        elif arrangement not in known:
            looked_at.append({"name": str(document), "html": _ALONE % main.html})
        known |= {*kinds, arrangement}
    cores = os.cpu_count() or 1
    node = Path(sys.executable).parent / "node"
    running = []
    for number in range(cores):
        process = subprocess.Popen(
            [node, "scripts/validate-html.ts"], cwd=ROOT / "web", stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin
        process.stdin.write(json.dumps(looked_at[number::cores]).encode())
        process.stdin.close()
        running.append(process)
    found: dict[str, list[str]] = {}
    for process in running:
        assert process.stdout
        found |= json.load(process.stdout)
        process.stdout.close()
        assert process.wait() == 0
    return found


class Addresses:
    """The answers of all URLs of all sites."""

    def __init__(self, product: Product, documents: list[Document]) -> None:
        self._pages = {document.url: document for document in documents}
        self._hosts = {urlsplit(product.origin(site)).netloc: site for site in product.registry.sites}
        self._files = {site: {*manifest.files} for site, manifest in product.live().items()}
        self._media = product.var_dir / "media"
        self._known: dict[str, str | None] = {}

    def find_fault(self, base: str, link: str) -> str | None:
        """Return the problem of a URL on the page ``base``. URLs of other hosts are not checked."""
        target, _, anchor = urljoin(base + ("" if urlsplit(base).path else "/"), link).partition("#")
        if target not in self._known:
            self._known[target] = self._find_missing(target)
        if self._known[target] or not anchor:
            return self._known[target]
        page = self._page(target)
        if page is None:
            return None
        return None if unquote(anchor) in page.ids or anchor == "top" else f"has no part {anchor!r}"

    def _page(self, target: str) -> Document | None:
        parts = urlsplit(target)
        return self._pages.get(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}")

    def _find_missing(self, target: str) -> str | None:
        parts = urlsplit(target)
        site = self._hosts.get(parts.netloc)
        if parts.scheme not in ("http", "https") or site is None:
            return None
        path = unquote(parts.path) or "/"
        if path.startswith("/media/"):
            return None if (self._media / path.removeprefix("/media/")).is_file() else "is not in the media folder"
        if path == "/__form":
            return None
        if path in self._files[site]:
            return None if path == "/" or not path.endswith("/") else "has a slash at its end"
        return "is not there"


def describe(problems: dict[str, Any]) -> str:
    """A line each, and no more than can be read."""
    lines = [f"{where}: {what}"[:300] for where, what in list(problems.items())[:40]]
    return "\n".join([f"{len(problems)} in all", *lines])
