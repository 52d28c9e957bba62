"""Who may sign in to the studio: sessions, second factors, and the log of sign-ins, which is what the throttle counts."""
