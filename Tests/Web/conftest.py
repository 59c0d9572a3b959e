"""What the tests of the web app share: one service and one browser for all of them, a door and a context for each test."""

import os
import pathlib

import pytest
from _pytest.runner import runtestprotocol
from playwright.sync_api import sync_playwright

from support.chromium import Chromium
from support.days import days_of_now
from support.device import Device
from support.door import Door
from support.extent import IS_FULL
from support.front import Front
from support.person import Keeper, Person
from support.service import Service, prepared_state
from support.waiting import LONG

# Seconds that a test may take. A script of a page that never ends would hold up all tests otherwise: playwright waits for it for ever.
PATIENCE = 600


@pytest.fixture(scope="session")
def state(tmp_path_factory, worker_id):
    """The data that each service begins with."""
    folder = tmp_path_factory.getbasetemp()
    return prepared_state(folder if worker_id == "master" else folder.parent)


@pytest.fixture(scope="session")
def service(state):
    """The service of the stage. Nothing here may stop it: see `own_service`."""
    made = Service(state=state)
    try:
        yield made.start()
    finally:
        made.remove()


@pytest.fixture(scope="module")
def own_service(state):
    """A service of a module's own, which its tests may stop, kill and start again."""
    made = Service(state=state)
    try:
        yield made.start()
    finally:
        made.remove()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        made = Chromium(playwright)
        yield made
        made.close()


@pytest.fixture
def browser(chromium):
    """The browser of all tests, or a new one after a test that was too slow."""
    with chromium.ends_after(PATIENCE):
        yield chromium.browser()


@pytest.fixture
def door(service):
    """The way from one browser to the service."""
    made = Door(service.port)
    yield made
    made.close()


@pytest.fixture
def context(browser):
    made = browser.new_context(locale="en-GB", timezone_id="Europe/Berlin", viewport={"width": 1280, "height": 800})
    made.set_default_timeout(LONG)
    yield made
    made.close()


@pytest.fixture
def device(browser, door):
    """Makes browsers that have nothing in common but the service: `device()`; `device(door=other)` by another way."""
    made = []

    def make(**options):
        one = Device(browser, options.pop("door", door), **options)
        made.append(one)
        return one
    yield make
    for one in made:
        one.close()


@pytest.fixture
def blank(context, door):
    """An empty page under the app's own policy, on which modules are tried."""
    page = context.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{door.url}/__test/blank.html")
    yield page
    assert not faults, faults


@pytest.fixture
def pages(service):
    """The way to the app's pages: those of the service, or with SUBTRACKIT_WEB_TREE=1 those of the tree."""
    made = Front(service.port) if os.environ.get("SUBTRACKIT_WEB_TREE") else Door(service.port)
    yield made
    made.close()


@pytest.fixture
def front(service):
    """The app's files from the tree, in any number of builds."""
    made = Front(service.port)
    yield made
    made.close()


@pytest.fixture
def person(browser, pages):
    """Makes people with a browser each: `person(size="desktop", theme="dark")`; `person(at=front)` by another way."""
    made = []

    def make(**options):
        one = Person(browser, options.pop("at", pages).url, **options)
        made.append(one)
        return one
    yield make
    for one in made:
        one.close()


@pytest.fixture
def keeper(service):
    """Makes users by the interface."""
    return lambda **options: Keeper(service, **options)


@pytest.fixture
def furnished(service):
    """Makes users that have something of each kind."""
    return lambda: Keeper(service).furnish()


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than some seconds, and begins before the others")
    config.addinivalue_line("markers", "full: runs with script/test --full alone")


# Files whose tests share a service or data of their own: they run in one worker.
TOGETHER = {"test_injection.py", "test_mail.py", "test_rules.py", "test_speed.py", "test_totals.py"}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Gives each worker the next test, or the next file of those above."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.split("::")[0]
            return file if pathlib.PurePath(file).name in TOGETHER else nodeid
    return Scheduling(config, log)


def pytest_collection_modifyitems(config, items):
    """Long tests begin first, so that two workers end at about the same time. Those marked `full` run where SUBTRACKIT_FULL is set."""
    if not IS_FULL:
        left = [item for item in items if item.get_closest_marker("full")]
        items[:] = [item for item in items if not item.get_closest_marker("full")]
        config.hook.pytest_deselected(items=left)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_runtest_protocol(item, nextitem):
    """A test that failed while the day changed runs once more: it compared days of before and after midnight."""
    began = days_of_now()
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if began != days_of_now() and any(report.failed for report in reports):
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
