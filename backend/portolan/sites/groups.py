"""Read groups of sites: sites that go live together and whose pages are translations of each other."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

GroupName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]

MAIN_GROUP: Final = ""
"""The group of the sites without ``group``."""
MOST_ALTERNATES: Final = 200
"""Maximum of ``hreflang`` values in a group. Each page lists them all, so the cost grows with their square."""


class Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    alternates: bool = True
    """Whether its sites have the same pages for different visitors. ``false``: each site is independent, and several
    may serve the same visitors."""
    publisher: Literal["shared", "own"] = "shared"
    """``own``: a separate process publishes these sites, ``portolan publisher --group NAME``."""


class Alternates(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    most_in_head: Annotated[int, Field(ge=0, le=MOST_ALTERNATES)] = 40
    """A page with more alternates lists them only in the sitemap."""
