"""Groups of sites, as the registry says them: sites that go live together, and whose pages are translations of each other."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

GroupName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]

MAIN_GROUP: Final = ""
"""The group of the sites that name none."""
MOST_ALTERNATES: Final = 200
"""``hreflang`` values of one group. Each page names them all, so what a group costs grows with their square."""


class Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    alternates: bool = True
    """Whether its sites have the same pages, each for other visitors. ``false``: each is on its own, and several may be for
    the same ones."""
    publisher: Literal["shared", "own"] = "shared"
    """``own``: a process of its own publishes these sites, ``portolan publisher --group NAME``."""


class Alternates(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    most_in_head: Annotated[int, Field(ge=0, le=MOST_ALTERNATES)] = 40
    """A page that has more of them names them in the sitemap alone."""
