"""Writes the reference pages in docs/ from the tables in the code: `python -m kwire.cli.reference docs`.

A page that is written from the code is true; a test writes them anew and compares.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from kwire.cli.main import main
from kwire.config import BROKER_KEYS, IGNORED_BROKER_KEYS, TOPIC_KEYS, ConfigKey
from kwire.config.broker_keys import DEFAULTS_OF_OUR_OWN
from kwire.config.ignored_keys import IGNORED_PREFIXES
from kwire.config.keys import value_text
from kwire.handlers.registry import served_apis
from kwire.metrics import METRICS
from kwire.protocol.messages import APIS

_NOTE = "<!-- Written from the code by `make docs`; do not edit. -->"


def pages() -> dict[str, str]:
    """File name -> contents of every reference page."""
    return {
        "APIS.md": _page("APIs", _apis()),
        "COMMANDS.md": _page("Commands", _commands()),
        "CONFIGURATION.md": _page("Configuration", _configuration()),
        "METRICS.md": _page("Metrics", _metrics()),
    }


def _page(title: str, lines: Iterable[str]) -> str:
    return "\n".join([f"# {title}", "", _NOTE, "", *lines]) + "\n"


def _table(*rows: tuple[str, ...]) -> list[str]:
    head, *body = ("| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in rows)
    return [head, "|" + "---|" * len(rows[0]), *body]


def _apis() -> list[str]:
    served = served_apis()
    rows = [
        (str(key), api.name, str(api.versions), str(served[key].versions) if key in served else "-")
        for key, api in sorted(APIS.items())
    ]
    return [
        f"kwire's codec knows {len(rows)} APIs in all versions of Kafka 4.3. ApiVersions lists what is served.",
        "",
        *_table(("key", "name", "versions known", "versions served"), *rows),
    ]


def _commands() -> list[str]:
    lines: list[str] = []
    for context in command_contexts():
        context.terminal_width = context.max_content_width = 110
        lines += [f"## {context.command_path}", "", "```text", context.command.get_help(context), "```", ""]
    return lines[:-1]


def command_contexts(context: click.Context | None = None) -> Iterator[click.Context]:
    """A context for every command there is, groups before what is in them."""
    if context is None:
        context = click.Context(main, info_name="kwire", **main.context_settings)
    yield context
    group = context.command
    if isinstance(group, click.Group):
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            yield from command_contexts(click.Context(command, info_name=name, parent=context))


def _configuration() -> list[str]:
    return [
        "Names, types, ranges and defaults are Kafka's.",
        "",
        "## Broker",
        "",
        *_keys(BROKER_KEYS.values()),
        "",
        "A read-only key is set at the start; a cluster-wide one can also be changed while the broker runs.",
        "These defaults are not Kafka's:",
        "",
        *(f"- `{name}`: {reason}" for name, reason in sorted(DEFAULTS_OF_OUR_OWN.items())),
        "",
        "## Topic",
        "",
        "Set when a topic is created, or at any time after; a change acts at once.",
        "",
        *_table(("key", "type", "default", "broker's default", "meaning"), *map(_topic_row, TOPIC_KEYS.values())),
        "",
        "## Ignored",
        "",
        f"Kafka knows {len(IGNORED_BROKER_KEYS)} more keys that mean nothing here. A server.properties may have them:"
        " they are ignored, and one warning names them. The same goes for all keys that begin with "
        + ", ".join(f"`{prefix}`" for prefix in IGNORED_PREFIXES)
        + ". Any other key is refused, with the nearest known one as a hint.",
        "",
        ", ".join(f"`{name}`" for name in sorted(IGNORED_BROKER_KEYS)),
    ]


def _keys(keys: Iterable[ConfigKey]) -> list[str]:
    rows = [(f"`{key.name}`", key.kind.value, _default(key), key.update.value, key.doc) for key in keys]
    return _table(("key", "type", "default", "update", "meaning"), *sorted(rows))


def _topic_row(key: ConfigKey) -> tuple[str, ...]:
    return (f"`{key.name}`", key.kind.value, _default(key), f"`{key.broker_name}`", key.doc)


def _default(key: ConfigKey) -> str:
    return "" if key.default in (None, []) else f"`{value_text(key.default)}`"


def _metrics() -> list[str]:
    return _table(
        ("metric", "kind", "meaning"), *((f"`{metric.name}`", metric.kind, metric.doc) for metric in METRICS.values())
    )


if __name__ == "__main__":
    for file, text in pages().items():
        Path(sys.argv[1], file).write_text(text)
        print(f"kwire: wrote {sys.argv[1]}/{file}")
