"""Pure rules over schemas: no Django, no input or output, no clock (time is an argument)."""
