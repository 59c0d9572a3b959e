"""Stories of people, from the first minute on, on a phone and on a desktop."""

import datetime
import decimal
import re
import threading

import pytest

from support.days import day, today
from support.extent import full
from support.person import Keeper
from support.waiting import SECONDS, awaited

LOOKS = [pytest.param("phone", "light", id="phone-light"), full("desktop", "dark", id="desktop-dark")]
BOTH = pytest.mark.parametrize(("size", "theme"), LOOKS)


def test_a_plan_of_ones_own_is_added_before_the_list_of_countries_has_come(person, pages):
    """Somebody who is quick is not asked for a currency that the page is about to know."""
    gate = threading.Event()
    held = pages.trap("GET /v1/countries", "hold", action=gate)
    ada = person()
    page = ada.go("/add/own")
    assert held.sprung.wait(SECONDS)
    page.get_by_label("What is it?").fill("Allotment")
    page.get_by_label("Price", exact=True).fill("5")
    ada.press("Add, it does")
    page.locator("button[disabled]").get_by_text("Add, it does").wait_for()
    gate.set()
    ada.see(re.compile("Allotment is added"))


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_press_counts_though_the_preview_comes_meanwhile(person, pages, size):
    """What comes above a button does not move it away between press and release."""
    gate = threading.Event()
    held = pages.trap("GET /v1/countries", "hold", action=gate)
    ada = person(size=size)
    page = ada.go("/add/own")
    assert held.sprung.wait(SECONDS)
    page.get_by_label("What is it?").fill("Allotment")
    page.get_by_label("Price", exact=True).fill("5")
    page.get_by_role("button", name="Add, it does").hover()
    page.mouse.down()
    gate.set()
    page.locator(".preview .amount").wait_for()
    page.mouse.up()
    ada.see(re.compile("Allotment is added"))


@BOTH
def test_first_minute_without_account(person, size, theme):
    """From Welcome to the first subscription: three taps after five letters, and it is still there afterwards."""
    ada = person(size=size, theme=theme)
    page = ada.go("/")
    ada.heading("What do you keep paying for?")
    assert page.evaluate("document.activeElement.id") == "finder"
    page.keyboard.type("netfl")
    page.get_by_role("link", name=re.compile("^Netflix")).first.click()
    # By price, whichever source the plans came from.
    page.locator(".plan").nth(2).wait_for()
    assert page.locator(".plan .row-title").all_inner_texts()[-1] == "Premium"
    page.get_by_role("link", name=re.compile("Premium")).first.click()
    ada.see("Renews")
    page.get_by_role("button", name="Add, it does").click()
    ada.see(re.compile("Netflix is added. It renews on"))
    ada.see("Coming up")
    ada.see("Netflix", where="main")
    page.reload()
    ada.see("Netflix", where="main")
    assert page.evaluate("document.cookie") == ""
    stored = page.evaluate("async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    assert "sub_" not in stored


@BOTH
def test_addition_is_taken_back(person, size, theme):
    ada = person(size=size, theme=theme)
    page = ada.go("/")
    page.keyboard.type("spotif")
    page.get_by_role("link", name=re.compile("^Spotify")).first.click()
    page.locator(".plan").first.click()
    ada.press("Add, it asks")
    ada.see(re.compile("is added"))
    ada.press("Undo")
    ada.see(re.compile("Nothing here yet|What do you keep paying for"))
    assert page.locator("main .row").count() == 0


@BOTH
def test_own_plan_and_only_the_renewal_known(person, size, theme):
    """A plan that is not in the list, with a rhythm of its own, of which only the next renewal is known."""
    ada = person(size=size, theme=theme)
    page = ada.go("/")
    page.keyboard.type("Allotment")
    ada.press(re.compile("as a plan of my own"), "link")
    assert page.get_by_label("What is it?").input_value() == "Allotment"
    page.get_by_label("Price", exact=True).fill("31,50")
    page.get_by_label("Every").fill("3")
    page.get_by_role("radio", name="I only know when it renews").check()
    page.get_by_label("Next renewal", exact=True).fill(day(20))
    ada.see("Renews")
    ada.press("Add, it asks")
    ada.see(re.compile("Allotment is added. It ends on"))
    ada.go("/subscriptions")
    ada.press(re.compile("^Allotment|Allotment"), "link")
    ada.see("31")
    ada.see("every 3 months")


@BOTH
def test_free_trial(person, size, theme):
    ada = person(size=size, theme=theme)
    page = ada.go("/add")
    # Also the shortcut of the installed app leads to a field that takes letters at once.
    assert page.evaluate("document.activeElement.id") == "finder"
    page.keyboard.type("netfl")
    page.get_by_role("link", name=re.compile("^Netflix")).first.click()
    page.locator(".plan").first.click()
    page.get_by_role("switch", name=re.compile("free trial")).check()
    ada.see("Trial ends")
    ada.press("Add, it does")
    ada.see(re.compile("is added. The trial ends on"))
    ada.go("/subscriptions")
    ada.see("Trial", where="main .row")


@BOTH
def test_answers_and_undo(person, furnished, size, theme):
    """Each kind of question is answered in place, becomes one line, and can be taken back."""
    ada = person(size=size, theme=theme, token=furnished().token)
    page = ada.go("/")
    ada.see("Waiting for you")
    card = page.locator("li.answer", has_text="lovelace.example")
    card.get_by_role("button", name="Renewed").click()
    done = page.locator("li.answer.done", has_text="lovelace.example")
    done.wait_for()
    assert "is renewed" in done.inner_text()
    done.get_by_role("button", name="Undo").click()
    page.locator("li.answer:not(.done)", has_text="lovelace.example").wait_for()
    trial = page.locator("li.answer:not(.done)", has_text="Audible")
    trial.get_by_role("button", name=re.compile("Cancel the trial")).click()
    page.locator("li.answer.done", has_text="Audible").wait_for()
    ada.go("/subscriptions")
    row = page.locator("li", has_text="Audible")
    row.wait_for()
    assert re.search("until|Cancelled", row.inner_text())


@BOTH
def test_renew_cancel_resume_delete_restore(person, keeper, size, theme):
    one = keeper()
    made = one.own("Gym", "29.90", startDate=day(-40), autoRenew=False)
    ada = person(size=size, theme=theme, token=one.token)
    ada.go(f"/subscriptions/{made['id']}")
    ada.heading("Gym")
    ada.press("Renew", exact=True)
    ada.see("Gym is renewed.")
    ada.press("Cancel it")
    ada.see("Runs out")
    ada.press("Resume")
    ada.see("Gym goes on.")
    ada.press("Delete")
    ada.see("Gym is deleted.")
    ada.go("/deleted")
    ada.press(re.compile("Restore"))
    ada.see("Gym is back.")
    ada.go("/subscriptions")
    ada.see("Gym", where="main")


def test_held_change_is_sent_after_a_reload(person, keeper):
    one = keeper()
    made = one.own("Gym", "29.90", startDate=day(-40), autoRenew=False)
    ada = person(token=one.token)
    ada.context.clock.install()
    ada.go(f"/subscriptions/{made['id']}")
    ada.press("Renew", exact=True)
    ada.see("Gym is renewed.")
    ada.go("/")
    assert one.call("GET", f"/v1/subscriptions/{made['id']}")["period"] == 0
    ada.context.clock.fast_forward(11_000)
    ada.saved()
    assert one.call("GET", f"/v1/subscriptions/{made['id']}")["period"] == 1


@BOTH
def test_menu_of_a_row(person, furnished, size, theme):
    ada = person(size=size, theme=theme, token=furnished().token)
    page = ada.go("/subscriptions")
    ada.press("More for Gym")
    page.get_by_role("menuitem", name="Cancel it").click()
    ada.see("Gym is cancelled.")
    page.get_by_role("link", name=re.compile("Spotify")).click(button="right")
    assert page.get_by_role("menuitem").first.evaluate("(one) => one === document.activeElement")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    assert page.get_by_role("menu").count() == 0


@BOTH
def test_edit(person, keeper, size, theme):
    """A price, a name and a note; a wrong price says so at the field, and the typed text stays."""
    one = keeper()
    made = one.own("Gym", "29.90")
    ada = person(size=size, theme=theme, token=one.token)
    page = ada.go(f"/subscriptions/{made['id']}")
    ada.press("Edit", "link")
    ada.heading("Change Gym")
    page.get_by_label("Your name for it").fill("Climbing")
    page.get_by_label("Note").fill("Locker 17")
    price = page.get_by_label("Price", exact=True).first
    price.fill("31.999")
    page.get_by_role("button", name="Save").click()
    ada.see("EUR has 2 digits after the point.")
    assert price.get_attribute("aria-invalid") == "true"
    assert price.input_value() == "31.999"
    price.fill("31.99")
    page.get_by_role("button", name="Save").click()
    ada.heading("Climbing")
    ada.see("Locker 17")
    ada.saved()
    row = one.call("GET", f"/v1/subscriptions/{made['id']}")
    assert (row["label"], row["note"], row["plan"]["fee"]) == ("Climbing", "Locker 17", "31.99")


@BOTH
def test_search_filter_sort(person, furnished, size, theme):
    ada = person(size=size, theme=theme, token=furnished().token)
    page = ada.go("/subscriptions")
    names = lambda: page.locator("st-window .row-title bdi").all_inner_texts()  # noqa: E731
    page.locator("st-window .row").first.wait_for()
    assert len(names()) == 9
    page.get_by_role("searchbox").fill("news")
    page.wait_for_function("() => document.querySelectorAll('st-window .row').length === 2")
    page.get_by_role("searchbox").fill("xyzzy")
    ada.see("Nothing found")
    ada.press("Show all")
    page.get_by_role("button", name=re.compile("^Overdue")).click()
    page.wait_for_function("() => document.querySelectorAll('st-window .row').length === 1")
    assert names() == ["lovelace.example"]
    page.get_by_role("button", name=re.compile("^All")).click()
    page.get_by_label("Sort by").select_option("name")
    page.wait_for_function("() => document.querySelector('st-window .row-title bdi').textContent === 'Audible'")
    assert names() == sorted(names(), key=str.casefold)


def test_several_are_chosen_with_shift(person, furnished):
    """Shift and click from one row to another, or Shift and Enter; what is done with them is taken back at once."""
    one = furnished()
    ada = person(size="desktop", token=one.token)
    page = ada.go("/subscriptions")
    ada.stocked()
    page.locator("st-window .row").first.wait_for()
    rows = page.locator("st-window a.row")
    names = [rows.nth(i).locator(".row-title bdi").inner_text() for i in range(9)]
    rows.nth(1).click(modifiers=["Shift"])
    ada.see("1 selected")
    rows.nth(3).click(modifiers=["Shift"])
    ada.see("3 selected")
    assert len(page.context.pages) == 1 and page.url.endswith("/subscriptions")
    assert page.evaluate("() => getSelection().toString()") == ""
    assert page.locator("li.chosen .row-title bdi").all_inner_texts() == names[1:4]
    ada.press("Delete them")
    ada.see("3 subscriptions are deleted.")
    page.wait_for_function("() => document.querySelectorAll('st-window a.row').length === 6")
    ada.press("Undo")
    page.wait_for_function("() => document.querySelectorAll('st-window a.row').length === 9")
    assert page.locator(".chosen-bar").count() == 0

    rows.nth(0).focus()
    page.keyboard.press("Shift+Enter")
    rows.nth(1).focus()
    page.keyboard.press("Shift+Enter")
    ada.see("2 selected")
    page.keyboard.press("Escape")
    page.locator(".chosen-bar").wait_for(state="detached")
    rows.nth(0).click(modifiers=["Shift"])
    rows.nth(1).click(modifiers=["Shift"])
    active = [name for name in names[:2] if name not in ("Disney+",)]
    ada.press("Cancel them")
    ada.see(f"{len(active)} subscriptions are cancelled.")
    ada.saved()
    cancelled = {each.get("label") or each["plan"]["provider"] for each in one.call("GET", "/v1/subscriptions")["subscriptions"] if each["status"] != "active"}
    assert cancelled == {*active, "Disney+"}


@BOTH
def test_calendar(person, furnished, size, theme):
    ada = person(size=size, theme=theme, token=furnished().token)
    page = ada.go("/calendar")
    page.locator("table.month").wait_for()
    assert page.locator("table.month th[scope=col]").count() == 7
    when = day(2)
    ada.go(f"/calendar/{when[:7]}")
    page.locator(f'[data-day="{when}"]').click()
    ada.see("Netflix", where="section[aria-labelledby=picked]")
    page.keyboard.press("PageDown")
    page.wait_for_url(re.compile(r"/calendar/\d{4}-\d\d$"))
    assert page.url.split("/")[-1] != when[:7]
    page.wait_for_function("() => document.activeElement.dataset.day")


@BOTH
def test_spending(person, furnished, size, theme):
    ada = person(size=size, theme=theme, token=furnished().token)
    page = ada.go("/spending")
    drawing = page.locator("svg.columns")
    drawing.wait_for()
    assert "€" in drawing.get_attribute("aria-label")
    page.get_by_text("By month as a table").click()
    assert page.locator(".data tbody tr").count() == 12
    page.get_by_role("radio", name="USD").check()
    page.wait_for_function("() => /\\$/.test(document.querySelector('.figures').textContent)")


def test_what_is_paid_and_what_is_to_come_are_told_apart(person, keeper):
    """A fee counts once: as paid from the first day of its period on, as still to come before."""
    one = keeper()
    one.own("Gym", "24.99", unit="week", startDate=day(), category="Sport")
    ada = person(token=one.token)
    page = ada.go(f"/spending/{day()[:4]}")
    page.locator("svg.columns").wait_for()
    now = today()
    left = (datetime.date(now.year, 12, 31) - now).days // 7
    figures = dict(page.locator(".figures > div").evaluate_all("(all) => all.map((one) => [...one.children].map((part) => part.textContent.trim()))"))
    assert figures[f"Paid in {now.year}"] == "€24.99"
    assert figures.get("Still to come", "€0.00") == f"€{left * decimal.Decimal('24.99'):,}"
    page.get_by_text("By month as a table").click()
    rows = page.locator(".data tbody tr").evaluate_all("(rows) => rows.map((row) => [...row.cells].slice(1).map((cell) => Number(cell.textContent.replace(/[^0-9.]/g, ''))))")
    assert [sum(column) for column in zip(*rows)][:2] == [24.99, 24.99]
    assert round(sum(row[2] for row in rows), 2) == round(left * 24.99, 2)
    # No column is higher than the drawing has room for.
    assert page.locator("svg.columns rect").evaluate_all("(all) => Math.min(...all.map((one) => Number(one.getAttribute('y'))))") >= 0


def test_the_thirtieth_day_is_one_of_the_next_thirty(person, keeper):
    one = keeper()
    # Of years: a month may be shorter than that, and the period would begin after today.
    one.own("Gym", "24.99", unit="year", nextRenewal=day(30))
    one.own("Club", "5.00", unit="year", nextRenewal=day(31))
    ada = person(token=one.token)
    page = ada.go("/")
    page.locator(".hero .big").wait_for()
    assert page.locator(".hero .big").inner_text() == "€24.99"
    assert "Gym" in page.locator("svg.ribbon").get_attribute("aria-label")


@BOTH
def test_offline(person, keeper, pages, size, theme):
    """With the service away everything is there, an addition too; it is sent once when the service is back."""
    one = keeper()
    one.own("Gym", "29.90", startDate=day(-3))
    ada = person(size=size, theme=theme, token=one.token, worker=True)
    page = ada.go("/")
    ada.see("Gym", where="main")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    ada.stocked()
    pages.shut()
    page.reload()
    ada.see("Gym", where="main")
    ada.see(re.compile("^Offline"))
    page.get_by_role("link", name=re.compile("^Add")).locator("visible=true").first.click()
    page.wait_for_function("() => document.activeElement.id === 'finder'")
    page.keyboard.type("Garden")
    ada.press(re.compile("as a plan of my own"), "link")
    page.get_by_label("Price", exact=True).fill("5")
    ada.press("Add, it does")
    ada.see(re.compile("Garden is added"))
    ada.see("not sent yet", where="main .row, main header")
    pages.open()
    page.evaluate("() => dispatchEvent(new Event('online'))")
    page.wait_for_function("() => !document.querySelector('.waits')")
    assert [each["plan"]["provider"] for each in one.call("GET", "/v1/subscriptions")["subscriptions"]].count("Garden") == 1


@BOTH
def test_register_sign_in_elsewhere_and_sign_out(person, keeper, size, theme):
    """An account is made with a reason where the password is weak; elsewhere everything is found again, and comes together."""
    one = keeper()
    one.own("Gym", "29.90")
    email = f"{one.user}@example.org"
    ada = person(size=size, theme=theme, token=one.token)
    page = ada.go("/register")
    page.get_by_label("E-mail").fill(email)
    password = page.get_by_label("Password", exact=True)
    password.fill("short")
    ada.see("3 more characters")
    password.fill("password1")
    ada.press("Create account")
    page.wait_for_function("() => document.activeElement.getAttribute('aria-invalid') === 'true'")
    assert page.get_by_label("E-mail").input_value() == email
    password.fill("violet tram nineteen lamps")
    ada.press("Create account")
    ada.see(re.compile("Your account is ready"))

    other = person(size=size, theme=theme)
    second = other.go("/")
    second.keyboard.type("netfl")
    second.get_by_role("link", name=re.compile("^Netflix")).first.click()
    second.locator(".plan").first.click()
    other.press("Add, it does")
    other.see(re.compile("is added"))
    other.saved()
    other.go("/sign-in")
    other.see("The subscription on this device comes along.")
    second.get_by_label("E-mail").fill(email)
    second.get_by_label("Password", exact=True).fill("wrong password here")
    other.press("Sign in")
    other.see("E-mail or password is not right.")
    second.get_by_label("Password", exact=True).fill("violet tram nineteen lamps")
    other.press("Sign in")
    other.see(re.compile("1 subscription came along"))
    other.go("/subscriptions")
    other.see("Gym", where="main")
    other.see("Netflix", where="main")

    ada.go("/profile/devices")
    ada.see("Here", where="main")
    page.get_by_role("button", name=re.compile("^Sign out")).last.click()
    ada.see(re.compile("is signed out."))
    ada.go("/profile")
    ada.press("Sign out")
    page.locator("dialog").get_by_role("button", name="Sign out").click()
    ada.see("You are signed out.")
    ada.heading("What do you keep paying for?")


@BOTH
def test_export_and_delete(person, furnished, size, theme):
    one = furnished()
    ada = person(size=size, theme=theme, token=one.token)
    page = ada.go("/profile")
    ada.press(re.compile("^Export"))
    with page.expect_download() as download:
        page.locator("dialog").get_by_role("button", name="Save the file").click()
    text = open(download.value.path(), encoding="utf-8").read()
    assert "Kraftwerk Gym" in text
    ada.go("/profile/delete")
    button = page.get_by_role("button", name="Delete everything")
    assert button.is_disabled()
    page.get_by_label(re.compile("^Type")).fill("delete")
    button.click()
    ada.heading("What do you keep paying for?")
    status, _ = one.service.call("GET", "/v1/me", token=one.token)
    assert status == 401


@BOTH
def test_language_and_appearance(person, furnished, size, theme):
    ada = person(size=size, theme=theme, token=furnished().token)
    page = ada.go("/profile")
    page.get_by_label("Language").select_option("de")
    ada.heading("Profil")
    assert page.evaluate("document.documentElement.lang").startswith("de")
    page.get_by_role("radio", name="Dunkel").check()
    # What is seen is kept.
    page.wait_for_selector("html[data-theme=dark]")
    ada.go("/")
    ada.see("In den nächsten 30 Tagen fällig")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(18, 23, 20)"


def test_a_change_of_another_browser_comes_in_place(person, furnished, pages):
    """Another device changes a row: it shows within moments, and neither the page nor the focus moves."""
    one = furnished()
    row = next(each for each in one.call("GET", "/v1/subscriptions")["subscriptions"] if each["label"] == "Gym")
    ada = person(token=one.token)
    page = ada.go("/subscriptions")
    ada.stocked()
    # Its socket is open: pokes come.
    awaited(lambda: pages.count("GET /v1/live"))
    page.locator("st-window .row", has_text="Gym").wait_for()
    page.get_by_role("link", name=re.compile("Spotify")).first.focus()
    page.evaluate("() => scrollTo(0, 120)")
    place = page.evaluate("() => [scrollY, document.activeElement.getAttribute('href'), document.activeElement.getBoundingClientRect().top]")
    one.call("PATCH", f"/v1/subscriptions/{row['id']}", {"label": "Gym, renamed"})
    page.locator("st-window .row", has_text="Gym, renamed").wait_for()
    assert page.evaluate("() => [scrollY, document.activeElement.getAttribute('href'), document.activeElement.getBoundingClientRect().top]") == place


def test_history_and_scroll(person, furnished):
    """Back leads where one was, to the same place of the page, and focus goes to the title."""
    one = furnished()
    # Enough rows for a page that is longer than the screen.
    for number in range(5):
        one.own(f"Club {number}")
    ada = person(token=one.token)
    page = ada.go("/subscriptions")
    ada.stocked()
    page.locator("st-window .row").first.wait_for()
    page.evaluate("scrollTo(0, 90)")
    page.wait_for_function("() => history.state?.scroll === scrollY && scrollY > 0")
    # The place at the moment of the click: what arrives above may have moved the page meanwhile.
    kept = page.locator("st-window .row").nth(4).evaluate("(row) => { const kept = scrollY; row.click(); return kept; }")
    page.wait_for_url(re.compile("/subscriptions/[0-9a-f-]+$"))
    page.wait_for_function("() => document.activeElement.tagName === 'H1' && scrollY === 0")
    page.go_back()
    ada.heading("Subscriptions")
    page.wait_for_function("(kept) => scrollY === kept", arg=kept)
    assert kept > 0


def test_what_is_not_there(person, furnished):
    ada = person(token=furnished().token)
    ada.go("/subscriptions/00000000-0000-4000-8000-000000000000")
    ada.see("There is no such subscription")


@BOTH
def test_import(person, keeper, tmp_path, size, theme):
    """The subscriptions of a table are shown first, and added on request."""
    file = tmp_path / "mine.csv"
    file.write_text("name;price;currency;cycle;start\nTheatre;12,50;EUR;monthly;2024-01-31\nRowing;80,00;EUR;yearly;2025-03-01\n")
    ada = person(size=size, theme=theme, token=keeper().token)
    page = ada.go("/profile/import")
    # The button of a long table can be tapped, too: no bar lies over it.
    many = tmp_path / "many.csv"
    many.write_text("name;price;currency;cycle\n" + "".join(f"Club {number};5;EUR;monthly\n" for number in range(30)))
    page.get_by_label("File").set_input_files(many)
    ada.see("30 entries found, 30 new.")
    page.get_by_role("button", name="Add 30 subscriptions").click(trial=True)
    page.get_by_label("File").set_input_files(file)
    ada.see("2 entries found, 2 new.")
    ada.press("Add 2 subscriptions")
    ada.see("2 subscriptions are added.")
    ada.see("Theatre", where="main")
    ada.see("Rowing", where="main")
    page = ada.go("/profile/import")
    page.get_by_label("File").set_input_files(file)
    ada.see("2 entries found, 0 new. Left out: 2 already there.")
    ada.see("You have it: Theatre")
