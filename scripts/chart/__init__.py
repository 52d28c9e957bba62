"""How the demo's charts are drawn: relief, contours, lettering, roses, and the two materials they are drawn on."""
