"""Where leads are sent on to. One module for each kind; the rest of the package knows only ``Destination``."""
