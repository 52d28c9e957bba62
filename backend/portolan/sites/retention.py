"""Read the retention times for builds, releases, removed sites and deleted pages from the site configuration.

Leads and consent records have settings of the environment. All places: docs/where-is.md, Retention.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Retention(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    builds: Annotated[int, Field(ge=2, le=1_000)] = 20
    """Number of builds of each site that are kept at any age. `portolan rollback` can use them without rendering."""
    build_days: Annotated[int, Field(ge=0, le=3_650)] = 7
    """Days for which all builds are kept."""
    release_days: Annotated[int, Field(ge=0, le=36_500)] = 0
    """Days for which releases can be restored, compared and reverted; 0: for ever. Redirects from old URLs stay in any
    case."""
    left_site_days: Annotated[int, Field(ge=1, le=3_650)] = 30
    """Number of days on which a publisher found a site missing in the site configuration, before its published files
    are removed."""
    deleted_page_days: Annotated[int, Field(ge=0, le=3_650)] = 30
    """Days for which deleted pages can be restored from the trash; 0: until they are removed by hand."""
