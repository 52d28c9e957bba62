"""Typed values, no Django: every JSON that leaves Python. One file per entity family."""
