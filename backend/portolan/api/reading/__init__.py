"""Show the API's document as a static page, without scripts or files of other hosts."""
