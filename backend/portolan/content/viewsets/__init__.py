"""Show collections in the studio: one module per group of its menu."""
