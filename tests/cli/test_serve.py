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


def refused(*options: str) -> str:
    """The one line on stderr of a `kwire serve` that does not start, after `kwire: `."""
    result = subprocess.run([*KWIRE, "serve", *options], capture_output=True, text=True, timeout=30)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("kwire: ")
    return line.removeprefix("kwire: ")


def test_a_data_directory_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    data_dir = tmp_path / "file" / "data"
    line = refused("--port", "0", "--data-dir", str(data_dir))
    assert line == f"no log directory can be used: [Errno 20] Not a directory: '{data_dir}'"


def test_a_second_instance_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    with serve("--port", "0", "--data-dir", str(tmp_path)) as (_, host, port):
        line = refused("--port", "0", "--data-dir", str(tmp_path))
        assert line == f"{tmp_path}/.lock is locked (another broker uses this data directory)"
        with socket.create_connection((host, port), timeout=10) as client:
            client.sendall(struct.pack(">ihhih", 13, 18, 0, 1, 3) + b"abc")
            assert client.recv(10)


def test_ephemeral_data_is_gone_afterwards() -> None:
    with serve("--port", "0", "--ephemeral") as (process, _, _):
        directory = Path(data_directory_of(process))
        assert directory.is_dir()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        assert process.returncode == 0
    assert not directory.exists()


def data_directory_of(process: subprocess.Popen[str]) -> str:
    """Where a broker keeps its data, as the files tell that it has open."""
    for link in Path(f"/proc/{process.pid}/fd").iterdir():
        target = os.readlink(link)
        if target.endswith("/.lock"):
            return target.removesuffix("/.lock")
    raise AssertionError("no lock file is open")


def test_what_cannot_go_together_is_refused(tmp_path: Path) -> None:
    assert "--data-dir cannot be given" in refused("--ephemeral", "--data-dir", str(tmp_path))


def test_settings_come_from_a_file_and_from_the_command_line_which_wins(tmp_path: Path) -> None:
    file = tmp_path / "server.properties"
    file.write_text(
        f"listeners=PLAINTEXT://127.0.0.1:0\nlog.dirs={tmp_path}/data\nnode.id=7\nnum.io.threads=8\nnum.partitions=2\n"
    )
    with serve("--config", str(file), "--set", "node.id=9") as (process, _, _):
        assert "node.id=9" in (tmp_path / "data" / "meta.properties").read_text()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=20)
    assert err == "kwire: ignored, since they mean nothing here: num.io.threads\n"


@pytest.mark.parametrize(
    ("setting", "said"),
    [("num.partition=3", "num.partitions"), ("num.partitions=many", "num.partitions"), ("nothing", "KEY=VALUE|=")],
)
def test_a_setting_that_is_wrong_is_named(setting: str, said: str, tmp_path: Path) -> None:
    assert re.search(said, refused("--port", "0", "--data-dir", str(tmp_path / "data"), "--set", setting))


def test_a_file_of_settings_that_is_missing_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "nope"
    assert refused("--config", str(path)) == f"cannot read {path}: No such file or directory"


def test_a_broker_that_is_open_to_others_says_so(tmp_path: Path) -> None:
    options = ("--host", "0.0.0.0", "--port", "0", "--data-dir", str(tmp_path))
    with serve(*options) as (process, _, _):
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=20)
    assert "is open to others, and nobody has to authenticate" in err


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
