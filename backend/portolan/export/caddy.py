"""Caddy's configuration for an exported site: a snippet for the site's block."""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from ..domain.redirects import GONE, WILDCARD
from .answers import ERROR_PAGES, WORKER_FOLDER, Answers, Named
from .layout import Layout
from .nginx import REST, order_redirects

_SERVED = ["file_server {", "    precompressed br gzip", "    disable_canonical_uris", "}"]

_NOT_OF_ERRORS = ("Content-Disposition", "Content-Language")
"""Headers set for a file that turned out to be missing, which are wrong in an error. Caddy drops headers at the very
end, so an error cannot replace them."""


def caddy_site(answers: Answers, root: str, layout: Layout) -> str:
    """Return the snippet. ``root``: the future folder of the files."""
    lines = [
        f"# Site {answers.site}, to be imported into its block. Written by `portolan export`.",
        f"root * {_quoted(root)}",
        *_block("handle /assets/*", _assets(answers)),
        *_block("handle /page-data/*", _data(answers)),
        *_block("handle /media/*", _media(answers)),
        *_files(answers),
        *_block("handle", _block("route", _pages(answers, layout))),
        *_block("handle_errors", _errors(answers)),
    ]
    return "\n".join(lines) + "\n"


def caddy_sites(sites: Iterable[tuple[str, str]], folder: str) -> str:
    """Return a Caddyfile with each site's block, to start with or to try an export.

    ``sites``: key and origin.
    """
    lines = ["# Written by `portolan export`; copy it to change it."]
    for site, origin in sites:
        lines += _block(origin, [f"import {_quoted(f'{folder}/{site}.caddy')}"])
    return "\n".join(lines) + "\n"


def _assets(answers: Answers) -> Iterator[str]:
    yield from _types(answers.types)
    yield f"@worker path_regexp ^{re.escape(WORKER_FOLDER)}.*-ww-"
    yield f"@sandbox path {WORKER_FOLDER}*"
    for matcher, headers in (("@worker", answers.worker), ("@sandbox", answers.sandbox), ("", answers.asset)):
        yield from _block(f"handle {matcher}".strip(), [*_headers(headers), *_SERVED])


def _data(answers: Answers) -> Iterator[str]:
    yield from _types(answers.types)
    yield from _block("handle /page-data/sq/d/*", [*_headers(answers.asset), *_SERVED])
    there = ["@there file {path}", *_block("handle @there", [*_headers(answers.data), *_SERVED])]
    rows = []
    for number, (path, found) in enumerate(answers.data_redirects.items()):
        matcher = f"@d{number} path_regexp (?i)^{re.escape(path)}$"
        rows += [matcher, *_data_answer(f"@d{number}", found.status, found.target)]
    for number, path in enumerate(path for path, _ in order_redirects(answers) if path.endswith(WILDCARD)):
        rows += [f"@w{number} path_regexp (?i)^/page-data{re.escape(path.removesuffix('*'))}"]
        rows += _data_answer(f"@w{number}", 200, "")
    yield from _block("handle", _block("route", [*there, *_headers(answers.missing), *rows, "error 404"]))


def _data_answer(matcher: str, status: int, target: str) -> Iterator[str]:
    if status == GONE:
        yield f"error {matcher} {GONE}"
    elif target:
        yield f"redir {matcher} {_quoted(quote(target))} {status}"
    else:
        body = """`{"path":"","html":"","build":""}`"""
        headers = _headers([("content-type", "application/json"), ("cache-control", "no-store")])
        yield from _block(f"handle {matcher}", [*headers, f"respond {body} 200"])


def _media(answers: Answers) -> Iterator[str]:
    for number, (endings, types, headers) in enumerate(answers.media):
        if endings:
            yield f"@m{number} path_regexp (?i)[.](?:{'|'.join(endings)})$"
        of_types = _types(types) if endings else ['header Content-Type "application/octet-stream"']
        yield from _block(
            f"handle {f'@m{number}' if endings else ''}".strip(), [*of_types, *_headers(headers), *_SERVED]
        )


def _files(answers: Answers) -> Iterator[str]:
    for number, (path, type) in enumerate(answers.files.items()):
        yield f"@f{number} path {_quoted(path)}"
        lines = [f"header Content-Type {_quoted(type)}", *_headers(answers.data), *_SERVED]
        yield from _block(f"handle @f{number}", lines)
    yield f"@errors path {' '.join(ERROR_PAGES)}"
    html = 'header Content-Type "text/html; charset=utf-8"'
    yield from _block("handle @errors", [html, *_headers(answers.error), *_SERVED])


def _pages(answers: Answers, layout: Layout) -> Iterator[str]:
    name = f"portolan_{answers.site}_page"
    rows = []
    for path in answers.pages:
        spelled = "/+".join(re.escape(segment) for segment in path.split("/")) if path != "/" else "/*"
        rows.append(f"`~(?i)^{spelled}/*(?:/index[.]html)?$` {_quoted(quote(path))}")
    yield from _block("@page", ["not expression {path}.matches('//|.+/$|/index[.]html$')", f"file {layout.caddy}"])
    html = 'header Content-Type "text/html; charset=utf-8"'
    rewrite = f"rewrite * {layout.caddy}"
    yield from _block("handle @page", [html, *_headers(answers.page), rewrite, *_SERVED])
    if layout.is_flat:
        yield from _block("handle /", [html, *_headers(answers.page), "rewrite * /index.html", *_SERVED])
    yield from _headers(answers.missing)
    yield from _block(f"map {{path}} {{{name}}}", [*rows, 'default ""'])
    yield from _redirect("spelled", [], f"{{{name}}}", 301, f'{{{name}}} != ""')
    for number, (path, found) in enumerate(order_redirects(answers)):
        base = re.escape(path.removesuffix(WILDCARD))
        matcher = f"path_regexp r{number} `(?i)^{base}{REST if path.endswith(WILDCARD) else '/*'}$`"
        if found.status == GONE:
            yield from _block(f"@r{number}", [matcher])
            yield f"error @r{number} {GONE}"
            continue
        target = found.target
        if target.endswith(WILDCARD):
            target = f"{target.removesuffix('*')}{{re.r{number}.rest}}"
        yield from _redirect(f"r{number}", [matcher], target, found.status)
    yield "error 404"


def _redirect(name: str, matchers: list[str], target: str, status: int, also: str = "") -> Iterator[str]:
    """Yield a redirect with and without a query, which is kept.

    ``also``: a further condition, as an expression.
    """
    place, hash, anchor = target.partition("#")
    asked = f'{also} && {{query}} != ""' if also else '{query} != ""'
    yield from _block(f"@{name}q", [*matchers, f"expression `{asked}`"])
    yield f'redir @{name}q "{place}{"&" if "?" in place else "?"}{{query}}{hash}{anchor}" {status}'
    yield from _block(f"@{name}", [*matchers, *([f"expression `{also}`"] if also else [])])
    yield f'redir @{name} "{place}{hash}{anchor}" {status}'


def _errors(answers: Answers) -> Iterator[str]:
    yield "@files path /assets/* /page-data/* /media/*"
    text = [("content-type", "text/plain; charset=utf-8"), *answers.missing]
    gone = ["@gone expression {err.status_code} == 410", 'respond @gone "Gone.\n" 410']
    yield from _block(
        "handle @files",
        [
            *(f"header -{name}" for name in _NOT_OF_ERRORS),
            *_headers(text),
            *gone,
            'respond "Not found.\n" {err.status_code}',
        ],
    )
    html = 'header Content-Type "text/html; charset=utf-8"'
    yield "@failed expression {err.status_code} >= 500"
    yield from _block(
        "handle @failed",
        [html, *_headers(answers.error), "header Cache-Control no-store", "rewrite * /500.html", *_SERVED],
    )
    yield from _block("handle", [html, *_headers(answers.error), "rewrite * /404.html", *_SERVED])


def _types(types: dict[str, str]) -> Iterator[str]:
    for ending, type in types.items():
        yield f"@type-{ending} path *.{ending}"
        yield f"header @type-{ending} Content-Type {_quoted(type)}"


def _headers(headers: Named) -> list[str]:
    return [f"header {name} {_quoted(value)}" for name, value in headers]


def _block(opening: str, lines: Iterable[str]) -> list[str]:
    return [f"{opening} {{", *(f"    {line}" for line in lines), "}"]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
