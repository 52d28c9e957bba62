"""A build's redirects in the languages of other servers. There too a page or file goes before a redirect, and what a
visitor writes below a wildcard becomes no other host.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from urllib.parse import quote

from ..domain.redirects import GONE, PERMANENT, TEMPORARY, WILDCARD, Redirect

_NGINX: Final = """\
# Redirects of {site}, for the http block. In the server block of the site:
#     location / {{ try_files $uri $uri/index.html @redirects; }}
#     location @redirects {{
#         if ($portolan_{name}_gone) {{ return 410; }}
#         if ($portolan_{name}_moved) {{ return 301 $portolan_{name}_moved; }}
#         if ($portolan_{name}_for_now) {{ return 302 $portolan_{name}_for_now; }}
#         return 404;
#     }}
#     error_page 404 410 /404.html;
map_hash_bucket_size 512;
"""
_CADDY: Final = "# Redirects of {site}, to be imported into the block of the site. They hold where there is no file.\n"
_REST: Final = r"(?:/+(?P<rest>[^/\\?][^?]*)?)?"
"""What a wildcard carries over begins with neither a slash nor a backslash."""

Rows = list[tuple[str, Redirect]]


def write_redirects(site: str, redirects: Mapping[str, Redirect]) -> dict[str, str]:
    """Files by the ending of their name: maps for nginx, a snippet for Caddy, and ``_redirects`` as Netlify reads it."""
    rows = sorted(redirects.items(), key=lambda row: (row[0].endswith(WILDCARD), -len(row[0]), row[0]))
    name = re.sub(r"[^a-z0-9]", "_", site)
    return {
        "nginx.conf": _NGINX.format(site=site, name=name) + "".join(_nginx(name, rows)),
        "caddy": _CADDY.format(site=site) + "".join(_caddy(rows)),
        "_redirects": "".join(f"{line}\n" for line in _netlify(rows)),
    }


def _nginx(name: str, rows: Rows) -> Iterator[str]:
    """Maps of ``$request_uri``, which is escaped as it came: a decoded one could bring line breaks into a header."""
    for kind, status in {"moved": PERMANENT, "for_now": TEMPORARY, "gone": GONE}.items():
        yield f"map $request_uri $portolan_{name}_{kind} {{\n    default '';\n"
        for path, found in rows:  # all of them in each map: else a short wildcard would take what a longer one means
            target = "" if found.status != status else "1" if status == GONE else found.target
            yield from (f'    "~*{pattern}" "{value}";\n' for pattern, value in _nginx_lines(path, target))
        yield "}\n"


def _nginx_lines(path: str, target: str) -> Iterator[tuple[str, str]]:
    """With a query and without one: it is kept."""
    base = re.escape(quote(path.removesuffix(WILDCARD), safe="/:@!$&'()*+,;=~"))
    below = _REST if path.endswith(WILDCARD) else "/*"
    place, hash, anchor = target.partition("#")
    place = f"{place.removesuffix('*')}$rest" if target.endswith(WILDCARD) else place
    for query in (r"\?(?P<query>.+)", r"\??"):
        kept = (f"{'&' if '?' in place else '?'}$query" if "query" in query else "") if place not in ("", "1") else ""
        pattern = f"^{base}{below}{query}$".replace("(?P<", "(?<").replace("\\", "\\\\")  # a quoted string of nginx
        yield pattern, f"{place}{kept}{hash}{anchor}"


def _caddy(rows: Rows) -> Iterator[str]:
    yield "route {\n"
    for number, (path, found) in enumerate(rows):
        base = re.escape(path.removesuffix(WILDCARD))
        below = _REST if path.endswith(WILDCARD) else "/*"
        matcher = f"not file {{path}} {{path}}/index.html\n        path_regexp r{number} `(?i)^{base}{below}$`"
        if found.status == GONE:
            yield f"    @r{number} {{\n        {matcher}\n    }}\n    error @r{number} 410\n"
            continue
        place, hash, anchor = found.target.partition("#")
        if found.target.endswith(WILDCARD):
            place = f"{place.removesuffix('*')}{{re.r{number}.rest}}"
        mark = "&" if "?" in place else "?"
        yield f'    @r{number}q {{\n        {matcher}\n        expression {{query}} != ""\n    }}\n'
        yield f'    redir @r{number}q "{place}{mark}{{query}}{hash}{anchor}" {found.status}\n'
        yield f"    @r{number} {{\n        {matcher}\n    }}\n"
        yield f'    redir @r{number} "{place}{hash}{anchor}" {found.status}\n'
    yield "}\n"


def _netlify(rows: Iterable[tuple[str, Redirect]]) -> Iterator[str]:
    for path, found in rows:
        target = "/404.html" if found.status == GONE else found.target
        if target.endswith(WILDCARD):
            target = f"{target.removesuffix('*')}:splat"
        yield f"{quote(path, safe='/*:@!$&()+,;=~')} {target} {found.status}"
