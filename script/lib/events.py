"""Reads the events that Swift Testing writes while it runs tests, for script/test.

A test is named as --filter wants it: `Target.Suite/name(`. A test that crashes its process has begun and has not ended.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path


class Report:
    """The tests of one run in the order in which they began, with the messages of the failed ones."""

    def __init__(self, lines):
        self.begun: dict[str, bool] = {}
        self.failures: dict[str, list[str]] = {}
        self.skipped: set[str] = set()
        self.has_ended = False
        functions: set[str] = set()
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                # A process that crashes may leave half a line.
                continue
            payload = record["payload"]
            if record["kind"] == "test":
                if payload["kind"] == "function":
                    functions.add(payload["id"])
                continue
            kind, identity = payload["kind"], payload.get("testID")
            self.has_ended = self.has_ended or kind == "runEnded"
            if kind == "issueRecorded" and payload["issue"].get("isFailure", not payload["issue"].get("isKnown")):
                message = " ".join(one["text"] for one in payload["messages"])
                self.failures.setdefault(identity or "outside of any test", []).append(message)
            elif identity in functions:
                if kind == "testStarted":
                    self.begun[identity] = False
                elif kind == "testEnded":
                    self.begun[identity] = True
                elif kind == "testSkipped":
                    self.skipped.add(identity)

    @property
    def unfinished(self) -> list[str]:
        """The tests that have begun and not ended, or words for a run that ended before its last tests had begun."""
        return [name for name, has_ended in self.begun.items() if not has_ended] or ([] if self.has_ended or not self.begun else ["the run"])

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many passed, failed and were skipped."""
        failed = len(self.failures)
        ended = sum(1 for name, has_ended in self.begun.items() if has_ended and name not in self.failures)
        return ended, failed, len(self.skipped)


def short(identity: str) -> str:
    """A test without the place of its source: `Target.Suite/name()`."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", identity)


def pattern(identity: str) -> str:
    """The pattern of --filter that matches one test. A failure outside of any test has none."""
    return "^" + re.escape(short(identity).partition("(")[0]) + r"\("


OWN_TIME = re.compile(r"^own time ([\d.]+) s: (.+)$", re.MULTILINE)


def slowest(logs: list[str], count: int = 20) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
    """The tests and the suites that took longest, by the lines of TestTraits/OwnTime. A test has the time of all its cases, on all servers."""
    tests: Counter[str] = Counter()
    suites: Counter[str] = Counter()
    for log in logs:
        for seconds, identity in OWN_TIME.findall(log):
            tests[short(identity)] += float(seconds)
            suites[short(identity).rpartition("/")[0]] += float(seconds)
    return tuple([(seconds, name) for name, seconds in times.most_common(count)] for times in (tests, suites))


def read(path: str) -> Report:
    file = Path(path)
    return Report(file.read_text(encoding="utf-8", errors="replace").splitlines() if file.exists() else [])


def main(command: str, path: str) -> None:
    if command == "slowest":
        logs = [file.read_text(encoding="utf-8", errors="replace") for file in sorted(Path(path).glob("*.log"))]
        for title, times in zip(("tests", "suites"), slowest(logs)):
            print(f"The slowest {title}, in seconds:")
            for seconds, name in times:
                print(f"{seconds:8.1f} {name}")
        return
    report = read(path)
    if command == "counts":
        print(*report.counts)
    elif command == "failed":
        for identity in report.failures:
            if "/" in identity:
                print(pattern(identity))
    elif command == "messages":
        for identity, messages in report.failures.items():
            # A message of several lines is one line here: the caller counts them.
            print(f"{short(identity)}: {' '.join(messages[0].split())[:500]}")
    elif command == "unfinished":
        for identity in report.unfinished:
            print(short(identity))
    else:
        sys.exit(f"events.py: unknown command {command}")


if __name__ == "__main__":
    main(*sys.argv[1:])
