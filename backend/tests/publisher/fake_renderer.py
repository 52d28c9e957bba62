"""Test doubles of the render worker: in this process for speed, and as a process that can crash or hang.

As a script, it speaks the worker's protocol. The title of a page sets its faults: ``crash`` ends it, ``crash once``
ends it the first time, ``hang`` never replies, ``fail`` replies with an error.
"""

import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from html import escape, unescape
from pathlib import Path
from typing import Any

import orjson
from brotli import compress

from portolan.builds.store import ContentStore, digest_of
from portolan.publisher.renderer import (
    Answer,
    DrawnPicture,
    InspectedPage,
    InspectRequest,
    PictureRequest,
    RecordedPage,
    RenderFailure,
    Request,
    Seen,
    SeenPart,
    SplicedPage,
    SpliceRequest,
    StoredFile,
)


def render(page: dict[str, Any], shared: dict[str, Any], shared_hash: str) -> tuple[bytes, bytes]:
    """Return HTML and page data with all of the input, so that any difference in the input shows."""
    page = orjson.loads(orjson.dumps(page, option=orjson.OPT_SORT_KEYS))  # in the same form as ``splice`` reads it
    site, head = shared["site"], page["head"]
    alternates = "".join(
        f'<link rel="alternate" hreflang="{link["hreflang"]}" href="{escape(link["href"])}"/>'
        for link in head["alternates"]
    )
    main = "".join(_block(block) for block in page["blocks"])
    frame = "".join(_links(shared))
    html = (
        f'<!DOCTYPE html><html lang="{site["lang"]}" dir="{site["dir"]}"><head><title>{escape(head["title"])}</title>'
        f"{alternates}</head><body><header>{frame}</header>{''.join(_links(page['switcher']))}"
        f"{''.join(_links(page['breadcrumb']))}<main>{main}</main><!-- shared={shared_hash} {escape(json.dumps([page, shared['offices']], sort_keys=True))} --></body></html>"
    )
    data = {"path": page["path"], "template": page["template"], "head": head, "html": main, "shared": shared_hash}
    return html.encode(), orjson.dumps(data)


def _block(block: dict[str, Any]) -> str:
    anchor = f' id="{block["anchor"]}"' if block["anchor"] else ""
    heading = f"<h1>{escape(block['title'])}</h1>" if block["type"] == "hero" else ""
    return f"<section{anchor}>{heading}{block.get('html', '')}{''.join(_links(block))}</section>"


def _links(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _links(item)
    elif isinstance(value, dict):
        if "href" in value and "network" not in value:
            yield f'<a href="{escape(value["href"])}"></a>'
        if value.get("vector"):
            yield f'<img src="{escape(value["vector"])}"/>'
        for item in value.values():
            yield from _links(item)


def splice(html: bytes, shared: dict[str, Any], shared_hash: str) -> tuple[bytes, bytes]:
    """Return the result of ``render`` for the page with this HTML, in another frame."""
    told = html[html.rindex(b"<!-- shared=") : html.rindex(b" -->")].decode().split(" ", 2)[2]
    page, _ = json.loads(unescape(told))
    return render(page, shared, shared_hash)


def inspect(html: bytes) -> Seen:
    """As the render worker does (`web/src/publishing/inspect-html.ts`)."""
    text = html.decode()
    opening = text[: text.find(">", text.find("<html"))]
    begin, end = text.find("<header>"), text.find("</header>")
    return Seen(
        lang=(re.findall(r' lang="([^"]*)"', opening) or [""])[0],
        dir=(re.findall(r' dir="([^"]*)"', opening) or [""])[0],
        alternates=text[: text.find("</head>")].count(' rel="alternate"'),
        own=_inspect_part(text[:begin] + text[end:] if begin >= 0 else text),
        frame=_inspect_part(text[begin:end] if begin >= 0 else ""),
    )


def _inspect_part(text: str) -> SeenPart:
    end = text.rfind("</main>")
    end = end if 0 <= end < text.rfind("</footer>") else len(text)
    return SeenPart(
        headings=text.count("<h1", 0, end),
        braces=re.findall(r"\{[a-z_]{1,40}\}", text[:end]),
        ids=re.findall(r' id="([^"]*)"', text),
        values=re.findall(r' (?:href|src|srcSet|imageSrcSet|poster|action)="([^"]*)"', text),
        documents=re.findall(r"""/media/documents/[^"'<>\s?#&\\]+""", text),
    )


def record(html: bytes, data: bytes, folder: str, brotli: bool = True) -> tuple[StoredFile, StoredFile]:
    store = _store(folder)
    stored = StoredFile(store.put(html), len(html))
    if brotli:
        store.put_copy(stored.digest, "br", compress(html, quality=0))
    return stored, StoredFile(store.put(data), len(data))


def _store(folder: str) -> ContentStore:
    return ContentStore(Path(folder).parent)


class FakeRenderer:
    """Renders in this process."""

    def __init__(self) -> None:
        self.shared: dict[str, Any] = {}
        self.rendered: list[tuple[str, str]] = []
        """Site and path of every requested page."""
        self.spliced: list[tuple[str, str]] = []
        """Site and path of every page that got another frame."""
        self.drawn: list[tuple[str, str]] = []
        """Site and path of every page with a requested social image."""

    def warm_up(self, pages: int = 1) -> None:
        pass

    def add_shared(self, key: str, data: bytes) -> None:
        self.shared[key] = orjson.loads(data)

    def forget_shared(self, keep: Iterable[str]) -> None:
        pass

    def render(self, requests: Iterable[Request], pages: int = 1) -> Iterator[Answer]:
        for request in requests:
            if isinstance(request, PictureRequest):
                self.drawn.append((request.site, request.path))
                if b"undrawable" in request.picture:
                    yield RenderFailure(request, "could not be rendered: out of ink")
                else:
                    yield DrawnPicture(request, b"JPEG of " + request.picture)
                continue
            if isinstance(request, InspectRequest):
                yield InspectedPage(request, inspect(_read(*request.html)))
                continue
            if isinstance(request, SpliceRequest):
                self.spliced.append((request.site, request.path))
                html, data = splice(_read(*request.html), self.shared[request.shared], request.shared)
                seen = inspect(html)
                own = SeenPart(ids=seen.own.ids, documents=seen.own.documents)
                yield SplicedPage(request, *record(html, data, request.store, brotli=False), own, seen.frame)
                continue
            self.rendered.append((request.site, request.path))
            html, data = render(orjson.loads(request.page), self.shared[request.shared], request.shared)
            yield RecordedPage(request, *record(html, data, request.store), inspect(html))

    def close(self) -> None:
        pass


def main(folder: Path) -> None:
    shared: dict[str, Any] = {}
    while size := sys.stdin.buffer.read(4):
        message = orjson.loads(sys.stdin.buffer.read(int.from_bytes(size, "big")))
        if message["op"] == "shared":
            shared[message["hash"]] = message["data"]
            continue
        answer: dict[str, Any] = {"id": message["id"], "ok": True}
        if message["op"] == "inspect":
            seen = inspect(_read(*message["html"]))
            _say(answer | {"seen": _flat(seen), "frame": seen.frame._asdict()})
        elif message["op"] in ("pages", "splice"):
            frames: list[dict[str, Any]] = []
            pages = [_record(page, message, shared[message["shared"]], folder, frames) for page in message["pages"]]
            _say(answer | {"batch": {"frames": frames, "pages": pages}})
        elif error := _misbehave(message["page"], folder):
            _say(answer | {"ok": False, "error": error})
        else:
            html = render(message["page"], shared[message["shared"]], message["shared"])[0]
            seen = inspect(html)
            _say(answer | {"seen": _flat(seen), "frame": seen.frame._asdict()}, html)


def _record(
    page: dict[str, Any], terms: dict[str, Any], shared: dict[str, Any], folder: Path, frames: list[dict[str, Any]]
) -> dict[str, Any]:
    if terms["op"] == "splice":
        html, data = splice(_read(*page["html"]), shared, terms["shared"])
    elif error := _misbehave(page, folder):
        return {"error": error}
    else:
        html, data = render(page, shared, terms["shared"])
    inspected = inspect(html)
    frames.append(inspected.frame._asdict())
    if terms["pack"]:
        at = []
        with (Path(terms["store"]) / "packs" / terms["pack"]).open("ab") as pack:
            for part in (html, data, compress(html, quality=0)):
                at.append((len(part), pack.tell()))
                pack.write(part)
        stored = [[digest_of(html), *at[0]], [digest_of(data), *at[1]], at[2]]
    else:
        html_file, data_file = record(html, data, terms["store"], terms["brotli"] > 0)
        stored = [[*html_file, -1], [*data_file, -1], (1, -1)]
    copy = stored[2] if terms["brotli"] else None
    return {"html": stored[0], "data": stored[1], "br": copy, "seen": _flat(inspected), "frame": len(frames) - 1}


def _misbehave(page: dict[str, Any], folder: Path) -> dict[str, Any] | None:
    title = page["head"]["title"]
    if "crash" in title:
        mark = folder / f"crashed{page['path'].replace('/', '-')}"
        if "once" not in title or not mark.exists():
            mark.touch()
            sys.stderr.write("Fatal: out of ink\n")
            sys.stderr.flush()
            os._exit(7)
    if "hang" in title:
        time.sleep(600)
    if "full disk" in title:
        return {"message": "ENOSPC: no space left on device, write", "stack": "", "block": None, "errno": 28}
    if "fail" in title:
        block = {"index": 1, "type": "offices"}
        return {"message": "offices is not iterable", "stack": "", "block": block, "errno": None}
    return None


def _flat(seen: Seen) -> dict[str, Any]:
    own = seen.own._asdict()
    return {"lang": seen.lang, "dir": seen.dir, "alternates": seen.alternates, **own}


def _read(path: str, offset: int, size: int) -> bytes:
    with Path(path).open("rb") as file:
        file.seek(offset)
        return file.read(size)


def _say(header: dict[str, Any], part: bytes = b"") -> None:
    head = orjson.dumps(header)
    payload = b"".join([len(head).to_bytes(4, "big"), head, part])
    sys.stdout.buffer.write(len(payload).to_bytes(4, "big") + payload)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
