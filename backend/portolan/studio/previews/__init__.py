"""Previews of the sites with their scripts, on their own hosts, also for people without an account."""
