"""Other generators for comparison: their content and projects, and the same content for Portolan."""
