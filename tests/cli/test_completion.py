"""Shells learn to complete kwire: commands, options, and the broker's own topics."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from click.testing import CliRunner

from kwire.cli import session
from kwire.cli.main import main
from scripted_broker import ScriptedNetwork, metadata


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_the_shells_own(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert f"_KWIRE_COMPLETE={shell}_complete" in result.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=result.stdout, text=True, check=True)


def complete(words: str) -> list[str]:
    env = {"_KWIRE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    result = CliRunner().invoke(main, [], prog_name="kwire", env=env)
    return [line.partition(",")[2] for line in result.stdout.splitlines() if line]


def test_commands_subcommands_and_options() -> None:
    assert complete("kwire con") == ["configs", "consume"]
    assert complete("kwire topics de") == ["delete", "describe"]
    assert "--from-beginning" in complete("kwire consume orders --fr")
    assert complete("kwire produce orders --compression z") == ["zstd"]


def test_topics_come_from_the_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    network = ScriptedNetwork()
    network.broker("one").on("Metadata", lambda request: metadata({"orders": [1], "users": [1], "other": [1]}))
    monkeypatch.setattr(session, "open_cluster", network.cluster)
    assert complete("kwire consume -b one:9092 o") == ["orders", "other"]
    assert complete("kwire topics delete -b one:9092 users o") == ["orders", "other"]


def test_without_a_broker_nothing_is_completed_and_nothing_is_said(free_port: int) -> None:
    assert complete(f"kwire consume -b 127.0.0.1:{free_port} o") == []
    assert complete("kwire consume -b no:port o") == []
