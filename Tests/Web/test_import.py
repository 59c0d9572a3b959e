"""Files of other programs and of this one: what is read, and that the terminal on the service's kit reads the same."""

import datetime
import json
import pathlib
import re
import tempfile
import uuid

import pytest
from support.days import day, last, today
from support.device import Failure
from support.door import Door
from support.terminal import Terminal

PASSWORD = "violet tram nineteen"
DAY = re.compile(r"\b202[67]-\d\d-\d\d")


def of_now(text):
    """A file as if it was written today: its days lie as far from today as they did when the test was written."""
    later = today() - datetime.date(2026, 11, 23)
    return DAY.sub(lambda found: (datetime.date.fromisoformat(found[0]) + later).isoformat(), text)


WALLOS = json.dumps({"success": True, "subscriptions": [
    {"name": "Music", "price": 9.99, "currency_id": 1, "next_payment": "2027-01-31", "cycle": 3, "frequency": 1, "auto_renew": 1, "notify": 1,
     "notify_days_before": 3, "category_name": "Audio", "inactive": 0, "notes": "for the kids"},
    {"name": "Old one", "price": 5, "currency_id": 1, "next_payment": "2026-03-15", "cycle": 4, "frequency": 1, "auto_renew": 1, "inactive": 1, "cancellation_date": "2026-02-01"},
]})
WALLOS_TABLE = '''Name,Payment Cycle,Next Payment,Renewal,Category,Payment Method,Paid By,Price,Notes,URL,State,Notifications,Cancellation Date,Active
"Film, club",Every 3 Months,2027-02-28,Automatic,Video,Card,Ada,"€1,299.00","two
lines",,Enabled,Enabled,,Yes
Gone,Monthly,2026-05-01,Manual,Other,Card,Ada,€4.00,,,Disabled,Disabled,,No
'''
TABLE = '''name;price;currency;cycle;start
Gym;29,90;EUR;monthly;2024-01-31
Newspaper;12.00 kr;;yearly;
Bad day;1.00;EUR;monthly;31.01.2026
Bad price;cheap;EUR;monthly;
Bad length;1.00;EUR;every full moon;
;1.00;EUR;monthly;
'''
FILES = {"wallos.json": of_now(WALLOS), "wallos.csv": of_now(WALLOS_TABLE), "table.csv": TABLE}
SHOWN = """state.subscriptions.map((s) => [s.plan.provider, s.plan.name, s.plan.category, s.label, s.startDate, s.endDate, s.price.fee, s.price.currency,
    s.plan.duration.value, s.plan.duration.unit, s.status, s.autoRenew, s.reminderDays, s.note]).sort()"""


def shown(one):
    plan = one["plan"]
    return [plan["provider"], plan["name"], plan["category"], one.get("label"), one["startDate"], one["endDate"], one["fee"], one["currency"],
            plan["duration"]["value"], plan["duration"]["unit"], one["status"], one["autoRenew"], one.get("reminderDays"), one.get("note")]


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_browser_and_the_terminal_read_the_same(name, device, service):
    doors = [Door(service.port)]
    terminal = Terminal(service)
    try:
        one = device(door=doors[0])
        one.act("changeMe", {"country": "DE"})
        terminal.run("me", "--country", "DE")
        first = one.act("readImport", {"name": name, "text": FILES[name]})
        added = one.act("doImport")["added"]
        assert added == sum(row["standing"] == "new" for row in first["rows"]) > 0
        one.in_step()
        # Again: all of it is here already.
        again = one.act("readImport", {"name": name, "text": FILES[name]})
        assert [row["standing"] for row in again["rows"]] == ["same" if row["standing"] == "new" else row["standing"] for row in first["rows"]]
        address = f"{uuid.uuid4().hex[:12]}@example.org"
        terminal.run("register", address, text=f"{PASSWORD}\n{PASSWORD}\n")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.write_text(FILES[name])
            terminal.run("import", str(path), check=False)
        rows = [row["subscription"] if "subscription" in row else row for row in terminal.subscriptions()]
        assert sorted(map(shown, rows), key=str) == sorted(one.read(SHOWN), key=str)
    finally:
        terminal.close()
        for door in doors:
            door.close()


def test_refused_rows_say_why(device, door):
    one = device()
    one.act("changeMe", {"country": "SE"})
    rows = one.act("readImport", {"name": "table.csv", "text": TABLE})["rows"]
    assert [(row["standing"], row["problem"] and (row["problem"]["field"], row["problem"]["code"])) for row in rows] == [
        ("new", None), ("new", None), ("refused", ("start", "noDay")), ("refused", ("price", "noAmount")), ("refused", ("cycle", "noLength")),
        ("refused", ("name", "required"))]
    assert rows[1]["price"] == {"fee": "12.00", "currency": "SEK"}


FAULTY = {
    "faulty.csv": of_now("""name,price,currency,cycle,next_renewal,start_date,State,Auto Renew,reminder_days,free_trial,notify
Bogus,9,USD,month,2026-03-15,,bogus,maybe,x,perhaps,
Far,9,USD,month,2026-03-15,,active,yes,400,,often
Comma,"1,500",USD,month,2026-03-15,,,,,,
Point,1.500,EUR,month,2026-03-15,,,,,,
Yen,"1,500",JPY,month,2027-03-15,,,,,,
Dinar,1.500,KWD,month,2027-03-15,,,,,,
Ended,9,USD,month,,2024-01-05,ended,,,,
Two amounts,9 or 8,USD,month,2026-03-15,,,,,,
Odd money,9.99,dollars,month,03/15/2026,,,,,,
Paused,9,USD,2 weeks,2027-02-20T10:00:00Z,,paused,off,-1,no,0
Moon,9,USD,every full moon,2027-02-20,,,,,,
Much,9,USD,month,2027-02-20,,,,,,,and more
"""),
    "export.csv": """name,plan,price,currency,cycle,start_date,next_renewal,status,plan_source,plan_price,trial_days,notice_days
Mine,Basic,9,EUR,month,2027-01-05,2027-02-05,active,own,,,
Whose,Basic,9,EUR,month,2027-01-05,2027-02-05,active,theirs,"1,500",0,x
""",
    "list.json": json.dumps([
        {"name": "Listed", "price": "9.00", "currency": "EUR", "cycle": 9, "frequency": 1}, {"name": "Flag", "price": 9, "currency": "EUR", "active": "perhaps"},
        {"name": "Good", "price": 9, "currency": "EUR", "cycle": 3, "frequency": 2}, 7]),
}


@pytest.mark.parametrize("name", sorted(FAULTY))
def test_a_browser_and_the_terminal_refuse_the_same(name, device, service):
    """A status, a flag or an amount that may be two is nobody's guess. Each fault has its line and the file's name of its column."""
    door, terminal = Door(service.port), Terminal(service)
    try:
        one = device(door=door)
        one.act("changeMe", {"country": "DE"})
        rows = one.act("readImport", {"name": name, "text": FAULTY[name]})["rows"]
        told = [f"{row['place']}, {row['name'] if row['name'] != row['place'] else 'without name'}: " + "; ".join(
            f"{fault['field']}: {fault['message']}" if fault["field"] else fault["message"]
            for fault in row["problem"]["errors"] or [{"field": row["problem"]["field"], "message": row["problem"]["detail"]}]) for row in rows if row["standing"] == "refused"]
        terminal.run("me", "--country", "DE")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.write_text(FAULTY[name])
            report = json.loads(terminal.run("import", str(path), check=False))
        assert told == report["faults"]
        assert [row["name"] for row in rows if row["standing"] == "new"] == report["added"] != []
    finally:
        terminal.close()
        door.close()


def test_an_export_comes_back(device, service):
    doors = [Door(service.port), Door(service.port)]
    try:
        first, second = (device(door=door) for door in doors)
        plan = {"provider": "Gym", "name": "Off-peak", "fee": "17.99", "currency": "EUR", "duration": {"value": 1, "unit": "month"}, "noticeDays": 14}
        first.act("addSubscription", {"plan": plan, "startDate": day(-20), "autoRenew": False, "label": "=HYPERLINK(1)", "note": "a,\"b\"\nc", "fee": "12.00"})
        gone = first.act("addSubscription", {"plan": {**plan, "provider": "Gone"}, "startDate": last(1, 31, ago=60).isoformat(), "autoRenew": False})
        first.act("cancel", gone["id"])
        first.in_step()
        file = first.act("exportData", "json")
        second.act("readImport", {"name": file["name"], "text": file["text"]})
        assert second.act("doImport") == {"added": 2}
        second.in_step()
        assert second.read(SHOWN) == first.read(SHOWN)
        table = first.act("exportData", "csv")["text"]
        assert "'=HYPERLINK(1)" in table and "\r\n" in table
    finally:
        for door in doors:
            door.close()


@pytest.fixture(scope="module")
def plans(service):
    """Plans of the catalogue: by name, their numbers."""
    service.sql("""INSERT IGNORE INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Trial_days, Notice_days)
        VALUES ('Exchange', 'Standard', 5.00, 'DE', 1, 'month', NULL, 0), ('Exchange', 'Premium', 9.00, 'DE', 1, 'month', 14, 3)""")
    rows = service.sql("SELECT Plan_name, Plan_ID FROM Plan WHERE Provider = 'Exchange'")
    return {row[0]: int(row[1]) for row in rows if row[1].isdigit()}


def german(one, plans):
    """A browser of somebody in Germany, with the plans in memory."""
    one.act("changeMe", {"country": "DE"})
    one.until("state.user.country === 'DE'")
    for plan in plans.values():
        one.until(f"state.plan({plan})")
    return one


# All that an account does not have for itself.
ALL = """state.subscriptions.map((s) => [s.plan.provider, s.plan.name, s.plan.private ? null : s.plan.id, s.plan.fee, s.plan.trialDays, s.plan.noticeDays,
    s.label, s.startDate, s.endDate, s.ownFee, s.usualPrice.fee, s.freeTrial, s.autoRenew, s.status, s.reminderDays, s.muted, s.note]).sort()"""


@pytest.mark.parametrize("form", ["json", "csv"])
def test_an_export_keeps_plans_own_fees_and_trials(form, device, service, plans):
    doors = [Door(service.port), Door(service.port)]
    try:
        first, second = (german(device(door=door), plans) for door in doors)
        own = {"provider": "Gym", "name": "Off-peak", "fee": "20.00", "currency": "EUR", "duration": {"value": 1, "unit": "month"}, "trialDays": 30}
        first.act("addSubscription", {"planId": plans["Premium"], "autoRenew": False, "fee": "7.00", "label": "=SUM(1)", "note": "a,\"b\"\nc", "reminderDays": 3, "muted": True})
        first.act("addSubscription", {"planId": plans["Premium"], "autoRenew": True, "freeTrial": True, "label": "Trial"})
        first.act("addSubscription", {"plan": own, "autoRenew": False, "freeTrial": True, "fee": "12.50", "label": "Own trial"})
        gone = first.act("addSubscription", {"planId": plans["Standard"], "autoRenew": True, "label": "Gone"})
        first.act("cancel", gone["id"])
        first.in_step()
        file = first.act("exportData", form)
        assert [row["standing"] for row in second.act("readImport", {"name": file["name"], "text": file["text"]})["rows"]] == ["new"] * 4
        assert second.act("doImport") == {"added": 4}
        second.in_step()
        assert second.read(ALL) == first.read(ALL)
        assert [row["standing"] for row in second.act("readImport", {"name": file["name"], "text": file["text"]})["rows"]] == ["same"] * 4
    finally:
        for door in doors:
            door.close()


def test_the_table_is_that_of_the_terminal(device, service, plans):
    door, terminal = Door(service.port), Terminal(service)
    try:
        one = german(device(door=door), plans)
        one.act("addSubscription", {"planId": plans["Premium"], "autoRenew": True, "freeTrial": True, "label": "'=x", "note": "-5"})
        one.act("addSubscription", {"planId": plans["Standard"], "autoRenew": False, "fee": "4.00", "note": "two\nlines; \"quoted\""})
        one.in_step()
        address = f"{uuid.uuid4().hex[:12]}@example.org"
        one.act("register", {"email": address, "password": PASSWORD})
        terminal.sign_in(address, PASSWORD)
        terminal.run("sync")
        table = one.act("exportData", "csv")["text"]
        # The ends of lines become one character on the way.
        assert terminal.run("export", "--format", "csv") == table.replace("\r\n", "\n")
    finally:
        terminal.close()
        door.close()


def test_a_row_of_another_plan_is_new_and_a_row_left_out_names_what_is_here(device, service, plans):
    door = Door(service.port)
    try:
        one = german(device(door=door), plans)
        one.act("addSubscription", {"planId": plans["Standard"], "autoRenew": True})
        one.in_step()
        # The price tells the plan of a row that does not name it.
        text = "name,plan,price,currency,cycle,label\nExchange,,9,EUR,month,\nExchange,,5,EUR,month,\nExchange,Standard,6,EUR,month,\nExchange,Standard,5,EUR,month,Mum\n"
        rows = one.act("readImport", {"name": "mine.csv", "text": text})["rows"]
        assert [row["standing"] for row in rows] == ["new", "same", "new", "new"]
        assert [row["here"] and row["here"]["name"] for row in rows] == [None, "Exchange", None, None]
        assert one.act("doImport") == {"added": 3}
        one.in_step()
        assert one.read("state.subscriptions.filter((s) => !s.plan.private).map((s) => [s.plan.name, s.label]).sort()") == [["Premium", None], ["Standard", None], ["Standard", "Mum"]]
        with pytest.raises(Failure) as failure:
            one.act("readImport", {"name": "empty.csv", "text": " \n"})
        assert failure.value.code == "emptyFile"
    finally:
        door.close()
