"""The editors' handbook: Markdown pages in each language, each with a picture of the studio."""
