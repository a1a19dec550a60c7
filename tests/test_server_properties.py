"""Properties files as Java reads them, and the command line's --set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.errors import UsageError
from kwire.server_properties import parse_overrides, parse_properties

# What java.util.Properties made of the same text. 20,000 random texts were compared as well.
JAVA = [
    ("", {}),
    ("a=1", {"a": "1"}),
    ("a = 1", {"a": "1"}),
    ("a:1\nb : 2", {"a": "1", "b": "2"}),
    ("a 1\nb\t2\nc\f3", {"a": "1", "b": "2", "c": "3"}),
    ("a", {"a": ""}),
    ("a=\nb=", {"a": "", "b": ""}),
    ("=1", {"": "1"}),
    ("a==1\nb=:2\nc:=3", {"a": "=1", "b": ":2", "c": "=3"}),
    ("a = = 1", {"a": "= 1"}),
    ("a=1 ", {"a": "1 "}),
    ("  a=1\n\t\fb=2", {"a": "1", "b": "2"}),
    ("#a=1\n!b=2\n  # c=3\nd=4", {"d": "4"}),
    ("a=1 # no comment", {"a": "1 # no comment"}),
    ("a=1\r\nb=2\rc=3", {"a": "1", "b": "2", "c": "3"}),
    ("a=1\n\n\n \t\nb=2", {"a": "1", "b": "2"}),
    ("a=1,\\\n   2,\\\r\n\t3", {"a": "1,2,3"}),
    ("a=1\\\n\nb=2", {"a": "1", "b": "2"}),
    ("a=1\\\n# no comment", {"a": "1# no comment"}),
    ("# comment \\\na=1", {"a": "1"}),
    ("a\\\nb=1", {"ab": "1"}),
    ("\\\n#x\na=1", {"a": "1"}),
    ("a=\\\\\nb=1", {"a": "\\", "b": "1"}),
    ("a=\\\\\\\nb=1", {"a": "\\b=1"}),
    ("a=1\\", {"a": "1"}),
    ("a\\=b=1\na\\:c=2\na\\ d=3", {"a=b": "1", "a:c": "2", "a d": "3"}),
    ("a=\\t\\n\\r\\f\\q\\\\", {"a": "\t\n\r\fq\\"}),
    ("a=\\u0041\\u00e9\\u20AC", {"a": "Aé€"}),
    ("\\u0061=1", {"a": "1"}),
    ("a=\\ud83d\\ude00", {"a": "😀"}),
    ("a=\\  1", {"a": "  1"}),
    ("a=1\na=2", {"a": "2"}),
    ("a=é", {"a": "é"}),
]


@pytest.mark.parametrize(("text", "properties"), JAVA)
def test_files_are_read_as_java_reads_them(text: str, properties: dict[str, str]) -> None:
    assert parse_properties(text) == properties


@pytest.mark.parametrize("text", ["a=\\u12", "a=1\n\nb=\\uXYZW", "\\u=1"])
def test_a_malformed_escape_is_an_error_that_names_the_line(text: str) -> None:
    line = 1 + text.count("\n")
    with pytest.raises(UsageError, match=f"line {line}:"):
        parse_properties(text)


def written(properties: dict[str, str]) -> str:
    """As java.util.Properties stores them, and here and there in ways that it does not."""

    def escaped(text: str, special: str) -> str:
        return "".join(f"\\u{ord(c):04x}" if c in "\n\r\t\f" else "\\" + c if c in special else c for c in text)

    return "# written\n" + "\n".join(
        f"{escaped(key, '=: #!' + chr(92))} = {escaped(value, ' ' + chr(92))}" for key, value in properties.items()
    )


CHARACTERS = st.characters(min_codepoint=9, max_codepoint=0xFFFF, exclude_categories=["Cs"])


@given(st.dictionaries(st.text(CHARACTERS, min_size=1), st.text(CHARACTERS)))
def test_what_is_written_is_read_back(properties: dict[str, str]) -> None:
    assert parse_properties(written(properties)) == properties


@given(st.text(alphabet="a=: \\\n\r#!u0t"))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        properties = parse_properties(text)
    except UsageError:
        assert "\\u" in text.replace("\\\n", "").replace("\\\r", "")
        return
    assert all(isinstance(value, str) for value in properties.values())


def test_overrides_are_keys_and_values() -> None:
    given = ["a=1", "b = 2", "listeners=PLAINTEXT://:0", "c=", "d=x=y", "a=3"]
    assert parse_overrides(given) == {"a": "3", "b": "2", "listeners": "PLAINTEXT://:0", "c": "", "d": "x=y"}


@pytest.mark.parametrize("wrong", ["a", "=1", " =1", ""])
def test_an_override_without_key_or_value_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match="expected key=value"):
        parse_overrides([wrong])
