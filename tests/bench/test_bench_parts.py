"""The command `python -m bench`, and how parts are timed."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from bench import __main__ as command
from bench import codec_samples
from bench.timing import SAMPLE_SECONDS, side_by_side

from kwire.protocol.codec import decode, encode


def test_an_unknown_part_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["nonsense"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"bench: no part is called 'nonsense'; there are {', '.join(command.PARTS)}"
    ]


def test_a_part_that_lacks_a_module_says_so_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(command.PARTS, "absent", "a part that nobody wrote")
    assert command.main(["absent"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "bench: absent cannot run: no module named bench.absent (remedy: make bench)"
    ]


def test_a_part_is_handed_what_follows_its_name_and_without_one_all_run(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, list[str]]] = []

    def part(name: str, code: int) -> SimpleNamespace:
        return SimpleNamespace(main=lambda options: (ran.append((name, options)), code)[1])

    monkeypatch.setattr(command, "PARTS", {"one": "", "two": ""})
    monkeypatch.setitem(sys.modules, "bench.one", part("one", 1))
    monkeypatch.setitem(sys.modules, "bench.two", part("two", 0))
    assert command.main(["two", "1000", "--quick"]) == 0
    assert command.main(["--quick"]) == 1
    assert command.main([]) == 1
    assert ran == [
        ("two", ["1000", "--quick"]),
        ("one", ["--quick"]),
        ("two", ["--quick"]),
        ("one", []),
        ("two", []),
    ]


def test_help_names_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in command.PARTS)


class ScriptedTimer:
    """Takes the seconds per run that it was given, one after the other, and the last from then on."""

    def __init__(self, name: str, turns: list[str], *seconds: float) -> None:
        self.name = name
        self.turns = turns
        self.seconds = list(seconds)

    def timeit(self, number: int) -> float:
        self.turns.append(self.name)
        return number * (self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0])


def test_timers_take_turns_and_the_shortest_sample_counts() -> None:
    turns: list[str] = []
    slow = SAMPLE_SECONDS  # so that one run is a sample
    first = ScriptedTimer("A", turns, slow, slow, slow * 5, slow * 2, slow * 3)
    second = ScriptedTimer("B", turns, slow, slow, slow * 7)
    figures = side_by_side([first, second], 3)  # pyright: ignore[reportArgumentType]  # a Timer, as far as it is used
    assert turns[-6:] == ["A", "B", "A", "B", "A", "B"]
    assert [figure.best for figure in figures] == pytest.approx([slow * 2, slow * 7])
    assert [figure.median for figure in figures] == pytest.approx([slow * 3, slow * 7])


def test_a_short_run_is_repeated_until_a_sample_is_long_enough() -> None:
    numbers: list[int] = []

    class Quick:
        def timeit(self, number: int) -> float:
            numbers.append(number)
            return number * SAMPLE_SECONDS / 100

    side_by_side([Quick()], 2)  # pyright: ignore[reportArgumentType]
    assert numbers[-2:] == [100, 100]


@pytest.mark.parametrize("sample", codec_samples.samples(), ids=lambda sample: sample.name)
def test_a_sample_survives_the_wire(sample: codec_samples.Sample) -> None:
    data = encode(sample.message, sample.version)
    assert decode(type(sample.message), sample.version, data) == sample.message
