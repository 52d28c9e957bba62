"""Reading the registry file: every problem at once, each with file, key and mend."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from .registry import Registry


class RegistryError(Exception):
    """The registry cannot be used. ``problems`` has one line for each thing to mend."""

    def __init__(self, file: Path, problems: list[str]) -> None:
        self.file = file
        self.problems = problems
        count = f"{len(problems)} problem" + ("" if len(problems) == 1 else "s")
        lines = "".join(f"\n  {file.name}: {problem}" for problem in problems)
        super().__init__(f"{file} cannot be used, so nothing can be built or served: {count}.{lines}")


@lru_cache(maxsize=4)
def load_registry(file: Path) -> Registry:
    """The checked registry. Raises RegistryError with all problems."""
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RegistryError(
            file, [f"cannot be read ({error.strerror}); create it or set PORTOLAN_SITES_FILE"]
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RegistryError(file, [f"is not valid TOML: {error}"]) from error
    try:
        return Registry.model_validate(_with_keys(raw))
    except ValidationError as error:
        raise RegistryError(file, _problems(error)) from error


def _with_keys(raw: dict[str, Any]) -> dict[str, Any]:
    sites = raw.get("sites")
    if not isinstance(sites, dict):
        return raw
    return {**raw, "sites": {k: {"key": k, **v} if isinstance(v, dict) else v for k, v in sites.items()}}


def _problems(error: ValidationError) -> list[str]:
    problems = []
    for detail in error.errors():
        where = ".".join(str(part) for part in detail["loc"] if part != "[key]")
        if detail["type"] == "value_error" and not where:
            problems += str(detail["ctx"]["error"]).splitlines()
        elif detail["type"] == "missing":
            problems.append(f"{where}: is missing; add it")
        elif detail["type"] == "extra_forbidden":
            problems.append(f"{where}: is not a known key; remove it or correct its spelling")
        else:
            problems.append(f"{where}: {detail['msg']} (found {detail['input']!r})")
    return problems
