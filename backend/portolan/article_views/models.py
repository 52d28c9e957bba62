"""How often each article was read. An article nobody has read has no row."""

from django.db import models


class ArticleView(models.Model):
    """The count of one article, for all sites together: a translation has its original's id."""

    article = models.CharField(max_length=120, primary_key=True)
    views = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.article}: {self.views}"
