"""Menus, footers and rate cards in the studio: of each a site has one of its own, or shows that of the site it inherits from."""
