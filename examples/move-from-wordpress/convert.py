"""Convert a WordPress export to Portolan's fixtures: `python convert.py export.xml content --site en`.

Posts become articles, pages become service pages (or legal pages, with --legal). The images come from a copy of
wp-content/uploads, or from their URLs. redirects-SITE.csv keeps the old URLs.
"""

import argparse
import csv
import json
import re
import tomllib
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen
from xml.etree.ElementTree import Element

from bs4 import BeautifulSoup
from defusedxml.ElementTree import parse

NAMES = {"wp": "http://wordpress.org/export/1.2/", "content": "http://purl.org/rss/1.0/modules/content/"}
ARTICLES = "/company/insights"
SHORTEST_TITLE = 10
"""Of a page in search engines, as the studio checks it."""
TIMEOUT_S = 30
PLACEHOLDER = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1000"><path fill="#0b1220" d="M0 0h1600v1000H0z"/></svg>\n'


def main() -> None:
    parser = argparse.ArgumentParser(description="Convert a WordPress export to Portolan's fixtures.")
    parser.add_argument("export", type=Path, help="XML file of Tools, Export")
    parser.add_argument("folder", type=Path, help="folder to write to")
    parser.add_argument("--site", default="en", help="key of the site in sites.toml")
    parser.add_argument("--uploads", type=Path, default=Path("uploads"), help="copy of wp-content/uploads")
    parser.add_argument("--legal", default="", help="slugs of legal pages, separated by commas")
    arguments = parser.parse_args()
    export = parse(arguments.export).getroot()
    Conversion(export, arguments.folder, arguments.site, arguments.uploads, arguments.legal.split(",")).run()


class Conversion:
    def __init__(self, export: Element, folder: Path, site: str, uploads: Path, legal: list[str]) -> None:
        self.folder, self.site, self.uploads, self.legal = folder, site, uploads, legal
        self.blog = text(export, "channel/title")
        items = export.findall("channel/item")
        live = [item for item in items if text(item, "wp:status") == "publish"]
        self.pages = [item for item in live if text(item, "wp:post_type") in ("post", "page")]
        self.images = {
            text(item, "wp:post_id"): text(item, "wp:attachment_url")
            for item in items
            if text(item, "wp:post_type") == "attachment"
        }
        self.paths = {old_path(text(item, "link")): self.new_path(item) for item in self.pages}
        known = folder / "pictures.toml"  # of a site that was converted before
        self.pictures: dict[str, dict[str, str]] = (
            tomllib.loads(known.read_text(encoding="utf-8"))["pictures"] if known.exists() else {}
        )
        self.hosts = {urlsplit(text(item, "link")).netloc for item in self.pages}

    def run(self) -> None:
        for item in self.pages:
            self.write_page(item)
        self.write_placeholder()
        lines = [f"[pictures.{name}]\n{table(entry)}" for name, entry in sorted(self.pictures.items())]
        write(self.folder / "pictures.toml", "\n".join(lines))
        write(self.folder / "offices.toml", "categories = {}\noffices = []\n")
        with (self.folder / f"redirects-{self.site}.csv").open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["site", "from", "to", "answer", "note"])
            moved = [(old, new) for old, new in self.paths.items() if old != new]
            rows.writerows([self.site, old, new, "permanent", "WordPress"] for old, new in moved)
        print(f"{len(self.pages)} pages, {len(self.pictures)} images, {len(moved)} redirects in {self.folder}")

    def new_path(self, item: Element) -> str:
        post = text(item, "wp:post_type") == "post"
        return f"{ARTICLES}/{text(item, 'wp:post_name')}" if post else old_path(text(item, "link"))

    def write_page(self, item: Element) -> None:
        path, title, slug = self.new_path(item), text(item, "title"), text(item, "wp:post_name")
        html, summary = self.convert_html(text(item, "content:encoded"), path)
        post = text(item, "wp:post_type") == "post"
        page = {"title": title, "template": "article" if post else "legal" if slug in self.legal else "service"}
        head = title[:60] if len(title) >= SHORTEST_TITLE else f"{title} | {self.blog}"
        parts = [table(page), f"[head]\n{table({'title': head, 'description': summary})}"]
        if post:
            fields = f"date = {text(item, 'wp:post_date')[:10]}\n{table({'summary': summary})}"
            parts.append(f'[fields]\n{fields}preview = {{ picture = {json.dumps(self.find_cover(item))}, alt = "" }}\n')
        parts.append(f"[[blocks]]\n{table({'type': 'hero', 'tone': 'navy', 'title': title})}")
        parts.append(f"[[blocks]]\n{table({'type': 'rich_text', 'tone': 'paper', 'html': html})}")
        write(self.folder / self.site / "pages" / f"{path.lstrip('/')}.toml", "\n".join(parts))

    def convert_html(self, source: str, path: str) -> tuple[str, str]:
        """Return the text for `rich_text`, and its first 160 characters as a summary."""
        soup = BeautifulSoup(source if "<p" in source else f"<p>{source}</p>", "html.parser")
        for heading in soup.find_all("h1"):
            heading.name = "h2"
        for image in soup.find_all("img"):
            print(f"{path}: add the image {self.add_picture(str(image['src']))} in the studio")
            image.decompose()
        for link in soup.find_all("a", href=True):
            address = urlsplit(str(link["href"]))
            target = self.paths.get(old_path(str(link["href"])))
            if target and address.netloc in (*self.hosts, ""):
                link.attrs = {"page": f"{target}#{address.fragment}".rstrip("#")}
        plain = " ".join(" ".join(part.get_text() for part in soup.find_all(["p", "li"])).split())
        return str(soup), plain if len(plain) <= 160 else plain[:159].rsplit(" ", 1)[0] + "…"

    def find_cover(self, item: Element) -> str:
        for meta in item.findall("wp:postmeta", NAMES):
            if text(meta, "wp:meta_key") == "_thumbnail_id" and text(meta, "wp:meta_value") in self.images:
                return self.add_picture(self.images[text(meta, "wp:meta_value")])
        return "no-picture"

    def add_picture(self, url: str) -> str:
        """Copy the image of this URL to the folder, and return its name."""
        path = unquote(urlsplit(url).path).partition("/uploads/")[2]
        name = re.sub(r"[^a-z0-9]+", "-", Path(path).with_suffix("").as_posix().lower()).strip("-")[-40:].strip("-")
        file = Path("pictures", f"{name}{Path(path).suffix.lower()}")
        if name not in self.pictures:
            copy = self.uploads / path
            data = copy.read_bytes() if copy.is_file() else urlopen(url, timeout=TIMEOUT_S).read()
            (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / file).write_bytes(data)
            self.pictures[name] = {"file": str(file), "title": Path(path).stem}
        return name

    def write_placeholder(self) -> None:
        write(self.folder / "pictures" / "no-picture.svg", PLACEHOLDER)
        self.pictures["no-picture"] = {"file": "pictures/no-picture.svg", "title": "No picture"}


def text(item: Element, name: str) -> str:
    return (item.findtext(name, "", NAMES) or "").strip()


def old_path(url: str) -> str:
    return unquote(urlsplit(url).path).rstrip("/") or "/"


def table(values: dict[str, str]) -> str:
    """Return the values as lines of TOML. A JSON string is a valid TOML string."""
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())


def write(file: Path, content: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
