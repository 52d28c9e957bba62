from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "portolan.accounts"
    label = "accounts"
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import addresses, endings, sessions

        sessions.connect()
        endings.connect()
        addresses.connect()
