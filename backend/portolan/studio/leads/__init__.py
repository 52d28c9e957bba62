"""The lead inbox: who may, reads and decides what about enquiries."""
