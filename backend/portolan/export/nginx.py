"""nginx's configuration for an exported site: maps and locations."""

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote

from ..domain.redirects import GONE, PERMANENT, TEMPORARY, WILDCARD, Redirect
from ..domain.routes import html_file
from .answers import ERROR_PAGES, WORKER_FOLDER, Answers, Named
from .layout import Layout

REST: Final = r"(?:/+(?P<rest>[^/\\?][^?]*)?)?"
"""The rest that a wildcard appends starts with neither a slash nor a backslash."""
_KINDS: Final = {"moved": PERMANENT, "for_now": TEMPORARY, "gone": GONE}


def order_redirects(answers: Answers) -> list[tuple[str, Redirect]]:
    """Return the redirects, exact paths before wildcards, longest first."""
    return sorted(answers.redirects.items(), key=lambda row: (row[0].endswith(WILDCARD), -len(row[0]), row[0]))


def nginx_maps(answers: Answers) -> str:
    """Return the maps for the http block."""
    name = _name(answers)
    lines = [
        f"# Site {answers.site}, for the http block. Written by `portolan export`.",
        f"map $uri $portolan_{name}_spelled {{",
        r'    "~^/+(?<portolan_stem>.*?)/*(?:/index\.html)?$" "/$portolan_stem";',
        "}",
        f"map $portolan_{name}_spelled $portolan_{name}_page {{  # case-insensitive",
        '    default "";',
        '    "/index.html" "/";',
        *(f"    {_quoted(path)} {_quoted(quote(path))};" for path in answers.pages),
        "}",
    ]
    for kind, status in _KINDS.items():
        lines += [f"map $request_uri $portolan_{name}_{kind} {{", '    default "";']
        # Each map has all redirects, so that a short wildcard cannot match in place of a longer one.
        for path, found in order_redirects(answers):
            target = "" if found.status != status else "1" if status == GONE else found.target
            lines += [f'    "~*{pattern}" "{value}";' for pattern, value in redirect_patterns(path, target)]
        lines.append("}")
    for kind, status in (*_KINDS.items(), ("document", 200)):
        lines += [f"map $uri $portolan_{name}_data_{kind} {{", '    default "";']
        for path, found in answers.data_redirects.items():
            if found.status == status:
                lines.append(f"    {_quoted(path)} {_quoted(quote(found.target)) if found.target else 1};")
        if status == 200:
            for path in answers.redirects:
                if path.endswith(WILDCARD):
                    base = re.escape(path.removesuffix(WILDCARD)).replace("\\", "\\\\")
                    lines.append(f'    "~*^/page-data{base}/" 1;')
        lines.append("}")
    return "\n".join(lines) + "\n"


def redirect_patterns(path: str, target: str) -> Iterator[tuple[str, str]]:
    """Yield patterns for ``$request_uri`` and their values.

    Each redirect has one with and one without a query, which is kept. ``$request_uri`` is escaped as sent. A
    decoded URL could put line breaks into a header.
    """
    base = re.escape(quote(path.removesuffix(WILDCARD), safe="/:@!$&'()*+,;=~"))
    below = REST if path.endswith(WILDCARD) else "/*"
    place, hash, anchor = target.partition("#")
    place = f"{place.removesuffix('*')}$rest" if target.endswith(WILDCARD) else place
    for query in (r"\?(?P<query>.+)", r"\??"):
        kept = (f"{'&' if '?' in place else '?'}$query" if "query" in query else "") if place not in ("", "1") else ""
        pattern = f"^{base}{below}{query}$".replace("(?P<", "(?<").replace("\\", "\\\\")  # a quoted string of nginx
        yield pattern, f"{place}{kept}{hash}{anchor}"


def nginx_server(answers: Answers, root: str, layout: Layout) -> str:
    """Return the lines for the site's server block.

    ``root``: the future folder of the files.
    """
    return "\n".join(_server(answers, root, layout)) + "\n"


def _server(answers: Answers, root: str, layout: Layout) -> Iterator[str]:
    name = _name(answers)
    yield f"# Site {answers.site}, for its server block. Written by `portolan export`."
    yield f"root {_quoted(root)};"
    yield "absolute_redirect off;"
    yield "gzip off;"
    yield "gzip_static on;"
    yield "gzip_vary on;"
    yield "recursive_error_pages on;"
    yield "error_page 404 410 /404.html;"
    yield "error_page 418 = @elsewhere;"
    yield "error_page 500 502 503 504 /500.html;"
    yield from _location("/", answers.page, [
        'types { }',
        'default_type "text/html; charset=utf-8";',
        r'if ($request_uri ~ "^[^?]*//|^/[^?]+/(?:\?|$)|^[^?]*/index\.html(?:\?|$)") { return 418; }',
        f"try_files {layout.nginx} @elsewhere;",
    ])  # fmt: skip
    if layout.is_flat:
        yield from _location("= /", answers.page, [
            'types { }', 'default_type "text/html; charset=utf-8";', "try_files /index.html =404;",
        ])  # fmt: skip
    for page in ERROR_PAGES:
        lines = ["types { }", 'default_type "text/html; charset=utf-8";', f"try_files /{html_file(page)} =404;"]
        yield from _location(f"= {page}", answers.error, lines)
    for path, type in answers.files.items():
        yield from _location(f"= {_quoted(path)}", answers.data, [
            "types { }", f"default_type {_quoted(type)};", "try_files $uri =404;",
        ])  # fmt: skip
    types = ["types {", *(f"    {_quoted(type)} {ending};" for ending, type in answers.types.items()), "}"]
    found = [*types, "try_files $uri @missing;"]
    yield from _location("^~ /assets/", answers.asset, found)
    inner = [*_location(f'~ "^{re.escape(WORKER_FOLDER)}.*-ww-"', answers.worker, found), *found]
    yield from _location(f"^~ {WORKER_FOLDER}", answers.sandbox, inner)
    yield from _location("^~ /page-data/sq/d/", answers.asset, found)
    yield from _location("^~ /page-data/", answers.data, [*types, "try_files $uri @data;"])
    yield from _location("^~ /media/", *_media(answers))
    yield from _location("@elsewhere", answers.missing, [
        f"if ($portolan_{name}_page) {{ return 301 $portolan_{name}_page$is_args$args; }}",
        f"if ($portolan_{name}_gone) {{ return 410; }}",
        f"if ($portolan_{name}_moved) {{ return 301 $portolan_{name}_moved; }}",
        f"if ($portolan_{name}_for_now) {{ return 302 $portolan_{name}_for_now; }}",
        "return 404;",
    ])  # fmt: skip
    yield from _location("@data", answers.missing, [
        'default_type "text/plain; charset=utf-8";',
        "error_page 410 @gone;",
        f"if ($portolan_{name}_data_gone) {{ return 410; }}",
        f"if ($portolan_{name}_data_moved) {{ return 301 $portolan_{name}_data_moved$is_args$args; }}",
        f"if ($portolan_{name}_data_for_now) {{ return 302 $portolan_{name}_data_for_now$is_args$args; }}",
        f"if ($portolan_{name}_data_document) {{ rewrite ^ /portolan-document last; }}",
        "error_page 404 @missing;",
        "return 404;",
    ])  # fmt: skip
    yield from _location("= /portolan-document", [("cache-control", "no-store")], [
        "internal;", "default_type application/json;", """return 200 '{"path":"","html":"","build":""}';""",
    ])  # fmt: skip
    text = 'default_type "text/plain; charset=utf-8";'
    yield from _location("@missing", answers.missing, ["types { }", text, r'return 404 "Not found.\n";'])
    yield from _location("@gone", answers.missing, ["types { }", text, r'return 410 "Gone.\n";'])


def _media(answers: Answers) -> tuple[Named, list[str]]:
    lines: list[str] = []
    for endings, types, headers in answers.media[:-1]:
        rows = ["types {", *(f"    {type} {ending};" for ending, type in types.items()), "}"]
        lines += _location(f"~* \\.(?:{'|'.join(endings)})$", headers, [*rows, "try_files $uri @missing;"])
    others = ["types { }", "default_type application/octet-stream;", "try_files $uri @missing;"]
    return answers.media[-1][2], [*lines, *others]


def _location(where: str, headers: Named, lines: Iterable[str]) -> Iterator[str]:
    """Yield a location.

    Each repeats the headers, because nginx inherits none into a location with its own.
    """
    yield f"location {where} {{"
    yield from (f"    {line}" for line in lines)
    yield from (f"    add_header {name} {_quoted(value)} always;" for name, value in headers)
    yield "}"


def nginx_sites(sites: Iterable[tuple[str, str]], folder: str) -> str:
    """Return a file for nginx's http block with a server block of each site.

    Use it to start with, or to try an export.

    ``sites``: key and origin.
    """
    lines = [
        "# To be included in the http block. Written by `portolan export`; copy it to change it (TLS, other hosts).",
        "map_hash_bucket_size 512;",
        "map_hash_max_size 65536;",
        "brotli_static on;  # Debian: libnginx-mod-http-brotli-static; without the module, leave this line out",
    ]
    for site, origin in sites:
        host = origin.partition("://")[2].partition(":")[0]
        lines += [
            f"include {_quoted(f'{folder}/{site}.nginx.maps.conf')};",
            "server {",
            "    listen 80;",
            f"    server_name {host};",
            f"    include {_quoted(f'{folder}/{site}.nginx.server.conf')};",
            "}",
        ]
    return "\n".join(lines) + "\n"


def _name(answers: Answers) -> str:
    return re.sub(r"[^a-z0-9]", "_", answers.site)


def _quoted(text: str) -> str:
    r"""
    >>> _quoted('a "b" \\ $c')
    '"a \\"b\\" \\\\ $c"'
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
