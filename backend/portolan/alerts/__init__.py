"""Alerts: tell people when an edit is not live within a set time, and when it is."""
