"""Define a visitor's cookie choice, as the browser sends it for storage (docs/privacy.md)."""

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from .base import Schema

POLICY_VERSION: Final = r"^[A-Za-z0-9.-]{1,20}$"


class Purposes(Schema):
    """The purposes that the visitor agreed to, with the names of Google's Consent Mode and the cookie."""

    ad_storage: Annotated[bool, Field(alias="ad_storage", strict=True)]
    analytics_storage: Annotated[bool, Field(alias="analytics_storage", strict=True)]


class SavedConsent(Purposes):
    """The value of the consent cookie, as the browser wrote it."""

    policy_version: Annotated[str, StringConstraints(pattern=POLICY_VERSION), Field(alias="policy_version")] = ""


class ConsentChoice(Schema):
    policy_version: Annotated[str, StringConstraints(pattern=POLICY_VERSION)]
    """Version of the cookies policy at the time of the choice."""
    text_hash: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    """First 32 hex digits of the SHA-256 of the texts that the visitor read."""
    choices: Purposes
    method: Literal["accept", "reject", "settings"]
    """The button of the banner, or the switches of the settings."""
