"""Read the settings of CDNs in front of the sites. They name environment variables instead of containing secrets."""

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from ..domain.cdn import CdnRules
from ..schemas.codes import Environment, SiteKey
from .destinations import SecretName

PurgeUrl = Annotated[str, StringConstraints(pattern=r"^https?://[a-z0-9.\[\]:-]+$", max_length=200)]


class _Cdn(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$", max_length=60)]
    sites: list[SiteKey] | None = None
    """Sites behind the CDN; none given: all."""
    environments: Annotated[list[Environment], Field(min_length=1)] = ["production"]
    country: Literal["cdn", "edge"]
    """Source of the visitor's country: docs/deploy/cdn.md."""
    kept_s: Annotated[int, Field(ge=1, le=31_536_000)] = 3600
    """Seconds to keep a response that is not purged. Purges are exact; this limits the effect of a lost one."""
    stale_s: Annotated[int, Field(ge=0, le=86_400)] = 60
    """Seconds to go on using a response while a new one is requested."""
    settle_s: Annotated[float, Field(ge=0, le=600)] = 5
    """Seconds after which everything is purged a second time. By then every edge has switched."""

    def stands_before(self, site: str, environment: Environment) -> bool:
        return environment in self.environments and (self.sites is None or site in self.sites)


class Cloudflare(_Cdn):
    kind: Literal["cloudflare"]
    zone: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    secret_env: SecretName
    """API token that may purge the zone."""


class Fastly(_Cdn):
    kind: Literal["fastly"]
    service: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{10,40}$")]
    secret_env: SecretName
    """API token with the scope ``purge_select``."""


class CloudFront(_Cdn):
    kind: Literal["cloudfront"]
    distribution: Annotated[str, StringConstraints(pattern=r"^[A-Z0-9]{8,20}$")]
    """Credentials come from the environment, as boto3 reads them."""


class HttpCache(_Cdn):
    """Varnish, nginx, Squid: any cache that accepts the method PURGE."""

    kind: Literal["http"]
    urls: Annotated[list[PurgeUrl], Field(min_length=1, max_length=50)]
    """URLs of the caches that accept purges."""


CdnSettings = Annotated[Cloudflare | Fastly | CloudFront | HttpCache, Field(discriminator="kind")]
Cdn = Cloudflare | Fastly | CloudFront | HttpCache


def cdn_of(cdns: Sequence[Cdn], site: str, environment: Environment) -> Cdn | None:
    return next((cdn for cdn in cdns if cdn.stands_before(site, environment)), None)


def rules_of(cdn: Cdn) -> CdnRules:
    return CdnRules(cdn.kind, cdn.country == "cdn", cdn.kept_s, cdn.stale_s)


def find_cdn_problems(cdns: Sequence[Cdn], sites: Collection[str]) -> Iterator[str]:
    """Yield the problems with their place and fix."""
    names = [cdn.name for cdn in cdns]
    known = ", ".join(sites)
    for number, cdn in enumerate(cdns):
        place = f"cdns.{number}"
        if names.index(cdn.name) != number:
            yield f"{place}.name: {cdn.name!r} is already used; give each CDN its own name"
        for site in cdn.sites or ():
            if site not in sites:
                yield f"{place}.sites: no site {site!r} (there are: {known}); use one of them"
        for environment in cdn.environments:
            for site in sites:
                first = cdn_of(cdns, site, environment)
                if cdn.stands_before(site, environment) and first is not cdn and first is not None:
                    yield f"{place}: {site} is already behind {first.name!r} in {environment}; use one CDN per site"
                    break
