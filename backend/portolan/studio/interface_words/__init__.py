"""Interface words: editors change texts of buttons, forms and notices for a site, with the PO files as the default."""
