"""The registry: reads and checks ``sites.toml``. Sites are data; no other code asks which site it is on."""
