"""The document as people read it: one static page, made here, that needs no script and nobody else's server."""
