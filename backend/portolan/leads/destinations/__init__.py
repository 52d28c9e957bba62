"""Destinations of leads, one module per kind. The rest of the package only uses ``Destination``."""
