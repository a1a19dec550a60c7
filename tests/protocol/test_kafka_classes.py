"""Kafka's own message classes read what we write, and write the same bytes: every message, every version.

One JVM for all of them: MessageEcho.java reads messages from its input with the classes in Kafka's jars. Where there is
no Java, golden/kafka_messages.tsv, which this program made, has to do.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from hypothesis import given

from catalogue import MESSAGE_VERSIONS
from kwire.protocol.codec import encode
from kwire.protocol.schema import Message
from kwire.testing.java_toolchain import SHORT_LIVED_JAVA_OPTIONS, find_java_toolchain
from strategies import law, messages_without_unknown_tags

# Version 0 of the request header went with Kafka 4.
COMMON = [(cls, version) for cls, version in MESSAGE_VERSIONS if (cls.__name__, version) != ("RequestHeader", 0)]


def echo(libs: Path, lines: list[str]) -> list[str]:
    program = Path(__file__).with_name("MessageEcho.java")
    java = find_java_toolchain().require_java()
    command = [java, *SHORT_LIVED_JAVA_OPTIONS, "-XX:-UsePerfData", "-cp", f"{libs}/*", str(program)]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[:-1]


def values_of(message: type[Message], version: int) -> list[bytes]:
    found: list[bytes] = []

    @law(share=0.6)
    @given(messages_without_unknown_tags(message, version))
    def collect(value: Message) -> None:
        found.append(encode(value, version))

    collect()
    return found


def test_kafka_writes_what_it_read_of_ours(kafka_libs: Path) -> None:
    ours = [(cls.__name__, version, data.hex()) for cls, version in COMMON for data in values_of(cls, version)]
    assert len(ours) > len(COMMON)
    theirs = echo(kafka_libs, [f"{name} {version} {data or '-'}" for name, version, data in ours])
    wrong = [(*our, their) for our, their in zip(ours, theirs, strict=True) if our[2] != their]
    assert wrong == []


def test_new_objects_are_the_same(kafka_libs: Path) -> None:
    theirs = echo(kafka_libs, [f"{cls.__name__} {version}" for cls, version in COMMON])
    ours = [encode(cls(), version).hex() for cls, version in COMMON]
    wrong = [(*common, our, their) for common, our, their in zip(COMMON, ours, theirs, strict=True) if our != their]
    assert wrong == []


def test_the_echo_tells_what_is_wrong(kafka_libs: Path) -> None:
    answers = {
        "HeartbeatRequest 4 0100000000010000": "0100000000010000",
        "HeartbeatRequest 4 0100000000010000ff": "! 1 bytes left",
        "HeartbeatRequest 4 0100000001": "! java.nio.BufferUnderflowException",
        "NoSuchRequest 0": "! java.lang.ClassNotFoundException: NoSuchRequest",
    }
    assert echo(kafka_libs, list(answers)) == list(answers.values())
