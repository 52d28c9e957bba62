"""Exchange the texts of pages with translators as files: XLIFF 2.1 and PO."""
