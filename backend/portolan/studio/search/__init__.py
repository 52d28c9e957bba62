"""Search all content of the studio: pages with their blocks, entries, menus, footers, redirects, images and documents."""
