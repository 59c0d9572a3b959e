"""The rules in JavaScript decide as SubTrackCore does, in fixed cases and in random ones: `web-cases` writes them, ten thousand for a full run."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from support.door import FOLDERS
from support.extent import IS_FULL
from support.service import program

SEED = int(os.environ.get("SUBTRACKIT_TEST_SEED", "20261123"))
COUNT = int(os.environ.get("SUBTRACKIT_WEB_CASES", "10000" if IS_FULL else "4000"))

WEB, PAGES = FOLDERS["/__web/"], FOLDERS["/__test/"]

# Kinds without random cases.
FIXED = {"contactDeclaration", "contactFolded"}


@pytest.fixture(scope="module")
def cases():
    named = os.environ.get("SUBTRACKIT_WEB_CASES_PROGRAM", pathlib.Path(program()).parent / "web-cases")
    written = subprocess.run([str(named), str(SEED), str(COUNT)], capture_output=True, check=True, timeout=300)
    return written.stdout.decode()


def test_both_languages_decide_alike(cases, blank):
    done = blank.evaluate("async (text) => (await import('/__test/rules.js')).run(JSON.parse(text))", cases)
    assert done["count"] > COUNT + 200
    # No kind of case was left out, and each has refusals and successes.
    assert min(count for kind, count in done["counts"].items() if kind not in FIXED) >= COUNT // 50, done["counts"]
    assert done["wrong"] == 0, f"seed {SEED}: {done['wrong']} differ, the first: {json.dumps(done['first'][0])}"


# A rule each, as a slip would change it.
SLIPS = [
    ("days.js", "year % 400 === 0", "year % 400 !== 0"), ("billing.js", "Math.min(day, daysInMonth(newYear, newMonth))", "Math.min(day, 28)"),
    ("money.js", "padStart(digits + 1,", "padStart(digits,"), ("prices.js", ".effectiveOn <= day", ".effectiveOn < day"),
    ("standing.js", '=== "active" && remaining < 0', '=== "active" && remaining <= 0'), ("spending.js", "addDays(next.effectiveOn, -1)", "next.effectiveOn"),
    ("notices.js", "if (!isSamePrice(price, from))", "if (isSamePrice(price, from))"), ("merge.js", "return one === other", "return one !== other"),
    ("written.js", 'rest[2] !== "0"', 'rest[2] === "0"'), ("declared.js", "if (!before) changes[id]", "if (before) changes[id]"), ("contacts.js", "first, first + 1", "first"),
    ("contactsearch.js", 'includes(text[place - 1])', 'includes(text[place])'),
]


def test_a_changed_rule_is_noticed(cases, blank):
    """The cases are no formality: one changed sign in one file, and they fail."""
    def changed(route):
        number, path = re.search(r"/__slip(\d+)/(.*)", route.request.url).groups()
        file, is_, becomes = SLIPS[int(number)]
        text = (PAGES / "rules.js").read_text().replace("/__web/", f"/__slip{number}/") if path == "rules.js" else (WEB / path).read_text()
        if path == f"js/core/{file}":
            assert is_ in text
            text = text.replace(is_, becomes, 1)
        route.fulfill(body=text, content_type="text/javascript")
    blank.route("**/__slip*/**", changed)
    # A set of rules for each slip, in one page that has read the cases once.
    wrong = blank.evaluate("""async ([text, count]) => {
        const cases = JSON.parse(text), wrong = [];
        for (let i = 0; i < count; i++) {
            try { wrong.push((await import(`/__slip${i}/rules.js`)).run(cases, 1).wrong); } catch (error) { wrong.push(String(error)); }
        }
        return wrong;
    }""", [cases, len(SLIPS)])
    assert len(wrong) == len(SLIPS) and [file for (file, _, _), found in zip(SLIPS, wrong) if found == 0] == []
