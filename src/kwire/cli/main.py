"""The `kwire` command. Subcommands are imported when they are called, so that `kwire --help` stays instant."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

import kwire
from kwire.errors import UsageError

# name -> (module in kwire.cli, one line for --help)
COMMANDS = {
    "serve": ("serve", "Start a broker."),
}


class LazyGroup(click.Group):
    """A group that knows its commands' names and help, and imports one only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return import_module(f"kwire.cli.{COMMANDS[cmd_name][0]}").command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UsageError as error:
            click.echo(f"kwire: {error}", err=True)
            sys.exit(2)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(kwire.__version__, prog_name="kwire")
def main() -> None:
    """A message broker that speaks Kafka's protocol.

    \b
    Examples:
      kwire serve             a broker on 127.0.0.1:9092, data in ./kwire-data
      kwire serve --port 0    the same on a free port
    """


if __name__ == "__main__":
    main()
