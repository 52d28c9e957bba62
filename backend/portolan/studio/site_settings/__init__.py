"""Menus, footers and rate cards in the studio. A site has its own, or shows the one of the site it inherits from."""
