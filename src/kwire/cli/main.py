"""The `kwire` command. Subcommands are imported when they are called, so that `kwire --help` stays instant."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

import kwire
from kwire.cli.failure import click_line, exit_code_and_line

# name -> (module in kwire.cli, one line for --help)
COMMANDS = {
    "bench": ("bench", "Measure a broker's throughput and latency."),
    "cluster": ("cluster", "Show brokers, features, APIs and log directories."),
    "completion": ("completion", "Print the completion script for a shell."),
    "configs": ("configs", "Show and change the configuration of topics and brokers."),
    "consume": ("consume", "Read a topic's records."),
    "dump-log": ("dump_log", "Show what is in the files of a log."),
    "produce": ("produce", "Write lines to a topic as records."),
    "serve": ("serve", "Start a broker."),
    "topics": ("topics", "List, create, describe, alter and delete topics."),
}


class LazyGroup(click.Group):
    """A group that knows its commands' names and help, and imports one only when it is asked for.

    Whatever goes wrong ends here, as one line on stderr and an exit code: see `failure`.
    """

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
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BaseException as error:
            code, line = exit_code_and_line(error)
            if line:
                click.echo(f"kwire: {line}", err=True)
            ctx.exit(code)

    def main(  # pyright: ignore[reportIncompatibleMethodOverride]  # click types the two modes apart
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """click's own `main`, but an error in the arguments is one line too."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, **extra)
        try:
            code = super().main(args, prog_name, complete_var, False, **extra)
        except click.ClickException as error:
            line = click_line(error)
            if line:
                click.echo(f"kwire: {line}", err=True)
            else:
                error.show()
            code = error.exit_code
        except click.Abort:
            code = 130
        sys.exit(code if isinstance(code, int) else 0)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(kwire.__version__, prog_name="kwire")
def main() -> None:
    """A message broker that speaks Kafka's protocol, and tools for any broker that does.

    \b
    Examples:
      kwire serve                            a broker on 127.0.0.1:9092, data in ./kwire-data
      kwire topics create orders             a topic
      echo hello | kwire produce orders      a record
      kwire consume orders                   all records
      kwire consume orders --follow --json   those to come, for machines
      kwire bench                            how fast it is

    The tools reach the broker at --bootstrap-server, or KWIRE_BOOTSTRAP, or 127.0.0.1:9092.
    They exit with 0 when all went well, 1 when something failed and 2 when the command was wrong.
    """


if __name__ == "__main__":
    main()
