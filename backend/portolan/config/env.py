"""The only reader of the environment: typed fields with help texts, all problems at once, frozen after start."""

import os
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from ..shapes.codes import Environment
from ..sites.load import load_registry
from ..sites.registry import Registry

ROOT: Final = Path(__file__).resolve().parents[3]


class Env(BaseModel):
    """Settings of one process. Each field is read from ``PORTOLAN_<NAME>`` unless an alias says otherwise.

    Not pydantic-settings' class, which does the same in another tenth of a second at the start of every command.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True, extra="ignore")

    def __init__(self, **values: Any) -> None:
        super().__init__(**{**_read_environment(type(self).model_fields), **values})

    environment: Environment = Field("local", description="Which of the registry's origins are used.")
    port: int = Field(8000, ge=1, le=65535, description="Port everything is served on, on loopback.")
    sites_file: Path = Field(ROOT / "sites.toml", description="The registry file.")
    var_dir: Path = Field(ROOT / "var", description="Where the database, media, builds and logs are kept.")
    web_dist: Path = Field(ROOT / "web" / "dist", description="The web build (`npm run build` in web/ makes it).")
    secret_key: str = Field("", description="Django's secret key; made and kept in the var directory where empty.")
    database_url: str = Field(
        "",
        alias="DATABASE_URL",
        description="`sqlite:///path` or `postgres://…`; SQLite in the var directory where empty.",
    )
    render_workers: int = Field(
        0, ge=0, le=64, description="Render workers of a publish; one per core, at most 4, where 0."
    )

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{quote(str(self.var_dir / 'portolan.sqlite3'))}"

    @property
    def builds_dir(self) -> Path:
        return self.var_dir / "builds"

    @property
    def media_dir(self) -> Path:
        return self.var_dir / "media"

    @property
    def wake_socket(self) -> Path:
        """Datagram socket the publisher listens on; a byte sent there wakes it."""
        return self.var_dir / "publisher.sock"

    @property
    def registry(self) -> Registry:
        return load_registry(self.sites_file)


def _read_environment(fields: Mapping[str, FieldInfo]) -> dict[str, str]:
    names = {name: field.alias or f"PORTOLAN_{name.upper()}" for name, field in fields.items()}
    return {name: os.environ[variable] for name, variable in names.items() if variable in os.environ}


@lru_cache(maxsize=1)
def env() -> Env:
    """This process's settings. Ends the process with a readable list where they cannot be used."""
    try:
        return Env()
    except ValidationError as error:
        print("The environment's settings cannot be used, so nothing was started:", file=sys.stderr)  # noqa: T201
        for detail in error.errors():
            name = str(detail["loc"][0]).upper()
            name = name if name == "DATABASE_URL" else f"PORTOLAN_{name}"
            print(f"  {name}={detail['input']!r}: {detail['msg']}", file=sys.stderr)  # noqa: T201
        raise SystemExit(2) from None
