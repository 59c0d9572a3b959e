"""The app for everybody: axe finds nothing on any page, keys alone are enough, nothing is cut off, and right to left mirrors."""

import pathlib
import re

import axe_playwright_python
import pytest

from support.days import day
from support.extent import full

# Nothing is fetched for it, and only violations are told: the rest takes axe most of its time.
QUICK = {"preload": False, "elementRef": False, "resultTypes": ["violations"]}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


AXE = next(pathlib.Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text()


# The navigation is the same on each page.
FRAME = ["nav.side", "nav.tabs"]


def faults(page, rules=None, without=()):
    """Returns the violations that axe finds, in a line each."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(f"() => {{ {AXE} }}")
    found = page.evaluate("async ([options, without]) => (await axe.run({ include: [['html']], exclude: without.map((one) => [one]) }, options)).violations",
                          [{**QUICK, **(rules or RULES)}, list(without)])
    return [f"{one['id']}: {one['help']} {[node['html'][:140] + str(node['target']) for node in one['nodes'][:3]]}" for one in found]


def states(ada, one, pages):
    """Every page and state, each ready to be looked at: (name, page)."""
    page = ada.page
    netflix = next(each for each in one.call("GET", "/v1/subscriptions")["subscriptions"] if each["plan"]["provider"] == "Netflix")["id"]

    def at(path, ready):
        # A page that is loaded anew would have to load axe anew, too.
        ada.visit(path)
        page.wait_for_function("() => document.activeElement !== document.body")
        page.locator(ready).first.wait_for()
        return path
    ada.go("/")
    ada.stocked()
    yield at("/", ".answer .buttons")
    page.locator(".answer .buttons button").first.click()
    page.locator(".toast, .answer.done").first.wait_for()
    yield "an answer given"
    yield at("/subscriptions", "st-window .row")
    page.get_by_role("button", name="More for Gym").click()
    page.get_by_role("menu").wait_for()
    yield "the menu of a row"
    page.keyboard.press("Escape")
    page.locator("st-window a.row").first.click(modifiers=["Shift"])
    page.locator(".chosen-bar").wait_for()
    yield "a row chosen"
    page.get_by_role("button", name="Select none").click()
    page.get_by_role("searchbox").fill("xyzzy")
    page.get_by_text("Nothing found").wait_for()
    yield "nothing found"
    yield at(f"/subscriptions/{netflix}", ".periods tbody")
    page.get_by_text("Prices as a table").click()
    yield "prices as a table"
    yield at(f"/subscriptions/{netflix}/edit", "#f-note")
    page.get_by_label("Price", exact=True).fill("1.999")
    page.get_by_role("button", name="Save").click()
    page.locator('[aria-invalid="true"]').wait_for()
    yield "a field in error"
    yield at("/subscriptions/00000000-0000-4000-8000-000000000000", ".empty")
    gone = next(each for each in one.call("GET", "/v1/subscriptions")["subscriptions"] if each["plan"]["provider"] == "Die Zeit")["id"]
    at(f"/subscriptions/{gone}", ".facts")
    page.get_by_role("button", name="Delete").click()
    page.locator(".toast").wait_for()
    yield at("/deleted", "main .row")
    yield at("/add", ".tiles")
    page.locator("#finder").fill("netfl")
    page.locator(".found .row").nth(1).wait_for()
    yield "a provider found"
    page.locator(".found .row").first.click()
    page.locator(".plan").first.wait_for()
    yield "plans"
    page.locator(".plan").first.click()
    page.locator(".preview").wait_for()
    page.locator("details.more summary").click()
    yield "when"
    yield at("/add/own", "#f-price")
    yield at(f"/calendar/{day(2)[:7]}", ".cell-day.has")
    yield at("/spending", "svg.columns")
    page.get_by_text("By month as a table").click()
    yield "by month as a table"
    yield at("/more", "main .row")
    yield at("/profile", "#f-timeZone")
    page.get_by_role("button", name=re.compile("^Export")).click()
    page.locator("dialog[open]").wait_for()
    yield "a question"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.locator("dialog[open] kbd").first.wait_for()
    yield "the keys"
    yield at("/profile/devices", "main .row .tag")
    yield at("/profile/password", "main h1")
    yield at("/profile/import", "#f-file, #file")
    yield at("/profile/delete", "main form")
    yield at("/sign-in", "#f-email")
    page.get_by_label("E-mail").fill("nobody@example.org")
    page.get_by_label("Password", exact=True).fill("no such password")
    page.get_by_role("button", name="Sign in").click()
    page.locator('[role="alert"], [aria-invalid="true"]').first.wait_for()
    yield "not signed in"
    yield at("/register", "#f-password")
    page.get_by_label("Password", exact=True).fill("violet tram 19")
    yield "a password's strength"
    yield at("/forgot", "main p[role=status]")
    for path in ("/account/verify#token=abc", "/account/reset#token=abc"):
        ada.go(path)
        page.locator("main form").wait_for()
        yield path
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    pages.shut()
    ada.go("/")
    page.locator("main .row").first.wait_for()
    ada.see(re.compile("^Offline"))
    yield "offline"
    pages.open()


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize(("size", "theme"), [("phone", "light"), ("desktop", "dark")])
def test_axe_on_every_page(person, furnished, pages, size, theme):
    one = furnished()
    ada = person(size=size, theme=theme, token=one.token, worker=True)
    found = {}
    for number, name in enumerate(states(ada, one, pages)):
        ada.page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
        without = FRAME if number else []
        if bad := faults(ada.page, without=without):
            found[name] = bad
        # Colours are looked at in the other theme as well. They are the same on a desktop.
        if size == "desktop":
            continue
        ada.page.emulate_media(color_scheme="dark" if theme == "light" else "light")
        ada.page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
        if bad := faults(ada.page, {"runOnly": {"type": "rule", "values": ["color-contrast"]}}, without):
            found[f"{name}, in the other theme"] = bad
        ada.page.emulate_media(color_scheme=theme)
    assert not found, "\n".join(f"{name}: {each}" for name, all in found.items() for each in all)


@pytest.mark.parametrize(("size", "theme"), [pytest.param("phone", "dark", id="phone-dark"), full("desktop", "light", id="desktop-light")])
def test_axe_where_nothing_is(person, size, theme):
    ada = person(size=size, theme=theme)
    found = []
    ada.go("/")
    ada.page.locator(".tiles").wait_for()
    found += faults(ada.page)
    for path in ("/subscriptions", "/calendar", "/spending", "/profile", "/deleted"):
        ada.go(path)
        found += [f"{path}: {one}" for one in faults(ada.page)]
    assert not found, "\n".join(found)


def test_keys_alone(person):
    """The first minute without a pointer: typing, Tab and Enter."""
    ada = person(size="desktop", theme="light")
    page = ada.go("/")

    def tab_to(text, limit=40):
        for _ in range(limit):
            page.keyboard.press("Tab")
            named = page.evaluate("() => document.activeElement.innerText || document.activeElement.ariaLabel || document.activeElement.value || ''")
            if re.search(text, named):
                ring = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
                assert ring != "none", f"the focus on {named!r} cannot be seen"
                return
        raise AssertionError(f"{text} is not reached by Tab")
    page.keyboard.type("netfl")
    page.locator(".found .row").nth(1).wait_for()
    tab_to("^Netflix|Netflix")
    page.keyboard.press("Enter")
    page.locator(".plan").first.wait_for()
    page.wait_for_function("() => document.activeElement.tagName === 'H1'")
    tab_to("Premium")
    page.keyboard.press("Enter")
    ada.see("Renews")
    tab_to("Add, it does")
    page.keyboard.press("Enter")
    ada.see(re.compile("is added"))
    page.wait_for_function("() => document.activeElement !== document.body")
    page.keyboard.press("g")
    page.keyboard.press("s")
    ada.heading("Subscriptions")
    page.keyboard.press("j")
    assert "Netflix" in page.evaluate("() => document.activeElement.textContent")
    page.keyboard.press(".")
    page.get_by_role("menu").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("() => document.activeElement.id") == "search"
    page.keyboard.type("zzz")
    ada.see("Nothing found")
    # Typing is no shortcut.
    assert page.url.endswith("/subscriptions")


def test_keys_alone_everywhere(person, furnished):
    """Each area without a pointer: answers, lists, a form, the calendar, Spending, the profile. Focus is never lost."""
    one = furnished()
    ada = person(size="desktop", token=one.token)
    page = ada.go("/")
    ada.stocked()

    def focus(role, name, limit=80):
        """Tab, until the focus is on it."""
        for _ in range(limit):
            page.keyboard.press("Tab")
            if page.get_by_role(role, name=name).first.evaluate("(one) => one === document.activeElement"):
                return
        raise AssertionError(f"{role} {name} is not reached by Tab at {page.url}")

    def kept():
        page.wait_for_function("() => document.activeElement && document.activeElement !== document.body")

    def places(*keys, heading):
        for key in keys:
            page.keyboard.press(key)
        ada.heading(heading)
        # A navigation ends by giving the focus to the search of its page, or to its title.
        page.wait_for_function("() => document.activeElement.matches('h1, #finder')")

    def moved(key):
        """Presses a key on a day of the calendar. The focus goes to another day."""
        former = page.evaluate("() => document.activeElement.dataset.day")
        page.keyboard.press(key)
        page.wait_for_function("(former) => ![undefined, former].includes(document.activeElement.dataset.day)", arg=former)
    # An answer and its Undo, where the card was.
    focus("button", re.compile("^Renewed.*lovelace.example"))
    page.keyboard.press("Enter")
    page.locator("li.answer.done", has_text="lovelace.example").wait_for()
    kept()
    focus("button", re.compile("^Undo.*lovelace.example"))
    page.keyboard.press("Enter")
    page.locator("li.answer:not(.done)", has_text="lovelace.example").wait_for()
    kept()
    # A row, its page, its form, and back.
    places("g", "s", heading="Subscriptions")
    page.keyboard.press("j")
    name = page.evaluate("() => document.activeElement.querySelector('.row-title bdi').textContent")
    page.keyboard.press("Enter")
    ada.heading(name)
    kept()
    focus("link", "Edit")
    page.keyboard.press("Enter")
    ada.heading(f"Change {name}")
    focus("textbox", "Note")
    page.keyboard.type("by keys")
    page.keyboard.press("Tab")
    focus("button", "Save")
    page.keyboard.press("Enter")
    ada.heading(name)
    ada.see("by keys", where="main")
    kept()
    focus("button", "Delete")
    page.keyboard.press("Enter")
    ada.see(f"{name} is deleted.")
    kept()
    focus("button", "Undo")
    page.keyboard.press("Enter")
    ada.see(name, where="main")
    # A menu.
    places("g", "s", heading="Subscriptions")
    page.keyboard.press("j")
    page.keyboard.press(".")
    page.get_by_role("menu").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    page.get_by_role("menu").wait_for(state="detached")
    kept()
    # The calendar by its days.
    places("g", "c", heading="Calendar")
    page.locator(".cell-day[tabindex='0']").focus()
    moved("PageDown")
    moved("ArrowRight")
    # Drawings by their tables.
    places("g", "h", heading="Spending")
    page.locator("svg.columns").wait_for()
    page.locator("details.data summary").first.focus()
    page.keyboard.press("Enter")
    page.locator("details.data[open] table").first.wait_for()
    # A dialog takes the focus and gives it back.
    places("g", "p", heading="Profile")
    focus("button", re.compile("^Export"))
    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for()
    assert page.evaluate("() => document.querySelector('dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert "Export" in page.evaluate("() => document.activeElement.textContent")
    # Going back takes a question along.
    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for()
    page.go_back()
    ada.heading("Spending")
    assert page.locator("dialog").count() == 0


NARROW = ["/", "/subscriptions", "/add", "/add/own", "/calendar", "/spending", "/more", "/profile", "/profile/devices", "/profile/delete", "/deleted", "/sign-in", "/register"]


def detail_of(one):
    return f"/subscriptions/{one.call('GET', '/v1/subscriptions')['subscriptions'][0]['id']}"


def test_narrow_and_large_text(person, furnished):
    """320 px, and then text at 200 %: no page can be moved sideways."""
    one = furnished()
    ada = person(token=one.token)
    one.own("Donaudampfschifffahrtsgesellschaft", "9999999999.99", name="Kapitänsmützenabonnement")
    # A hundred letters without a space wherever there is room for a hundred.
    long = one.own("W" * 100, "9999999999.99", name="W" * 100, label="M" * 100, note="W" * 300, category="W" * 50, startDate=day(-20), noticeDays=9)
    one.call("PATCH", "/v1/me", {"userName": "W" * 100})
    one.call("POST", "/v1/accounts", {"email": f"{'w' * 20}.{one.user}@{'w' * 60}.example.org", "password": "violet tram nineteen lamps"})
    page, found = ada.page, {}
    ada.go("/")
    # Before the first rows have come, and for new people, Welcome is here: see test_welcome_is_narrow.
    page.locator("nav.tabs").wait_for()
    for path in [*NARROW, "/profile/password", *[each + end for each in (detail_of(one), f"/subscriptions/{long['id']}") for end in ("", "/edit")]]:
        ada.go(path)
        for size, zoom in ((320, "100%"), (390, "200%")):
            page.set_viewport_size({"width": size, "height": 800})
            page.evaluate("(zoom) => { document.documentElement.style.fontSize = zoom; }", zoom)
            if beyond := ada.overflows():
                found[f"{path} at {size} px, {zoom}"] = beyond
    assert not found, "\n".join(f"{name}: {one}" for name, one in found.items())


def test_welcome_is_narrow(person):
    for locale in ("en-GB", "de-DE", "zh-CN"):
        ada = person(locale=locale)
        page = ada.go("/")
        page.locator(".links a[href=contacts]").wait_for()
        for size, zoom in ((320, "100%"), (390, "200%")):
            page.set_viewport_size({"width": size, "height": 800})
            page.evaluate("(zoom) => { document.documentElement.style.fontSize = zoom; }", zoom)
            assert ada.overflows() == [], f"{locale} at {size} px, {zoom}"


MIRROR = """
const longer = (value) => typeof value === "string" ? `‏${value}ـــ ${value}`
  : typeof value === "function" ? (...given) => longer(value(...given))
  : Array.isArray(value) ? value.map(longer) : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, key === "keys" ? one : longer(one)]));
export default longer(words);
"""


@pytest.mark.full
def test_right_to_left(person, furnished, front):
    """A language that runs to the left, with words twice as long: mirrored, and nothing is cut off."""
    words = {name: front.files[name].decode().replace("export default {", "const words = {") + MIRROR for name in ("js/words/en.js", "js/words/en.more.js", "js/words/en.contacts.js")}
    theme = front.files["js/theme.js"].decode() + '\nIntl.Locale.prototype.getTextInfo = () => ({ direction: "rtl" });'
    front.deploy({**words, "js/theme.js": theme})
    one = furnished()
    ada = person(at=front, token=one.token)
    page, found = ada.page, {}
    for path in [*NARROW, "/contacts", "/contacts/new", "/contacts/import", detail_of(one), detail_of(one) + "/edit"]:
        ada.go(path)
        assert page.evaluate("document.documentElement.dir") == "rtl"
        if beyond := ada.overflows():
            found[path] = beyond
    ada.go("/subscriptions")
    page.locator("st-window .row").first.wait_for()
    title, price = (page.locator(f"st-window .row {part}").first.bounding_box() for part in (".dial", ".row-end"))
    assert title["x"] > price["x"], "the row is not mirrored"
    assert not found, "\n".join(f"{name}: {one}" for name, one in found.items())


def test_reduced_motion_and_forced_colours(person, furnished):
    ada = person(size="desktop", token=furnished().token, forced_colors="active")
    page = ada.go("/subscriptions")
    page.locator("st-window .row").first.wait_for()
    assert page.evaluate("() => document.getAnimations().length") == 0
    assert page.locator("button.chip").first.evaluate("(one) => getComputedStyle(one).borderStyle") == "solid"


def test_every_drawing_is_said(person, furnished):
    """Each drawing's name is a sentence with its figures. Those of sums and prices have a table below, Today's has the calendar."""
    one = furnished()
    ada = person(size="desktop", token=one.token)
    page = ada.page
    for path, kind, rows in (("/", "ribbon", 0), (detail_of(one), "line-chart", 1), ("/spending", "columns", 12)):
        ada.go(path)
        drawing = page.locator(f"svg.{kind}[aria-label*=': ']")
        drawing.wait_for()
        assert drawing.get_attribute("role") == "img" and re.search(r": .*\d.*\.$", drawing.get_attribute("aria-label")), path
        # Nothing else is drawn that is not said.
        assert page.locator("main svg[role=img]").count() == 1
        assert page.locator("main svg:not([role=img])").evaluate_all("(all) => all.filter((one) => !one.closest('[aria-hidden=true]')).length") == 0, path
        if rows:
            page.locator("details.data summary").first.click()
            assert page.locator("details.data tbody tr").count() >= rows, path
        else:
            assert page.locator("section", has=page.locator("#next")).get_by_role("link", name="Calendar").count() == 1


def test_spending_prints_on_one_page(person, furnished):
    """Printed, Spending has its tables open and no navigation, on one page."""
    ada = person(size="desktop", token=furnished().token)
    page = ada.go("/spending")
    page.locator("svg.columns").wait_for()
    file = page.pdf(format="A4", print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", file)) == 1
    page.emulate_media(media="print")
    assert not page.locator("nav.side").is_visible()
