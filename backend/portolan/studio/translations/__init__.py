"""The screens of translations: the overview, one translation, and the notices in forms and on the dashboard."""
