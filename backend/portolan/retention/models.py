from django.db import models
from django.utils.translation import gettext


class RetentionCheck(models.Model):
    """When the retention of something was last looked at, and what came of it. In the database, because every machine looks, and
    a disk may be new."""

    subject = models.CharField(max_length=20, primary_key=True)  # guard.Rule.subject
    seen_at = models.DateTimeField(null=True)  # latest time of a check without a doubt
    overdue = models.PositiveIntegerField(default=0)  # how many wait for a yes
    doubt = models.CharField(max_length=200, blank=True)  # why; empty where nobody has to say it

    def __str__(self) -> str:
        return gettext("Retention of {subject}").format(subject=self.subject)
