"""`kwire` as a person calls it: a real process, its output, its exit code."""

from __future__ import annotations

import os
import re
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

KWIRE = [sys.executable, "-m", "kwire.cli.main"]


@contextmanager
def serve(*options: str) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    process = subprocess.Popen([*KWIRE, "serve", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        ready = process.stdout.readline()
        match = re.match(r"kwire: ready on ([\w.:]+):(\d+), data in (\S+), started in \d+\.\d\d s$", ready)
        assert match, (ready, process.stderr.read() if process.stderr and process.poll() is not None else "")
        yield process, match[1], int(match[2])
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_answers_and_stops_when_told(tmp_path: Path, how: signal.Signals) -> None:
    with serve("--port", "0", "--data-dir", str(tmp_path / "data")) as (process, host, port):
        assert (tmp_path / "data").is_dir()
        with socket.create_connection((host, port), timeout=10) as client:
            client.sendall(struct.pack(">ihhih", 13, 18, 0, 1, 3) + b"abc")
            size, correlation_id, error = struct.unpack(">iih", client.recv(10))
            assert (size > 10, correlation_id, error) == (True, 1, 0)
        process.send_signal(how)
        out, err = process.communicate(timeout=20)
        assert (process.returncode, out, err) == (0, "kwire: stopped after 1 requests\n", "")


def test_a_port_that_is_taken_is_one_line_with_a_hint(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = subprocess.run(
            [*KWIRE, "serve", "--port", str(port), "--data-dir", str(tmp_path)],
            capture_output=True,
            text=True,
            timeout=30,
        )
    assert result.returncode == 2
    assert (
        result.stderr == f"kwire: port {port} on 127.0.0.1 is taken (choose another with --port, or 0 for a free one)\n"
    )


def test_a_data_directory_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = subprocess.run(
        [*KWIRE, "serve", "--port", "0", "--data-dir", str(tmp_path / "file" / "data")],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert result.returncode == 2
    assert re.fullmatch(r"kwire: no log directory can be used: .*Not a directory: .*\n", result.stderr)


def test_importing_kwire_and_asking_for_help_load_next_to_nothing() -> None:
    # What is slow to import is what makes --help slow: trio, the codec and the messages stay out of it.
    code = "import sys; from kwire.cli.main import main; print(*sorted(m for m in sys.modules), sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "click" in loaded
    heavy = [
        name
        for name in loaded
        if re.match(r"trio|kwire\.(protocol|client|server|storage|records|handlers)|crc32c|zstandard|lz4|snappy", name)
    ]
    assert heavy == []


def test_help_shows_every_command_and_examples() -> None:
    result = subprocess.run(
        [*KWIRE, "--help"], capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "100"}
    )
    assert "Examples:" in result.stdout
    assert re.search(r"^  serve +Start a broker\.$", result.stdout, re.MULTILINE)


def test_an_unknown_command_says_so() -> None:
    result = subprocess.run([*KWIRE, "srve"], capture_output=True, text=True)
    assert result.returncode == 2
    assert "No such command 'srve'" in result.stderr
