"""Build the documentation site in var/docs: `make docs`, or `make docs ARGS=--serve` to read it on this machine.

The pages are copied to var/docs-pages and changed on the way: links to files that the site lacks become paths, Mermaid diagrams become
SVG, the editors' handbook is added. The build stops at a dead link or anchor, and at a page that `docs/zensical.toml` does not list.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from portolan.studio.handbook.pages import PICTURES, SLUGS, TEXTS

ROOT: Final = Path(__file__).parents[1]
STAGE: Final = ROOT / "var" / "docs-pages"
SITE: Final = ROOT / "var" / "docs"
PORT: Final = 8300
FROM_ELSEWHERE: Final = {
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "examples/portolan-opening-hours/README.md": "examples/opening-hours.md",
}
"""Pages of the site that are not in docs/."""

_LINK: Final = re.compile(r"\[([^\]\n]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
_DIAGRAM: Final = re.compile(r"^```mermaid\n%% (.+)\n((?:.*\n)+?)```$", re.MULTILINE)
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")


class Problems(Exception):
    """All problems that stop the build of the site."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the documentation site in var/docs.")
    parser.add_argument("--serve", action="store_true", help=f"then serve it at http://127.0.0.1:{PORT}")
    parser.add_argument("--check", action="store_true", help="report problems, and keep nothing")
    arguments = parser.parse_args()
    try:
        if arguments.check:
            with tempfile.TemporaryDirectory() as folder:
                build(stage=Path(folder) / "pages", site=Path(folder) / "site")
            return 0
        build()
    except Problems as problems:
        print(problems, file=sys.stderr)
        return 1
    print(f"The site is in {SITE.relative_to(ROOT)}/index.html")
    if arguments.serve:
        print(f"Serving it at http://127.0.0.1:{PORT} (Ctrl+C ends)", flush=True)
        ThreadingHTTPServer(("127.0.0.1", PORT), partial(SimpleHTTPRequestHandler, directory=SITE)).serve_forever()
    return 0


def build(root: Path = ROOT, stage: Path = STAGE, site: Path = SITE) -> None:
    """Build the site of the checkout ``root`` in ``site``."""
    shutil.rmtree(stage, ignore_errors=True)
    texts = read_pages(root, stage / "pages")
    config = (root / "docs" / "zensical.toml").read_text(encoding="utf-8")
    config = re.sub(r'"([\w/-]+)/\*"', lambda match: json.dumps(list_folder(texts, match[1])), config)
    differing = set(texts) ^ set(find_pages(tomllib.loads(config)["project"]["nav"]))
    if differing:
        raise Problems(
            "\n".join(f"docs/zensical.toml: {page} is not in both docs/ and `nav`" for page in sorted(differing))
        )
    for page, text in draw_diagrams(texts).items():
        file = stage / "pages" / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (stage / "zensical.toml").write_text(config, encoding="utf-8")
    run_zensical(stage)
    shutil.rmtree(site, ignore_errors=True)
    (stage / "site").rename(site)


def read_pages(root: Path, stage: Path) -> dict[str, str]:
    """Return the texts of all pages by their place in the site, and copy the other files to ``stage``."""
    docs = root / "docs"
    handbook, pictures = root / TEXTS.relative_to(ROOT), root / PICTURES.relative_to(ROOT)
    files = {file: file.relative_to(docs).as_posix() for file in docs.rglob("*") if file.is_file()}
    files |= {root / name: place for name, place in FROM_ELSEWHERE.items()}
    files |= {file: f"handbook/{file.relative_to(handbook).as_posix()}" for file in handbook.rglob("*.md")}
    files |= {file: f"handbook/{file.relative_to(pictures).as_posix()}" for file in pictures.rglob("*.webp")}
    del files[docs / "zensical.toml"]
    texts, dead = {}, []
    for file, place in files.items():
        if file.suffix != ".md":
            (stage / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, stage / place)
        elif file.is_relative_to(handbook):
            texts[place] = read_handbook_page(file)
        else:
            rewrite = partial(rewrite_link, root=root, file=file, place=place, files=files, dead=dead)
            texts[place] = _LINK.sub(rewrite, file.read_text(encoding="utf-8"))
    if dead:
        raise Problems("\n".join(dead))
    return texts


def rewrite_link(
    match: re.Match[str], root: Path, file: Path, place: str, files: dict[Path, str], dead: list[str]
) -> str:
    """Point a link to the page's place in the site. A link to a file that the site lacks becomes its path."""
    text, path, anchor = match[1], match[2], match[3] or ""
    target = Path(os.path.normpath(file.parent / path))
    if target in files:
        return f"[{text}]({os.path.relpath(files[target], Path(place).parent)}{anchor})"
    if not target.exists():
        dead.append(f"{os.path.relpath(file, root)}: {path} does not exist")
    name = os.path.relpath(target, root)
    return text if Path(name).name in text else f"{text} (`{name}`)"


def read_handbook_page(file: Path) -> str:
    """Return a page of the handbook, where links name pages and images without their endings."""
    text = re.sub(r"(!?)\[([^\]]*)\]\(([\w-]+)\)", _link_of_handbook, file.read_text(encoding="utf-8"))
    title = json.dumps(text.partition("\n")[0].removeprefix("# "), ensure_ascii=False)
    return f'---\ntitle: {title}\n---\n\n<div lang="{file.parent.name}" markdown>\n\n{text}\n</div>\n'


def _link_of_handbook(match: re.Match[str]) -> str:
    return f"{match[1]}[{match[2]}]({match[3]}.{'webp' if match[1] else 'md'})"


def list_folder(texts: dict[str, str], folder: str) -> list[str]:
    """Return the pages in ``folder``: the handbook's in its own order, others by name."""
    pages = sorted(page for page in texts if page.startswith(folder))
    return [f"{folder}/{slug}.md" for slug in SLUGS] if folder.startswith("handbook/") else pages


def find_pages(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for inner in nav.values() if isinstance(nav, dict) else nav:
            yield from find_pages(inner)


def draw_diagrams(texts: dict[str, str]) -> dict[str, str]:
    """Replace each Mermaid diagram by SVG. Its first line, a comment, is the label for screen readers."""
    diagrams = [match[2] for text in texts.values() for match in _DIAGRAM.finditer(text)]
    drawn = subprocess.run(
        ["node", "scripts/diagrams.ts"],
        cwd=ROOT / "web",
        input=json.dumps(diagrams),
        capture_output=True,
        text=True,
        check=False,
    )
    if drawn.returncode:
        raise Problems(drawn.stderr)
    pictures = iter(json.loads(drawn.stdout))
    return {page: _DIAGRAM.sub(partial(_frame, pictures=pictures), text) for page, text in texts.items()}


def _frame(match: re.Match[str], pictures: Iterator[str]) -> str:
    return f'<div class="diagram" role="img" aria-label="{match[1]}" tabindex="0">{next(pictures)}</div>'


def run_zensical(stage: Path) -> None:
    done = subprocess.run(
        ["zensical", "build", "--strict", "--clean", "--config-file", stage / "zensical.toml"],
        cwd=stage,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = _COLOURS.sub("", done.stdout + done.stderr)
        raise Problems(said.partition("Traceback")[0])


if __name__ == "__main__":
    sys.exit(main())
