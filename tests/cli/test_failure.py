"""How commands end: one line and the right exit code, whatever went wrong."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from kwire.cli import failure
from kwire.cli.failure import exit_code_and_line
from kwire.cli.main import COMMANDS, main
from kwire.client.errors import ClientError
from kwire.errors import BrokerError, ErrorCode, UsageError


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (UsageError("wrong", "do it right"), 2, "wrong (do it right)"),
        (
            ClientError(ErrorCode.NETWORK_EXCEPTION, "cannot connect", "is it there?"),
            1,
            "cannot connect (is it there?)",
        ),
        (BrokerError(ErrorCode.INVALID_TIMESTAMP, "timestamp -5"), 1, "INVALID_TIMESTAMP: timestamp -5"),
        (FileNotFoundError(2, "No such file or directory", "x.log"), 1, "x.log: No such file or directory"),
        (OSError("odd"), 1, "odd"),
        (KeyboardInterrupt(), 130, ""),
        (ExceptionGroup("", [ExceptionGroup("", [UsageError("inner")])]), 2, "inner"),
        (BaseExceptionGroup("", [UsageError("inner"), KeyboardInterrupt()]), 130, ""),
    ],
)
def test_what_is_expected_is_a_code_and_a_line(error: BaseException, code: int, line: str) -> None:
    assert exit_code_and_line(error) == (code, line)


@pytest.mark.parametrize("error", [ValueError("ours"), ExceptionGroup("", [UsageError("x"), ValueError("ours")])])
def test_a_mistake_of_ours_keeps_its_traceback(error: Exception) -> None:
    with pytest.raises(ValueError, match="ours"):
        exit_code_and_line(error)


def test_a_reader_that_went_away_is_no_error_to_talk_about(monkeypatch: pytest.MonkeyPatch) -> None:
    discarded: list[bool] = []
    monkeypatch.setattr(failure, "_discard_output", lambda: discarded.append(True))
    assert exit_code_and_line(BrokenPipeError()) == (141, "")
    assert discarded == [True]


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["nix"], "No such command 'nix' (see `kwire --help`)"),
        (["topics", "nix"], "No such command 'nix' (see `kwire topics --help`)"),
        (["topics", "create"], "Missing argument 'NAME' (see `kwire topics create --help`)"),
        (["topics", "create", "a", "--partitions", "0"], "0 is not in the range x>=1"),
        (["topics", "create", "a", "--config", "novalue"], "'novalue' is not NAME=VALUE"),
        (["topics", "list", "--nix"], "No such option"),
        (["topics", "list", "--timeout", "0"], "0.0 is not in the range"),
        (["produce", "t", "--compression", "rar"], "'rar' is not one of"),
        (["consume"], "Missing argument 'TOPIC'"),
        (["dump-log", "/no/such/file"], "does not exist"),
        (["topics", "list", "-b", "host:port"], "bootstrap server 'host:port' is no address"),
        (["consume", "t", "--offset", "1", "--last", "2"], "--offset and --last all say where to start"),
        (["consume", "t", "--timestamp", "noon"], "'noon' is no time"),
        (["consume", "t", "--format", "%q"], "unknown %q in '%q'"),
        (["consume", "t", "--format", "%v", "--print-key"], "--format and --print-... both"),
        (["produce", "t", "--key", "k", "--key-separator", ":"], "--key and --key-separator both"),
        (["produce", "t", "--key-separator", ""], "--key-separator is empty"),
        (["produce", "t", "--from-json", "--key", "k"], "--from-json takes keys"),
        (["produce", "t", "--acks", "1", "--idempotence"], "--idempotence needs --acks all"),
        (["produce", "t", "--delimiter", "\\q"], "unknown escape \\q"),
        (["configs", "describe", "broker", "one"], "'one' is no broker"),
        (["configs", "describe", "broker-logger", "default"], "'default' is no broker"),
        (["configs", "describe", "planet", "earth"], "'planet' is not one of"),
        (["configs", "set", "topic", "t"], "Missing argument"),
        (["topics", "alter", "t"], "nothing to change"),
        (["bench", "--phase", "consume"], "there is nothing to consume"),
        (["bench", "--phase", "latency", "--acks", "0"], "needs acknowledgements"),
        (["completion", "tcsh"], "'tcsh' is not one of"),
    ],
)
def test_a_wrong_command_is_one_line_and_exit_code_2(args: list[str], line: str) -> None:
    result = CliRunner().invoke(main, args, prog_name="kwire", input=b"x\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("kwire: ")
    assert line in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "args",
    [
        ["topics", "list"],
        ["topics", "create", "t"],
        ["topics", "describe", "t"],
        ["topics", "alter", "t", "--partitions", "3"],
        ["topics", "delete", "t"],
        ["produce", "t"],
        ["produce", "t", "--acks", "0"],
        ["consume", "t"],
        ["configs", "describe", "topic", "t"],
        ["configs", "set", "topic", "t", "a=b"],
        ["configs", "unset", "broker", "1", "a"],
        ["cluster", "describe"],
        ["cluster", "brokers"],
        ["cluster", "features"],
        ["cluster", "apis"],
        ["cluster", "log-dirs"],
        ["bench"],
    ],
)
def test_nobody_there_is_one_line_with_a_hint_and_exit_code_1(args: list[str], free_port: int) -> None:
    result = CliRunner().invoke(main, [*args, "-b", f"127.0.0.1:{free_port}"], input=b"x\n")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"kwire: cannot connect to 127.0.0.1:{free_port}: Connection refused"
        " (is the broker running? `kwire serve` starts one)\n"
    )


def test_the_bootstrap_server_may_come_from_the_environment(free_port: int) -> None:
    env = {"KWIRE_BOOTSTRAP": f"localhost:{free_port}"}
    result = CliRunner().invoke(main, ["topics", "list"], env=env)
    assert f"cannot connect to localhost:{free_port}" in result.stderr


def test_ctrl_c_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(main.commands, "interrupted", interrupted)
    monkeypatch.setattr(type(main), "get_command", lambda self, ctx, name: interrupted)
    result = CliRunner().invoke(main, ["interrupted"])
    assert (result.exit_code, result.output) == (130, "")


def test_no_arguments_shows_the_help() -> None:
    for args in ([], ["topics"]):
        result = CliRunner().invoke(main, args)
        assert result.exit_code == 2
        assert "Examples:" in result.output


def test_the_group_can_be_called_from_python_too() -> None:
    with pytest.raises(click.UsageError, match="No such command"):
        main.main(["nix"], standalone_mode=False)


def test_every_command_can_be_imported() -> None:
    context = click.Context(main)
    assert [name for name in COMMANDS if main.get_command(context, name) is None] == []
