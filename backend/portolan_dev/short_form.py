"""The option `--short`: a sample in seconds, to see that a long command works."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])


def short_form(**values: Any) -> Callable[[_Command], _Command]:
    """Add the option `--short`, which replaces the defaults of other parameters with ``values``."""

    def replace_defaults(context: click.Context, parameter: click.Parameter, is_short: bool) -> None:
        if is_short:
            context.default_map = {**(context.default_map or {}), **values}

    return click.option(
        "--short",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=replace_defaults,
        help="Run a sample in seconds, without valid figures.",
    )
