"""What the studio shows of collections: a module per group of its menu."""
