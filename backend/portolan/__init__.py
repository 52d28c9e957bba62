"""Portolan: one studio, frozen releases, and a company's website live in many countries."""

__version__ = "0.2.0"
