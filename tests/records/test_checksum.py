"""CRC-32C against the check value of its definition and against the whole package."""

from __future__ import annotations

import subprocess
import sys

import crc32c as package
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.records.checksum import crc32c


def test_check_value_of_the_definition() -> None:
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(b"") == 0


@settings(deadline=None)
@given(st.binary(max_size=200), st.binary(max_size=200))
def test_goes_on_from_a_checksum(first: bytes, second: bytes) -> None:
    assert crc32c(second, crc32c(first)) == crc32c(memoryview(first + second)) == package.crc32c(first + second)


def test_nothing_slow_is_imported() -> None:
    code = "import sys, kwire.records.checksum; sys.exit('importlib.metadata' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
