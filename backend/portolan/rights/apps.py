from django.apps import AppConfig


class RightsConfig(AppConfig):
    name = "portolan.rights"
    label = "rights"
    verbose_name = "Rights"
    default_auto_field = "django.db.models.BigAutoField"
