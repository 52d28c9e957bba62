from django.apps import AppConfig


class LeadsConfig(AppConfig):
    name = "portolan.leads"
    label = "leads"
    verbose_name = "Leads"
    default_auto_field = "django.db.models.BigAutoField"
