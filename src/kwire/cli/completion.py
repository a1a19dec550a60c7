"""`kwire completion`: the script that teaches a shell to complete kwire's commands, options and topics."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from kwire.cli.main import main

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the completion script for a shell. Topics are completed by asking the broker.

    \b
    Examples:
      eval "$(kwire completion bash)"                                 in ~/.bashrc
      eval "$(kwire completion zsh)"                                  in ~/.zshrc
      kwire completion fish > ~/.config/fish/completions/kwire.fish
    """
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    click.echo(completion_class(main, {}, "kwire", "_KWIRE_COMPLETE").source())
