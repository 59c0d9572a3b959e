"""New builds: nothing that is being written is lost, no page has files of two builds, and `--web off` leaves nothing behind."""

import re

from support.waiting import SECONDS, promised

MARKED = re.compile(r'todayTab: "[^"]*"')


def build(front, name, **options):
    """A build whose word for Today is another."""
    return front.deploy({"js/words/en.js": MARKED.sub(f'todayTab: "{name}"', (front.files["js/words/en.js"]).decode())}, **options)


def ready(page):
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")


def controlled(page):
    """Waits until the worker has the page."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def look_for_new(page):
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => true)")


def test_second_visit_needs_no_file(person, front):
    ada = person(at=front, worker=True)
    page = ada.go("/")
    ready(page)
    controlled(page)
    before = len(front.requests)
    ada.go("/")
    ada.go("/subscriptions")
    ada.go("/profile")
    asked = [line for line in front.requests[before:] if "/app/" in line or line in ("GET /", "GET /subscriptions", "GET /profile")]
    assert asked == []


def test_half_filled_form_survives(person, front):
    """A new build waits while a form is open; taken by hand, the typed text is still there."""
    first = build(front, "First build")
    ada = person(at=front, size="desktop", worker=True)
    page = ada.go("/add/own")
    ready(page)
    controlled(page)
    page.get_by_label("What is it?").fill("Allotment")
    page.get_by_label("Price", exact=True).fill("31.50")
    second = build(front, "Second build")
    look_for_new(page)
    page.get_by_role("button", name="Load it").wait_for()
    assert page.evaluate("document.querySelector('meta[name=build]').content") == first
    assert page.get_by_label("What is it?").input_value() == "Allotment"
    # Files of the first build are still to be had, though the service has them no more.
    page.get_by_role("link", name="Calendar").first.click()
    ada.heading("Calendar")
    ada.see("First build", where="nav.side")
    with page.expect_navigation():
        page.get_by_role("button", name="Load it").click()
    page.wait_for_selector("[data-ready]", state="attached")
    assert page.evaluate("document.querySelector('meta[name=build]').content") == second
    ada.see("Second build", where="nav.side")
    ada.go("/add/own")
    assert page.get_by_label("What is it?").input_value() == "Allotment"
    assert page.get_by_label("Price", exact=True).input_value() == "31.50"


def test_all_files_of_a_page_are_of_one_build(person, front):
    """Whatever is loaded when: each page has files of one build alone, and caches before the former build go."""
    build(front, "First build")
    ada = person(at=front, size="desktop", worker=True)
    page = ada.go("/")
    ready(page)
    controlled(page)
    for name in ("Second build", "Third build"):
        build(front, name)
        look_for_new(page)
        page.get_by_role("button", name="Load it").wait_for()
        with page.expect_navigation():
            page.get_by_role("button", name="Load it").click()
        page.wait_for_selector("[data-ready]", state="attached")
        for path in ("subscriptions", "calendar", "spending", "profile"):
            page.evaluate("(path) => { const link = document.createElement('a'); link.href = path; document.body.append(link); link.click(); link.remove(); }", path)
            page.wait_for_url(re.compile(path))
            page.locator("h1").wait_for()
        builds = page.evaluate("""() => [...new Set(performance.getEntriesByType("resource").map((one) => /\\/app\\/([^/]+)\\//.exec(one.name)?.[1]).filter(Boolean))]""")
        assert builds == [front.build]
    # The former build's files stay for a page that may have it open, until a build after this one; those before it go.
    promised(page, "async () => (await caches.keys()).length <= 2")


def test_a_build_that_cannot_be_had_whole_is_not_taken(person, front):
    """One file fails: the old build goes on, with all its files."""
    first = build(front, "First build")
    ada = person(at=front, size="desktop", worker=True)
    page = ada.go("/")
    ready(page)
    controlled(page)
    traps = []
    # The browser looks for a new build by itself as well: the trap is there first.
    build(front, "Second build", onName=lambda name: traps.append(front.trap(f"GET /app/{name}/js/pages/calendar.js", "request", times=99)))
    # A worker that could not be installed is none: the attempt is refused.
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((one) => one.update()).catch(() => {}).then(() => true)")
    promised(page, "() => navigator.serviceWorker.getRegistration().then((one) => !one.installing)")
    assert traps[0].sprung.wait(SECONDS)
    promised(page, "() => navigator.serviceWorker.getRegistration().then((one) => !one.installing && !one.waiting)")
    ada.go("/calendar")
    assert page.evaluate("document.querySelector('meta[name=build]').content") == first


def test_page_without_worker_reloads_once(person, front):
    """A page of an older build that asks for a file which is not there any more loads the new one."""
    build(front, "First build")
    ada = person(at=front, size="desktop")
    page = ada.go("/")
    build(front, "Second build")
    page.locator("#finder").fill("a")
    ada.page.evaluate("() => { const link = document.createElement('a'); link.href = 'calendar'; document.body.append(link); link.click(); link.remove(); }")
    page.wait_for_function("(build) => document.querySelector('meta[name=build]').content === build", arg=front.build)
    ada.heading("Calendar")
    # Files of the older build that were on their way are no fault; they are told until the page is closed.
    page.close()
    ada.faults.clear()


def test_web_off_leaves_nothing(person, front):
    """After one visit no worker and no cache is left; changes that wait to be sent are."""
    ada = person(at=front, worker=True)
    page = ada.go("/")
    ready(page)
    controlled(page)
    page.evaluate("() => new Promise((resolve) => { const open = indexedDB.open('kept', 1); open.onupgradeneeded = () => open.result.createObjectStore('one').put(1, 1); open.onsuccess = () => { open.result.close(); resolve(); }; })")
    front.is_off = True
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((one) => one.update()).catch(() => {}).then(() => true)")
    promised(page, "async () => (await caches.keys()).length === 0")
    promised(page, "async () => (await indexedDB.databases()).some(({ name }) => name === 'kept')")
    page.goto(front.url + "/")
    assert page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0
    ada.faults.clear()
