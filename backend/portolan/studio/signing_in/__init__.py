"""Screens to sign in to the studio and to manage how people sign in."""
