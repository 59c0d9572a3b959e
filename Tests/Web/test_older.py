"""What an older build left in a browser: a newer one reads its outbox and sends it, whatever its store looks like by then.

`stores/` has the stores that releases wrote. SUBTRACKIT_WRITE_STORE=1 writes the one of this build, where its shape is another: a file
of a release is never changed.
"""

import datetime
import json
import os
import pathlib
import re
import uuid

import pytest
from support.days import day
from support.waiting import promised

FOLDER = pathlib.Path(__file__).parent / "stores"
OWN = {"provider": "Gym", "name": "Off-peak", "fee": "17.99", "currency": "EUR", "duration": {"value": 1, "unit": "month"}}
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
SHOWN = """state.subscriptions.map((s) => ({ id: s.id, name: s.name, note: s.note, startDate: s.startDate, endDate: s.endDate, price: s.price, status: s.status,
    period: s.period, reminderDays: s.reminderDays, plan: { provider: s.plan.provider, name: s.plan.name, fee: s.plan.fee, duration: s.plan.duration } }))
    .sort((one, other) => one.id < other.id ? -1 : 1)"""

READ = """() => new Promise((resolve, reject) => {
    const open = indexedDB.open("subtrack.default");
    open.onerror = () => reject(open.error);
    open.onsuccess = async () => {
        const names = [...open.result.objectStoreNames], transaction = open.result.transaction(names);
        const all = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
        const tables = {};
        for (const name of names) {
            const table = transaction.objectStore(name), [rows, keys] = await Promise.all([all(table.getAll()), all(table.getAllKeys())]);
            tables[name] = { keyPath: table.keyPath, autoIncrement: table.autoIncrement,
                indexes: [...table.indexNames].map((one) => [one, table.index(one).keyPath]), rows, keys };
        }
        open.result.close();
        resolve({ version: open.result.version, tables });
    };
})"""
MAKE = """(store) => new Promise((resolve, reject) => {
    const gone = indexedDB.deleteDatabase("subtrack.default");
    gone.onsuccess = () => {
        const open = indexedDB.open("subtrack.default", store.version);
        open.onerror = () => reject(open.error);
        open.onupgradeneeded = () => {
            for (const [name, { keyPath, autoIncrement, indexes, rows, keys }] of Object.entries(store.tables)) {
                const table = open.result.createObjectStore(name, keyPath === null ? {} : { keyPath, autoIncrement });
                for (const [index, path] of indexes) table.createIndex(index, path);
                rows.forEach((row, i) => { if (keyPath === null) table.put(row, keys[i]); else table.put(row); });
            }
        };
        open.onsuccess = () => { open.result.close(); resolve(true); };
    };
})"""


def fill(one):
    """Makes a change of each kind without network."""
    first = one.act("addSubscription", {"plan": OWN, "startDate": day(-40), "autoRenew": False, "label": "Climbing"})["id"]
    one.act("change", first, {"note": "Locker 17", "reminderDays": 3})
    one.act("change", first, {"plan": {"fee": "19.99"}})
    one.act("renew", first)
    second = one.act("addSubscription", {"plan": {**OWN, "provider": "Choir"}, "autoRenew": True, "fee": "5.00"})["id"]
    one.act("cancel", second)
    one.act("resume", second)
    third = one.act("addSubscription", {"plan": {**OWN, "provider": "Club"}, "autoRenew": False})["id"]
    one.act("cancel", third)
    gone = one.act("addSubscription", {"plan": {**OWN, "provider": "Gone"}, "autoRenew": False})["id"]
    one.act("remove", gone)
    one.act("changeMe", {"country": "AT"})
    one.act("saveDraft", "own", {"provider": "Half"})


def shape(store):
    """What later builds have to read: tables, and the fields of what waits."""
    fields = sorted({(one["op"], *sorted(one), *sorted(one.get("fields", {}))) for one in store["tables"]["outbox"]["rows"]})
    tables = {name: [table["keyPath"], table["autoIncrement"], table["indexes"]] for name, table in store["tables"].items()}
    # Whether somebody is signed in may be kept once more, by an answer that comes late.
    names = sorted({*store["tables"]["meta"]["keys"]} - {"stranger"})
    return json.loads(json.dumps([store["version"], tables, fields, names]))


def written():
    return sorted(FOLDER.glob("*.json"), key=lambda path: int(path.stem))


def test_the_store_of_this_build_is_kept_for_later_ones(device, door):
    one = device()
    # What the service says of itself, and whether somebody is signed in, is kept first.
    promised(one.page, f"() => ({READ})().then(({{ tables }}) => ['stranger', 'areas'].every((name) => tables.meta.keys.includes(name)))")
    door.shut()
    fill(one)
    one.page.evaluate("() => app.close()")
    store = one.page.evaluate(READ)
    store["tables"]["catalogue"].update(rows=[], keys=[])
    newest = json.loads(written()[-1].read_text()) if written() else None
    if newest is None or shape(newest) != shape(store):
        assert os.environ.get("SUBTRACKIT_WRITE_STORE"), "the store has another shape by now: SUBTRACKIT_WRITE_STORE=1 writes it into a new file"
        path = FOLDER / f"{len(written()) + 1}.json"
        path.write_text(json.dumps({"day": day(), **store}, indent=1, ensure_ascii=False) + "\n")


@pytest.mark.parametrize("path", written(), ids=lambda path: path.stem)
def test_the_outbox_of_an_older_build_is_sent(path, device, door):
    """As it was shown before, and nothing of it is lost or told as lost."""
    text = path.read_text()
    names = {name: str(uuid.uuid4()) for name in set(ID.findall(text))}
    text = ID.sub(lambda found: names[found[0]], text)
    one = device()
    # It was made on the page's day.
    later = datetime.date.fromisoformat(one.read("state.today")) - datetime.date.fromisoformat(json.loads(text)["day"])
    text = DAY.sub(lambda found: (datetime.date.fromisoformat(found[0]) + later).isoformat(), text)
    door.shut()
    one.page.evaluate("() => app.close()")
    one.page.evaluate(MAKE, json.loads(text))
    one.reopen()
    count = len(json.loads(text)["tables"]["outbox"]["rows"])
    assert one.read("state.outbox.count") == count >= 10
    shown = one.read(SHOWN)
    assert [(each["name"], each["plan"]["provider"], each["status"]) for each in sorted(shown, key=lambda each: each["name"])] == [
        ("Choir", "Choir", "active"), ("Climbing", "Gym", "active"), ("Club", "Club", "cancelled")]
    assert one.read("state.draft('own').provider") == "Half"
    door.open()
    one.sync()
    one.in_step()
    assert one.read(SHOWN) == shown
    assert one.read("[state.lost, state.user.country]") == [[], "AT"]


NEWER = re.compile(r"const VERSION = (\d+);")


def test_a_newer_build_with_another_schema_sends_what_waits(person, front):
    """Written in one build, sent by the next, whose store has one table more. A page of the old build lets go, and says so."""
    ada = person(at=front, size="desktop", worker=True)
    page = ada.go("/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    front.shut()
    ada.go("/add/own")
    page.get_by_label("What is it?").fill("Allotment")
    page.get_by_label("Price", exact=True).fill("31.50")
    page.get_by_label("Currency").select_option("EUR")
    ada.press("Add, it does")
    ada.see(re.compile("Allotment is added"))
    older = page.evaluate("async () => (await indexedDB.databases()).find(({ name }) => name === 'subtrack.default').version")
    text = front.files["js/data/database.js"].decode()
    text = NEWER.sub(f"const VERSION = {older + 1};", text).replace('if (!has("drafts"))', 'if (!has("more")) database.createObjectStore("more");\n        if (!has("drafts"))')
    front.deploy({"js/data/database.js": text})
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => true)")
    page.get_by_role("button", name="Load it").wait_for()
    with page.expect_navigation():
        page.get_by_role("button", name="Load it").click()
    page.wait_for_selector("[data-ready]", state="attached")
    assert page.evaluate("async () => (await indexedDB.databases()).find(({ name }) => name === 'subtrack.default').version") == older + 1
    ada.go("/subscriptions")
    ada.see("Allotment", where="main")
    front.open()
    page.evaluate("() => dispatchEvent(new Event('online'))")
    ada.saved()
    kept = page.evaluate("async () => (await (await fetch('/v1/subscriptions')).json()).subscriptions.map(({ plan }) => [plan.provider, plan.fee])")
    assert kept == [["Allotment", "31.50"]]


def test_a_page_whose_store_another_build_has_taken_asks_to_be_loaded_again(person, pages):
    """Nothing can be kept any more: the page says so instead of going on as if it was offline."""
    ada = person(size="desktop")
    page = ada.go("/subscriptions")
    page.evaluate("""() => new Promise((resolve) => {
        const open = indexedDB.open("subtrack.default", 99);
        open.onsuccess = () => { open.result.close(); indexedDB.deleteDatabase("subtrack.default").onsuccess = resolve; };
    })""")
    ada.see("A new version is ready.")
    with page.expect_navigation():
        page.get_by_role("button", name="Load it").click()
    page.wait_for_selector("[data-ready]", state="attached")
    assert page.get_by_role("button", name="Load it").count() == 0
