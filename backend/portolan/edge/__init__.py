"""The edge: answers visitors from the live builds, and passes the rest on. Knows no Django."""
