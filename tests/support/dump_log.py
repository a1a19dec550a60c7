"""Apache Kafka's own view of the files of a log: DumpLogSegments, run over many files at once, and what it printed.

    Dumping …/00000000000000000049.log
    Log starting offset: 49
    baseOffset: 49 lastOffset: 51 count: 3 … compresscodec: zstd crc: 1688103487 isvalid: true
    | offset: 49 CreateTime: 1001 keySize: 2 valueSize: 1 sequence: 3 headerKeys: [h] key: k0 payload: v
    Dumping …/00000000000000000049.snapshot
    producerId: 5 producerEpoch: 0 …

What it has to complain about follows at the end, under a heading for each file. Keys and values must hold no blanks.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from kwire.testing.apache_kafka import run_kafka_tool

_FIELD = re.compile(r"(\w+): (\[[^]]*]|\S*)")
# An index is empty as long as its segment is smaller than index.interval.bytes.
_ORDINARY = re.compile(r" passed sanity check\.$| is empty\.$|^Log starting offset: |^SLF4J: ")
_NON_CONSECUTIVE = "Non-consecutive offsets in "


@dataclass
class FileDump:
    """What was printed of one file: `lines` are those with fields, but for records, which follow their batch."""

    lines: list[dict[str, str]] = field(default_factory=list)
    records: list[dict[str, str]] = field(default_factory=list)


@dataclass
class Dump:
    """What one run printed."""

    files: dict[Path, FileDump]
    complaints: list[str]
    """Whatever is neither data nor the ordinary course of things."""

    gaps: dict[Path, list[tuple[int, int]]]
    """Offsets that do not follow each other: where one is, and the next one."""


def dump_log_segments(libs: Path, files: Iterable[Path], *options: str) -> Dump:
    """Runs the tool over all files in one JVM."""
    names = ",".join(map(str, files))
    arguments = (*options, "--files", names)
    # Mismatches go to stderr.
    printed = run_kafka_tool("org.apache.kafka.tools.DumpLogSegments", *arguments, libs=libs, stderr=subprocess.STDOUT)
    dump = Dump({}, [], {})
    current = FileDump()
    gaps: list[tuple[int, int]] = []
    for line in printed.splitlines():
        head, _, rest = line.partition(" ")
        if head == "Dumping":
            current = dump.files[Path(rest)] = FileDump()
        elif line.startswith(_NON_CONSECUTIVE):
            gaps = dump.gaps.setdefault(Path(line.removeprefix(_NON_CONSECUTIVE)), [])
        elif gap := re.fullmatch(r"\s*(-?\d+) is followed by (\d+)", line):
            gaps.append((int(gap[1]), int(gap[2])))
        elif head == "|":
            current.records.append(dict(_FIELD.findall(rest)))
        elif re.match(r"(baseOffset|offset|timestamp|producerId|version): ", line):
            current.lines.append(dict(_FIELD.findall(line)))
        elif not _ORDINARY.search(line):
            dump.complaints.append(line)
    return dump
