"""Who has which role on which site, and what follows for what is no page."""
