"""Export the live sites as plain files, with the configuration that other web servers need to respond as the edge does."""
