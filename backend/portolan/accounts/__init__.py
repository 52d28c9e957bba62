"""Accounts of the studio: sessions, second factors, and the log of sign-ins, which the rate limits count."""
