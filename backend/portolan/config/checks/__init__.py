"""Which values of settings can be used, by subject. Each check returns the value, or raises ValueError with the end of a sentence."""
