"""The lead inbox: read enquiries and decide about them."""
