"""The brand: colours, mark, icon, motif and fonts, as ``brand.toml`` beside the registry gives them."""

from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationInfo, field_validator, model_validator

from ..domain.contrast import SHAPES, contrast

BRAND_FILE = "brand.toml"
FOLDER = "folder"
"""Key of the validation context: the folder that files are named from."""
MOST_FONT_BYTES = 300_000
LEAST_ON_GROUND = 12.0
"""Contrast of white and the ground: what leaves room for the quieter colours of texts and lines."""

Colour = Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")]


class BrandModel(BaseModel):
    # A registry is handed on as JSON from process to process.
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")


class BrandFile(BrandModel):
    """A file beside ``brand.toml``, read when the brand is."""

    name: str
    data: bytes = Field(repr=False)

    @property
    def digest(self) -> str:
        return sha256(self.data).hexdigest()[:12]

    @classmethod
    def read(cls, name: str, folder: Path, most: int) -> Self:
        """Raises ValueError with what to do."""
        try:
            data = (folder / name).read_bytes()
        except OSError as error:
            raise ValueError(f"{name} cannot be read ({error.strerror}); paths are from brand.toml's folder") from error
        if len(data) > most:
            raise ValueError(f"{name} has {len(data):,} bytes and visitors wait for them; at most {most:,}")
        return cls(name=name, data=data)


def _read_file(value: object, info: ValidationInfo, ending: str, most: int) -> object:
    if not isinstance(value, str):
        return value
    if not value.endswith(ending):
        raise ValueError(f"{value!r} is no {ending} file; name one")
    return BrandFile.read(value, (info.context or {}).get(FOLDER, Path()), most)


class Colours(BrandModel):
    """Two colours, from which all others of the pages follow (``publisher/palette.py``)."""

    accent: Colour = "#ffdb00"
    """The thing to do next: one on a screen."""
    ground: Colour = "#020d1c"
    """The dark ground: opening sections, footer, icons, the browser's own bars."""

    @model_validator(mode="after")
    def _can_be_told_apart(self) -> Self:
        white = contrast("#ffffff", self.ground)
        if white < LEAST_ON_GROUND:
            raise ValueError(
                f"white on the ground {self.ground} has a contrast of {white:.1f}, and texts need {LEAST_ON_GROUND:g}; "
                "choose a darker ground"
            )
        accent = contrast(self.accent, self.ground)
        if accent < SHAPES:
            raise ValueError(
                f"the accent {self.accent} on the ground {self.ground} has a contrast of {accent:.1f}, and buttons need "
                f"{SHAPES:g}; choose a lighter accent"
            )
        return self


class Logo(BrandModel):
    file: BrandFile | None = None
    """A drawing (SVG); parts in ``currentColor`` follow the ground they stand on."""
    name_beside: bool = True
    """Whether the company's name stands beside it. ``false`` where the drawing has the name in it."""

    @field_validator("file", mode="before")
    @classmethod
    def _read(cls, value: object, info: ValidationInfo) -> object:
        return _read_file(value, info, ".svg", most=20_000)


class Icon(BrandModel):
    file: BrandFile | None = None
    """A square drawing (SVG) without a ground, for favicons and home screens; the logo where none is given."""

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
    """Pages in languages written with these ask for it early."""
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
            raise ValueError("family and files go together; give both, or neither for the fonts of the product")
        return self


class Brand(BrandModel):
    colours: Colours = Colours()
    logo: Logo = Logo()
    icon: Icon = Icon()
    motif: Literal["chart", "dots", "none"] = "chart"
    """What is drawn on dark sections and on pictures to share: every page has its own."""
    fonts: Fonts = Fonts()

    @cached_property
    def digest(self) -> str:
        """Changes with anything that the brand says or shows."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:24]

    @property
    def file_names(self) -> list[str]:
        """The files it was read with, beside ``brand.toml``, by their names there."""
        files = [self.logo.file, self.icon.file, *(font.file for font in self.fonts.files)]
        return [file.name for file in files if file]
