"""Further commands of ``portolan`` in a checkout, such as ``portolan demo``."""
