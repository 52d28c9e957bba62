from django.db import models
from django.utils.translation import gettext


class RetentionCheck(models.Model):
    """The last retention check of one kind of data.

    It is in the database, because every machine checks, and a machine's disk may be new.
    """

    subject = models.CharField(max_length=20, primary_key=True)  # guard.Rule.subject
    seen_at = models.DateTimeField(null=True)  # latest passed check
    overdue = models.PositiveIntegerField(default=0)  # rows that wait for confirmation
    doubt = models.CharField(max_length=200, blank=True)  # why a person has to confirm; empty if not needed

    def __str__(self) -> str:
        return gettext("Retention of {subject}").format(subject=self.subject)
