"""Check values of settings, by subject. Each check returns the value, or raises ValueError with the end of a sentence."""
