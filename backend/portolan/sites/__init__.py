"""Read and check the site configuration, ``sites.toml``. Sites are data; no other code depends on a particular site."""
