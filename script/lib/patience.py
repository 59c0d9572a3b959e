"""Finds tests that judge the time of a busy machine: expectations on measured seconds, and short waits for things that come.

A test that measures belongs to the full run, and says so: `.enabled(if: TestStage.full, …)`, `@pytest.mark.full`.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The shortest wait for something that comes, in seconds.
PATIENCE = 30
UNIT = r"\.(?:minutes|seconds|milliseconds|microseconds)"
JUDGED = re.compile(rf"#(?:expect|require)\(.*(?:<=?\s*{UNIT}\(|{UNIT}\([^()]*\)\s*>=?)")
MEASURES = re.compile(r"ContinuousClock|SuspendingClock|\bclock\.now\b|\.now\s*-|duration\(to:")
WAITS = re.compile(r"\b(?:eventually|ends|text|line|changes|exit|reply|frame)\((?:[^()]*, )?within: \.(seconds|milliseconds)\(([\d_]+)\)")
# A limit of a test's time is there for a hang, and fails no slow machine.
LIMIT = re.compile(r"\.timeLimit\(\.minutes\((\d+)\)\)")
BEGINS = re.compile(r"^\s*@(Suite|Test)\b")
PYTHON_WAITS = re.compile(r"\b(?:timeout|patience)=(\d[\d_]*)\b|set_default_timeout\((\d[\d_]*)\)")


def statement(lines: list[str], number: int) -> str:
    """A line with those that follow until its brackets are closed."""
    whole = lines[number - 1]
    for following in lines[number:number + 8]:
        if whole.count("(") <= whole.count(")"):
            break
        whole += " " + following.strip()
    return whole


def swift_faults(text: str) -> list[tuple[int, str]]:
    """The lines of a file in Swift that break a rule, with the reason."""
    faults, attribute, is_open = [], {"Suite": "", "Test": ""}, None
    has_measured = False
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if begins := BEGINS.match(line):
            is_open = begins[1]
            attribute[is_open] = ""
            has_measured = False
        if is_open:
            # An attribute goes on until the declaration that it stands before.
            attribute[is_open] += line
            if re.search(r"\b(?:struct|func|class|enum|actor) \w", line):
                is_open = None
        has_measured = has_measured or MEASURES.search(line) is not None
        if any("TestStage.full" in one or "TestStage.faults" in one for one in attribute.values()) or "TestStage.full" in line:
            continue
        if (limit := LIMIT.search(line)) and int(limit[1]) < 10:
            faults.append((number, "a limit of less than 10 minutes"))
        whole = statement(lines, number) if re.search(r"#(?:expect|require)\(|\($", line) else line
        if has_measured and JUDGED.search(whole):
            faults.append((number, "an expectation on measured time"))
        if (wait := WAITS.search(whole)) and int(wait[2].replace("_", "")) < PATIENCE * (1 if wait[1] == "seconds" else 1000):
            # Something that never comes is waited for in vain, and only briefly.
            if "nil" not in line and "impossible" not in line and "throws" not in line:
                faults.append((number, f"a wait of less than {PATIENCE} s"))
    return faults


def python_faults(text: str) -> list[tuple[int, str]]:
    """The lines of a file in Python that wait too briefly. Times of playwright are milliseconds."""
    faults, is_full, previous = [], False, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("def "):
            is_full = "mark.full" in previous
        if line.strip():
            previous = line if line.startswith("@") else ""
        if is_full:
            continue
        for match in PYTHON_WAITS.finditer(line):
            value = int((match[1] or match[2]).replace("_", ""))
            if 0 < value < PATIENCE or 1000 <= value < PATIENCE * 1000:
                faults.append((number, f"a wait of less than {PATIENCE} s"))
    return faults


def faults() -> list[str]:
    found = []
    for folder, suffix, check in (("Tests", ".swift", swift_faults), ("Tests/Web", ".py", python_faults)):
        for file in sorted((ROOT / folder).rglob(f"*{suffix}")):
            found += [f"{file.relative_to(ROOT)}:{number}: {reason}" for number, reason in check(file.read_text(encoding="utf-8"))]
    return found


if __name__ == "__main__":
    found = faults()
    print("\n".join(found), file=sys.stderr)
    sys.exit(1 if found else 0)
