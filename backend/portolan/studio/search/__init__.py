"""One search over everything that editors look after: pages by every word in their blocks, entries, menus and footers,
addresses, pictures and documents."""
