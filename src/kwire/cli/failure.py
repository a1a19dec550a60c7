"""How a command ends when something goes wrong: one line on stderr, and an exit code.

| exit code | |
|---|---|
| 0 | all went well |
| 1 | the operation failed: the broker refused, could not be reached, or a file could not be read |
| 2 | the command was wrong |
| 130 | Ctrl-C |
| 141 | whoever read our output went away, as with `kwire consume orders | head` |

An exception that is none of these is a mistake of ours, and keeps its traceback.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from kwire.errors import BrokerError, UsageError

FAILED = 1
WRONG_USAGE = 2
INTERRUPTED = 130
READER_GONE = 141


def exit_code_and_line(error: BaseException) -> tuple[int, str]:
    """(exit code, line for stderr, if there is to be one). An exception that we do not expect is raised again."""
    match error:
        case BaseExceptionGroup():
            return exit_code_and_line(_worst(error))
        case KeyboardInterrupt():
            return INTERRUPTED, ""
        case BrokenPipeError():
            _discard_output()
            return READER_GONE, ""
        case UsageError():
            return WRONG_USAGE, str(error)
        case BrokerError():
            return FAILED, str(error)
        case OSError():
            where = f"{error.filename}: " if error.filename else ""
            return FAILED, f"{where}{error.strerror or error}"
        case _:
            raise error


def click_line(error: click.ClickException) -> str:
    """What is wrong with the arguments and where to read more; empty where click shows the whole help instead."""
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
        return ""
    line = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{line} (see `{context.command_path} --help`)" if context else line


def _worst(group: BaseException) -> BaseException:
    """The one to report of several that happened together: Ctrl-C, else one that we do not expect, else the first."""
    from kwire.client.background import leaves_of

    leaves = list(leaves_of(group))
    interrupts = [leaf for leaf in leaves if isinstance(leaf, KeyboardInterrupt)]
    unexpected = [leaf for leaf in leaves if not isinstance(leaf, (UsageError, BrokerError, OSError))]
    return (interrupts + unexpected + leaves)[0]


def _discard_output() -> None:
    """What is still in the buffers goes nowhere: the interpreter would complain about the broken pipe when it exits."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
