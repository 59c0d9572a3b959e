"""Reminders: their settings, calendars, the cards on Today that are answered in place, and a mail that is answered in a browser which was never here."""

import datetime
import os
import re
import urllib.error
import urllib.parse
import urllib.request
import uuid

import pytest

from support.days import day
from support.door import Door
from support.front import Front
from support.person import Keeper, Person
from support.service import Service
from support.waiting import awaited
from test_access import faults
from test_mail import Sink

KINDS = ["renewal", "cancelBy", "trial", "price", "ended", "overdue", "date", "digest"]


@pytest.fixture(scope="module")
def reminding(tmp_path_factory, state):
    """A service and its mails."""
    sink = Sink(tmp_path_factory.mktemp("mails"))
    service = Service("--sendmail", str(sink.program), state=state)
    try:
        service.start()
        yield service, sink
    finally:
        service.remove()
        sink.close()


@pytest.fixture
def way(reminding):
    made = Front(reminding[0].port) if os.environ.get("SUBTRACKIT_WEB_TREE") else Door(reminding[0].port)
    yield made
    made.close()


def column_of(service, query):
    """The values of a query's only column."""
    return [line[0] for line in service.sql(query)[1:]]


def key(identity):
    """An id as SQL."""
    return f"UNHEX('{uuid.UUID(identity).hex}')"


def look(service, user):
    """Has the service look at a user: the look was planned yesterday for this hour."""
    service.sql(f"INSERT INTO Reminder_setting (User_ID, Reminder_setting_ID, Remind_at) VALUES ({key(user)}, {key(user)}, '00:00')")
    awaited(lambda: column_of(service, f"SELECT COUNT(*) FROM Agenda a JOIN Scope s ON s.Scope_ID = a.User_ID WHERE a.User_ID = {key(user)} AND s.Stale IS NULL") == ["1"])
    service.sql(f"UPDATE Agenda SET Looked_at = Looked_at - INTERVAL 1 DAY, Next_at = UTC_TIMESTAMP() WHERE User_ID = {key(user)}")


def remind(service, user, *reminders):
    """Adds reminders as the service says them: (subject, kind, day, days ahead)."""
    def row(subject, kind, on, lead):
        days = (datetime.date.fromisoformat(on) - datetime.date(1970, 1, 1)).days
        mixed = uuid.UUID(int=uuid.UUID(subject).int ^ ((KINDS.index(kind) + 1) << 40 | days << 16 | lead & 0xFFFF))
        return f"({key(user)}, {key(str(mixed))}, {key(subject)}, '{kind}', '{on}', {lead}, 1)"
    service.sql(f"INSERT INTO Reminder (User_ID, Reminder_ID, Subject_ID, Kind, Occurs_on, Lead_days, Notification_no) VALUES {', '.join(row(*one) for one in reminders)}")


def answers(service, user):
    """The answers to a user's reminders, the earliest days first."""
    return column_of(service, f"SELECT COALESCE(Answer, 'none') FROM Reminder WHERE User_ID = {key(user)} ORDER BY Occurs_on, Lead_days DESC")


def waiting(page, name):
    """The card of a reminder that waits for an answer."""
    return page.locator("li.answer:not(.done)", has_text=name)


def test_settings_hold_at_once(browser, reminding, way):
    service, _ = reminding
    one = Keeper(service)
    person = Person(browser, way.url, token=one.token)
    person.go("/profile")
    person.press(re.compile("^Reminders"), "link")
    person.heading("Reminders")
    page = person.page

    def rows(table, column):
        return column_of(service, f"SELECT {column} FROM {table} WHERE Deleted_at IS NULL AND User_ID = UNHEX(REPLACE('{one.user}', '-', '')) ORDER BY 1")

    page.get_by_label("Time").fill("18:30")
    page.get_by_label("Time").blur()
    awaited(lambda: rows("Reminder_setting", "Remind_at") == ["18:30"])
    page.get_by_label("Remind again if I do not answer").select_option("2")
    awaited(lambda: rows("Reminder_setting", "CONCAT(Remind_at, ' ', Repeat_days)") == ["18:30 2"])

    # The usual days of a renewal are seven and one. Three more, and they are rows.
    renewal = page.get_by_role("group", name="A renewal")
    assert renewal.get_by_role("button", pressed=True).all_inner_texts() == ["1 day before", "7 days before"]
    renewal.get_by_role("button", name="3 days before").click()
    awaited(lambda: rows("Reminder_lead", "Days") == ["1", "3", "7"])
    for name in ("1 day before", "3 days before", "7 days before"):
        renewal.get_by_role("button", name=name).click()
    renewal.get_by_text("The service does not remind you of this.").wait_for()
    awaited(lambda: rows("Reminder_lead", "CONCAT(Kind, ' ', COALESCE(Days, 'none'))") == ["renewal none"])
    person.close()


def test_a_subscription_is_muted_where_it_is_edited(browser, reminding, way):
    """The switch stands beside the days ahead, and the subscription's page says what it does."""
    service, _ = reminding
    one = Keeper(service)
    path = f"/subscriptions/{one.own('Gym', '20.00', nextRenewal=day(7), autoRenew=False)['id']}"
    ada = Person(browser, way.url, token=one.token)
    for wanted in (True, False):
        page = ada.go(f"{path}/edit")
        page.get_by_role("switch", name=re.compile("^No reminders")).set_checked(wanted)
        ada.press("Save")
        ada.heading("Gym")
        page.get_by_text("No reminders, only when it is overdue").wait_for(state="visible" if wanted else "detached")
        awaited(lambda wanted=wanted: one.call("GET", f"/v1{path}")["muted"] is wanted)
    ada.close()


def test_a_refused_address_is_told_and_tried_again(browser, reminding, way):
    service, sink = reminding
    one = Keeper(service)
    address = f"{one.user}@example.org"
    one.call("POST", "/v1/accounts", {"email": address, "password": "violet tram nineteen lamps"})
    one.call("POST", "/v1/email-verifications", {"token": sink.link("account/verify").split("token=")[1]})
    # The next test looks for a mail of its own.
    for file in sink.folder.glob("mail.??????"):
        file.unlink()
    service.sql(f"INSERT INTO Reminder_setting (User_ID, Reminder_setting_ID, Mail_refused) VALUES ({key(one.user)}, {key(one.user)}, '{address}')")
    ada = Person(browser, way.url, token=one.token)
    page = ada.go("/profile/reminders")
    told = page.get_by_text(f"there is no mailbox {address}")
    told.wait_for()
    assert faults(page) == []
    ada.press("Send them there again")
    told.wait_for(state="detached")
    awaited(lambda: column_of(service, f"SELECT COALESCE(Mail_refused, 'none') FROM Reminder_setting WHERE User_ID = {key(one.user)}") == ["none"])
    ada.close()


def test_a_calendar_is_shown_once_and_ended(browser, reminding, way):
    """A program reads the address that the page shows once, until the calendar is ended."""
    service, _ = reminding
    one = Keeper(service)
    one.own("Gym", "20.00", nextRenewal=day(7))
    ada = Person(browser, way.url, token=one.token)
    page = ada.go(f"/calendar/{day(7)[:7]}")
    ada.press("In another calendar program", role="link")
    ada.heading("Reminders")
    page.get_by_label("Name", exact=True).fill("My phone")
    ada.press("Make an address")
    field = page.get_by_label("Address of “My phone”")
    address = field.input_value()
    path = urllib.parse.urlsplit(address).path
    assert re.fullmatch(r"/calendar/sub_[\w-]{43}\.ics", path)
    # The address has the focus, whole, to be copied by hand too.
    page.wait_for_function("(address) => document.activeElement.value?.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd) === address", arg=address)
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    ada.press("Copy the address")
    ada.see("The address is copied.")
    assert page.evaluate("window.copied") == address
    page.evaluate("() => { navigator.clipboard.writeText = async () => { throw new DOMException('no', 'NotAllowedError'); }; }")
    ada.press("Copy the address")
    ada.see("It is selected: copy it yourself.")
    assert faults(page) == []

    def read():
        with urllib.request.urlopen(f"http://127.0.0.1:{service.port}{path}") as answer:
            return answer.read().decode()

    assert "Gym" in read()
    page = ada.go("/profile/reminders")
    row = page.locator("li.row", has_text="My phone")
    row.wait_for()
    assert page.get_by_label("Address of").count() == 0
    row.get_by_role("button").click()
    ada.press("Not now")
    assert "Gym" in read()
    row.get_by_role("button").click()
    page.locator("dialog").get_by_role("button", name="End").click()
    row.wait_for(state="detached")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        read()
    for number in range(10):
        one.call("POST", "/v1/calendars", {"name": f"Program {number}"})
    ada.go("/profile/reminders")
    ada.see("10 addresses are the most.")
    assert page.get_by_role("button", name="Make an address").count() == 0
    ada.close()


def test_the_page_that_ends_mails_is_not_the_apps(browser, reminding, way):
    """The service worker leaves addresses of the service alone."""
    ada = Person(browser, way.url, token=Keeper(reminding[0]).token, worker=True)
    page = ada.go("/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    ada.stocked()
    page.goto(f"{way.url}/unsubscribe/x")
    page.get_by_role("button", name="No more mails").wait_for()
    ada.close()


def test_a_mail_is_answered_by_a_button_alone(browser, reminding, way):
    service, sink = reminding
    one = Keeper(service)
    address = f"{one.user}@example.org"
    one.call("POST", "/v1/accounts", {"email": address, "password": "violet tram nineteen lamps"})
    one.call("POST", "/v1/email-verifications", {"token": sink.link("account/verify").split("token=")[1]})
    one.call("PATCH", "/v1/me", {"timeZone": "UTC"})
    held = one.own("Gym", "20.00", currency="USD", autoRenew=False, nextRenewal=day(7))
    look(service, one.user)
    link = sink.link("account/answer")

    stranger = Person(browser, way.url)
    stranger.go(link.replace("&amp;", "&"))
    stranger.heading("Answer a reminder")
    assert "token" not in stranger.page.url
    stranger.see("Gym")
    status = lambda: one.call("GET", f"/v1/subscriptions/{held['id']}")["status"]  # noqa: E731
    assert status() == "active"
    stranger.page.get_by_label("I cancel it").check()
    stranger.press("Send the answer")
    stranger.see("Noted as cancelled.")
    assert status() == "cancelled"
    # The second time there is nothing to answer.
    stranger.page.goto("about:blank")
    stranger.go(link)
    stranger.see("There is nothing to answer any more.")
    stranger.close()


def test_a_reminder_is_answered_in_place(browser, reminding, way):
    """Today shows what the service has said, and nothing that the rules of a device would ask. An answer changes the subscription, and goes back with it."""
    service, _ = reminding
    one = Keeper(service)
    held = one.own("Gym", "20.00", nextRenewal=day(7))
    # Six days before its end a device would ask about a trial, and the service does not.
    one.own("Audible", freeTrial=True, trialDays=30, startDate=day(-24))
    look(service, one.user)
    awaited(lambda: "none" in answers(service, one.user))
    ada = Person(browser, way.url, token=one.token)
    page = ada.go("/")
    card = waiting(page, "Gym")
    card.get_by_text("It renews on").wait_for()
    assert waiting(page, "Audible").count() == 0
    card.get_by_role("button", name="Cancel it").click()
    done = page.locator("li.answer.done", has_text="Gym is cancelled")
    done.wait_for()
    status = lambda: one.call("GET", f"/v1/subscriptions/{held['id']}")["status"]  # noqa: E731
    awaited(lambda: status() == "cancelled" and "cancel" in answers(service, one.user))
    done.get_by_role("button", name="Undo").click()
    card.wait_for()
    awaited(lambda: status() == "active" and "cancel" not in answers(service, one.user))
    ada.close()


def test_an_answer_without_network_is_sent_later(browser, reminding, way):
    service, _ = reminding
    one = Keeper(service)
    held = one.own("Gym", "20.00", nextRenewal=day(7), autoRenew=False)
    remind(service, one.user, (held["id"], "renewal", day(7), 14), (held["id"], "renewal", day(7), 7))
    ada = Person(browser, way.url, token=one.token, worker=True)
    ada.context.clock.install()
    page = ada.go("/")
    waiting(page, "Gym").wait_for()
    ada.synced()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    ada.stocked()
    way.shut()
    waiting(page, "Gym").get_by_role("button", name="Renewed").click()
    ada.see(re.compile(r"^as of \d"))
    # What was answered stays so in a page that is loaded anew, and can be taken back there.
    ada.go("/")
    done = page.locator("li.answer.done", has_text="Gym is renewed · not sent yet")
    done.get_by_role("button", name="Undo").click()
    waiting(page, "Gym").get_by_role("button", name="Renewed").click()
    done.wait_for()
    assert answers(service, one.user) == ["none", "none"]
    way.open()
    ada.context.clock.fast_forward(11_000)
    awaited(lambda: answers(service, one.user) == ["renew", "renew"], page)
    assert one.call("GET", f"/v1/subscriptions/{held['id']}")["period"] == 1
    ada.close()


def test_reminders_that_wait_are_the_same_on_all_devices(browser, reminding, way):
    """An answer of another device takes a card away. One that was put off is back on the next day."""
    service, _ = reminding
    one = Keeper(service)
    gym, paper = (one.own(name, nextRenewal=day(7))["id"] for name in ("Gym", "Paper"))
    remind(service, one.user, (gym, "renewal", day(7), 7), (paper, "renewal", day(7), 7))
    ada, bob = Person(browser, way.url, token=one.token), Person(browser, way.url, token=one.token)
    ada.context.clock.install()
    page = ada.go("/")
    waiting(page, "Gym").wait_for()
    waiting(bob.go("/"), "Gym").get_by_role("button", name="Keep it").click()
    waiting(page, "Gym").wait_for(state="detached")
    waiting(page, "Paper").get_by_role("button", name="Later").click()
    waiting(page, "Paper").wait_for(state="detached")
    waiting(bob.page, "Paper").wait_for(state="detached")
    ada.saved()
    # The service would say that it is today still.
    way.shut()
    ada.context.clock.fast_forward(86_400_000)
    waiting(page, "Paper").wait_for()
    assert waiting(page, "Gym").count() == 0
    ada.close()
    bob.close()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_cards_of_each_kind(browser, reminding, way, size):
    """A card says what it is about and leads there; axe finds nothing, and nothing is cut off."""
    service, _ = reminding
    one = Keeper(service)
    gym = one.own("Gym", "20.00", nextRenewal=day(3))["id"]
    gone = one.own("Paper", nextRenewal=day(0), autoRenew=False)["id"]
    one.call("POST", f"/v1/subscriptions/{gone}/cancel")
    contact = one.call("POST", "/v1/contacts", {"firstName": "Ada", "lastName": "Lovelace", "dates": [{"date": f"--{day(1)[5:]}", "yearly": True, "type": "birthday"}]})
    remind(service, one.user, (gym, "renewal", day(3), 3), (gone, "ended", day(0), 0), (contact["dates"][0]["id"], "date", day(1), 1), (one.user, "digest", day(0), 0),
           # It has moved since.
           (gym, "renewal", day(2), 2))
    ada = Person(browser, way.url, size=size, token=one.token)
    page = ada.go("/")
    person = waiting(page, "Ada Lovelace")
    person.get_by_text("tomorrow").wait_for()
    assert "Birthday" in person.inner_text()
    assert person.get_by_role("link").get_attribute("href") == f"contacts/{contact['id']}"
    week = waiting(page, "Your week")
    assert "1 renewal in the next seven days, €20.00 in all." in week.inner_text()
    assert [text.split("\n")[0] for text in week.get_by_role("button").all_inner_texts()] == ["Done"]
    assert page.locator("li.answer .row-title").all_inner_texts() == ["Your week", "Paper", "Ada Lovelace", "Gym"]
    assert faults(page) == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert ada.overflows() == []
    person.get_by_role("button", name="Done").click()
    page.locator("li.answer.done", has_text="Ada Lovelace · Done.").wait_for()
    awaited(lambda: "done" in answers(service, one.user))
    ada.close()
