"""The command ``portolan``: one file per command, and the composition of all parts."""
