"""The editors' handbook, under Help: ten pages, each a file of Markdown for each language, with a picture of the studio."""
