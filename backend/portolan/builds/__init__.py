"""Builds: files stored by digest, manifests that list them, and the pointer to the live build of each site."""
