"""The only reader of the environment: typed fields with help texts, all problems at once, immutable after the start."""

import os
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic.fields import FieldInfo

from ..domain.client_limits import LOCAL_LIMITS, PUBLIC_LIMITS, ClientLimits
from ..domain.mail_server import MailServer, read_mail_server
from ..domain.name_servers import NameServer, read_name_server
from ..domain.scanner_address import ScannerAddress, read_scanner_address
from ..domain.single_sign_on import Provider, read_groups
from ..schemas.codes import Environment
from .checks import keys, networks, stores
from .checks.keys import load_keys_once
from .checks.networks import SYSTEM_DNS, split_list
from .checks.packages import EXTRAS, has_its_package
from .project import find_sites_file, find_web_dist

if TYPE_CHECKING:
    from ..builds.signing import Keys
    from ..sites.registry import Registry

_WITH_PASSWORDS: Final = (
    "DATABASE_URL",
    "CACHE_URL",
    "PORTOLAN_SMTP_URL",
    "PORTOLAN_SECRET_KEY",
    "PORTOLAN_METRICS_TOKEN",
    "PORTOLAN_SENTRY_DSN",
    "PORTOLAN_BACKUP_KEY",
    "PORTOLAN_LEADS_KEY",
    "PORTOLAN_OIDC_CLIENT_SECRET",
    "PORTOLAN_MACHINE_TRANSLATION_KEY",
)


class Env(BaseModel):
    """Settings of one process. Each field is read from ``PORTOLAN_<NAME>`` unless it has an alias.

    pydantic-settings does the same, but would add a tenth of a second to the start of every command.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True, extra="ignore")

    def __init__(self, **values: Any) -> None:
        super().__init__(**{**_read_environment(type(self).model_fields), **values})

    environment: Environment = Field(
        "local", description="Environment whose origins in the site configuration are used."
    )
    host: str = Field("127.0.0.1", min_length=1, description="Address that serve, edge, API and studio listen on.")
    port: int = Field(8000, ge=1, le=65535, description="Port of the server.")
    sites_file: Path = Field(
        default_factory=lambda: find_sites_file(Path.cwd()),
        description="Site configuration. Default: the nearest `sites.toml` in this folder or above.",
    )
    var_dir: Path = Field(
        default_factory=lambda values: values["sites_file"].absolute().parent / "var",
        description="Folder of database, media, builds and leads' files. Default: next to the site configuration.",
    )
    web_dist: Path = Field(
        default_factory=lambda values: find_web_dist(values["var_dir"]),
        description="Web build. Default: `web` in the var directory if `portolan build` has created it, else the package's, or "
        "`web/dist` in a checkout.",
    )
    secret_key: str = Field("", description="Django's secret key. Default: created in the var directory.")
    database_url: str = Field(
        "",
        alias="DATABASE_URL",
        description="`sqlite:///path` or `postgres://…`. Default: SQLite in the var directory.",
    )
    media_storage: str = Field(
        "",
        description="Shared storage of uploads: `s3://bucket/prefix`, `gs://…`, `az://…` or `file:///folder`. Default: the "
        "var directory.",
    )
    leads_storage: str = Field(
        "",
        description="Shared storage of leads' files: `s3://bucket/prefix` or `file:///folder`. Default: the var directory.",
    )
    build_store: str = Field(
        "",
        description="Shared storage of builds: `s3://bucket/prefix`, `gs://…`, `az://…` or `file:///folder`. Default: this "
        "machine only.",
    )
    backup_key: str = Field(
        "",
        description="age keys that encrypt (`age1…`) and decrypt (`AGE-SECRET-KEY-1…`) backups, separated by spaces. Default: "
        "not encrypted.",
    )
    leads_key: str = Field(
        "",
        description="Keys for form fields in the database, separated by spaces. The first one encrypts, all decrypt. Default: "
        "not encrypted. Create one: `portolan leads new-key`",
    )
    signing_key_file: Path | None = Field(
        None,
        description="The publisher's private key (Ed25519, PEM), which signs builds. Default: builds are not signed.",
    )
    publisher_keys_file: Path | None = Field(
        None,
        description="Publishers' public keys (PEM, one or more). Only builds signed with one of them are served and followed. "
        "The key of `PORTOLAN_SIGNING_KEY_FILE` is included.",
    )
    render_workers: int = Field(0, ge=0, le=64, description="Render workers of a publish. 0: one per core, at most 4.")
    ray_address: str = Field(
        "",
        description="Ray cluster for large publishes: `host:port`, or `ray://host:port` if this machine is not one of its "
        "nodes. Default: this machine renders everything.",
    )
    ray_from_pages: int = Field(
        5000, ge=1, description="Smallest number of pages that the cluster renders. Fewer are faster on this machine."
    )

    api_limit_per_minute: int = Field(1000, ge=0, description="API requests per minute and client. 0: no limit.")
    api_miss_limit_per_minute: int | None = Field(
        None,
        ge=0,
        description="API requests per minute and client that no cache can answer. Default: 240, or 1,000 in `local`.",
    )
    email_limit_per_minute: int | None = Field(
        None, ge=0, description="E-mail checks per minute and client. Default: 10, or 1,000 in `local`."
    )
    views_limit_per_minute: int | None = Field(
        None, ge=0, description="Article views per minute and client. Default: 60, or 1,000 in `local`."
    )
    leads_limit_per_minute: int | None = Field(
        None,
        ge=0,
        description="Leads per minute and client without a flag. Default: 5, or 1,000 in `local`.",
    )
    lead_flood_per_minute: int | None = Field(
        None,
        ge=0,
        description="Stored leads per minute and client. Default: 60, or 1,000 in `local`.",
    )
    consent_limit_per_minute: int | None = Field(
        None,
        ge=0,
        description="Recorded cookie choices per minute and client. Default: 10, or 1,000 in `local`.",
    )
    consent_kept_months: int = Field(
        36, ge=1, le=1200, description="Months for which `portolan consent purge` keeps records of cookie choices."
    )
    leads_kept_months: int = Field(
        12, ge=1, le=1200, description="Months for which leads are kept. Then their personal data and files are erased."
    )
    sign_ins_kept_days: int = Field(90, ge=1, le=3650, description="Days for which the log of studio sign-ins is kept.")
    views_without_repeats: bool = Field(
        False,
        description="Do not count article views by known bots, or repeats of a client and article within 30 minutes.",
    )
    smtp_url: str = Field(
        "",
        description="Mail server: `smtp://user:password@host:587` (with STARTTLS if there is a password or the server "
        "supports it) or `smtps://…`. Default: none.",
    )
    log: Literal["text", "json"] = Field(
        "text", description="Format of logs: text, or JSON with one document per line."
    )
    access_log: Literal["off", "short-address", "no-address"] = Field(
        "off",
        description="Log each request: with the client's network (24 bits of IPv4, 48 of IPv6), or without.",
    )
    metrics_token: str = Field(
        "", description="Token that Prometheus must send (`Authorization: Bearer …`). Default: none."
    )
    metrics: str = Field(
        "",
        description="`address:port` of `/-/metrics` for Prometheus. Default: off. An address that is not "
        "loopback needs `PORTOLAN_METRICS_TOKEN`.",
    )
    otlp_endpoint: str = Field(
        "",
        alias="OTEL_EXPORTER_OTLP_ENDPOINT",
        description="Receiver of publish traces, by OTLP over HTTP, such as `http://127.0.0.1:4318`. Default: none.",
    )
    sentry_dsn: str = Field("", description="DSN of the Sentry project for errors. Default: none.")
    alert_after_s: int | None = Field(
        None,
        ge=0,
        le=86_400,
        description="Seconds after which an edit that is not live triggers an alert. 0: no alerts. Default: `[alerts]` in "
        "the site configuration.",
    )
    email_dns: str = Field(
        "",
        description="Name servers for checks of e-mail domains: the machine's own (`system`), or `address` or `address:port`, "
        "separated by commas. Default: no checks.",
    )
    idle_work: bool = Field(
        True,
        description="Use idle CPU time to compress live files better, and to check builds for damage.",
    )
    oidc_issuer: str = Field(
        "",
        description="Issuer of the OpenID Connect provider for studio sign-ins, `https://…`. Default: no single sign-on.",
    )
    oidc_client_id: str = Field("", description="Client ID of the studio at the provider.")
    oidc_client_secret: str = Field("", description="Client secret. Default: a public client.")
    oidc_name: str = Field("your company's account", description="Label of the button: Sign in with …")
    oidc_trusts_emails: bool = Field(
        False, description="Accept invitations for e-mail addresses that the provider has not verified."
    )
    machine_translation_key: str = Field(
        "", description="Key of the translation service. LibreTranslate may need none."
    )
    machine_translation: str = Field(
        "",
        description="Service that drafts translations: `deepl`, or the `https://` URL of a LibreTranslate server. Default: none.",
    )
    oidc_groups: str = Field(
        "",
        description="Studio groups by provider groups: `web-team=Editors · all sites; germany=Publishers · Deutschland`. "
        "Default: groups are managed in the studio.",
    )
    antivirus: str = Field(
        "",
        description="ClamAV daemon that scans leads' files: `unix:///run/clamav/clamd.ctl` or `tcp://host:3310`. "
        "Default: none.",
    )
    cache_url: str = Field(
        "",
        alias="CACHE_URL",
        description="`redis://…` of a cache that processes share. Default: one cache per process.",
    )
    trusted_proxies: str = Field(
        "",
        description="Addresses or networks of proxies, separated by commas. Their `X-Forwarded-For` is trusted.",
    )

    api_url: str = Field(
        "",
        description="URL to which `portolan edge` forwards API requests: `http://host:port`. Default: none.",
    )
    studio_url: str = Field("", description="URL to which `portolan edge` forwards studio requests. Default: none.")
    preview_host: str | None = Field(
        None,
        description="Parent domain of preview hosts, such as `preview.example.com`, with DNS and certificate for "
        "`*.preview.example.com`. Default: `preview.localhost` in `local`, else no preview hosts.",
    )

    silent_after_s: float = Field(
        20, ge=4, le=600, description="Seconds without a sign of life after which a process is restarted."
    )

    country_header: str = Field(
        "", description="Header in which trusted proxies send the visitor's country, such as `CF-IPCountry`."
    )
    country_file: Path | None = Field(
        None, description="MaxMind file (MMDB) of networks and their countries. It is read again when it changes."
    )

    # For one setting, they run in this order.
    _packages = field_validator(*EXTRAS)(has_its_package)
    _networks = field_validator("trusted_proxies")(networks.are_networks)
    _metrics = field_validator("metrics")(networks.is_listener_with_token)
    _name_servers = field_validator("email_dns")(networks.are_name_servers)
    _origins = field_validator("api_url", "studio_url")(networks.is_origin)
    _preview_host = field_validator("preview_host")(networks.is_host_name)
    _cluster = field_validator("ray_address")(networks.is_cluster)
    _issuer = field_validator("oidc_issuer")(networks.is_issuer)
    _translation = field_validator("machine_translation")(networks.is_translation_service)
    _key_files = field_validator("signing_key_file", "publisher_keys_file")(keys.is_key_file)
    _leads_keys = field_validator("leads_key")(keys.are_keys_of_leads)
    _stores = field_validator("build_store", "media_storage")(stores.is_store)
    _storage_of_leads = field_validator("leads_storage")(stores.is_storage_of_leads)
    _redis = field_validator("cache_url")(stores.is_redis)

    @field_validator("antivirus")
    @classmethod
    def _is_scanner(cls, value: str) -> str:
        if value:
            read_scanner_address(value)
        return value

    @field_validator("oidc_groups")
    @classmethod
    def _are_groups(cls, value: str) -> str:
        read_groups(value)
        return value

    @field_validator("smtp_url")
    @classmethod
    def _is_mail_server(cls, value: str) -> str:
        if value:
            read_mail_server(value)
        return value

    @property
    def keys(self) -> "Keys":
        """Return the keys that sign builds and those that are trusted. Raise KeyFileError."""
        return load_keys_once(self.signing_key_file, self.publisher_keys_file)

    @property
    def client_limits(self) -> ClientLimits:
        usual = LOCAL_LIMITS if self.environment == "local" else PUBLIC_LIMITS
        given = (
            self.email_limit_per_minute,
            self.views_limit_per_minute,
            self.leads_limit_per_minute,
            self.lead_flood_per_minute,
            self.consent_limit_per_minute,
            self.api_miss_limit_per_minute,
        )
        return ClientLimits(*(limit if own is None else own for own, limit in zip(given, usual, strict=True)))

    @property
    def name_servers(self) -> list[NameServer] | None:
        """Return the name servers; ``None``: no DNS; an empty list: the machine's own."""
        if self.email_dns in ("", SYSTEM_DNS):
            return [] if self.email_dns else None
        return [read_name_server(server) for server in split_list(self.email_dns)]

    @property
    def mail_server(self) -> MailServer | None:
        return read_mail_server(self.smtp_url) if self.smtp_url else None

    @property
    def single_sign_on(self) -> Provider | None:
        """Return the provider; None: only passwords and passkeys."""
        if not self.oidc_issuer:
            return None
        return Provider(
            self.oidc_issuer,
            self.oidc_client_id,
            self.oidc_client_secret,
            self.oidc_name,
            self.oidc_trusts_emails,
            read_groups(self.oidc_groups),
        )

    @property
    def leads_keys(self) -> tuple[str, ...]:
        return tuple(self.leads_key.split())

    @property
    def leads_scanner(self) -> ScannerAddress | None:
        return read_scanner_address(self.antivirus) if self.antivirus else None

    @property
    def alert_after(self) -> int:
        """Return seconds; 0: no alerts."""
        return self.registry.alerts.after_s if self.alert_after_s is None else self.alert_after_s

    @property
    def alerts_file(self) -> Path:
        """Return the file with alerts that were sent."""
        return self.var_dir / "alerts.json"

    @property
    def secrets(self) -> dict[str, str]:
        """Return the secrets that the site configuration names and the environment has."""
        return {name: os.environ[name] for name in self.registry.secret_names if os.environ.get(name)}

    @property
    def leads_dir(self) -> Path:
        return self.var_dir / "leads"

    @property
    def proxies(self) -> list[str]:
        return split_list(self.trusted_proxies)

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
    def media_copies(self) -> Path:
        """Return the folder with copies of media in a storage."""
        return self.var_dir / "cache" / "media"

    @property
    def media_folders(self) -> list[Path]:
        """Return the folders with original media. With a storage there are none, because older files may be outdated."""
        return [] if self.media_storage else [self.media_dir]

    @property
    def project(self) -> Path:
        """Return the company's folder, which has the site configuration."""
        return self.sites_file.absolute().parent

    @property
    def public_dir(self) -> Path:
        """Return the folder with files that every site serves under their own names."""
        return self.project / "public"

    @property
    def web_cache(self) -> Path:
        """Return the folder with web builds that include the company's brand."""
        return self.var_dir / "cache" / "web"

    @property
    def preview_domain(self) -> str:
        """Return the end of preview hosts in ``Host`` headers; empty: no preview hosts.

        Scheme and port are the studio's; an edge without site configuration uses the default port. Raise RegistryError
        if a host in the site configuration is a preview host.
        """
        host = self.preview_host
        if host is None:
            host = "preview.localhost" if self.environment == "local" else ""
        if not host:
            return ""
        if not self.sites_file.exists():
            return f"{host}:{self.port}" if self.environment == "local" else host
        studio = urlsplit(self.registry.studio_origin(self.environment, self.port))
        sites = (site.origin(self.environment, self.port) for site in self.registry.sites.values())
        for origin in (studio.geturl(), *sites):
            name = urlsplit(origin).hostname or ""
            if name == host or name.endswith(f".{host}"):
                from ..sites.load import RegistryError

                problem = (
                    f"{name} would be a preview, because PORTOLAN_PREVIEW_HOST is {host}. Use another domain for previews, "
                    "such as preview.example.com"
                )
                raise RegistryError(self.sites_file, [problem])
        return host if studio.port is None else f"{host}:{studio.port}"

    @property
    def wake_socket(self) -> Path:
        """Return the publisher's datagram socket. A byte wakes the publisher."""
        return self.var_dir / "publisher.sock"

    @property
    def upgrade_lock(self) -> Path:
        """Return the file that a running upgrade locks."""
        return self.var_dir / "upgrade.lock"

    @property
    def leads_socket(self) -> Path:
        """Return the datagram socket of lead delivery."""
        return self.var_dir / "leads.sock"

    @property
    def added_sites_file(self) -> Path:
        """Return the file with this machine's copy of the sites that were added in the studio."""
        return self.var_dir / "added-sites.json"

    @property
    def registry(self) -> "Registry":
        from ..sites.load import load_registry  # here, because its schemas take longer to load than all settings

        registry = load_registry(self.sites_file, self.added_sites_file)
        if registry.plugins and str(self.project) not in sys.path:
            sys.path.append(str(self.project))  # last, so that no folder there replaces an installed package
        return registry


def _read_environment(fields: Mapping[str, FieldInfo]) -> dict[str, str]:
    names = {name: field.alias or f"PORTOLAN_{name.upper()}" for name, field in fields.items()}
    return {name: os.environ[variable] for name, variable in names.items() if variable in os.environ}


@lru_cache(maxsize=1)
def env() -> Env:
    """Return this process's settings. If they are invalid, print all problems and exit."""
    try:
        return Env()
    except ValidationError as error:
        print("The environment's settings are invalid. Nothing was started:", file=sys.stderr)  # noqa: T201
        for detail in error.errors():
            given = str(detail["loc"][0])
            field = Env.model_fields.get(given)
            name = (field.alias if field else given) or f"PORTOLAN_{given.upper()}"
            shown = "…" if name in _WITH_PASSWORDS else repr(detail["input"])
            print(f"  {name}={shown}: {detail['msg']}", file=sys.stderr)  # noqa: T201
        raise SystemExit(2) from None
