"""A site's pages as a tree to drag pages in. The pages below a page are loaded when it is unfolded."""
