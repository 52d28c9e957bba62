"""Where leads are handed on to. One module for each kind; the rest of the leads knows ``Destination`` alone."""
