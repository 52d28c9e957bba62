from django.conf import settings
from django.core.checks import run_checks

from portolan.config.settings import _database
from portolan.consent_records.checks import GRANTED_UNASKED
from portolan.sites.registry import Registry


def test_passes_djangos_own_checks() -> None:
    """The remaining warnings are about the demo's site configuration: docs/privacy.md."""
    assert {message.id for message in run_checks(include_deployment_checks=False)} <= {GRANTED_UNASKED}


def test_every_site_has_a_language_of_its_own() -> None:
    registry: Registry = settings.SITES_REGISTRY
    codes = [code for code, _ in settings.WAGTAIL_CONTENT_LANGUAGES]
    assert codes == [site.language.lower() for site in registry.sites.values()]
    assert registry.default_site.language.lower() == settings.LANGUAGE_CODE


def test_sqlite_waits_for_its_turn_and_never_locks_a_whole_request() -> None:
    database = _database("sqlite:////tmp/x.sqlite3")
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert database["OPTIONS"]["timeout"] == 20
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]
    assert not settings.DATABASES["default"]["ATOMIC_REQUESTS"]


def test_a_database_url_moves_it_to_postgresql() -> None:
    database = _database("postgres://portolan:secret@db.example:5433/content")
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example", 5433, "content")
    assert "init_command" not in database["OPTIONS"]


def test_postgresql_is_asked_through_few_connections_that_are_known_to_live() -> None:
    database = _database("postgres://portolan:secret@db.example/content?sslmode=require")
    assert database["OPTIONS"]["pool"]["max_size"] == 20
    assert database["OPTIONS"]["sslmode"] == "require"
    assert database["CONN_HEALTH_CHECKS"]
    assert database["CONN_MAX_AGE"] == 0  # the pool keeps connections, and takes no others


def test_only_our_hosts_are_answered() -> None:
    assert {"localhost", "de.localhost", "studio.localhost"} <= set(settings.ALLOWED_HOSTS)
    assert "*" not in settings.ALLOWED_HOSTS
    assert settings.CSRF_TRUSTED_ORIGINS == [settings.WAGTAILADMIN_BASE_URL]
