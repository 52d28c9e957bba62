"""Pages with content of their own, which take over all other content of their source on another site."""
