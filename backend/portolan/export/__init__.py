"""Export the live sites as files, with configurations for other web servers."""
