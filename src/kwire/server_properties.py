r"""Reads server.properties, a Java properties file, and the `key=value` of `--set`. Text in, a mapping out.

    # a comment, as is a line that begins with !
    num.partitions=3              key and value are separated by = or : or white space, with white space around
    log.dirs : /data/one,\        a backslash at the end continues the line, without the next one's indentation
               /data/two
    broker.rack eu\u002dwest      \uXXXX, \t \n \r \f are characters; any other \x is x, and so \= belongs to the key

As in Java, the last of several equal keys counts, white space at the end belongs to the value, and a backslash in a
comment continues nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kwire.errors import UsageError

_BLANK = " \t\f"
_LINE_END = re.compile(r"\r\n|\r|\n")
_KEY = re.compile(r"((?:\\.|[^\\=: \t\f])*)[ \t\f]*[=:]?[ \t\f]*(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.|$)", re.DOTALL)
_CONTROL = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def parse_properties(text: str) -> dict[str, str]:
    """All keys and values of a properties file. `UsageError` names the line of a malformed \\u escape."""
    properties: dict[str, str] = {}
    for number, line in _logical_lines(text):
        found = _KEY.fullmatch(line)
        assert found, "the pattern takes any line"
        key, value = (_unescape(part, number) for part in found.groups())
        properties[key] = value
    return properties


def parse_overrides(settings: Iterable[str]) -> dict[str, str]:
    """The `key=value` arguments of `--set`; the last of several equal keys counts."""
    overrides: dict[str, str] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"--set {setting}: expected key=value", "such as --set num.partitions=3")
        overrides[key.strip()] = value.strip()
    return overrides


def _logical_lines(text: str) -> Iterable[tuple[int, str]]:
    """(number of its first line, line) without comments and blank lines, continued lines joined."""
    started = 0
    parts: list[str] = []
    for number, natural in enumerate(_LINE_END.split(text), start=1):
        line = natural.lstrip(_BLANK)
        if not parts and (not line or line[0] in "#!"):
            continue
        started = started if parts else number
        backslashes = len(line) - len(line.rstrip("\\"))
        if backslashes % 2:
            if parts or line != "\\":  # a line of nothing but a backslash is blank
                parts.append(line[:-1])
        else:
            yield started, "".join((*parts, line))
            parts = []
    if parts:  # the last line ends in a backslash
        yield started, "".join(parts)


def _unescape(text: str, number: int) -> str:
    def character(found: re.Match[str]) -> str:
        escape = found[1]
        if len(escape) == 5:
            return chr(int(escape[1:], 16))
        if escape == "u":
            raise UsageError(f"line {number}: \\u is followed by four hexadecimal digits")
        return _CONTROL.get(escape, escape)

    replaced = _ESCAPE.sub(character, text)
    # Java writes characters beyond U+FFFF as two escapes; joined they are one character.
    return replaced.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
