"""The other generators that builds are measured beside: their content, their projects, and the same content as ours."""
