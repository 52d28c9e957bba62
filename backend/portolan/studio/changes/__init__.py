"""Change sets in the studio: screens, rights and notifications."""
