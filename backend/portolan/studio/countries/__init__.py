"""Start a country site in the studio: its entry of the site configuration, its first drafts, and its way to launch."""
