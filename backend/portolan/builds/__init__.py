"""Builds: content-addressed files, manifests over them, and the pointer that says which build is live."""
