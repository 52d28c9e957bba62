"""The edge: serve visitors from the live builds, and forward other requests. Does not load Django."""
