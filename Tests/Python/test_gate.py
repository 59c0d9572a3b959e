"""Tests of the parts of script/test: what it reads of a run, which tests carry a tag, and which tests judge time."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import events
import patience
import tagged


def record(kind, test=None, **payload):
    return json.dumps({"kind": "event", "payload": {"kind": kind, "testID": test, "messages": [], **payload}})


def function(test):
    return json.dumps({"kind": "test", "payload": {"kind": "function", "id": test}})


ONE, TWO, LEFT = "SomeTests.A/one(n:)/A.swift:3:6", "SomeTests.A/two()/A.swift:9:6", "SomeTests.B/left()/B.swift:1:1"


class Report(unittest.TestCase):
    def setUp(self):
        issue = {"isFailure": True, "isKnown": False}
        known = {"isFailure": False, "isKnown": True}
        self.report = events.Report([
            function(ONE), function(TWO), function(LEFT), record("testStarted", "SomeTests.A"), record("testStarted", ONE), record("testStarted", TWO),
            record("issueRecorded", ONE, issue=issue, messages=[{"text": "1 is not"}, {"text": "2"}]),
            record("issueRecorded", ONE, issue=issue, messages=[{"text": "another"}]), record("issueRecorded", TWO, issue=known),
            record("testSkipped", LEFT), record("testEnded", ONE), record("testEnded", TWO), record("testEnded", "SomeTests.A"),
            record("runEnded", None), '{"kind": "ev',
        ])

    def test_tests_are_counted_and_suites_are_not(self):
        self.assertEqual(self.report.counts, (1, 1, 1))

    def test_a_failed_test_is_known_by_its_first_message(self):
        self.assertEqual(self.report.failures, {ONE: ["1 is not 2", "another"]})
        self.assertEqual(events.pattern(ONE), r"^SomeTests\.A/one\(")

    def test_a_message_of_several_lines_is_one(self):
        with tempfile.NamedTemporaryFile("w", suffix=".events") as file, contextlib.redirect_stdout(io.StringIO()) as printed:
            file.write("\n".join([function(ONE), record("issueRecorded", ONE, issue={"isFailure": True}, messages=[{"text": "a\n\n  b"}])]))
            file.flush()
            events.main("messages", file.name)
        self.assertEqual(printed.getvalue(), "SomeTests.A/one(n:): a b\n")

    def test_a_test_that_was_cut_off_has_not_ended(self):
        self.assertEqual(self.report.unfinished, [])
        cut = events.Report([function(ONE), record("testStarted", ONE)])
        self.assertEqual((cut.unfinished, cut.counts), ([ONE], (0, 0, 0)))
        between = events.Report([function(ONE), function(TWO), record("testStarted", ONE), record("testEnded", ONE)])
        self.assertEqual((between.unfinished, between.counts), (["the run"], (1, 0, 0)))

    def test_the_slowest_are_named_by_their_own_times(self):
        log = f"own time 1.500 s: {ONE}\n✔ Test passed\nown time 2.000 s: {ONE}\nown time 3.000 s: {TWO}\nown time 0.1 s: {LEFT}\n"
        tests, suites = events.slowest([log, ""], 2)
        self.assertEqual(tests, [(3.5, "SomeTests.A/one(n:)"), (3.0, "SomeTests.A/two()")])
        self.assertEqual(suites, [(6.5, "SomeTests.A"), (0.1, "SomeTests.B")])


class Tagged(unittest.TestCase):
    def test_each_tag_names_tests_that_are_there(self):
        for tag in ("everyServer", "ownServer", "otherServers", "otherMariaDB", "everyDay"):
            self.assertTrue(tagged.tagged(tag), tag)

    def test_a_suite_and_a_test_are_told_apart(self):
        text = '@Suite("x (y)", .tags(.a, .b)) struct OneTests {\n @Test(.tags(.b)) func in_it() {}\n}\n@Suite struct TwoTests {\n' \
            ' @Test(\n  "t", .tags(.b),\n  .enabled(if: f(g(1)), "r"))\n private func other() async {}\n @Test func not_it() {}\n}\n'
        self.assertEqual(tagged.patterns("T", text, "b"), [r"^T\.OneTests/", r"^T\.TwoTests/other\("])
        self.assertEqual(tagged.patterns("T", text, "c"), [])

    def test_every_suite_prints_its_own_times(self):
        files = sorted(tagged.TESTS.rglob("*.swift"))
        self.assertEqual([one for file in files for one in tagged.untimed(file.read_text(encoding="utf-8"))], [])
        text = '@Suite("x", .ownTime) struct A {\n @Test func a() {}\n}\n\n@Suite(\n  "y",\n  .serialized)\nstruct B {\n @Test func b() {}\n}\n\nenum C {\n}\n'
        self.assertEqual(tagged.untimed(text), ["B"])


@unittest.skipUnless(sys.platform == "linux" and shutil.which("cc"), "wants Linux and a compiler of C")
class PretendDay(unittest.TestCase):
    # It sleeps and waits first: a moment that it waits for must not be far off by the machine's clock.
    PROGRAM = "import datetime, threading, time; time.sleep(0.01); c = threading.Condition(); c.acquire(); c.wait(0.01); " \
        "threading.Lock().acquire(timeout=0.01); print(datetime.datetime.now(datetime.timezone.utc).isoformat()[:16])"
    SCRIPT = 'source script/lib/common.sh; source script/lib/day.sh; pretend_day "$1"; LD_PRELOAD=$SUBTRACKIT_TEST_CLOCK "$2" -c "$3"; ' \
        'LD_PRELOAD=$SUBTRACKIT_TEST_CLOCK sh -c "date --utc +%F"'

    def test_programs_have_the_day_that_is_named(self):
        for day, expected in (("2026-12-31 23:58", ["2026-12-31T23:58", "2026-12-31"]), ("2028-02-29", ["2028-02-29T10:00", "2028-02-29"])):
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    ["bash", "-c", self.SCRIPT, "bash", folder, sys.executable, self.PROGRAM], cwd=tagged.TESTS.parent, text=True,
                    capture_output=True, timeout=60, check=True, env={**os.environ, "SUBTRACKIT_TEST_DAY": day})
            self.assertEqual(done.stdout.split(), expected)


class Patience(unittest.TestCase):
    JUDGES = "@Test func a() {\n let start = ContinuousClock.now\n #expect(ContinuousClock.now - start < .seconds(5))\n}\n"

    def test_no_test_of_this_repository_judges_time(self):
        self.assertEqual(patience.faults(), [])

    def test_a_measured_time_is_not_judged(self):
        self.assertEqual([line for line, _ in patience.swift_faults(self.JUDGES)], [3])
        of_two_lines = "@Test func a() {\n let began = ContinuousClock.now\n #expect(\n  .seconds(5) > ContinuousClock.now - began)\n}\n"
        self.assertEqual([line for line, _ in patience.swift_faults(of_two_lines)], [3])
        self.assertEqual(patience.swift_faults(self.JUDGES.replace("@Test", '@Test(.enabled(if: TestStage.full, "x"))')), [])
        self.assertEqual(patience.swift_faults("@Test func a() {\n #expect(backoff.next() < .seconds(5))\n}\n"), [], "a value is no time")

    def test_a_short_wait_for_something_that_comes_is_a_fault(self):
        self.assertEqual(len(patience.swift_faults('try await eventually(within: .seconds(20), "it comes") { true }')), 1)
        self.assertEqual(len(patience.swift_faults('try await socket.ends(within: .milliseconds(500))')), 1)
        self.assertEqual(patience.swift_faults('try await eventually(within: .seconds(60), "it comes") { true }'), [])
        self.assertEqual(len(patience.swift_faults("@Test(.timeLimit(.minutes(1))) func a() {\n}\n")), 1)
        self.assertEqual(len(patience.python_faults("def test_a():\n    until(x, patience=5_000)\n    urlopen(x, timeout=5)\n")), 2)
        self.assertEqual(patience.python_faults("@pytest.mark.full\ndef test_a():\n    urlopen(x, timeout=5)\n"), [])
