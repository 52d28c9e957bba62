"""What tells of a running installation: logs, request ids, metrics, traces, errors. Each is imported where a setting asks for
it, and costs nothing else."""
