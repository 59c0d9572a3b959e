"""Reminders: their settings in a browser, and a mail that is answered in a browser which was never here."""

import os
import re

import pytest

from support.days import day
from support.door import Door
from support.front import Front
from support.person import Keeper, Person
from support.service import Service
from support.waiting import awaited
from test_mail import Sink


@pytest.fixture(scope="module")
def reminding(tmp_path_factory, state):
    """A service whose tenant has reminders, and its mails."""
    sink = Sink(tmp_path_factory.mktemp("mails"))
    service = Service("--sendmail", str(sink.program), state=state)
    try:
        service.start().run("tenant", "areas", "default", "--enable", "reminders")
        awaited(lambda: "reminders" in service.call("GET", "/v1")[1]["areas"])
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


def test_a_mail_is_answered_by_a_button_alone(browser, reminding, way):
    service, sink = reminding
    one = Keeper(service)
    address = f"{one.user}@example.org"
    one.call("POST", "/v1/accounts", {"email": address, "password": "violet tram nineteen lamps"})
    one.call("POST", "/v1/email-verifications", {"token": sink.link("account/verify").split("token=")[1]})
    one.call("PATCH", "/v1/me", {"timeZone": "UTC"})
    held = one.own("Gym", "20.00", currency="USD", autoRenew=False, nextRenewal=day(7))
    user = f"UNHEX(REPLACE('{one.user}', '-', ''))"
    service.sql(f"INSERT INTO Reminder_setting (User_ID, Reminder_setting_ID, Remind_at) VALUES ({user}, {user}, '00:00')")
    awaited(lambda: column_of(service, f"SELECT COUNT(*) FROM Agenda a JOIN Scope s ON s.Scope_ID = a.User_ID WHERE a.User_ID = {user} AND s.Stale IS NULL") == ["1"])
    # The look was planned yesterday for this hour.
    service.sql(f"UPDATE Agenda SET Looked_at = Looked_at - INTERVAL 1 DAY, Next_at = UTC_TIMESTAMP() WHERE User_ID = {user}")
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
