"""Print the steps of a long command: title, result, duration."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


class Steps:
    """Print one line per step. On a terminal, show the running step too."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        started = time.monotonic()
        try:
            with self.console.status(f"{title} …"):
                yield
        except BaseException:
            self.console.print(f"  [red]✗[/red] {title}  [dim]{time.monotonic() - started:.1f} s[/dim]")
            raise
        self.console.print(f"  [green]✓[/green] {title}  [dim]{time.monotonic() - started:.1f} s[/dim]")

    def skipped(self, title: str, reason: str) -> None:
        self.console.print(f"  [dim]· {title}: {reason}[/dim]")
