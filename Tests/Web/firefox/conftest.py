"""The same stories in Debian's Firefox: `script/web-tests --firefox`."""

import os
import pathlib

import pytest
from playwright.sync_api import sync_playwright
from support.firefox import PROGRAM

RELAY = pathlib.Path(__file__).resolve().parents[1] / "support/firefox.py"


def pytest_ignore_collect(collection_path):
    return None if os.environ.get("SUBTRACKIT_WEB_FIREFOX") else True


# What playwright cannot ask of Firefox, by the beginning of a test's name.
CANNOT = {"test_export_and_delete": "it is not told of downloads"}


@pytest.fixture(autouse=True)
def only_what_can_be_asked(request):
    for start, reason in CANNOT.items():
        if request.node.name.startswith(start):
            pytest.skip(reason)


@pytest.fixture(scope="session")
def firefox():
    assert PROGRAM, "no Firefox here (firefox-esr)"
    with sync_playwright() as playwright:
        made = playwright.firefox.launch(channel="moz-firefox", executable_path=RELAY, timeout=90_000)
        yield made
        made.close()


@pytest.fixture
def browser(firefox):
    return firefox
