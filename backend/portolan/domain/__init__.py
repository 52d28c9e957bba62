"""Define pure rules over schemas: no Django, I/O or clock. Time is an argument."""
