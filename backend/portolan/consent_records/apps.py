from django.apps import AppConfig


class ConsentRecordsConfig(AppConfig):
    name = "portolan.consent_records"
    label = "consent_records"
    verbose_name = "Consent records"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import checks

        checks.connect()
