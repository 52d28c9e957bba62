"""The only reader of the environment: typed fields with help texts, all problems at once, frozen after start."""

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
)


class Env(BaseModel):
    """Settings of one process. Each field is read from ``PORTOLAN_<NAME>`` unless an alias says otherwise.

    It does not use pydantic-settings, which does the same but adds a tenth of a second to the start of every command.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True, extra="ignore")

    def __init__(self, **values: Any) -> None:
        super().__init__(**{**_read_environment(type(self).model_fields), **values})

    environment: Environment = Field("local", description="Which of the registry's origins are used.")
    host: str = Field("127.0.0.1", min_length=1, description="Address that serve, edge, API and studio listen on.")
    port: int = Field(8000, ge=1, le=65535, description="Port everything is served on.")
    sites_file: Path = Field(
        default_factory=lambda: find_sites_file(Path.cwd()),
        description="The registry file; the nearest `sites.toml` in this folder or above where not given.",
    )
    var_dir: Path = Field(
        default_factory=lambda values: values["sites_file"].absolute().parent / "var",
        description="Where the database, media, builds and leads' files are kept; beside the registry file where not given.",
    )
    web_dist: Path = Field(
        default_factory=lambda values: find_web_dist(values["var_dir"]),
        description="The web build; `web` in the var directory where `portolan build` has made one, else the package's own, or of "
        "a checkout `web/dist`, where not given.",
    )
    secret_key: str = Field("", description="Django's secret key; made and kept in the var directory where empty.")
    database_url: str = Field(
        "",
        alias="DATABASE_URL",
        description="`sqlite:///path` or `postgres://…`; SQLite in the var directory where empty.",
    )
    media_storage: str = Field(
        "",
        description="Where machines share what editors upload: `s3://bucket/prefix`, `gs://…`, `az://…` or `file:///folder`; in "
        "the var directory where empty.",
    )
    leads_storage: str = Field(
        "",
        description="Where machines share the files of leads: `s3://bucket/prefix` or `file:///folder`; in the var directory "
        "where empty.",
    )
    build_store: str = Field(
        "",
        description="Where machines share what is published: `s3://bucket/prefix`, `gs://…`, `az://…` or `file:///folder`; "
        "it stays on this machine where empty.",
    )
    backup_key: str = Field(
        "",
        description="Keys of age that backups are encrypted for (`age1…`) and read with (`AGE-SECRET-KEY-1…`), with spaces "
        "between; not encrypted where empty.",
    )
    leads_key: str = Field(
        "",
        description="Keys that what people write in forms is encrypted with in the database, with spaces between: the first one "
        "encrypts, all decrypt; not encrypted where empty. `portolan leads new-key` makes one.",
    )
    signing_key_file: Path | None = Field(
        None,
        description="The publisher's private key (Ed25519, PEM), with which builds are signed; they are not where not given.",
    )
    publisher_keys_file: Path | None = Field(
        None,
        description="Public keys of publishers (PEM, one or several): a build that none of them has signed is not served, nor "
        "followed. That of `PORTOLAN_SIGNING_KEY_FILE` is one of them.",
    )
    render_workers: int = Field(
        0, ge=0, le=64, description="Render workers of a publish; one per core, at most 4, where 0."
    )
    ray_address: str = Field(
        "",
        description="Of the Ray cluster that renders large publishes: `host:port`, or `ray://host:port` where this machine is no "
        "node of it; this machine renders everything where empty.",
    )
    ray_from_pages: int = Field(
        5000, ge=1, description="Pages of a publish from which on the cluster renders it; fewer are quicker here."
    )

    api_limit_per_minute: int = Field(
        1000, ge=0, description="Requests a minute that one client may send to the API; no limit where 0."
    )
    api_miss_limit_per_minute: int | None = Field(
        None,
        ge=0,
        description="Of those, how many may ask for a reply that nobody has asked for before; 240, or 1,000 in `local`, "
        "where not given.",
    )
    email_limit_per_minute: int | None = Field(
        None, ge=0, description="E-mail checks a minute of one client; 10, or 1,000 in `local`, where not given."
    )
    views_limit_per_minute: int | None = Field(
        None, ge=0, description="Article views a minute of one client; 60, or 1,000 in `local`, where not given."
    )
    leads_limit_per_minute: int | None = Field(
        None,
        ge=0,
        description="Leads a minute of one client that are not flagged; 5, or 1,000 in `local`, where not given.",
    )
    lead_flood_per_minute: int | None = Field(
        None,
        ge=0,
        description="Leads a minute of one client that are stored; 60, or 1,000 in `local`, where not given.",
    )
    consent_limit_per_minute: int | None = Field(
        None,
        ge=0,
        description="Choices about cookies a minute of one client that are recorded; 10, or 1,000 in `local`, where not given.",
    )
    consent_kept_months: int = Field(
        36, ge=1, le=1200, description="How long `portolan consent purge` leaves records of choices about cookies."
    )
    leads_kept_months: int = Field(
        12, ge=1, le=1200, description="How long leads are kept; then their personal data and files are erased."
    )
    sign_ins_kept_days: int = Field(
        90, ge=1, le=3650, description="How long the log of sign-ins to the studio is kept."
    )
    views_without_repeats: bool = Field(
        False,
        description="Leave out of article views known bots, and repeats of one client and article within 30 minutes.",
    )
    smtp_url: str = Field(
        "",
        description="The mail server that e-mails about leads are sent through: `smtp://user:password@host:587` (encrypted by "
        "STARTTLS where a password is given, or the server offers it) or `smtps://…`; none where empty.",
    )
    log: Literal["text", "json"] = Field(
        "text", description="How processes log: for people, or a JSON document a line."
    )
    access_log: Literal["off", "short-address", "no-address"] = Field(
        "off",
        description="Whether each request is logged: with the client's network (24 bits of IPv4, 48 of IPv6), or without.",
    )
    metrics_token: str = Field(
        "", description="What Prometheus has to bring (`Authorization: Bearer …`); nothing where empty."
    )
    metrics: str = Field(
        "",
        description="`address:port` at which Prometheus is answered (`/-/metrics`); nowhere where empty. An address that is not "
        "loopback needs `PORTOLAN_METRICS_TOKEN`.",
    )
    otlp_endpoint: str = Field(
        "",
        alias="OTEL_EXPORTER_OTLP_ENDPOINT",
        description="Where traces of publishes go, by OTLP over HTTP, e.g. `http://127.0.0.1:4318`; nowhere where empty.",
    )
    sentry_dsn: str = Field(
        "", description="The DSN of the Sentry project that is told of errors; nobody is where empty."
    )
    alert_after_s: int | None = Field(
        None,
        ge=0,
        le=86_400,
        description="Seconds from an edit's save after which somebody is told that it is not live; nobody where 0; as "
        "`[alerts]` in the registry says where not given.",
    )
    email_dns: str = Field(
        "",
        description="Who is asked whether a domain takes mail: nobody where empty, the machine's own name servers "
        "(`system`), or others, as `address` or `address:port` with commas between.",
    )
    idle_work: bool = Field(
        True,
        description="Whether processors that nobody else wants make better compressed copies of what is live, and read builds "
        "again for damage.",
    )
    oidc_issuer: str = Field(
        "",
        description="Issuer of the OpenID Connect provider by which people may sign in to the studio, `https://…`; nobody may "
        "where empty.",
    )
    oidc_client_id: str = Field("", description="The name by which the provider knows the studio.")
    oidc_client_secret: str = Field("", description="The secret that goes with it; a public client where empty.")
    oidc_name: str = Field("your company's account", description="What the button says: Sign in with …")
    oidc_trusts_emails: bool = Field(
        False, description="Whether an address that the provider does not call verified may accept an invitation."
    )
    oidc_groups: str = Field(
        "",
        description="Which group of the studio follows from which of the provider's, `web-team=Editors · all sites; germany=Publishers · Deutschland`; "
        "groups are the studio's own where empty.",
    )
    antivirus: str = Field(
        "",
        description="ClamAV's daemon, which is shown the files of leads: `unix:///run/clamav/clamd.ctl` or `tcp://host:3310`; "
        "nobody looks at them where empty.",
    )
    cache_url: str = Field(
        "",
        alias="CACHE_URL",
        description="`redis://…` of a cache that several processes share; each has its own where empty.",
    )
    trusted_proxies: str = Field(
        "",
        description="Addresses or networks of proxies in front, with commas between: what their `X-Forwarded-For` "
        "says of a client is believed.",
    )

    api_url: str = Field(
        "",
        description="Where `portolan edge` passes the API's requests on to: `http://host:port`; nowhere where empty.",
    )
    studio_url: str = Field("", description="The same for the studio's requests.")
    preview_host: str | None = Field(
        None,
        description="The name below which previews have hosts of their own, e.g. `preview.example.com` with a wildcard name and "
        "certificate for `*.preview.example.com`; `preview.localhost` in `local`, no such previews elsewhere, where not given.",
    )

    silent_after_s: float = Field(
        20, ge=4, le=600, description="A process that has not answered its supervisor for so many seconds is restarted."
    )

    country_header: str = Field(
        "", description="Header in which trusted proxies name the visitor's country, e.g. `CF-IPCountry`."
    )
    country_file: Path | None = Field(
        None, description="A MaxMind-format file (MMDB) of networks and their countries; read again when it changes."
    )

    # Of one setting they run in this order.
    _packages = field_validator(*EXTRAS)(has_its_package)
    _networks = field_validator("trusted_proxies")(networks.are_networks)
    _metrics = field_validator("metrics")(networks.is_listener_with_token)
    _name_servers = field_validator("email_dns")(networks.are_name_servers)
    _origins = field_validator("api_url", "studio_url")(networks.is_origin)
    _preview_host = field_validator("preview_host")(networks.is_host_name)
    _cluster = field_validator("ray_address")(networks.is_cluster)
    _issuer = field_validator("oidc_issuer")(networks.is_issuer)
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
        """What builds are signed with, and whose are believed. Raises KeyFileError."""
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
        """None: the DNS is not used. An empty list: the machine's own name servers."""
        if self.email_dns in ("", SYSTEM_DNS):
            return [] if self.email_dns else None
        return [read_name_server(server) for server in split_list(self.email_dns)]

    @property
    def mail_server(self) -> MailServer | None:
        return read_mail_server(self.smtp_url) if self.smtp_url else None

    @property
    def single_sign_on(self) -> Provider | None:
        """None: people sign in with passwords and passkeys alone."""
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
        """Seconds; 0: nobody is told."""
        return self.registry.alerts.after_s if self.alert_after_s is None else self.alert_after_s

    @property
    def alerts_file(self) -> Path:
        """What has been told already."""
        return self.var_dir / "alerts.json"

    @property
    def secrets(self) -> dict[str, str]:
        """The secrets whose variables the registry names, as far as they are set."""
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
        """This machine's copies of media that are kept elsewhere."""
        return self.var_dir / "cache" / "media"

    @property
    def media_folders(self) -> list[Path]:
        """Where the files themselves may be on this machine. With a storage they are there alone: what lies in the folder
        from before may have been replaced."""
        return [] if self.media_storage else [self.media_dir]

    @property
    def project(self) -> Path:
        """The company's folder: where its registry lies."""
        return self.sites_file.absolute().parent

    @property
    def public_dir(self) -> Path:
        """Files that every site serves under their own names."""
        return self.project / "public"

    @property
    def web_cache(self) -> Path:
        """Where web builds with the company's brand are kept."""
        return self.var_dir / "cache" / "web"

    @property
    def preview_domain(self) -> str:
        """What hosts of previews end with, as ``Host`` headers name it; empty where there are none. Visitors reach them as they
        reach the studio: by the same scheme and port, which an edge without a registry takes to be the usual ones. Raises
        RegistryError where a host of the registry would be one of them."""
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
                    f"{name} would be a preview, because PORTOLAN_PREVIEW_HOST is {host}. Give previews a name of their own, "
                    "such as preview.example.com."
                )
                raise RegistryError(self.sites_file, [problem])
        return host if studio.port is None else f"{host}:{studio.port}"

    @property
    def wake_socket(self) -> Path:
        """Datagram socket the publisher listens on; a byte sent there wakes it."""
        return self.var_dir / "publisher.sock"

    @property
    def upgrade_lock(self) -> Path:
        """Held by the upgrade that is at work."""
        return self.var_dir / "upgrade.lock"

    @property
    def leads_socket(self) -> Path:
        """The same for the delivery of leads."""
        return self.var_dir / "leads.sock"

    @property
    def registry(self) -> "Registry":
        from ..sites.load import load_registry  # its schemas take longer to load than all settings

        registry = load_registry(self.sites_file)
        if registry.plugins and str(self.project) not in sys.path:
            sys.path.append(str(self.project))  # last: a folder there replaces no package that is installed
        return registry


def _read_environment(fields: Mapping[str, FieldInfo]) -> dict[str, str]:
    names = {name: field.alias or f"PORTOLAN_{name.upper()}" for name, field in fields.items()}
    return {name: os.environ[variable] for name, variable in names.items() if variable in os.environ}


@lru_cache(maxsize=1)
def env() -> Env:
    """This process's settings. If they cannot be used, it ends the process with a readable list of problems."""
    try:
        return Env()
    except ValidationError as error:
        print("The environment's settings cannot be used, so nothing was started:", file=sys.stderr)  # noqa: T201
        for detail in error.errors():
            given = str(detail["loc"][0])
            field = Env.model_fields.get(given)
            name = (field.alias if field else given) or f"PORTOLAN_{given.upper()}"
            shown = "…" if name in _WITH_PASSWORDS else repr(detail["input"])
            print(f"  {name}={shown}: {detail['msg']}", file=sys.stderr)  # noqa: T201
        raise SystemExit(2) from None
