"""The store in step with the service: offline, with lost answers, in two tabs, after a kill; nothing is lost, nothing is doubled."""

import threading
import uuid

import pytest
from support.days import end_of, last
from support.device import Failure
from support.door import Door
from support.extent import full
from support.figures import figure
from support.waiting import SECONDS, awaited

OWN = {"provider": "Gym", "name": "Off-peak", "fee": "17.99", "currency": "EUR", "duration": {"value": 1, "unit": "month"}}
PASSWORD = "violet tram nineteen"
AWAY = (503, {"type": "/problems/unavailable", "title": "Not available", "status": 503, "code": "unavailable", "detail": "It comes back."})


def own(**more):
    return {"plan": OWN, "autoRenew": False, **more}


def email():
    return f"{uuid.uuid4().hex[:12]}@example.org"


def names(one, **options):
    return sorted(one.read("state.subscriptions.map(({ name }) => name)", **options))


# Offline


def test_an_addition_is_seen_at_once_and_sent_when_the_service_is_back(device, door):
    one = device()
    door.shut()
    start = last(1, 31)
    end = end_of(start.year, 2).isoformat()
    added = one.act("addSubscription", own(startDate=start.isoformat()))
    seen = one.read("state.subscriptions[0]")
    assert (seen["id"], seen["endDate"], seen["price"]) == (added["id"], end, {"fee": "17.99", "currency": "EUR"})
    assert seen["waiting"] and seen["name"] == "Gym"
    one.until("state.connection.kind === 'offline' && state.connection.waiting === 1")
    one.reopen()
    assert one.read("[state.subscriptions.length, state.subscriptions[0].waiting, state.user.id]") == [1, True, None]
    door.open()
    one.sync()
    one.in_step()
    sent = one.read("state.subscriptions[0]")
    assert not sent["waiting"] and sent["version"] > 0
    assert one.read("state.subscriptions.length") == 1
    assert (sent["endDate"], sent["plan"]["private"], sent["plan"]["fee"]) == (end, True, "17.99")


def test_nothing_is_registered_for_looking(device, door):
    one = device()
    one.until("state.often() !== undefined && state.providers('netf') !== undefined")
    assert door.count("POST") == 0
    assert one.read("[state.isKept, state.subscriptions.length, state.outbox.count]") == [False, 0, 0]
    # One question whether the cookie is alive, once in the life of a store.
    awaited(lambda: True in one.store("meta"))
    assert (door.count("GET /v1\n"), door.count("GET /v1/me")) == (1, 0)
    one.reopen()
    one.until("state.often() !== undefined")
    # What is known is not asked again, neither by another tab nor when there is something to keep.
    other = one.tab()
    one.act("addSubscription", own(), page=other)
    one.in_step(page=other)
    one.reopen()
    one.in_step()
    assert (door.count("GET /v1\n"), door.count("GET /v1/me")) == (1, 0)


def test_a_user_whose_answer_was_lost_is_found_again(device, door):
    one = device()
    one.until("state.often() !== undefined && state.providers('netf') !== undefined")
    # The cookie comes, and half of the answer. Another device would leave that user without anybody.
    trap = door.trap("POST /v1/devices", "half")
    one.act("addSubscription", own())
    assert trap.sprung.wait(SECONDS)
    one.sync()
    one.in_step()
    assert (door.count("POST /v1/devices"), door.count("GET /v1/me")) == (1, 1)


def test_a_session_that_could_not_be_asked_for_is_asked_for_later(device, door):
    door.trap("GET /v1\n", "status", action=AWAY)
    one = device()
    one.until("state.often() !== undefined && state.providers('netf') !== undefined")
    one.act("addSubscription", own())
    one.in_step()
    assert (door.count("GET /v1\n"), door.count("GET /v1/me"), door.count("POST /v1/devices")) == (2, 0, 1)


def test_month_ends_are_counted_from_the_anchor(device, door):
    one = device()
    door.shut()
    start = last(1, 31)
    added = one.act("addSubscription", own(startDate=start.isoformat()))
    one.act("renew", added["id"])
    assert one.read("state.subscriptions[0].endDate") == f"{start.year}-03-31"
    door.open()


@pytest.mark.parametrize(("operation", "moment"), [
    *((operation, moment) for operation in ("POST /v1/devices", "POST /v1/changes") for moment in ("request", "answer", "half")),
    full("GET /v1/changes", "request"), full("GET /v1/changes", "answer"), ("GET /v1/changes", "half")])
def test_what_is_lost_on_the_way_is_done_once(device, door, operation, moment):
    one = device()
    trap = door.trap(operation, moment, times=2)
    one.act("addSubscription", own())
    assert trap.sprung.wait(SECONDS)
    one.sync()
    one.sync()
    one.sync()
    one.in_step()
    assert names(one) == ["Gym"]
    other = one.read("state.subscriptions[0].id")
    assert one.store("outbox") == [] and [row["id"] for row in one.store("own") if row["id"] == other] == [other]


def test_a_page_that_is_closed_in_the_middle_of_a_push(device, door, service):
    one = device()
    one.act("addSubscription", own())
    one.in_step()
    gate = threading.Event()
    trap = door.trap("POST /v1/changes", "hold", action=gate)
    added = one.act("addSubscription", own(label="Second"))
    assert trap.sprung.wait(SECONDS)
    one.page.close()
    gate.set()
    one.page = one.tab()
    one.sync()
    one.in_step()
    assert names(one) == ["Gym", "Second"]
    assert one.read("state.subscription(given)".replace("given", repr(added["id"])))["label"] == "Second"


def test_a_service_that_is_killed_in_the_middle(device, own_service):
    door = Door(own_service.port)
    try:
        one = device(door=door)
        one.act("addSubscription", own())
        one.in_step()
        for number in range(12):
            one.act("addSubscription", own(label=f"No. {number}"))
        own_service.kill()
        one.until("state.connection.kind === 'offline'")
        one.act("addSubscription", own(label="While it was dead"))
        one.reopen()
        assert one.read("state.subscriptions.length") == 14
        own_service.start()
        one.sync()
        one.in_step()
        assert names(one) == sorted(["Gym", "While it was dead", *(f"No. {number}" for number in range(12))])
        assert len({row["id"] for row in one.store("own") if row["data"].get("planId") and "startDate" in row["data"]}) >= 14
    finally:
        door.close()


def test_a_service_that_asks_to_be_left_alone(device, door):
    one = device()
    one.act("addSubscription", own())
    one.in_step()
    door.trap("POST /v1/changes", "status", action=(429, {
        "type": "/problems/rate_limited", "title": "Too many requests", "status": 429, "code": "rate_limited", "detail": "Wait a little.", "retryAfter": 3}))
    one.act("change", one.read("state.subscriptions[0].id"), {"note": "later"})
    one.until("state.connection.kind === 'offline' && state.connection.detail === 'Wait a little.'")
    # It comes back by itself.
    one.in_step()
    assert one.read("state.subscriptions[0].note") == "later"


# Tabs


def test_two_tabs_are_one_device_and_see_each_other(device, door):
    one = device()
    other = one.tab()
    door.shut()
    one.act("addSubscription", own(label="Left"))
    one.act("addSubscription", own(label="Right"), page=other)
    one.until("state.subscriptions.length === 2")
    one.until("state.subscriptions.length === 2", page=other)
    door.open()
    one.sync()
    one.sync(page=other)
    for page in (one.page, other):
        one.in_step(page=page)
        assert names(one, page=page) == ["Left", "Right"]
    assert len(one.store("own")) == len(one.store("own", page=other))
    # One tab keeps the socket, and what it hears is seen in both.
    assert sum(1 for line in door.requests if line.startswith("GET /v1/live")) == 1


def test_the_tab_that_keeps_the_socket_is_closed(device, door):
    one = device()
    one.act("addSubscription", own())
    one.in_step()
    other = one.tab()
    one.in_step(page=other)
    one.page.close()
    one.page = other
    one.act("change", one.read("state.subscriptions[0].id"), {"label": "Still here"})
    one.in_step()
    # The other one opens a socket of its own.
    awaited(lambda: door.count("GET /v1/live") >= 2)


# Held changes


def test_a_held_change_is_sent_after_a_reload(device, door):
    one = device(hasClock=True)
    one.act("addSubscription", own())
    one.in_step()
    one.act("renew", one.read("state.subscriptions[0].id"))
    one.reopen()
    # The sync of the start is over when the one that follows it is; it waits still, and nothing says that it is saved.
    for _ in range(2):
        one.sync()
        assert one.read("[state.connection.kind, state.connection.waiting, state.outbox.count]") == ["sending", 1, 1]
    one.pass_time(11)
    one.in_step()
    assert one.read("[state.subscriptions[0].period, state.subscriptions[0].waiting]") == [1, False]


def test_a_held_change_of_a_tab_that_is_closed_is_sent_by_the_other(device, door):
    one = device(hasClock=True)
    one.act("addSubscription", own())
    one.in_step()
    other = one.tab()
    one.in_step(page=other)
    one.act("renew", one.read("state.subscriptions[0].id"))
    one.until("state.outbox.count === 1 && state.connection.kind === 'sending'", page=other)
    one.page.close()
    one.page = other
    assert one.read("state.outbox.count") == 1
    one.pass_time(11)
    one.in_step()
    assert one.read("[state.subscriptions[0].period, state.subscriptions[0].waiting]") == [1, False]


def test_a_change_of_a_tab_that_is_closed_while_it_is_sent_is_sent_by_the_other(device, door):
    one = device()
    one.act("addSubscription", own())
    one.in_step()
    other = one.tab()
    one.in_step(page=other)
    door.trap("POST /v1/changes", "status", times=2, action=AWAY)
    one.act("change", one.read("state.subscriptions[0].id"), {"note": "sent by the other"}, page=other)
    one.until("state.connection.kind === 'offline'", page=other)
    other.close()
    # This tab keeps its socket, which tells it nothing.
    one.until("state.outbox.count === 1")
    one.in_step()
    assert one.read("state.subscriptions[0].note") == "sent by the other"
    assert one.read("state.lost") == []


def test_a_change_that_was_taken_back_in_the_last_moment_is_not_sent(blank):
    # Another tab takes it back after the sync has seen it, before it is marked as sent.
    sent = blank.evaluate("""async () => {
        const [{ Database }, { Sync }] = await Promise.all([import("/__web/js/data/database.js"), import("/__web/js/data/sync.js")]);
        const database = await Database.open("undo"), tables = ["outbox"], sent = [];
        await database.write(async ({ outbox }) => { for (const key of ["first", "undone"]) outbox.add({ key, id: key, entity: "me", op: "update", today: "2026-11-23" }); }, tables);
        await database.remember({ user: "somebody", clockChecked: Date.now() });
        const write = database.write.bind(database);
        database.write = async (...given) => {
            database.write = write;
            await write(async ({ outbox }) => outbox.delete(2), tables);
            return write(...given);
        };
        const api = { call: async (name, { mutations }) => {
            if (name === "changes.pull") return { changes: [], dropped: [], cursor: "one", more: false, total: 0 };
            sent.push(...mutations.map(({ key }) => key));
            return { results: mutations.map(({ key }) => ({ key, outcome: "applied", replayed: false, lost: [] })) };
        } };
        await new Sync({ database, api, session: { registerIfNeeded: async () => {} }, locks: { held: (_, body) => body() }, onChange: async () => {} }).run();
        database.close();
        return sent;
    }""")
    assert sent == ["first"]


# A store that fails


@pytest.mark.parametrize(("kind", "damage"), [
    ("subscription", {"endDate": "no day"}), full("subscription", {"fee": {}}), full("subscription", None), full("plan", {"fee": {}}), ("plan", None)])
def test_a_damaged_row_takes_no_other_away_and_comes_again(device, door, kind, damage):
    one = device()
    for label in ("First", "Second"):
        one.act("addSubscription", own(label=label))
        one.in_step()
    door.shut()
    one.act("addSubscription", own(label="Waits"))
    one.page.evaluate("""([kind, damage]) => new Promise((resolve) => { const open = indexedDB.open(`subtrack.${app.state.tenant}`); open.onsuccess = () => {
        const over = open.result.transaction("own", "readwrite"), own = over.objectStore("own");
        own.openCursor(IDBKeyRange.bound([kind], [kind, []])).onsuccess = ({ target }) => {
            const row = target.result.value;
            target.result.update({ ...row, data: damage && { ...row.data, ...damage } });
        };
        over.oncomplete = () => { open.result.close(); resolve(); };
    }; })""", [kind, damage])
    one.reopen()
    assert "Waits" in names(one) and len(names(one)) >= 2
    door.open()
    one.sync()
    one.in_step()
    assert names(one) == ["First", "Second", "Waits"]


def test_a_full_store_loses_nothing(pair):
    first, second = pair
    identity = second.read("state.subscriptions[0].id")
    second.door.shut()
    second.act("change", identity, {"note": "before it was full"})
    second.page.evaluate("""() => {
        const store = IDBObjectStore.prototype, { put, add } = store;
        store.put = store.add = () => { throw new DOMException("full", "QuotaExceededError"); };
        window.clear = () => Object.assign(store, { put, add });
    }""")
    with pytest.raises(Failure) as failure:
        second.act("addSubscription", own(label="Too much"))
    assert (failure.value.failure, failure.value.code) == ("store", "QuotaExceededError")
    assert second.read("[state.subscriptions.length, state.outbox.count]") == [1, 1]
    # Others change something meanwhile; it cannot be kept, and nothing says that it is.
    first.act("addSubscription", own(label="Of the other"))
    first.in_step()
    second.door.open()
    second.sync()
    assert second.read("state.connection.kind") == "offline"
    assert second.read("[state.subscriptions[0].note, state.outbox.count]") == ["before it was full", 1]
    second.page.evaluate("() => clear()")
    second.sync()
    second.in_step()
    assert names(second) == ["Gym", "Of the other"]
    first.until("state.subscriptions.some(({ note }) => note === 'before it was full')")


def test_a_store_that_is_taken_away_is_told(device):
    one = device()
    one.act("addSubscription", own())
    one.in_step()
    identity = one.read("state.subscriptions[0].id")
    # Another tab of a newer build wants the store for itself.
    one.page.evaluate("() => new Promise((resolve, reject) => { const open = indexedDB.open('subtrack.default', 99); open.onblocked = reject; open.onsuccess = () => { open.result.close(); resolve(); }; })")
    with pytest.raises(Failure) as failure:
        one.act("change", identity, {"note": "nowhere"})
    assert failure.value.failure == "store"
    assert one.read("[state.connection.kind, state.subscriptions[0].note]") == ["offline", None]


# Two browsers


@pytest.fixture
def pair(device, service):
    """Two browsers of one user, each by a door of its own."""
    doors = [Door(service.port), Door(service.port)]
    first, second = (device(door=door) for door in doors)
    first.act("addSubscription", own())
    first.in_step()
    address = email()
    first.act("register", {"email": address, "password": PASSWORD})
    second.act("signIn", {"email": address, "password": PASSWORD})
    second.in_step()
    second.until("state.subscriptions.length === 1")
    first.address = address
    yield first, second
    first.until("true")
    for door in doors:
        door.close()


def test_a_change_is_seen_in_the_other_browser_at_once(pair):
    first, second = pair
    identity = first.read("state.subscriptions[0].id")
    first.until("true")
    # Its socket brings it: with a socket no page asks by itself.
    awaited(lambda: second.door.count("GET /v1/live"))
    second.page.evaluate("() => { window.seen = new Promise((resolve) => app.onChange(() => { if (app.state.subscriptions[0]?.note === 'told') resolve(Date.now()); })); }")
    began = first.page.evaluate("async (id) => { const began = Date.now(); await app.actions.change(id, { note: 'told' }); return began; }", identity)
    took = second.page.evaluate("() => seen") - began
    figure("a change until another browser shows it", took, 1000)


def test_the_same_field_changed_in_both_is_told(pair):
    first, second = pair
    identity = first.read("state.subscriptions[0].id")
    second.door.shut()
    first.act("change", identity, {"note": "first", "label": "A"})
    first.in_step()
    second.act("change", identity, {"note": "second", "reminderDays": 3})
    assert second.read("state.subscriptions[0].note") == "second"
    second.door.open()
    second.sync()
    second.in_step()
    seen = second.read("state.subscriptions[0]")
    # Another group of fields is merged; of the same one the server's order decides.
    assert (seen["note"], seen["label"], seen["reminderDays"]) == ("first", "A", 3)
    [lost] = second.read("state.lost")
    assert [(field["field"], field["theirs"], field["yours"], field["mayUseMine"]) for field in lost["fields"]] == [("note", "first", "second", True)]
    second.act("useMine", lost["id"], "note")
    assert second.read("[state.lost.length, state.subscriptions[0].note]") == [0, "second"]
    second.in_step()
    first.until("state.subscriptions[0].note === 'second'")


def test_a_label_is_not_lost_to_the_others_note(pair):
    first, second = pair
    identity = first.read("state.subscriptions[0].id")
    second.door.shut()
    first.act("change", identity, {"note": "first"})
    first.in_step()
    second.act("change", identity, {"label": "mine", "note": "second"})
    second.door.open()
    second.sync()
    second.in_step()
    # The service merges label and note as one; the label was changed by nobody else, and is sent again.
    assert second.read("[state.subscriptions[0].label, state.subscriptions[0].note]") == ["mine", "first"]
    [lost] = second.read("state.lost")
    assert [field["field"] for field in lost["fields"]] == ["note"]
    first.until("state.subscriptions[0].label === 'mine' && state.subscriptions[0].note === 'first'")


def test_muting_is_not_lost_to_the_others_reminder(pair):
    first, second = pair
    identity = first.read("state.subscriptions[0].id")
    second.door.shut()
    first.act("change", identity, {"reminderDays": 3, "note": "first"})
    first.in_step()
    second.act("change", identity, {"muted": True})
    assert second.read("state.subscriptions[0].muted") is True
    second.door.open()
    second.sync()
    second.in_step()
    # The service merges both as one; it was muted by nobody else, and that is sent again.
    shown = "[state.subscriptions[0].muted, state.subscriptions[0].reminderDays, state.subscriptions[0].note]"
    assert second.read(shown) == [True, 3, "first"]
    assert second.read("state.lost") == []
    first.until("state.subscriptions[0].muted")
    assert first.read(shown) == [True, 3, "first"]


def test_a_refused_change_keeps_the_typed_values(pair):
    first, second = pair
    identity = first.read("state.subscriptions[0].id")
    second.door.shut()
    first.act("remove", identity)
    first.in_step()
    second.act("change", identity, {"note": "typed"})
    second.door.open()
    second.sync()
    second.in_step()
    [lost] = second.read("state.lost")
    assert (lost["problem"]["code"], lost["typed"]) == ("not_found", [{"field": "note", "value": "typed"}])


def test_two_browsers_renew_the_same_period_once(pair):
    first, second = pair
    identity = first.read("state.subscriptions[0].id")
    first.page.evaluate("() => { window.realNow = Date.now; }")
    for one in pair:
        one.door.shut()
        one.act("renew", identity)
        assert one.read("state.subscriptions[0].period") == 1
        # What can be taken back for ten seconds is sent afterwards: here at once.
        one.page.evaluate("() => { const now = Date.now; Date.now = () => now() + 11000; }")
        one.door.open()
    for one in pair:
        one.sync()
    for one in pair:
        one.sync()
        one.in_step()
        assert one.read("[state.subscriptions[0].period, state.lost.length]") == [1, 0]


def test_a_deleted_one_comes_back_with_its_history(pair):
    first, second = pair
    identity = first.read("state.subscriptions[0].id")
    first.act("remove", identity)
    assert first.read("[state.subscriptions.length, state.deleted.length]") == [0, 1]
    first.in_step()
    second.until("state.subscriptions.length === 0 && state.deleted.length === 1")
    second.act("restore", identity)
    assert second.read("[state.subscriptions.length, state.deleted.length]") == [1, 0]
    second.in_step()
    first.until("state.subscriptions.length === 1 && state.deleted.length === 0")


def test_changes_of_one_browser_do_not_hinder_each_other(pair):
    one, other = pair
    identity = one.read("state.subscriptions[0].id")
    one.door.shut()
    for number in range(3):
        one.act("change", identity, {"note": f"note {number}", "fee": f"{number}.00", "reminderDays": number})
        one.act("change", identity, {"plan": {"fee": f"1{number}.00", "name": f"Plan {number}"}})
        one.act("cancel", identity)
        one.act("resume", identity)
    seen = one.read("state.subscriptions[0]")
    one.door.open()
    one.sync()
    one.in_step()
    assert [(lost["op"], lost["problem"], lost["fields"]) for lost in one.read("state.lost")] == []
    sent = one.read("state.subscriptions[0]")
    for field in ("note", "price", "reminderDays", "status", "endDate", "ownFee"):
        assert sent[field] == seen[field], field
    assert (sent["plan"]["name"], sent["plan"]["fee"], sent["note"], sent["ownFee"]) == ("Plan 2", "12.00", "note 2", "2.00")
    other.until("state.subscriptions[0].note === 'note 2'")


# Starting over


def test_a_copy_that_is_too_old_is_pulled_anew_and_the_outbox_is_kept(device, door):
    one = device()
    one.act("addSubscription", own())
    one.in_step()
    identity = one.read("state.subscriptions[0].id")
    problem = {"type": "/problems/resync", "title": "Start the sync over", "status": 410, "code": "resync", "detail": "Too old.", "reason": "floor"}
    door.shut()
    one.act("change", identity, {"note": "kept"})
    door.trap("POST /v1/changes", "status", action=(410, problem))
    door.open()
    one.sync()
    one.in_step()
    assert one.read("[state.subscriptions.length, state.subscriptions[0].note]") == [1, "kept"]
    assert [line for line in door.requests if line.startswith("GET /v1/changes") and "cursor" not in line][1:], "it was not pulled anew"


def test_a_restored_backup_is_offered_what_it_lost(device, own_service):
    door = Door(own_service.port)
    try:
        one = device(door=door)
        one.act("addSubscription", own(label="Before"))
        one.in_step()
        user = one.read("state.user.id")
        one.act("addSubscription", own(label="After the backup"))
        one.in_step()
        # The backup lacks the second one and all that tells of it. The browser sees none of how it is made.
        door.shut()
        own_service.sql(f"""
            DELETE FROM Subscription WHERE User_ID = UNHEX(REPLACE('{user}', '-', '')) AND Label = 'After the backup';
            DELETE FROM Idempotency;
            DELETE FROM Tombstone WHERE Row_ID NOT IN (SELECT Subscription_ID FROM Subscription);""")
        own_service.run("tenant", "restored", "default")
        door.open()
        one.sync()
        one.in_step()
        assert names(one) == ["After the backup", "Before"]
    finally:
        door.close()


# A backup that has lost the user


CONTACT = {"firstName": "Ada", "middleName": None, "lastName": "Lovelace", "note": "Met at a fair", "addresses": [], "emails": [], "dates": [],
           "phones": [{"id": "0190b5a0-0000-7000-8000-000000000001", "area": "788", "number": "6788768", "e164": None, "type": "cell"}]}


def lose(one, service, user):
    """Takes a user out of the database with all rows, and waits until the service knows the browser's cookie no more.

    Until then the browser has no network: it would pull the deletions, of which a backup knows nothing.
    """
    one.door.shut()
    tables = ["Subscription", "Contact_phone", "Contact_address", "Contact_email", "Contact_date", "Former_card", "Contact"]
    where = f"User_ID = UNHEX(REPLACE('{user}', '-', ''))"
    service.sql(f"DELETE s FROM Session s JOIN Device d ON d.Device_ID = s.Device_ID WHERE d.{where};"
                + "".join(f"DELETE FROM {table} WHERE {where};" for table in tables) + f"DELETE FROM `User` WHERE {where};")
    [cookie] = one.context.cookies()
    awaited(lambda: service.call("GET", "/v1/me", token=cookie["value"])[0] == 401)
    one.door.open()


def forget_answers(one):
    """Has a browser forget what it did, as thirty days later."""
    one.page.evaluate("""() => new Promise((resolve) => { const open = indexedDB.open(`subtrack.${app.state.tenant}`); open.onsuccess = () => {
        const over = open.result.transaction("acknowledged", "readwrite");
        over.objectStore("acknowledged").clear();
        over.oncomplete = () => { open.result.close(); resolve(); };
    }; })""")


@pytest.mark.parametrize(("has_account", "is_noticed"), [(False, False), full(False, True), full(True, False), (True, True)])
def test_rows_of_a_lost_user_are_the_next_ones(device, own_service, has_account, is_noticed):
    door, address = Door(own_service.port), email()
    try:
        one = device(door=door)
        identity = one.act("addSubscription", own(label="Old", note="kept"))["id"]
        one.act("addRow", "contact", CONTACT)
        one.in_step()
        if has_account:
            one.act("register", {"email": address, "password": PASSWORD})
        former, ends = one.read("state.user.id"), one.read("state.subscriptions[0].endDate")
        forget_answers(one)
        one.act("addSubscription", own(label="New"))
        one.in_step()
        lose(one, own_service, former)
        if is_noticed:
            # The socket may have told it before.
            one.page.evaluate("() => app.actions.sync().catch(() => {})")
            one.until("state.connection.kind === 'signIn'")
            one.act("change", identity, {"note": "edited"})
            with pytest.raises(Failure) as failure:
                one.act("signOut")
            assert failure.value.code == "unsent"
        one.act("signIn", {"email": address, "password": PASSWORD, "createIfMissing": True})
        one.in_step()
        assert one.read("state.user.id") != former
        assert names(one) == ["New", "Old"]
        assert one.read("state.lost") == []
        told = one.read(f"(({{ note, endDate }}) => [note, endDate])(state.subscription({identity!r}))")
        assert told == ["edited" if is_noticed else "kept", ends]
        one.until("state.rows('contact')?.length === 1")
        assert one.read("state.rows('contact')[0].row") == CONTACT
        assert "formerRows" not in str(one.store("meta"))
    finally:
        door.close()


# Sessions


def end_the_other(one):
    """Ends the session of the user's other browser."""
    sessions = one.page.evaluate("""() => new Promise((resolve) => {
        const look = () => { const all = app.state.sessions(); if (all) resolve(all); };
        app.onChange(look);
        look();
    })""")
    assert len(sessions) == 2
    one.act("endSession", next(session["id"] for session in sessions if not session["current"]))


def test_an_ended_session_keeps_everything_readable_and_the_outbox(pair):
    first, second = pair
    identity = second.read("state.subscriptions[0].id")
    end_the_other(first)
    second.until("state.connection.kind === 'signIn'")
    assert second.read("state.subscriptions.length") == 1
    second.act("change", identity, {"note": "written signed out"})
    second.reopen()
    assert second.read("[state.connection.kind, state.subscriptions[0].note, state.outbox.count]") == ["signIn", "written signed out", 1]
    with pytest.raises(Failure) as failure:
        second.act("signOut")
    assert (failure.value.code, failure.value.values) == ("unsent", {"count": 1})
    second.act("signIn", {"email": first.address, "password": PASSWORD})
    second.in_step()
    first.until("state.subscriptions[0].note === 'written signed out'")


def test_a_sign_in_on_a_device_that_another_user_has_taken_gets_a_new_one(pair, service):
    first, second = pair
    end_the_other(first)
    second.until("state.connection.kind === 'signIn'")
    second.act("change", second.read("state.subscriptions[0].id"), {"note": "kept meanwhile"})
    # Somebody else signed in on this device, and the answer with its cookie was lost.
    held = next(one for one in second.store("meta") if isinstance(one, dict) and {"id", "name"} <= one.keys())
    status, _ = service.call("POST", "/v1/sessions", {"email": email(), "password": PASSWORD, "createIfMissing": True, "device": held})
    assert status == 200
    second.act("signIn", {"email": first.address, "password": PASSWORD})
    second.in_step()
    assert second.read("[state.connection.kind === 'signIn', state.lost.length]") == [False, 0]
    first.until("state.subscriptions[0].note === 'kept meanwhile'")


def test_a_socket_that_is_refused_tells_that_the_session_has_ended(pair):
    first, second = pair
    awaited(lambda: second.door.count("GET /v1/live"))
    second.door.shut()
    end_the_other(first)
    second.door.open()
    # Nothing was changed here, and the look of each minute is far away.
    second.until("state.connection.kind === 'signIn'")
    # After signing in the same page opens a socket again: what others change comes at once.
    opened = second.door.count("GET /v1/live")
    second.act("signIn", {"email": first.address, "password": PASSWORD})
    second.in_step()
    awaited(lambda: second.door.count("GET /v1/live") > opened)
    first.act("change", first.read("state.subscriptions[0].id"), {"note": "seen at once"})
    second.until("state.subscriptions[0].note === 'seen at once'")


def test_a_refused_socket_takes_a_dead_cookie_away(device, door, service):
    one, address = device(), email()
    one.page.evaluate("() => app.close()")
    _, mine = service.call("POST", "/v1/sessions", {"email": address, "password": PASSWORD, "createIfMissing": True, "device": {"name": "Browser"}})
    _, other = service.call("POST", "/v1/sessions", {"email": address, "password": PASSWORD, "device": {"name": "Other"}})
    one.context.add_cookies([{"name": "__Host-subtrack.default", "value": mine["token"], "url": door.url.replace("http:", "https:"), "secure": True,
                              "httpOnly": True, "sameSite": "Strict"}])
    socket = "() => new Promise((resolve) => { const one = new WebSocket('/v1/live'); one.onopen = () => resolve('open'); one.onclose = () => resolve('refused'); })"
    assert one.page.evaluate(socket) == "open"
    ended = next(each["id"] for each in service.call("GET", "/v1/sessions", token=other["token"])[1]["sessions"] if not each["current"])
    assert service.call("DELETE", f"/v1/sessions/{ended}", token=other["token"])[0] == 204
    assert [cookie["name"] for cookie in one.context.cookies()] == ["__Host-subtrack.default"]
    assert one.page.evaluate(socket) == "refused"
    assert one.context.cookies() == []


def test_a_deleted_user_leaves_nothing(pair):
    first, second = pair
    second.door.shut()
    second.act("addSubscription", own(label="Never sent"))
    with pytest.raises(Failure) as failure:
        first.act("deleteUser", {"currentPassword": "something else entirely"})
    assert failure.value.code == "credentials_invalid"
    first.act("deleteUser", {"currentPassword": PASSWORD})
    assert first.read("[state.subscriptions.length, state.isKept]") == [0, False]
    second.door.open()
    # A sync that a person asks for would begin anew where another one has found it out.
    second.page.evaluate("() => dispatchEvent(new Event('online'))")
    second.until("state.subscriptions.length === 0")
    for table in ("own", "catalogue", "outbox", "acknowledged", "deleted", "drafts"):
        assert second.store(table) == [], table
    # What was never sent is told, for nobody else has it.
    assert [lost["problem"]["code"] for lost in second.read("state.lost")] == ["user_deleted"]


def test_a_sync_that_waits_while_the_user_is_found_deleted_makes_no_other_user(pair):
    first, second = pair
    second.door.shut()
    first.act("deleteUser", {"currentPassword": PASSWORD})
    gate = threading.Event()
    held = second.door.trap("GET /v1/changes", "hold", action=gate)
    second.door.open()
    second.page.evaluate("() => { window.ended = Promise.all([1, 2].map(() => app.actions.sync())); }")
    assert held.sprung.wait(SECONDS)
    gate.set()
    second.page.evaluate("() => ended")
    assert second.door.count("POST /v1/devices") == 0
    assert second.store("own") == []


def test_signing_in_merges_and_signing_out_begins_anew(device, service):
    doors = [Door(service.port), Door(service.port)]
    try:
        first, second = (device(door=door) for door in doors)
        first.act("addSubscription", own(label="Mine"))
        first.in_step()
        address = email()
        first.act("register", {"email": address, "password": PASSWORD, "userName": "Ada"})
        assert first.read("[state.user.userName, state.user.accounts.map(({ email }) => email)]") == ["Ada", [address]]
        second.act("addSubscription", own(label="Of this device"))
        second.in_step()
        merged = second.act("signIn", {"email": address, "password": PASSWORD})
        assert (merged["moved"], merged["same"], merged["created"]) == (1, 0, False)
        second.in_step()
        assert names(second) == ["Mine", "Of this device"]
        first.until("state.subscriptions.length === 2")
        # The next person in this browser sees nothing of it.
        second.act("saveDraft", "add", {"provider": "Secret"})
        second.act("signOut")
        second.in_step()
        assert second.read("[state.subscriptions.length, state.user.accounts.length, state.draft('add') ?? null]") == [0, 0, None]
        assert [row for row in second.store("own") if "startDate" in row["data"]] == []
    finally:
        for door in doors:
            door.close()


def test_a_held_renewal_comes_along_when_somebody_signs_in(pair, device, service):
    first, _ = pair
    door = Door(service.port)
    try:
        third = device(door=door)
        identity = third.act("addSubscription", own(label="Of this device"))["id"]
        third.in_step()
        third.act("renew", identity)
        third.act("signIn", {"email": first.address, "password": PASSWORD})
        third.in_step()
        assert third.read("state.lost") == []
        assert third.read("state.subscriptions.filter(({ label }) => label).map(({ period }) => period)") == [1]
    finally:
        door.close()


def lose_answer(one, door, operation, action, given, isRefused):
    """Has a browser do something whose answer ends in the middle, after its cookie; the network is gone from then on.

    isRefused: the service has refused the former session before the answer came, as where the socket is told of its end first.
    """
    gate = threading.Event()
    trap = door.trap(operation, "last", action=gate if isRefused else None)
    begin = "([name, given]) => { window.lost = app.actions[name](...given).then(() => null, ({ failure }) => failure); }"
    if isRefused:
        with one.page.expect_response(lambda answer: "/v1/changes" in answer.url and answer.status == 401):
            one.page.evaluate(begin, [action, given])
            assert trap.sprung.wait(SECONDS)
            one.page.evaluate("() => { app.actions.sync().catch(() => {}); }")
        gate.set()
    else:
        one.page.evaluate(begin, [action, given])
    assert one.page.evaluate("() => lost") == "offline"


REFUSED = pytest.mark.parametrize("isRefused", [False, True], ids=["unnoticed", "refused"])


@REFUSED
def test_a_sign_in_whose_answer_is_lost_is_noticed(pair, device, service, isRefused):
    first, _ = pair
    door = Door(service.port)
    try:
        third = device(door=door)
        # Another one than the account has: what is the same twice goes on under the other id, which the lost answer told.
        identity = third.act("addSubscription", {"plan": {**OWN, "provider": "Choir", "fee": "5.00"}, "autoRenew": False})["id"]
        third.in_step()
        former = third.read("state.user.id")
        lose_answer(third, door, "POST /v1/sessions", "signIn", [{"email": first.address, "password": PASSWORD}], isRefused)
        third.act("change", identity, {"note": "written before it was noticed"})
        third.act("changeMe", {"userName": "Grace"})
        door.open()
        third.sync()
        third.in_step()
        assert third.read("state.lost") == []
        assert third.read("state.subscription(given).note".replace("given", repr(identity))) == "written before it was noticed"
        assert third.read("[state.subscriptions.length, state.user.userName, state.user.accounts.length]") == [2, "Grace", 1]
        users = third.page.evaluate("() => new Promise((resolve) => { const open = indexedDB.open('subtrack.default'); open.onsuccess = () => {"
                                    "const asked = open.result.transaction('meta').objectStore('meta').get('user'); asked.onsuccess = () => { open.result.close(); resolve(asked.result); }; }; })")
        assert users == first.read("state.user.id") != former
    finally:
        door.close()


@REFUSED
def test_a_sign_in_without_rows_whose_answer_is_lost_makes_no_other_user(pair, device, service, isRefused):
    first, _ = pair
    door = Door(service.port)
    try:
        third = device(door=door)
        third.act("changeMe", {"userName": "Grace"})
        third.in_step()
        lose_answer(third, door, "POST /v1/sessions", "signIn", [{"email": first.address, "password": PASSWORD}], isRefused)
        door.open()
        third.sync()
        third.in_step()
        assert third.read("state.user.id") == first.read("state.user.id")
        assert door.count("POST /v1/devices") == 1
    finally:
        door.close()


def test_a_sign_in_after_the_session_ended_whose_answer_is_lost_is_noticed(pair, service):
    first, second = pair
    identity = second.read("state.subscriptions[0].id")
    end_the_other(first)
    second.until("state.connection.kind === 'signIn'")
    second.act("change", identity, {"note": "written signed out"})
    lose_answer(second, second.door, "POST /v1/sessions", "signIn", [{"email": first.address, "password": PASSWORD}], False)
    # Nobody knows yet whether it has gone through.
    second.until("state.connection.kind === 'offline'")
    second.door.open()
    second.sync()
    second.in_step()
    first.until("state.subscriptions[0].note === 'written signed out'")
    assert [one.read("[state.lost.length, state.subscriptions.length]") for one in pair] == [[0, 1]] * 2


def test_a_sign_in_that_did_not_arrive_leaves_the_session_ended(pair):
    first, second = pair
    end_the_other(first)
    second.until("state.connection.kind === 'signIn'")
    second.door.shut()
    with pytest.raises(Failure) as failure:
        second.act("signIn", {"email": first.address, "password": PASSWORD})
    assert failure.value.failure == "offline"
    second.until("state.connection.kind === 'offline'")
    second.door.open()
    second.page.evaluate("() => dispatchEvent(new Event('online'))")
    second.until("state.connection.kind === 'signIn'")
    assert second.read("state.subscriptions.length") == 1


def test_the_first_thing_a_browser_does_is_a_sign_in_whose_answer_is_lost(pair, device, service):
    first, _ = pair
    door = Door(service.port)
    try:
        third = device(door=door)
        third.until("state.often() !== undefined && state.providers('netf') !== undefined")
        door.trap("POST /v1/sessions", "half")
        with pytest.raises(Failure) as failure:
            third.act("signIn", {"email": first.address, "password": PASSWORD})
        assert failure.value.failure == "offline"
        third.until("state.subscriptions.length === 1")
        third.in_step()
        assert third.read("state.user.id") == first.read("state.user.id")
    finally:
        door.close()


@REFUSED
def test_a_sign_out_whose_answer_is_lost_hands_nothing_over(pair, isRefused):
    first, second = pair
    lose_answer(second, second.door, "DELETE /v1/sessions/current", "signOut", [], isRefused)
    second.act("addSubscription", own(label="Of the account"))
    second.door.open()
    second.sync()
    second.in_step()
    # The next person in this browser neither sees the account's rows, nor sends its changes.
    assert second.read("[state.subscriptions.length, state.user.accounts.length]") == [0, 0]
    assert [(lost["op"], lost["name"]) for lost in second.read("state.lost")] == [("create", "Of the account")]
    assert names(first) == ["Gym"]


def test_a_wrong_password_and_a_taken_address_are_told(pair):
    first, second = pair
    with pytest.raises(Failure) as failure:
        second.act("signIn", {"email": first.address, "password": "quite another one"})
    assert (failure.value.failure, failure.value.code) == ("refused", "credentials_invalid")
    assert second.read("state.subscriptions.length") == 1


def test_no_script_sees_the_token(device):
    one = device()
    one.act("addSubscription", own())
    one.in_step()
    assert one.page.evaluate("() => document.cookie") == ""
    everything = [one.store(table) for table in ("own", "catalogue", "outbox", "acknowledged", "reports", "meta", "drafts")]
    assert "token" not in str(everything).lower()
    assert one.page.evaluate("() => localStorage.length + sessionStorage.length") == 0


def test_a_browser_that_forgot_its_store_and_not_its_cookie(device):
    one = device()
    one.act("addSubscription", own())
    one.in_step()
    user = one.read("state.user.id")
    one.page.evaluate("async () => { await app.close(); await new Promise((resolve) => { indexedDB.deleteDatabase('subtrack.default').onsuccess = resolve; }); }")
    one.reopen()
    one.until("state.subscriptions.length === 1")
    assert one.read("state.user.id") == user


# Taking back


def test_each_thing_can_be_taken_back(device, door):
    one = device()
    one.act("addSubscription", own(label="Kept"))
    one.in_step()
    identity = one.read("state.subscriptions[0].id")
    for shut in (True, False):
        if shut:
            door.shut()
        one.act("addSubscription", own(label="Taken back"))
        if not shut:
            one.in_step()
        one.undo()
        assert names(one) == ["Kept"]
        for action, arguments, expression, before, after in (
            ("cancel", [], "state.subscriptions[0].status", "active", "cancelled"),
            ("remove", [], "state.subscriptions.length", 1, 0),
            ("change", [{"note": "n", "fee": "12.00", "plan": {"name": "Other"}}], "[state.subscriptions[0].note, state.subscriptions[0].price.fee, state.subscriptions[0].plan.name]",
             [None, "17.99", "Off-peak"], ["n", "12.00", "Other"]),
            ("renew", [], "state.subscriptions[0].period", 0, 1),
        ):
            assert one.read(expression) == before, action
            one.act(action, identity, *arguments)
            assert one.read(expression) == after, action
            if not shut and action != "renew":
                one.in_step()
            one.undo()
            assert one.read(expression) == before, action
        if shut:
            door.open()
            one.sync()
        one.in_step()
        assert names(one) == ["Kept"]
        assert one.read("[state.subscriptions[0].status, state.subscriptions[0].note, state.subscriptions[0].price.fee, state.subscriptions[0].period, state.subscriptions[0].plan.name]") == [
            "active", None, "17.99", 0, "Off-peak"]


# Days


def test_the_day_is_the_users(device, door):
    # In Auckland it is the 2nd already.
    # The service would say that it is another day, so it is away from the beginning.
    door.shut()
    one = device(timezone="Pacific/Auckland", at="2026-12-01T12:30:00Z")
    one.act("addSubscription", own())
    assert one.read("[state.today, state.subscriptions[0].startDate, state.subscriptions[0].endDate, state.subscriptions[0].remaining]") == ["2026-12-02", "2026-12-02", "2027-01-02", 31]


def test_what_makes_no_sense_is_said_at_the_field(device, door):
    one = device()
    door.shut()
    cases = [
        ({**own(), "label": "x" * 101}, "label", "tooLong"), ({**own(), "note": "a\u0000b"}, "note", "control"), ({**own(), "reminderDays": 400}, "reminderDays", "range"),
        ({**own(), "startDate": "2026-02-30"}, "startDate", "malformed"), ({**own(), "startDate": "1969-01-01"}, "startDate", "startOutOfRange"),
        ({**own(), "startDate": "2026-01-01", "nextRenewal": "2026-02-01"}, "nextRenewal", "conflict"),
        ({**own(), "fee": "-1"}, "fee", "negative"), ({**own(), "fee": "1.999"}, "fee", "tooManyDigits"), ({**own(), "fee": "one"}, "fee", "malformed"),
        ({**own(), "fee": "100000000000"}, "fee", "tooLarge"), ({**own(), "plan": {**OWN, "currency": "euro"}}, "plan.currency", "unknownCurrency"),
        ({**own(), "plan": {**OWN, "provider": "  "}}, "plan.provider", "empty"), ({**own(), "plan": {**OWN, "duration": {"value": 0, "unit": "month"}}}, "plan.duration", "range"),
        ({"planId": 4711, "autoRenew": False}, "planId", "unknownPlan"), ({"autoRenew": False}, "planId", "required"),
        ({**own(), "plan": {**OWN, "currency": "JPY", "fee": "100.5"}}, "plan.fee", "tooManyDigits"),
    ]
    for given, field, code in cases:
        with pytest.raises(Failure) as failure:
            one.act("addSubscription", given)
        assert (failure.value.field, failure.value.code) == (field, code), given
        assert one.page.evaluate("(given) => app.state.preview(given).code", given) == code
    assert one.read("state.outbox.count") == 0
