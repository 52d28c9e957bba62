"""The lead inbox: people with the right to do so read enquiries and decide about them."""
