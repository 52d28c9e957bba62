import click
import pytest

from portolan_dev.commands.bench_api import Measured, read_wrk

_SAID = """Running 4s test @ http://127.0.0.1:8000/api/content/offices
  1 threads and 16 connections
  Latency Distribution
     50%  520.00us
     75%  600.00us
     90%    0.80ms
     99%    1.40ms
  113000 requests in 4.00s, 900.00MB read
Requests/sec:  28250.11
Transfer/sec:    225.00MB
"""


def test_reads_rate_and_latency() -> None:
    assert read_wrk(_SAID) == Measured(28250.11, 0.52, 1.4)


def test_a_rate_of_errors_is_none() -> None:
    with pytest.raises(click.ClickException, match="failed"):
        read_wrk(_SAID + "  Non-2xx or 3xx responses: 12\n")
    with pytest.raises(click.ClickException, match="unexpected"):
        read_wrk("wrk: cannot connect")
