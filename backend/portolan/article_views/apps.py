from django.apps import AppConfig


class ArticleViewsConfig(AppConfig):
    name = "portolan.article_views"
    label = "article_views"
    verbose_name = "Article views"
    default_auto_field = "django.db.models.BigAutoField"
