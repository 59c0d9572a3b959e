"""The app on the home screen, its start, and what it asks of the person: nothing by itself."""

import json
import re

from support.front import PAGES

ROUTES = [re.compile("^" + re.sub(r"\{\w+\}", "[^/]+", page["path"]) + "$") for page in PAGES]


def test_the_manifest_makes_an_app(person, pages):
    """The browser finds no fault in it; icons are as large as it says, one of them for any shape; shortcuts lead to pages."""
    ada = person()
    page = ada.go("/")
    told = ada.context.new_cdp_session(page).send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "./", "./")
    sizes = {(icon["purpose"], icon["sizes"]) for icon in manifest["icons"]}
    assert {("any", "192x192"), ("any", "512x512"), ("maskable", "192x192"), ("maskable", "512x512")} <= sizes
    for icon in manifest["icons"]:
        width = page.evaluate("(src) => new Promise((resolve, reject) => { const image = new Image(); image.onload = () => resolve(image.naturalWidth); image.onerror = reject; image.src = src; })", icon["src"])
        assert icon["sizes"] in ("any", f"{width}x{width}"), icon
    paths = {shortcut["short_name"] if "short_name" in shortcut else shortcut["name"]: "/" + shortcut["url"] for shortcut in manifest["shortcuts"]}
    assert paths == {"Add": "/add", "Calendar": "/calendar"}
    assert all(any(route.match(path) for route in ROUTES) for path in paths.values())


def test_the_installed_app_starts_offline(person, pages):
    """By its start address and by its shortcuts, in a browser that closed all its pages meanwhile."""
    ada = person(worker=True)
    ada.go("/")
    ada.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    ada.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    ada.page.close()
    pages.shut()
    page = ada.tab()
    for path, heading in (("/", "What do you keep paying for?"), ("/add", None), ("/calendar", "Calendar")):
        ada.go(path, page=page)
        page.locator("h1").wait_for()
        if heading:
            assert page.locator("h1").inner_text() == heading
    page.locator("table.month").wait_for()


ASKED = """globalThis.asked = [];
for (const [of, name] of [[globalThis.Notification, "requestPermission"], [globalThis.PushManager?.prototype, "subscribe"], [globalThis.Geolocation?.prototype, "getCurrentPosition"]])
    if (of?.[name]) of[name] = () => { asked.push(name); return Promise.reject(new Error("nobody is asked")); };"""


def test_nobody_is_asked_for_anything(person, furnished, pages):
    """No page asks for push or for anything else: not on arrival, not after an answer."""
    ada = person(token=furnished().token)
    page = ada.page
    page.add_init_script(ASKED)
    for path in ("/", "/subscriptions", "/add", "/calendar", "/spending", "/more", "/profile"):
        ada.go(path)
        assert page.evaluate("asked") == [], path
    ada.go("/")
    page.locator(".answer .buttons button").first.click()
    page.locator(".answer.done").first.wait_for()
    assert page.evaluate("asked") == []


def test_dark_begins_dark(person, pages):
    """Before the app's own script runs the ground is the chosen theme's, also where the device has the other one."""
    ada = person(theme="light")
    page = ada.go("/profile")
    page.get_by_role("radio", name="Dark").check()
    page.wait_for_function("() => localStorage.getItem('subtrack.theme') === 'dark'")
    page.close()
    page = ada.context.new_page()
    # The app's script does not come. The shell and theme.js alone decide the colours.
    page.route(re.compile(r"/js/app\.js$"), lambda route: route.abort())
    page.goto(ada.url + "/")
    assert page.evaluate("() => [document.documentElement.dataset.theme, document.querySelector('#app').childElementCount]") == ["dark", 0]
    assert page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor") == "rgb(18, 23, 20)"
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") in ("rgba(0, 0, 0, 0)", "rgb(18, 23, 20)")
