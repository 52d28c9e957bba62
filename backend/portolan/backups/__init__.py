"""Back up a running installation, and restore it on an empty machine. Only ``reconcile`` needs Django."""
