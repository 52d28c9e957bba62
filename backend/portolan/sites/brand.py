"""Read the brand from ``brand.toml``: colours, logo, icon, background pattern and fonts."""

from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo, field_validator, model_validator

from ..domain.contrast import SHAPES, contrast

BRAND_FILE = "brand.toml"
FOLDER = "folder"
"""Key of the validation context: the folder that file names are relative to."""
MOST_FONT_BYTES = 300_000
LEAST_ON_GROUND = 12.0
"""Minimum contrast of white on the background, which leaves room for the quieter colours of texts and lines."""

Colour = Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")]


class BrandModel(BaseModel):
    # The configuration is sent as JSON from process to process.
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")


class BrandFile(BrandModel):
    """A file next to ``brand.toml``, read together with the brand."""

    name: str
    data: bytes = Field(repr=False)

    @property
    def digest(self) -> str:
        return sha256(self.data).hexdigest()[:12]

    @classmethod
    def read(cls, name: str, folder: Path, most: int) -> Self:
        """Read a file. Raise ValueError with the fix."""
        try:
            data = (folder / name).read_bytes()
        except OSError as error:
            raise ValueError(f"{name} cannot be read ({error.strerror}); paths are relative to brand.toml") from error
        if len(data) > most:
            raise ValueError(f"{name} has {len(data):,} bytes, too many for visitors to load; use at most {most:,}")
        return cls(name=name, data=data)


def _read_file(value: object, info: ValidationInfo, ending: str, most: int) -> object:
    if not isinstance(value, str):
        return value
    if not value.endswith(ending):
        raise ValueError(f"{value!r} is not a {ending} file; use one")
    return BrandFile.read(value, (info.context or {}).get(FOLDER, Path()), most)


class Colours(BrandModel):
    """Two colours, from which all other colours of pages are derived (``publisher/palette.py``)."""

    accent: Colour = "#ffdb00"
    """Colour of the main button, one per screen."""
    ground: Colour = "#020d1c"
    """Dark background of opening sections, footer, icons and the browser's bars."""

    @model_validator(mode="after")
    def _can_be_told_apart(self) -> Self:
        white = contrast("#ffffff", self.ground)
        if white < LEAST_ON_GROUND:
            raise ValueError(
                f"white on the ground {self.ground} has a contrast of {white:.1f}, but texts need {LEAST_ON_GROUND:g}; "
                "choose a darker ground"
            )
        accent = contrast(self.accent, self.ground)
        if accent < SHAPES:
            raise ValueError(
                f"the accent {self.accent} on the ground {self.ground} has a contrast of {accent:.1f}, but buttons need "
                f"{SHAPES:g}; choose a lighter accent"
            )
        return self


class Logo(BrandModel):
    file: BrandFile | None = None
    """A drawing (SVG); parts in ``currentColor`` adapt to the background."""
    name_beside: bool = True
    """Whether the company's name is next to the logo. ``false`` if the drawing contains the name."""

    @field_validator("file", mode="before")
    @classmethod
    def _read(cls, value: object, info: ValidationInfo) -> object:
        return _read_file(value, info, ".svg", most=20_000)


class Icon(BrandModel):
    file: BrandFile | None = None
    """A square drawing (SVG) without a background, for favicons and home screens; by default the logo."""

    @field_validator("file", mode="before")
    @classmethod
    def _read(cls, value: object, info: ValidationInfo) -> object:
        return _read_file(value, info, ".svg", most=20_000)


Letters = Literal["latin", "latinExtended", "cyrillic", "arabic"]


class FontFile(BrandModel):
    file: BrandFile
    weight: Annotated[str, StringConstraints(pattern=r"^[1-9]\d{1,2}( [1-9]\d{1,2})?$")] = "400"
    """One weight, or the first and the last of a variable font: ``200 800``."""
    letters: Annotated[list[Letters], Field(min_length=1)] = ["latin"]
    """Pages in languages with these letters preload the file."""
    unicode_range: Annotated[str, StringConstraints(pattern=r"^U\+[0-9A-Fa-f?U+, -]+$")] | None = None

    @field_validator("file", mode="before")
    @classmethod
    def _read(cls, value: object, info: ValidationInfo) -> object:
        return _read_file(value, info, ".woff2", most=MOST_FONT_BYTES)


class Fonts(BrandModel):
    family: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9 _-]{0,60}$")] = ""
    files: list[FontFile] = []

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if bool(self.family) != bool(self.files):
            raise ValueError("family and files belong together; set both, or neither for the default fonts")
        return self


class Brand(BrandModel):
    colours: Colours = Colours()
    logo: Logo = Logo()
    icon: Icon = Icon()
    motif: Literal["chart", "dots", "none"] = "chart"
    """Background pattern of dark sections and sharing images, different on every page."""
    fonts: Fonts = Fonts()

    @cached_property
    def digest(self) -> str:
        """Changes with any value or file of the brand."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:24]

    @property
    def file_names(self) -> list[str]:
        """Names of the files that the brand consists of, next to ``brand.toml``."""
        files = [self.logo.file, self.icon.file, *(font.file for font in self.fonts.files)]
        return [file.name for file in files if file]
