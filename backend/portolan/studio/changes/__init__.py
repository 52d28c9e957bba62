"""Change sets in the studio: their screens, who may do what with them, and who is told."""
