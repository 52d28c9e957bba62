"""Draft translations by a machine. People approve them before they go live."""
