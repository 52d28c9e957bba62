"""A company's web build: the product's, with the brand and the company's files.

The brand has colours, fonts and a logo. The company also chooses the library for islands. It is made once for each web
build and state of these inputs, in a folder next to the builds.
"""

import os
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, NamedTuple

import orjson

from ..domain.reserved import PREFIXES
from ..sites.brand import Brand, Colours, FontFile
from ..sites.registry import IslandRuntime
from .drawings import build_logo
from .palette import build_palette
from .problem import UsageError
from .web_build import ASSETS, RECORD, WebBuild, content_type, load_web_build

_EDITION: Final = 2
"""Version of the code that applies a brand. Increase it whenever the result changes."""
_RESERVED: Final = (*PREFIXES, "/-/", "/sw.js", "/~partytown/")
"""Paths of the product."""
_LINKED: Final = frozenset({"node_modules"})
"""Folders too large to be copied."""
_DRAWING_FONTS: Final = "server/fonts"
_OWN_FONT: Final = "zz-brand"
"""The render worker tries fonts for images in descending order of their names."""


MADE_FROM: Final = "made-from"
"""File in a web build with plugins: the hash of the product's web build with the same sources."""


def write_made_from(dist: Path, products: Path) -> None:
    """Store the hash of ``products``, the product's web build without plugins."""
    (dist / MADE_FROM).write_text(load_web_build(products).hash, encoding="utf-8")


def require_current(dist: Path, products: Path) -> None:
    """Raise UsageError for a web build with plugins of another product version."""
    file = dist / MADE_FROM
    if file.exists() and file.read_text(encoding="utf-8") != load_web_build(products).hash:
        raise UsageError(
            f"The web build in {dist} has the company's plugins, but was built with another version, so pages cannot "
            "be rendered. Run `portolan build`."
        )


class CompanyFiles(NamedTuple):
    """The company's additions to the web build."""

    brand: Brand
    public: Path
    """Folder of files that every site serves under their own names. It may be missing."""
    islands: IslandRuntime = "react"

    def mark(self) -> str:
        """Return a mark that changes with the brand and with names, sizes and file times."""
        seen = [(name, file.stat()) for name, file in self.list_public()]
        return f"{self.brand.digest} {self.islands} {[(name, stat.st_size, stat.st_mtime_ns) for name, stat in seen]}"

    def list_public(self) -> list[tuple[str, Path]]:
        """Return URL paths and files."""
        found = (Path(folder, name) for folder, _, names in os.walk(self.public) for name in names)
        files = {f"/{file.relative_to(self.public).as_posix()}": file for file in found}
        return [(path, file) for path, file in sorted(files.items()) if "/." not in path]


def load_company_web_build(dist: Path, company: CompanyFiles, cache: Path) -> WebBuild:
    """Return the company's web build, made in ``cache`` if it is not there.

    Raise UsageError if there is no usable web build, or a file of the company is unusable.
    """
    web = load_web_build(dist)
    if company.brand == Brand() and company.islands == "react" and not company.list_public():
        return web
    made = cache / sha256(f"{_EDITION} {web.hash} {web.drawing} {company.mark()}".encode()).hexdigest()[:24]
    if not (made / RECORD).exists():
        _make(dist, company, made)
    return load_web_build(made)


def _make(dist: Path, company: CompanyFiles, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(dir=target.parent, prefix=f"{target.name}-"))
    try:
        _lay_out(dist.resolve(), draft)
        _Changes(draft, company, target.name).apply()
        draft.rename(target)
    except OSError:
        if not (target / RECORD).exists():  # another process was quicker
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _lay_out(dist: Path, draft: Path) -> None:
    """Hard-link the files, or copy them on file systems without hard links."""
    for folder, folders, files in os.walk(dist):
        place = draft / Path(folder).relative_to(dist)
        place.mkdir(exist_ok=True)
        for name in _LINKED.intersection(folders):
            (place / name).symlink_to(Path(folder, name))
        folders[:] = [name for name in folders if name not in _LINKED]
        for name in files:
            try:
                os.link(Path(folder, name), place / name)
            except OSError:
                shutil.copyfile(Path(folder, name), place / name)


class _Changes:
    def __init__(self, folder: Path, company: CompanyFiles, name: str) -> None:
        self._folder = folder
        self._brand = company.brand
        self._public = company.list_public()
        self._islands = company.islands
        self._name = name
        self._record: dict[str, Any] = orjson.loads((folder / RECORD).read_bytes())
        self._assets: dict[str, Any] = orjson.loads((folder / ASSETS).read_bytes())

    def apply(self) -> None:
        if self._islands != "react":
            self._take_scripts(self._islands)
        brand = self._brand
        self._assets["palette"] = build_palette(self._assets["palette"], brand.colours, Colours())
        self._assets["brand"] = {
            "logo": build_logo(brand.logo.file) if brand.logo.file else "",
            "nameBeside": brand.logo.name_beside,
            "motif": brand.motif,
        }
        for index, font in enumerate(brand.fonts.files):
            self._add_font(font, index)
        self._assets["fonts"] |= self._early_fonts()
        if rules := "".join(self._rules()):
            self._write_stylesheet(rules)
        for path, file in self._public:
            self._add_public(path, file)
        self._assets["build"] = self._record["hash"] = _combine(self._name, self._record["hash"])
        self._record["drawing"] = _combine(f"{_EDITION} {brand.digest}", self._record["drawing"])
        self._replace(ASSETS, orjson.dumps(self._assets))
        self._replace(RECORD, orjson.dumps(self._record))  # last, because its presence marks a complete build

    def _take_scripts(self, islands: str) -> None:
        """Use the browser's files built with another library (`web/scripts/build.ts`)."""
        if islands not in self._record:
            raise UsageError(
                f"sites.toml chooses {islands} for islands, but the web build has no scripts for it, so the publish "
                "stopped. Build again with `portolan build`, or with `npm run build` in web/."
            )
        built = self._record[islands]
        self._assets |= {"script": built["script"], "islands": built["islands"]}
        self._record |= {"files": dict(built["files"]), "scripts": built["scripts"]}

    def _add_font(self, font: FontFile, index: int) -> None:
        self._add(font_path(font), font.file.data)
        self._replace(f"{_DRAWING_FONTS}/{_OWN_FONT}-{99 - index}.woff2", font.file.data)

    def _early_fonts(self) -> dict[str, list[str]]:
        """Return the fonts that pages preload, by the letters of their language."""
        files = self._brand.fonts.files
        letters = {letters for font in files for letters in font.letters}
        return {each: [font_path(font) for font in files if each in font.letters] for each in sorted(letters)}

    def _add_public(self, path: str, file: Path) -> None:
        if path.startswith(_RESERVED) or path in self._record["files"]:
            raise UsageError(
                f"{file} would be served at {path}, which is a URL of the product, so the publish stopped. Rename the "
                "file."
            )
        content_type(path)
        self._add(path, file.read_bytes())

    def _write_stylesheet(self, rules: str) -> None:
        former = self._assets["stylesheet"]
        text = (self._folder / self._record["files"].pop(former)).read_text(encoding="utf-8")
        text += rules
        path = f"/assets/style-{sha256(text.encode()).hexdigest()[:12]}.css"
        self._add(path, text.encode())
        self._assets["stylesheet"] = path

    def _rules(self) -> Iterator[str]:
        """Yield rules in the tokens layer that override the product's."""
        fonts = self._brand.fonts
        if self._brand.colours == Colours() and not fonts.family:
            return
        yield "@layer tokens{"
        for ground in self._assets["palette"] if self._brand.colours != Colours() else ():
            rule = f"{ground['selector']}{{{';'.join(f'{name}:{value}' for name, value in ground['colours'].items())}}}"
            yield f"@media {ground['media']}{{{rule}}}" if ground["media"] else rule
        for selector, stack in self._record["fontStacks"].items() if fonts.family else ():
            yield f'{selector}{{--font:"{fonts.family}",{stack}}}'
        yield "}"
        for font in fonts.files:
            ranges = f";unicode-range:{font.unicode_range}" if font.unicode_range else ""
            yield (
                f'@font-face{{font-family:"{fonts.family}";font-display:swap;font-weight:{font.weight};'
                f'src:url("{font_path(font)}")format("woff2"){ranges}}}'
            )

    def _add(self, path: str, data: bytes) -> None:
        name = f"client{path}"
        self._replace(name, data)
        self._record["files"][path] = name

    def _replace(self, name: str, data: bytes) -> None:
        """Write a new file, because the old one may be hard-linked elsewhere."""
        file = self._folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(data)


def _combine(own: str, digest: str) -> str:
    return sha256(f"{own} {digest}".encode()).hexdigest()[: len(digest)]


def font_path(font: FontFile) -> str:
    return f"/assets/brand-{font.file.digest}.woff2"
