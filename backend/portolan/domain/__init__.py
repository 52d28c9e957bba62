"""Pure rules over shapes: no Django, no input or output, no clock (time is an argument)."""
