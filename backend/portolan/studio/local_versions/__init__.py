"""Pages, menus, footers, rate cards and translations with own content, which follow their source in all other content."""
