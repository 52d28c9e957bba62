from django.apps import AppConfig


class PreviewsConfig(AppConfig):
    name = "portolan.studio.previews"
    label = "previews"
    verbose_name = "Previews"
    default_auto_field = "django.db.models.BigAutoField"
