"""Lists the suites and tests that carry a tag, as patterns of --filter. Finds types with tests that do not print their own times."""

import re
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2] / "Tests"
ATTRIBUTE = re.compile(r"@(Suite|Test)\b(\(?)")
DECLARED = re.compile(r"\b(?:struct|class|enum|actor|func) (\w+)")
# A text, or a bracket. Brackets within a text count for nothing.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()]')


def end_of_arguments(text: str, start: int) -> int:
    """The place behind the bracket that closes the one before `start`."""
    depth = 1
    for token in TOKEN.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(text)


def patterns(target: str, text: str, tag: str) -> list[str]:
    """The suites and tests of a file that carry a tag. A test of a tagged suite is not named again."""
    found, suite, is_whole = [], None, False
    for attribute in ATTRIBUTE.finditer(text):
        end = end_of_arguments(text, attribute.end()) if attribute[2] else attribute.end()
        if not (declared := DECLARED.search(text, end)):
            continue
        has = re.search(rf"\.tags\([^)]*\.{tag}\b", text[attribute.end():end]) is not None
        if attribute[1] == "Suite":
            suite, is_whole = declared[1], has
            if has:
                found.append(rf"^{target}\.{suite}/")
        elif has and not is_whole:
            found.append(rf"^{target}\.{suite}/{declared[1]}\(" if suite else rf"^{target}\.{declared[1]}\(")
    return found


def tagged(tag: str) -> list[str]:
    files = sorted(TESTS.rglob("*.swift"))
    return [one for file in files for one in patterns(file.relative_to(TESTS).parts[0], file.read_text(encoding="utf-8"), tag)]


TYPE = re.compile(r"^(?:@.*[ )])?(?:(?:final|private|public) )*(?:struct|class|enum|actor) (\w+)", re.MULTILINE)


def untimed(text: str) -> list[str]:
    """The types of a file with tests and without `.ownTime`."""
    found = []
    for block in re.split(r"^\}$", text, flags=re.MULTILINE):
        if (declared := TYPE.search(block)) and re.search(r"^ +@Test\b", block, re.MULTILINE) and ".ownTime" not in block:
            found.append(declared[1])
    return found


if __name__ == "__main__":
    found = tagged(sys.argv[1])
    if not found:
        sys.exit(f"tagged.py: no test carries .{sys.argv[1]}")
    print("\n".join(found))
