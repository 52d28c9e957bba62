"""Captchas: whether a person sent the form. A lead is never lost because the provider does not answer: only proven
abuse is refused."""
