"""Read the destinations that leads are sent to. They name environment variables instead of containing secrets."""

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from ..schemas.codes import SiteKey

SecretName = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]{2,60}$")]
"""An environment variable that contains a secret."""
MailAddress = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._+-]+@[a-z0-9.-]+\.[a-z]+$", max_length=254)]
WebhookUrl = Annotated[
    str,
    StringConstraints(
        pattern=r"^https://([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?(:\d{1,5})?/[A-Za-z0-9._~!$&()*+,;=:@/?%-]*$",
        max_length=1000,
    ),
]
"""A host by name. Its network address is checked before sending."""
LeadValue = Literal[
    "id",
    "site",
    "form",
    "contact.name",
    "contact.email",
    "contact.phone",
    "contact.company",
    "message",
    "services",
    "team",
    "months",
    "price",
    "pageUrl",
    "firstVisitUrl",
    "sessionEntryUrl",
    "adClick",
    "country",
    "files",
]

HUBSPOT_FIELDS: Final[dict[str, LeadValue]] = {
    "email": "contact.email",
    "firstname": "contact.name",
    "phone": "contact.phone",
    "company": "contact.company",
    "message": "message",
}


class RegistryModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Receiver(RegistryModel):
    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$", max_length=60)]
    """Stored with every delivery: another name is another destination."""
    sites: list[SiteKey] | None = None
    """Sites whose leads go there; none given: all."""


class Webhook(Receiver):
    kind: Literal["webhook"]
    url: WebhookUrl
    secret_env: SecretName
    """Variable with ``whsec_…``, the key that signs messages. Two keys, separated by a space, during a change of
    keys."""


class Mailbox(Receiver):
    kind: Literal["email"]
    to: Annotated[list[MailAddress], Field(min_length=1, max_length=20)]


class Hubspot(Receiver):
    kind: Literal["hubspot"]
    portal: Annotated[int, Field(ge=1)]
    form: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    """ID of the form in the account."""
    secret_env: SecretName
    """Access token of a private app with the scope ``forms``."""
    fields: Annotated[dict[str, LeadValue], Field(min_length=1)] = HUBSPOT_FIELDS
    """Fields of the form, and the lead's value for each."""
    consent_text: Annotated[str, StringConstraints(min_length=1, max_length=1000)] | None = None
    """Text that visitors agree to with the form's checkbox, if the account records consent."""


DestinationSettings = Annotated[Webhook | Mailbox | Hubspot, Field(discriminator="kind")]


class LeadRules(RegistryModel):
    """Settings for leads of every site."""

    sender: MailAddress | None = None
    """Sender of e-mails about leads."""
    alarm_to: Annotated[list[MailAddress], Field(max_length=20)] = []
    """Receivers of e-mails about failed deliveries."""
    quarantine_score: Annotated[int, Field(ge=1, le=101)] = 60
    """Minimum score of leads in quarantine; 101: no lead is in quarantine because of its score."""


def find_destination_problems(
    destinations: Sequence[Webhook | Mailbox | Hubspot], rules: LeadRules, sites: Collection[str]
) -> Iterator[str]:
    """Yield the problems with their place and fix."""
    names = [destination.name for destination in destinations]
    known = ", ".join(sites)
    for number, destination in enumerate(destinations):
        place = f"destinations.{number}"
        if names.index(destination.name) != number:
            yield f"{place}.name: {destination.name!r} is already used; give each destination its own name"
        for site in destination.sites or ():
            if site not in sites:
                yield f"{place}.sites: no site {site!r} (there are: {known}); use one of them"
    if rules.sender is None and (rules.alarm_to or any(isinstance(one, Mailbox) for one in destinations)):
        yield "leads.sender: is missing; add the sender of e-mails about leads"
