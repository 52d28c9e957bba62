"""Django's settings. Values only come from ``env()`` and the site configuration, without ``if`` on the environment."""

from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import dj_database_url

from ..content.plugins import find_plugin_apps
from ..domain.picture_sizes import MOST_PIXELS
from ..domain.videos import FILM_KINDS
from ..observing.logs import logging_settings
from ..releases.postgres_limits import LIMITS, LONGEST_WAIT_S, TRIED_FOR_S
from ..sites.locale_codes import locales_of
from . import private_database
from .env import env
from .left_out import leave_out_content_api
from .mail import describe_mail
from .secret_key import load_secret_key
from .storages import describe_media, describe_storage

_env: Final = env()
_registry: Final = _env.registry
_studio: Final = _registry.studio_origin(_env.environment, _env.port)
_sites: Final = {key: site.origin(_env.environment, _env.port) for key, site in _registry.sites.items()}
_https: Final = _studio.startswith("https://")

DEBUG = False
SECRET_KEY = _env.secret_key or load_secret_key(_env.var_dir)
ROOT_URLCONF = "portolan.config.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SITES_REGISTRY = _registry  # company and sites, for content and releases
SITE_ORIGINS = _sites
SITES_FILE, ADDED_SITES_FILE = _env.sites_file, _env.added_sites_file  # for sites that are added in the studio
ENVIRONMENT, PORT, DATABASE_URL = _env.environment, _env.port, _env.database
PREVIEW_DOMAIN = _env.preview_domain
WAKE_SOCKET = _env.wake_socket
BUILDS_DIR = _env.builds_dir  # the studio shows editors the state of their changes
ENVIRONMENT, PORT = _env.environment, _env.port
WEB_DIST, WEB_CACHE, PUBLIC_DIR = _env.web_dist, _env.web_cache, _env.public_dir  # the studio renders previews
NODE_CACHE_DIR = _env.var_dir / "cache" / "node"
CLIENT_LIMITS = _env.client_limits
VIEWS_WITHOUT_REPEATS = _env.views_without_repeats
EMAIL_NAME_SERVERS = _env.name_servers
UPGRADE_LOCK = _env.upgrade_lock
LEADS_DIR = _env.leads_dir
LEADS_SOCKET = _env.leads_socket
SECRETS = _env.secrets
MAIL_SERVER = _env.mail_server
LEADS_SCANNER = _env.leads_scanner
LEADS_KEYS = _env.leads_keys
MACHINE_TRANSLATION = _env.machine_translation
MACHINE_TRANSLATION_KEY = _env.machine_translation_key
SINGLE_SIGN_ON = _env.single_sign_on
LEADS_KEPT_MONTHS = _env.leads_kept_months
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # a page of fourteen blocks has thousands of form fields

INSTALLED_APPS = [
    "portolan.studio",  # first: its templates come before Wagtail's
    "portolan.studio.previews.apps.PreviewsConfig",
    "portolan.accounts",
    "portolan.leads",
    "portolan.article_views",
    "portolan.consent_records",
    "portolan.retention",
    "portolan.translations",
    "portolan.releases",
    "portolan.content",
    "portolan.rights",
    "wagtail.contrib.settings",
    "wagtail.contrib.simple_translation",
    "wagtail.embeds",
    "wagtail.sites",
    "portolan.studio.people.apps.PeopleConfig",
    "wagtail.snippets",
    "portolan.studio.files.apps.DocumentsConfig",
    "portolan.studio.files.apps.PicturesConfig",
    "wagtail.search",
    "wagtail.admin",
    "wagtail",
    "modelcluster",
    "taggit",
    "django_filters",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
INSTALLED_APPS += find_plugin_apps(_registry.plugins, INSTALLED_APPS)
leave_out_content_api(INSTALLED_APPS)

MIDDLEWARE = [
    "portolan.studio.previews.host.AnswerPreviews",  # first: preview hosts have nothing else of the studio
    "django.middleware.security.SecurityMiddleware",
    "portolan.api.headers.ApiHeaders",
    "portolan.studio.content_policy.ContentPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "portolan.studio.fitting_database.RefuseWrongDatabase",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "portolan.studio.authors.NameAuthors",
    "portolan.studio.time_zones.ShowSiteTime",
    "portolan.studio.languages.SpeakAsBrowser",
    "portolan.studio.signing_in.still_here.HandBackUnsaved",
    "django.contrib.messages.middleware.MessageMiddleware",
    "portolan.studio.missing_plugins.LeaveMissingAlone",
    "portolan.studio.guard.GuardEntries",
    "portolan.studio.reading.ReadOnce",
    "portolan.studio.bad_requests.RefuseUnreadable",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Database ------------------------------------------------------------------------------------------------------------
# No ATOMIC_REQUESTS, because each GET would take SQLite's write lock. IMMEDIATE, because a transaction that reads first
# cannot wait for the lock and fails at once.
#
# PostgreSQL rejects its 101st connection, and each request runs in its own thread. So requests share a small pool and wait
# for a connection. If the database is down, a request fails within three seconds.


def _database(url: str) -> dict[str, Any]:
    settings: dict[str, Any] = {**dj_database_url.parse(url)}
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        settings["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # Erased data is overwritten, so that no text of a lead stays in the file's free pages.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON;",
        }
    else:
        pool = {"min_size": 1, "max_size": 20, "timeout": LONGEST_WAIT_S, "reconnect_timeout": TRIED_FOR_S}
        pool["max_idle"] = 60  # fewer dead connections to detect after a restart of the database
        settings["OPTIONS"] = {**LIMITS, **settings.get("OPTIONS", {}), "pool": pool}
        settings["CONN_HEALTH_CHECKS"] = True  # after a restart of the database, the pool's connections are dead
    return settings


DATABASES = {"default": _database(_env.database)}
private_database.connect()
# Wagtail's tasks after a save (usage counts, the studio's search) are short, so they run at once without a worker.
TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}}
WAGTAILSEARCH_BACKENDS = {"default": {"BACKEND": "portolan.content.page_search"}}

# For values that are kept for minutes: clients' limits, repeats, replies of name servers.
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "portolan.config.shared_cache.SharedCache",
        "LOCATION": _env.cache_url,
        "OPTIONS": {"socket_connect_timeout": 0.25, "socket_timeout": 0.25},
    }
    if _env.cache_url
    else {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 50_000},
    }
}

# Languages -----------------------------------------------------------------------------------------------------------
# One Wagtail locale per site, also if sites share a language. Django writes language codes in lower case.
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGES = list(locales_of(_registry).values())
LANGUAGE_CODE = locales_of(_registry)[_registry.company.default_site].code
WAGTAIL_I18N_ENABLED = True
WAGTAIL_CONTENT_LANGUAGES = LANGUAGES
# The studio's languages. Texts of Wagtail and Django are in all of them, those of Portolan in English and German.
WAGTAILADMIN_PERMITTED_LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("ar", "العربية (partly English)"),
    ("fr", "français (partly English)"),
    ("pl", "polski (partly English)"),
    ("ru", "русский (partly English)"),
    ("uk", "українська (partly English)"),
]
LOCALE_PATHS = [Path(__file__).parents[1] / "locale"]

# Files ---------------------------------------------------------------------------------------------------------------
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True  # served from the packages, so there is nothing to collect
WHITENOISE_MAX_AGE = 86_400  # the studio's links carry a version
WHITENOISE_ALLOW_ALL_ORIGINS = False
STORAGES: dict[str, dict[str, Any]] = {
    "default": describe_media(_env.media_storage),
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
if _env.leads_storage:
    STORAGES["leads"] = describe_storage(_env.leads_storage)
MEDIA_URL = "/media/"
MEDIA_ROOT = "" if _env.media_storage else _env.media_dir
WAGTAILIMAGES_IMAGE_MODEL = "content.SiteImage"
WAGTAILIMAGES_IMAGE_FORM_BASE = "portolan.content.picture_form.PictureForm"
WAGTAILIMAGES_EXTENSIONS = ["avif", "gif", "jpg", "jpeg", "png", "svg", "webp"]
WAGTAILIMAGES_MAX_UPLOAD_SIZE = 20 * 1024 * 1024
WAGTAILIMAGES_MAX_IMAGE_PIXELS = MOST_PIXELS
WAGTAILIMAGES_FORMAT_CONVERSIONS = {"avif": "webp", "webp": "webp"}  # for thumbnails; PNG is ten times as large
WAGTAILDOCS_SERVE_METHOD = "serve_view"  # also with a storage, because permissions are checked first
WAGTAILDOCS_DOCUMENT_FORM_BASE = "portolan.content.document_form.DocumentForm"
WAGTAILDOCS_EXTENSIONS = ["pdf", *FILM_KINDS]

# Hosts and security --------------------------------------------------------------------------------------------------
ALLOWED_HOSTS = sorted({urlsplit(origin).hostname or "" for origin in (_studio, *_sites.values())})
ALLOWED_HOSTS += [f".{PREVIEW_DOMAIN.partition(':')[0]}"] if PREVIEW_DOMAIN else []
CSRF_TRUSTED_ORIGINS = [_studio]
CSRF_FAILURE_VIEW = "portolan.studio.signing_in.still_here.refuse_token"
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = _https
_own_host: Final = "__Host-" if _https else ""  # browsers only accept such a cookie from this host by https
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{_own_host}sessionid", f"{_own_host}csrftoken"
SESSION_ENGINE = "portolan.accounts.sessions"  # sets the duration of sessions
PASSWORD_HASHERS = ["portolan.accounts.hashing.PatientHasher"]
PASSWORD_RESET_TIMEOUT = 3 * 24 * 60 * 60  # for links to choose a password
SECOND_FACTOR = _registry.studio.second_factor
SIGN_INS_KEPT_DAYS = _env.sign_ins_kept_days
SECURE_REFERRER_POLICY = "same-origin"
# A proxy redirects to https, and the edge sends HSTS.
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008"]
X_FRAME_OPTIONS = "DENY"  # the content policy, which has priority, lets the studio frame its own previews
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "wagtailadmin_login"

# Studio --------------------------------------------------------------------------------------------------------------
WAGTAIL_SITE_NAME = f"{_registry.company.name} studio"
WAGTAILADMIN_BASE_URL = _studio
WAGTAILSIMPLETRANSLATION_SYNC_PAGE_TREE = False  # a missing page is a 404, never another site's text
WAGTAIL_ENABLE_UPDATE_CHECK = False  # the studio sends no requests of its own
WAGTAIL_ENABLE_WHATS_NEW_BANNER = False
WAGTAIL_GRAVATAR_PROVIDER_URL = None
WAGTAIL_EMAIL_MANAGEMENT_ENABLED = WAGTAIL_PASSWORD_MANAGEMENT_ENABLED = (
    False  # under Signing in, after a check of identity
)
WAGTAIL_PASSWORD_RESET_ENABLED = False  # needs e-mail, which is optional; `portolan users` creates links
WAGTAILADMIN_COMMENTS_ENABLED = True
WAGTAIL_WORKFLOW_ENABLED = False  # workflows cannot review change sets as a whole: decision 33
WAGTAIL_ALLOW_UNICODE_SLUGS = False
WAGTAILEMBEDS_FINDERS: list[dict[str, str]] = []  # no third-party markup in texts
globals().update(describe_mail(_env.mail_server, _registry.leads.sender))

LOGGING = logging_settings(_env.log)
