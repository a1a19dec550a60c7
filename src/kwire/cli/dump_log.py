"""`kwire dump-log`: what is in the files of a log, as Kafka's own tool prints it."""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from kwire.cli.log_files import Detail, Fault, OptionalLong, Row, Value, is_known, read_file
from kwire.cli.output import to_json
from kwire.client.errors import ClientError
from kwire.errors import ErrorCode
from kwire.storage.segment_files import LOG, parse_segment_file_name

_INT64_MAX = 2**63 - 1


@click.command("dump-log")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="FILE...")
@click.option("--deep", is_flag=True, help="The records in each batch too.")
@click.option("--print-data", is_flag=True, help="The records with their keys and values.")
@click.option("--max-bytes", type=click.IntRange(1), metavar="N", help="Only batches in the first N bytes of a log.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def command(paths: tuple[Path, ...], deep: bool, print_data: bool, max_bytes: int | None, as_json: bool) -> None:
    """Show what is in the files of a log: segments, their indexes, producer snapshots, leader epochs, checkpoints.

    Of a directory all such files are shown. Lines are those of Kafka's own tool. Files are read only; what is wrong
    with them is said on stderr, and then the exit code is 1.

    \b
    Examples:
      kwire dump-log kwire-data/orders-0/00000000000000000000.log
      kwire dump-log kwire-data/orders-0 --deep
      kwire dump-log kwire-data/orders-0/00000000000000000000.log --print-data --json
      kwire dump-log kwire-data/orders-0/00000000000000000000.timeindex kwire-data/recovery-point-offset-checkpoint
    """
    detail = Detail.DATA if print_data else Detail.RECORDS if deep else Detail.BATCHES
    faults = 0
    for path in _files(paths):
        items = read_file(path, detail, max_bytes or _INT64_MAX)
        if not as_json:
            click.echo(f"Dumping {path}")
            name = parse_segment_file_name(path.name)
            if name is not None and name.kind == LOG:
                click.echo(f"Log starting offset: {name.base_offset}")
        for item in items:
            if isinstance(item, Fault):
                faults += 1
                click.echo(f"kwire: {path}: {item.message}", err=True)
            elif as_json:
                click.echo(_json_line(path, item))
            else:
                _print_text(item)
    if faults:
        raise ClientError(ErrorCode.CORRUPT_MESSAGE, f"faults found: {faults}")


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (file for file in sorted(path.iterdir()) if file.is_file() and is_known(file))
        else:
            yield path


def _print_text(row: Row) -> None:
    line = " ".join(f"{name}: {_text(value)}" for name, value in row.fields.items())
    prefix = "| " if row.kind == "record" else ""
    # Keys and values are printed as the bytes they are.
    sys.stdout.buffer.write((prefix + line).encode("utf-8", "surrogateescape") + b"\n")


def _text(value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case bytes():
            return value.decode("utf-8", "surrogateescape")
        case list():
            return f"[{','.join(value)}]"
        case _:
            return str(value)


def _json_line(path: Path, row: Row) -> str:
    fields: dict[str, object] = {"file": str(path), "kind": row.kind}
    for name, value in row.fields.items():
        match value:
            case OptionalLong():
                fields[name] = value.value
            case bytes():
                try:
                    fields[name] = value.decode()
                except UnicodeDecodeError:
                    fields[f"{name}_base64"] = base64.b64encode(value).decode()
            case _:
                fields[name] = value
    return to_json(fields)
