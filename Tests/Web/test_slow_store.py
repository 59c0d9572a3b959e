"""A store that takes its time: a page that the person has gone to meanwhile stays, and shows the change once it is saved."""

import re

import pytest

# A transaction on the outbox that lasts until `release()`: changes of the page wait behind it.
HOLD = """(name) => new Promise((resolve, reject) => {
    const open = indexedDB.open(name);
    open.onerror = () => reject(open.error);
    open.onsuccess = () => {
        const outbox = open.result.transaction("outbox", "readwrite").objectStore("outbox");
        let isHeld = true;
        globalThis.release = () => { isHeld = false; open.result.close(); };
        const hold = () => { if (isHeld) outbox.count().onsuccess = hold; };
        hold();
        resolve();
    };
})"""
# Two frames later a navigation that was begun has been drawn.
SETTLED = "async () => { for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame); }"


@pytest.fixture
def ada(person, keeper):
    one = keeper()
    one.ids = {"/contacts": one.call("POST", "/v1/contacts", {"firstName": "Grace", "lastName": "Hopper"})["id"],
               "/subscriptions": one.own("Kraftwerk Gym", label="Gym")["id"]}
    made = person(token=one.token)
    made.ids = one.ids
    return made


def goes_elsewhere(ada, button, elsewhere):
    """Presses a button, and goes to another page before the store has taken the change."""
    place = ada.page.get_by_role("button", name=button, exact=True)
    place.wait_for()
    ada.page.evaluate(HOLD, "subtrack.default")
    place.click()
    ada.visit(elsewhere)
    ada.page.evaluate("release()")
    # Undo is offered once the change is saved.
    ada.page.locator("#toast").get_by_role("button", name="Undo").wait_for()
    ada.page.evaluate(SETTLED)
    assert ada.page.url == ada.root() + elsewhere


@pytest.mark.parametrize(("path", "name", "deleted"), [("/contacts", "Grace Hopper", "/contacts/deleted"), ("/subscriptions", "Gym", "/deleted")])
def test_what_is_deleted_is_listed_on_the_page_that_was_opened_meanwhile(ada, path, name, deleted):
    ada.go(f"{path}/{ada.ids[path]}")
    goes_elsewhere(ada, "Delete", deleted)
    ada.see(re.compile(name), where="main li.row")


@pytest.mark.parametrize("path", ["/contacts", "/subscriptions"])
def test_a_saved_form_does_not_call_back_to_its_page(ada, path):
    ada.go(f"{path}/{ada.ids[path]}/edit")
    ada.page.get_by_label("Note").fill("Locker 17")
    goes_elsewhere(ada, "Save", path)
