"""Define codes of sites, languages, countries and purposes. A site key is not a language tag (``uk`` would be
Ukrainian)."""

from typing import Annotated, Literal

from pydantic import StringConstraints

SiteKey = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,12}$")]
"""Key of a site in the site configuration, e.g. ``en``, ``ae``."""

LanguageTag = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$")]
"""BCP 47 tag for ``lang``, e.g. ``de-DE``."""

CountryCode = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]
"""ISO 3166-1 alpha-2, lower case, e.g. ``gb``."""

Dir = Literal["ltr", "rtl"]

Environment = Literal["local", "staging", "production"]

ScriptPurpose = Literal["necessary", "ad_storage", "analytics_storage"]
"""Purpose of an external script. It is loaded after the visitor has agreed to the purpose; ``necessary`` scripts always
are."""
