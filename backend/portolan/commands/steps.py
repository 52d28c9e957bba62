"""Steps of a long command on the terminal: what is done, whether it worked, how long it took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


class Steps:
    """Prints one line per step; where the terminal allows, the running one is shown while it works."""

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
