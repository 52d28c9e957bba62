"""Define the view counter of articles. An unread article has no row."""

from django.db import models


class ArticleView(models.Model):
    """The count of one article on all sites: a translation has its original's ID."""

    article = models.CharField(max_length=120, primary_key=True)
    views = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.article}: {self.views}"
