"""Define typed values without Django: every JSON that leaves Python. One file per family of values."""
