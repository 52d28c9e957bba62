"""A port for a server that a test or a benchmark starts."""

import socket


def free_port() -> int:
    """A port of the loopback that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
