"""Build the files of a new project: site configuration, brand, logo."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from ..config.project import SITES_FILE
from ..sites.brand import BRAND_FILE
from .countries import CountrySite, write_sites


class Answers(NamedTuple):
    """The answers of the person who starts a project."""

    name: str
    """The company's name."""
    slug: str
    sites: tuple[CountrySite, ...]
    """The first is the default site."""
    domain: str
    accent: str
    ground: str
    motif: str
    logo: bytes | None
    founded: int


def build_project(answers: Answers) -> Mapping[str, bytes]:
    """Return the files by name."""
    logo = answers.logo or build_logo(answers.slug).encode()
    return {
        SITES_FILE: _write_registry(answers).encode(),
        BRAND_FILE: _write_brand(answers).encode(),
        "logo.svg": logo,
        "public/.gitkeep": b"",
        "README.md": _write_readme(answers).encode(),
        ".gitignore": b"/var/\n",
    }


def write_project(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def build_logo(slug: str) -> str:
    """Return a logo of nine squares derived from the company's name, as a placeholder."""
    seed = crc32(slug.encode())
    shown = [seed >> index & 1 for index in range(6)]
    columns = [shown[0:3], [1, *shown[4:5], 1], shown[0:3]]
    squares = "".join(
        f'<path d="M{1 + 9 * x} {1 + 9 * y}h8v8h-8z"/>'
        for x, column in enumerate(columns)
        for y, is_shown in enumerate(column)
        if is_shown
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28" fill="currentColor">{squares}</svg>\n'


def _write_registry(answers: Answers) -> str:
    first = answers.sites[0]
    return f"""\
# The site configuration: the company and its country sites. All differences between sites are in this file.
# `portolan sites check` reports every problem at once. A running publisher applies changes.

[company]
name = {_quote(answers.name)}
slug = "{answers.slug}"
legal_name = {_quote(answers.name)}                      # as in the commercial register
founded = {answers.founded}-01-01                        # {{age}} in texts starts here
time_zone = "{first.time_zone}"
default_site = "{first.key}"                             # links to pages that a site lacks go here
headquarters = "head-office"                             # key of that office
security_contact = "mailto:security@{answers.domain}"    # contact for security reports
dark_theme = false                                       # true: dark backgrounds for visitors in dark mode
islands = "react"                                        # "preact": half the script of forms and filters

[figures]                                                # values of {{employees}}, {{projects}} and {{offices}} in texts
employees = "10+"
projects = "50+"
offices = "1"

[social]                                                 # URLs of the company's profiles
# linkedin = "https://www.linkedin.com/company/…"

[captcha]
provider = "altcha"                                      # self-hosted; or recaptcha, turnstile, none

[studio.origins]
local = "http://studio.localhost:{{port}}"
production = "https://studio.{answers.domain}"

[environments]
local = {{ robots = "open" }}
production = {{ robots = "open" }}

{write_sites(answers.sites, answers.domain)}"""


def _write_brand(answers: Answers) -> str:
    return f"""\
# The brand: the look of all sites. A change renders every page again.

motif = "{answers.motif}"                               # on dark sections: chart, dots or none

[colours]
accent = "{answers.accent}"                             # main button, one per screen
ground = "{answers.ground}"                             # dark background of opening sections, footer, icons

[logo]
file = "logo.svg"                                        # parts in currentColor adapt to the background
name_beside = true                                       # false: the name is in the drawing
"""


def _write_readme(answers: Answers) -> str:
    return f"""\
# {answers.name}

```sh
portolan serve            # sites, studio and API on this machine
portolan sites check      # check sites.toml
portolan publish          # publish without serving
```

`sites.toml` names the company and its sites, `brand.toml` defines their look, and `public/` has files that every site serves under
their own names. Edit content in the studio. It is stored in `var/`: back this folder up, and keep it out of version control.
Name and password of the first account are in `var/login.json`.
"""


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def current_year() -> int:
    return date.today().year  # noqa: DTZ011  (the company's own year)
