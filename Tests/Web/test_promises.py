"""The table of README.md: 37 promises, each with tests that are there."""

import pathlib
import re

FOLDER = pathlib.Path(__file__).parent


def test_each_promise_has_its_tests():
    rows = re.findall(r"^\| (\d+)\. .*? \| (.*) \|$", (FOLDER / "README.md").read_text(), re.M)
    assert [int(number) for number, _ in rows] == list(range(1, 38))
    missing = []
    for number, shown in rows:
        tests = re.findall(r"`(test_\w+\.py)::(\w+)`", shown)
        missing += [f"{number}: {file}::{name}" for file, name in tests if f"def {name}(" not in (FOLDER / file).read_text()]
        swift = re.findall(r"`(\w+Tests)\.(\w+)`", shown)
        missing += [f"{number}: {suite}.{name}" for suite, name in swift
                    if f"func {name}(" not in (FOLDER.parent / f"SubTrackServerTests/Web/{suite}.swift").read_text()]
        assert tests or swift, number
    assert missing == []
