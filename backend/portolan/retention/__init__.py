"""The guard before old data is removed, so that a wrong clock erases nothing."""
