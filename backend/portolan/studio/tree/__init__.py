"""A site's pages as a tree that one drags: what is below a page is loaded when somebody unfolds it."""
