"""What ``portolan doctor`` looks at, by subject. Each function yields findings and changes nothing."""
