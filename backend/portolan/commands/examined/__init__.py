"""The checks of ``portolan doctor``, by subject. Each function yields findings and changes nothing."""
