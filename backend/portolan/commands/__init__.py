"""The ``portolan`` command: one file per command, and the code that connects all parts."""
