"""Guard the removal of old data, so that a wrong clock erases nothing."""
