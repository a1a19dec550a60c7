"""Lines to records and back, bytes unharmed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.cli.record_text import (
    InputError,
    InputRecord,
    JsonFormat,
    LineFormat,
    LineSplitter,
    Template,
    record_json,
    unescaped,
)
from kwire.errors import UsageError
from kwire.records.record import Record

header_names = st.text(max_size=5)
optional_bytes = st.none() | st.binary(max_size=20)
headers = st.lists(st.tuples(header_names, optional_bytes), max_size=3).map(tuple)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", b""),
        ("plain", b"plain"),
        (r"\t\n\r\0\\", b"\t\n\r\0\\"),
        (r"\x00\xfF", b"\x00\xff"),
        (r"a\x3ab", b"a:b"),
        ("ä", "ä".encode()),
        ("\udcff", b"\xff"),  # an argument that is not UTF-8
    ],
)
def test_escapes(text: str, data: bytes) -> None:
    assert unescaped(text) == data


@pytest.mark.parametrize("text", [r"\q", r"\xzz", r"a\u0041"])
def test_unknown_escapes_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="unknown escape"):
        unescaped(text)


# ---- lines ------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.binary(max_size=6).filter(lambda line: b"\n" not in line), max_size=8),
    st.booleans(),
    st.lists(st.integers(1, 5), max_size=40),
)
def test_lines_come_out_whole_however_the_bytes_come_in(lines: list[bytes], ended: bool, sizes: list[int]) -> None:
    data = b"\n".join(lines) + (b"\n" if ended and lines else b"")
    splitter = LineSplitter(b"\n")
    found: list[bytes] = []
    for size in sizes:
        found += splitter.feed(data[:size])
        data = data[size:]
    found += splitter.feed(data) + splitter.finish()
    expected = lines if ended or not lines or lines[-1] else lines[:-1]  # nothing behind the last delimiter is no line
    assert found == expected


def test_a_delimiter_may_be_cut() -> None:
    splitter = LineSplitter(b"--")
    assert splitter.feed(b"a-") == []
    assert splitter.feed(b"-b--") == [b"a", b"b"]
    assert splitter.finish() == []


@pytest.mark.parametrize(
    ("line_format", "line", "record"),
    [
        (LineFormat(), b"a:b", InputRecord(None, b"a:b")),
        (LineFormat(), b"", InputRecord(None, b"")),
        (LineFormat(key_separator=b":"), b"a:b:c", InputRecord(b"a", b"b:c")),
        (LineFormat(key_separator=b":"), b":", InputRecord(b"", b"")),
        (LineFormat(key=b"k"), b"v", InputRecord(b"k", b"v")),
        (LineFormat(null_value=b"NULL"), b"NULL", InputRecord(None, None)),
        (LineFormat(b":", null_value=b"NULL"), b"NULL:NULL", InputRecord(None, None)),
        (LineFormat(b":", null_value=b""), b"k:", InputRecord(b"k", None)),
        (LineFormat(headers=(("h", b"1"),)), b"v", InputRecord(None, b"v", (("h", b"1"),))),
    ],
)
def test_lines_to_records(line_format: LineFormat, line: bytes, record: InputRecord) -> None:
    assert line_format.parse(line) == record


def test_a_line_without_its_separator_is_refused() -> None:
    with pytest.raises(InputError, match="no key separator '::'"):
        LineFormat(key_separator=b"::").parse(b"a:b")


# ---- JSON -------------------------------------------------------------------------------------------------------


@given(st.integers(0, 2**40), st.integers(-1, 2**40), optional_bytes, optional_bytes, headers)
def test_json_out_is_json_in(
    offset: int,
    timestamp: int,
    key: bytes | None,
    value: bytes | None,
    own: tuple[tuple[str, bytes | None], ...],
) -> None:
    line = record_json("orders", 3, Record(offset, timestamp, key, value, own))
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert JsonFormat().parse(line) == InputRecord(key, value, own, timestamp)
    row = json.loads(line)
    assert (row["topic"], row["partition"], row["offset"]) == ("orders", 3, offset)


def test_json_as_people_write_it() -> None:
    line = b'{"value": {"a": [1, "\xc3\xa4"]}, "key": 5, "headers": [{"key": "h"}]}'
    assert JsonFormat((("all", b"1"),)).parse(line) == InputRecord(
        b"5", '{"a": [1, "ä"]}'.encode(), (("all", b"1"), ("h", None))
    )
    assert JsonFormat().parse(b"{}") == InputRecord(None, None)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"nope", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b'{"value_base64": "?"}', "value_base64 is not base64"),
        (b'{"key_base64": 5}', "key_base64 is not base64"),
        (b'{"timestamp": "now"}', "timestamp is not an integer"),
        (b'{"timestamp": true}', "timestamp is not an integer"),
        (b'{"headers": {"a": "b"}}', "headers are not a list"),
        (b'{"headers": ["a"]}', "a header is not"),
        (b'{"headers": [{"key": 1}]}', "a header is not"),
    ],
)
def test_json_that_is_no_record_is_refused(line: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        JsonFormat().parse(line)


# ---- templates --------------------------------------------------------------------------------------------------

RECORD = Record(7, 1700, b"k", b"\xff%", (("a", b"1"), ("b", None)))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("%v", b"\xff%"),
        (r"%t[%p]@%o %T %k=%v\n", b"orders[2]@7 1700 k=\xff%\n"),
        ("%K %V", b"1 2"),
        ("%h", b"a=1,b=null"),
        ("100%%", b"100%"),
        ("%%v%%%v", b"%v%\xff%"),
        ("", b""),
        ("no tokens", b"no tokens"),
    ],
)
def test_templates(text: str, line: bytes) -> None:
    assert Template(text, b"null").render("orders", 2, RECORD) == line


def test_null_has_a_text_and_a_size() -> None:
    assert Template("%k %v %K %V", b"-").render("t", 0, Record(0, 0, None, None, ())) == b"- - -1 -1"


@pytest.mark.parametrize("text", ["%q", "100%", "%v%"])
def test_unknown_tokens_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Template(text, b"null")
