"""Contacts: kept on the device and on the service alike, found by anything that is known of them, and never twice."""

import re
import threading
import uuid

import pytest
from playwright.sync_api import expect
from support.days import day
from support.device import Device, Failure
from support.door import Door
from support.extent import full
from support.waiting import SECONDS, awaited
from test_access import FRAME, RULES, faults
from test_injection import CORPUS, STRANGE

PART = {"area": None, "number": None, "e164": None, "type": "cell"}


def phone(**values):
    return {"id": str(uuid.uuid4()), **PART, **values}


def contact(first, last, **more):
    return {"firstName": first, "middleName": None, "lastName": last, "note": None, "phones": [], "addresses": [], "emails": [], "dates": [], **more}


ADA = {"firstName": "Ada", "lastName": "Lovelace", "phones": [{"area": "788", "number": "6788768"}], "emails": [{"email": "ada@example.org", "type": "work"}],
       "addresses": [{"street": "12 St James Square", "city": "London", "zip": "SW1Y 4LB"}], "dates": [{"date": "1815-12-10"}], "note": "Met at a fair"}


def people(one):
    """Makes some contacts by the interface: their ids by first names."""
    made = {}
    for row in (ADA, {"firstName": "José", "lastName": "Álvarez", "phones": [{"e164": "+34600123456"}]}, {"firstName": "小明", "lastName": "王"}, {"firstName": "Léa", "lastName": "Martin"},
                {"firstName": "A.", "lastName": "Lovelace", "phones": [{"e164": "+17886788768"}], "dates": [{"date": f"--{day(12)[5:]}"}]}):
        made[row["firstName"]] = one.call("POST", "/v1/contacts", row)["id"]
    return made


@pytest.fixture
def two(browser, service):
    """Two browsers of one user, each by a way of its own."""
    doors = [Door(service.port) for _ in range(2)]
    devices = [Device(browser, door) for door in doors]
    first, second = devices
    email = f"{uuid.uuid4()}@example.org"
    first.act("addRow", "contact", contact("Ada", "Lovelace", phones=[phone(area="788", number="6788768")]))
    first.in_step()
    first.act("register", {"email": email, "password": "violet tram nineteen lamps"})
    second.act("signIn", {"email": email, "password": "violet tram nineteen lamps"})
    second.until("state.rows('contact')?.length === 1")
    yield first, second, doors
    for one in devices:
        one.close()
    for door in doors:
        door.close()


def ask_for_keys(page):
    """Shows the keys by one. Keys are followed once the browser is idle."""
    def has_keys():
        page.keyboard.press("?")
        return page.locator("dialog[open] kbd").count()
    awaited(has_keys, page)


def test_names_are_stored_in_one_form_of_unicode_before_they_are_sent(device, door):
    one = device()
    door.shut()
    one.act("addRow", "contact", contact("Jose\u0301", "Alvarez", note="cafe\u0301"))
    one.until("state.rows('contact')?.length === 1")
    row = one.read("state.rows('contact')[0].row")
    assert (row["firstName"], row["note"]) == ("Jos\u00e9", "caf\u00e9")
    door.open()
    one.sync()
    one.in_step()
    assert one.read("[state.rows('contact')[0].row.firstName, state.lost.length]") == ["Jos\u00e9", 0]


def ready(page):
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")


def test_changes_of_two_browsers_meet_part_by_part(two):
    """Offline each adds a number: both are there. One number that both change keeps the first change, and the other is told."""
    first, second, doors = two
    first.until("state.rows('contact')?.length === 1")
    row = first.read("state.rows('contact')[0]")
    known = row["row"]["phones"][0]
    second.until("state.rows('contact')?.[0]?.row.phones.length === 1")
    for one, door, number in ((first, doors[0], "+491111111"), (second, doors[1], "+492222222")):
        door.shut()
        held = one.read("state.rows('contact')[0].row")
        one.act("saveRow", "contact", row["id"], {**held, "phones": [{**held["phones"][0], "type": "work" if one is first else "home"}, phone(e164=number)]})
        assert one.read("state.rows('contact')[0].waiting") is True
    for one, door in zip((first, second), doors):
        door.open()
        one.sync()
        one.in_step()
    first.sync()
    both = "state.rows('contact')[0].row.phones.map(({ e164, type }) => e164 ?? type).sort()"
    first.until(f"({both}).length === 3")
    assert first.read(both) == second.read(both) == ["+491111111", "+492222222", "work"]
    lost = second.read("state.lost")
    assert [(one["name"], [(field["field"], field["theirs"]["type"], field["yours"]) for field in one["fields"]]) for one in lost] == [
        ("Ada Lovelace", [(f"phones.{known['id']}", "work", {"type": "home"})])]
    second.act("useMine", lost[0]["id"], f"phones.{known['id']}")
    second.in_step()
    first.sync()
    first.until("state.rows('contact')[0].row.phones.some(({ type }) => type === 'home')")


def test_a_contact_made_offline_is_sent_once_and_its_names_stay(two):
    first, second, doors = two
    doors[0].shut()
    made = first.act("addRow", "contact", contact("Noor", "Haddad", dates=[{"id": str(uuid.uuid4()), "date": "--02-29", "yearly": True, "reminderDays": 3, "type": "birthday"}]))["id"]
    with pytest.raises(Failure) as refused:
        first.act("saveRow", "contact", made, contact("Nour", "Haddad"))
    assert (refused.value.field, refused.value.code) == ("firstName", "conflict")
    with pytest.raises(Failure) as refused:
        first.act("saveRow", "contact", made, contact("Noor", "Haddad", phones=[phone(area="78", number="678876")]))
    assert (refused.value.code, refused.value.values) == ("digits", {"needed": 3, "count": 2})
    first.reopen()
    first.until("state.rows('contact')?.length === 2")
    # The answer is lost on the way: it is done once.
    doors[0].open()
    first.sync()
    first.in_step()
    second.sync()
    second.until("state.rows('contact')?.length === 2")
    second.act("removeRow", "contact", made)
    second.in_step()
    first.sync()
    first.until("state.deletedRows('contact').length === 1 && state.rows('contact').length === 1")
    first.act("restoreRow", "contact", made)
    first.in_step()
    second.sync()
    second.until("state.rows('contact').length === 2")
    assert second.read("state.rows('contact').find(({ row }) => row.firstName === 'Noor').row.dates[0].date") == "--02-29"


def test_a_contact_from_the_first_letter_to_its_end(person, keeper):
    """Its form says what is missing, its names are told to stay, it is found by parts of it, deleted, and taken back."""
    one = keeper(country="US")
    ada = person(token=one.token)
    page = ada.go("/contacts")
    ada.see("No contacts yet")
    page.get_by_role("link", name="New contact").click()
    ada.heading("New contact")
    ada.see("Names cannot be changed later.")
    page.get_by_label("First name").fill("Ada")
    area, number = page.get_by_label("Area code"), page.get_by_label("Number", exact=True)
    area.press_sequentially("7a8-")
    assert area.input_value() == "78"
    ada.see("1 digit is missing.")
    number.press_sequentially("678-876")
    page.get_by_role("button", name="Save").click()
    ada.see("Please fill this in.")
    page.wait_for_function("() => document.activeElement.name === 'lastName'")
    ada.see("Has 2 digits; needs 3.")
    ada.see("Has 6 digits; needs 7.")
    page.get_by_label("Last name").fill("Lovelace")
    area.fill("")
    number.fill("(788) 678-8768")
    # The page parts the number once it has drawn the area anew.
    expect(area).to_have_value("788")
    expect(number).to_have_value("6788768")
    page.get_by_role("button", name="Add a date").click()
    # The focus comes with the field. What is typed before goes nowhere.
    expect(page.get_by_label("Day", exact=True)).to_be_focused()
    page.get_by_label("Day", exact=True).fill(day(12)[8:])
    page.get_by_label("Month").select_option(str(int(day(12)[5:7])))
    page.get_by_label("Year").fill(str(int(day(12)[:4]) - 32))
    page.get_by_role("button", name="Save").click()
    ada.heading("Ada Lovelace")
    ada.see("in 12 days, turns 32")
    assert page.get_by_role("link", name="Call", exact=True).get_attribute("href") == "tel:7886788768"
    ada.saved()
    kept = one.call("GET", "/v1/contacts")["contacts"][0]
    assert (kept["phones"][0]["area"], kept["phones"][0]["number"]) == ("788", "6788768")
    # Only the note is sent: a number that another device adds meanwhile stays.
    page.get_by_role("link", name="Edit").click()
    ada.heading("Change Ada Lovelace")
    ada.see("Names cannot be changed.")
    one.call("PATCH", f"/v1/contacts/{kept['id']}", {"phones": {str(uuid.uuid4()): {"e164": "+442071234567", "type": "work"}}})
    page.get_by_label("Note").fill("Met at a fair")
    page.get_by_role("button", name="Save").click()
    ada.see("Met at a fair", where="main")
    ada.see("+442071234567", where="main")
    ada.saved()
    assert len(one.call("GET", f"/v1/contacts/{kept['id']}")["phones"]) == 2
    page.get_by_role("button", name="Delete").click()
    ada.see("Ada Lovelace is deleted.")
    ada.see("1 deleted contact")
    ada.press("Undo")
    page.locator("st-window a.row", has_text="Ada Lovelace").wait_for()
    page.reload()
    page.locator("st-window a.row", has_text="Ada Lovelace").wait_for()


# Keeps the deletion of a draft open for a while, as a busy disk does.
SLOW_DRAFTS = """() => {
    const { delete: remove, get } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.delete = function (key) {
        if (this.name === "drafts") {
            const end = performance.now() + 300, again = () => { if (performance.now() < end) get.call(this, key).onsuccess = again; };
            again();
        }
        return remove.call(this, key);
    };
}"""


def test_the_next_contact_begins_empty(person, keeper):
    """A page that is drawn between saving and leaving does not take the saved one for a form that is half filled."""
    ada = person(token=keeper().token)
    page = ada.go("/contacts/new")
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("Last name").fill("Lovelace")
    page.evaluate(SLOW_DRAFTS)
    page.get_by_role("button", name="Save").click()
    ada.heading("Ada Lovelace")
    ada.visit("/contacts/new")
    ada.heading("New contact")
    assert page.get_by_label("First name").input_value() == page.get_by_label("Last name").input_value() == ""


def test_search_letters_and_duplicates(person, keeper):
    one = keeper()
    people(one)
    ada = person(size="desktop", theme="dark", token=one.token)
    page = ada.go("/contacts")
    rows = page.locator("st-window a.row .row-title bdi")
    page.locator("st-window a.row").nth(4).wait_for()
    assert rows.all_inner_texts()[0] == "José Álvarez"
    for text, found in (("jose", ["José Álvarez"]), ("lovel", ["A. Lovelace", "Ada Lovelace"]), ("8768", ["A. Lovelace", "Ada Lovelace"]), ("james SW1Y", ["Ada Lovelace"]), ("小", ["王小明"]), ("1815-12", ["Ada Lovelace"])):
        page.get_by_role("searchbox").fill(text)
        page.wait_for_function("(found) => JSON.stringify([...document.querySelectorAll('st-window a.row .row-title bdi')].map((one) => one.textContent).sort()) === JSON.stringify(found)", arg=sorted(found))
    page.get_by_role("searchbox").fill("nobody")
    ada.see("Nothing found")
    ada.press("Show all")
    page.get_by_role("button", name="Go to M").click()
    assert page.evaluate("() => document.activeElement.textContent").startswith("LM")
    # The service merges: the name that was chosen stays, with the parts of both.
    page.get_by_role("link", name="1 possible duplicate").click()
    ada.see("Same number")
    page.get_by_role("radio", name="A. Lovelace").check()
    ada.press(re.compile("^Merge"))
    ada.see(re.compile("They are one contact now: A. Lovelace"))
    ada.see("No duplicates")
    left = one.call("GET", "/v1/contacts?search=lovelace")["contacts"]
    assert [(each["firstName"], len(each["phones"]), len(each["dates"])) for each in left] == [("A.", 1, 2)]
    # Different people are not asked about again.
    one.call("POST", "/v1/contacts", {"firstName": "Léa", "lastName": "M.", "phones": [{"e164": "+34600123456"}]})
    ada.go("/contacts/duplicates")
    ada.press(re.compile("^Different people"))
    ada.see("No duplicates")
    ada.go("/contacts/duplicates")
    ada.see("No duplicates")


CARDS = """BEGIN:VCARD
VERSION:3.0
UID:ada
N:Lovelace;Ada;;;
FN:Ada Lovelace
TEL;TYPE=CELL:+44 20 7123 4567
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Plato
END:VCARD
"""


def test_cards_are_shown_before_they_are_written(person, keeper, tmp_path):
    one = keeper()
    file = tmp_path / "cards.vcf"
    file.write_text(CARDS)
    ada = person(token=one.token)
    page = ada.go("/contacts/import")
    page.get_by_label("File (.vcf)").set_input_files(file)
    ada.see("2 cards: 1 new, 0 changed, 0 the same, 1 not possible.")
    ada.see("Plato", where="main")
    assert one.call("GET", "/v1/contacts")["contacts"] == []
    ada.press("Import 1 card")
    ada.see("1 added, 0 changed.")
    ada.see("Ada Lovelace", where="main")
    ada.go("/contacts/import")
    page.get_by_label("File (.vcf)").set_input_files(file)
    ada.see("2 cards: 0 new, 0 changed, 1 the same, 1 not possible.")
    assert page.get_by_role("button", name="Nothing of it is new.").is_disabled()
    ada.go("/contacts")
    ada.press("More for Contacts")
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Export vCards").click()
    assert "FN:Ada Lovelace" in open(download.value.path(), encoding="utf-8").read()


def test_another_file_takes_the_place_of_one_that_is_being_read(person, keeper, pages, tmp_path):
    """The answer about the first file comes late: the page tells of the second, which is the one that is imported."""
    one = keeper()
    for name, cards in (("two.vcf", CARDS), ("one.vcf", CARDS.replace("UID:ada\n", "").replace("Ada", "Grace").replace("Lovelace", "Hopper"))):
        (tmp_path / name).write_text(cards)
    ada = person(token=one.token)
    page = ada.go("/contacts/import")
    gate = threading.Event()
    held = pages.trap("POST /v1/contacts/import", "hold", action=gate)
    page.get_by_label("File (.vcf)").set_input_files(tmp_path / "two.vcf")
    assert held.sprung.wait(SECONDS)
    page.get_by_label("File (.vcf)").set_input_files(tmp_path / "one.vcf")
    ada.see("2 cards: 1 new, 0 changed, 0 the same, 1 not possible.")
    with page.expect_response(lambda answer: answer.url.endswith("/v1/contacts/import")):
        gate.set()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    ada.press("Import 1 card")
    ada.see("1 added, 0 changed.")
    assert [each["firstName"] for each in one.call("GET", "/v1/contacts")["contacts"]] == ["Grace"]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "theme"), [pytest.param("phone", "light", id="phone-light"), full("desktop", "dark", id="desktop-dark")])
def test_contacts_for_everybody(person, keeper, size, theme):
    """axe finds nothing in either theme, keys alone are enough, and 320 px are."""
    one = keeper()
    made = people(one)
    found = {}
    ada = person(size=size, theme=theme, token=one.token)
    page = ada.go("/contacts")
    for path, ready_ in (("/contacts", "st-window a.row"), (f"/contacts/{made['Ada']}", ".lines-card"), (f"/contacts/{made['Ada']}/edit", ".part"), ("/contacts/new", "main form"),
                         ("/contacts/duplicates", ".twins"), ("/contacts/import", "#file"), ("/contacts/deleted", ".empty"), (f"/contacts/{uuid.uuid4()}", ".empty")):
        ada.visit(path)
        page.locator(ready_).first.wait_for()
        if path == "/contacts/new":
            page.get_by_role("button", name="Add a date").click()
            page.get_by_label("Day", exact=True).fill("31")
            page.get_by_role("button", name="Save").click()
            page.locator('[aria-invalid="true"]').first.wait_for()
        ready(page)
        if bad := faults(page, without=FRAME):
            found[f"{path} {size}"] = bad
        if size == "phone":
            page.emulate_media(color_scheme="dark")
            ready(page)
            if bad := faults(page, {"runOnly": {"type": "rule", "values": ["color-contrast"]}}, FRAME):
                found[f"{path} dark"] = bad
            page.emulate_media(color_scheme="light")
            for width, zoom in ((320, "100%"), (390, "200%")):
                page.set_viewport_size({"width": width, "height": 800})
                page.evaluate("(zoom) => { document.documentElement.style.fontSize = zoom; }", zoom)
                if beyond := ada.overflows():
                    found[f"{path} at {width} px, {zoom}"] = beyond
            page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
            page.set_viewport_size({"width": 390, "height": 844})
    assert RULES and not found, "\n".join(f"{name}: {each}" for name, all in found.items() for each in all)


@pytest.mark.full
def test_contacts_by_keys_alone(person, keeper):
    one = keeper()
    people(one)
    ada = person(size="desktop", token=one.token)
    page = ada.go("/profile")
    page.get_by_role("link", name="Contacts").first.wait_for()
    ask_for_keys(page)
    ada.see(re.compile("^Contacts$"), where="dialog dd")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("o")
    ada.heading("Contacts")
    page.locator("st-window a.row").nth(4).wait_for()

    def focus(role, name, limit=60):
        for _ in range(limit):
            page.keyboard.press("Tab")
            if page.get_by_role(role, name=name).first.evaluate("(one) => one === document.activeElement"):
                return
        raise AssertionError(f"{role} {name} is not reached by Tab at {page.url}")
    page.keyboard.press("/")
    page.keyboard.type("ada")
    page.wait_for_function("() => document.querySelectorAll('st-window a.row').length === 1")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    ada.heading("Ada Lovelace")
    focus("link", "Edit")
    page.keyboard.press("Enter")
    ada.heading("Change Ada Lovelace")
    focus("button", "Add an e-mail")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.type === 'email'")
    page.keyboard.type("countess@example.org")
    focus("button", "Remove E-mails 2")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'add-emails'")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.type === 'email'")
    page.keyboard.type("countess@example.org")
    focus("button", "Save")
    page.keyboard.press("Enter")
    ada.heading("Ada Lovelace")
    ada.see("countess@example.org", where="main")
    focus("button", "Delete")
    page.keyboard.press("Enter")
    ada.see("Ada Lovelace is deleted.")
    page.wait_for_function("() => document.activeElement !== document.body")
    focus("button", "Undo")
    page.keyboard.press("Enter")
    page.locator("st-window a.row", has_text="Ada").wait_for()


def test_hostile_contacts_are_text(person, keeper):
    """The corpus in each field: shown as it was typed, and nothing runs."""
    one = keeper()
    for i, text in enumerate(CORPUS):
        one.call("POST", "/v1/contacts", {
            "firstName": text, "middleName": text, "lastName": text, "note": text, "phones": [{"e164": f"+4930123{i:04}", "type": text[:30]}],
            "addresses": [{"street": text[:40], "apt": text, "city": text, "state": text, "zip": text[:10], "country": text, "type": text[:30]}],
            "emails": [{"email": f"{text.replace(' ', '_')}@example.org", "type": text[:30]}], "dates": [{"date": "1995-06-25", "type": text[:30]}]})
    # Two that share an address: the page of duplicates has hostile texts, too.
    for name in ("<b>x", "\"><svg onload=alert(1)>"):
        one.call("POST", "/v1/contacts", {"firstName": name, "lastName": name, "emails": [{"email": "javascript:alert(1)@x"}]})
    ada = person(size="desktop", token=one.token)
    page = ada.page
    page.add_init_script("globalThis.reports = []; document.addEventListener('securitypolicyviolation', (event) => reports.push(event.violatedDirective + ' ' + event.blockedURI));")
    ada.go("/contacts")
    page.locator("st-window a.row").nth(19).wait_for()
    shown = page.locator("st-window .row-title bdi").all_text_contents()
    assert sorted(shown)[-1] and {f"{text} {text} {text}" for text in CORPUS} <= set(shown)
    ids = [each["id"] for each in one.call("GET", "/v1/contacts?limit=200")["contacts"]]
    for path in ["/contacts/duplicates", *[f"/contacts/{id}" for id in ids[:8]], *[f"/contacts/{id}/edit" for id in ids[:3]]]:
        ada.visit(path)
        page.locator("main .card, main .twins, main form").first.wait_for()
        assert page.locator(STRANGE).count() == 0, path
    for text in CORPUS[:5]:
        ada.visit("/contacts")
        page.locator("#search").fill(text)
        page.locator("st-window a.row, .empty").first.wait_for()
    assert page.evaluate("reports") == []


def test_a_tenant_without_contacts_has_no_page_of_them(person, service):
    service.run("tenant", "create", "plain", "--areas", "none")
    ada = person(tenant="plain", size="desktop")
    page = ada.go("/contacts")
    ada.heading("Page not found")
    assert page.get_by_role("link", name="Contacts").count() == 0
    ask_for_keys(page)
    assert page.locator("dialog").get_by_text("Contacts").count() == 0
    ada.go("/")
    ada.heading("What do you keep paying for?")
    assert page.get_by_role("link", name="Contacts").count() == 0


def test_contacts_without_anything_else(person):
    """From Welcome a link leads to them. A new device keeps its first contact as it keeps a first subscription."""
    ada = person()
    page = ada.go("/")
    page.get_by_role("link", name="Contacts").click()
    ada.see("No contacts yet")
    page.get_by_role("link", name="New contact").click()
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("Last name").fill("Lovelace")
    page.get_by_role("button", name="Save").click()
    ada.heading("Ada Lovelace")
    ada.saved()
    ada.go("/")
    page.locator("nav.tabs").wait_for()
