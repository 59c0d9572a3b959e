"""The rules in JavaScript decide as SubTrackCore does, in fixed cases and ten thousand random ones: `web-cases` writes them."""

import json
import os
import pathlib
import subprocess

import pytest
from support.service import program

SEED = int(os.environ.get("SUBTRACKIT_WEB_SEED", "20261123"))
COUNT = int(os.environ.get("SUBTRACKIT_WEB_CASES", "10000"))


@pytest.fixture(scope="module")
def cases():
    named = os.environ.get("SUBTRACKIT_WEB_CASES_PROGRAM", pathlib.Path(program()).parent / "web-cases")
    written = subprocess.run([str(named), str(SEED), str(COUNT)], capture_output=True, check=True, timeout=120)
    return written.stdout.decode()


def test_both_languages_decide_alike(cases, blank):
    done = blank.evaluate("async (text) => (await import('/__test/rules.js')).run(JSON.parse(text))", cases)
    assert done["count"] > COUNT + 200
    # No kind of case was left out, and each has refusals and successes.
    assert min(done["counts"].values()) >= COUNT // 50, done["counts"]
    assert done["wrong"] == 0, f"seed {SEED}: {done['wrong']} differ, the first: {json.dumps(done['first'][0])}"
