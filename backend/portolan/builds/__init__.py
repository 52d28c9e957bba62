"""Builds: files by digest, manifests, and the pointer to each site's live build."""
