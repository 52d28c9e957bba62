"""Previews on hosts of their own: the sites as they would be, with their scripts, also for people who are not signed in."""
