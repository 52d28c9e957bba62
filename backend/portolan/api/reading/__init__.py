"""The API's document as a page for people: static, and without scripts or files of other hosts."""
