"""Tenants at /t/SLUG/ of one host, and two people one after the other: nothing of one is seen, sent or used for the other."""

import json
import re
import uuid

import pytest

from support.person import Keeper

PASSWORD = "violet tram nineteen lamps"

# Among the longest of all.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def acme(service):
    service.run("tenant", "create", "acme", "--catalog", "demo")
    return "acme"


def add_own(ada, name, tenant=None, page=None):
    """Adds a subscription of one's own by the page; gives the page."""
    page = ada.go("/add/own", page=page, tenant=tenant)
    page.get_by_label("What is it?").fill(name)
    page.get_by_label("Price", exact=True).fill("5")
    ada.press("Add, it does", page=page)
    ada.see(re.compile(f"{name} is added"), page=page)
    return page


def begin_own(ada, name, tenant=None, page=None):
    """Begins to fill in a form, and waits until it is kept."""
    page = ada.go("/add/own", page=page, tenant=tenant)
    page.get_by_label("What is it?").fill(name)
    page.wait_for_function("""([database, text]) => new Promise((resolve) => {
        const open = indexedDB.open(database);
        open.onsuccess = () => {
            const asked = open.result.transaction("drafts").objectStore("drafts").getAll();
            asked.onsuccess = () => { open.result.close(); resolve(JSON.stringify(asked.result).includes(text)); };
        };
    })""", arg=[f"subtrack.{tenant or ada.tenant}", name])
    return page


def kept(page, tenant):
    """All that a tenant's store holds, as text."""
    return page.evaluate("""(name) => new Promise((resolve) => {
        const open = indexedDB.open(name);
        open.onsuccess = async () => {
            const all = await Promise.all([...open.result.objectStoreNames].filter((one) => one !== "catalogue").map((one) => new Promise((done) => {
                const asked = open.result.transaction(one).objectStore(one).getAll();
                asked.onsuccess = () => done(asked.result);
            })));
            open.result.close();
            resolve(JSON.stringify(all));
        };
    })""", f"subtrack.{tenant}")


def cookies(ada):
    return {cookie["name"]: cookie["value"] for cookie in ada.context.cookies()}


def register(ada, page, email, tenant=None):
    ada.go("/register", page=page, tenant=tenant)
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    ada.press("Create account", page=page)
    ada.see(re.compile("Your account is ready"), page=page)


def sign_out(ada, page):
    ada.press("Sign out", page=page)
    page.locator("dialog").get_by_role("button", name="Sign out").click()
    ada.see("You are signed out.", page=page)


def test_two_tenants_of_one_host_share_nothing(person, acme, pages):
    ada = person(size="desktop", worker=True)
    first = add_own(ada, "Allotment")
    ada.saved()
    begin_own(ada, "Half a default")
    second = ada.tab()
    ada.go("/", page=second, tenant=acme)
    # The first tenant's worker had the page. That of its own takes over, and the page stays.
    second.evaluate("() => { window.isSame = true; }")
    second.wait_for_function("() => navigator.serviceWorker.controller?.scriptURL.endsWith('/t/acme/sw.js')")
    assert second.evaluate("() => window.isSame")
    # Nothing is kept there, and nothing is half filled in.
    second.get_by_role("heading", name="What do you keep paying for?").wait_for()
    ada.go("/add/own", page=second, tenant=acme)
    assert second.get_by_label("What is it?").input_value() == ""
    add_own(ada, "Choir", tenant=acme, page=second)
    ada.saved(page=second, tenant=acme)
    begin_own(ada, "Half an acme", tenant=acme, page=second)

    # A cookie, a store, a worker and a cache each.
    assert sorted(cookies(ada)) == ["__Host-subtrack.acme", "__Host-subtrack.default"]
    assert "Choir" not in kept(first, "default") and "Allotment" in kept(first, "default")
    assert "Allotment" not in kept(second, acme) and "Choir" in kept(second, acme)
    for page in (first, second):
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    scopes = second.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname).sort()")
    assert scopes == ["/", "/t/acme/"]
    assert second.evaluate("async () => (await caches.keys()).map((name) => name.split(' ')[1]).sort()") == ["/", "/t/acme/"]

    # Without the service each shows its own.
    ada.stocked()
    ada.stocked(page=second, tenant=acme)
    pages.shut()
    for page, tenant, mine, other in ((first, "default", "Allotment", "Choir"), (second, acme, "Choir", "Allotment")):
        ada.go("/subscriptions", page=page, tenant=tenant)
        ada.see(mine, where="main", page=page)
        assert page.locator("main").get_by_text(other).count() == 0
        ada.go("/add/own", page=page, tenant=tenant)
        assert page.get_by_label("What is it?").input_value() == ("Half a default" if tenant == "default" else "Half an acme")
    pages.open()

    # Signing out of one leaves the other.
    register(ada, second, f"{uuid.uuid4().hex[:12]}@example.org", tenant=acme)
    before = cookies(ada)
    ada.go("/profile", page=second, tenant=acme)
    sign_out(ada, second)
    after = cookies(ada)
    assert after["__Host-subtrack.default"] == before["__Host-subtrack.default"]
    assert after.get("__Host-subtrack.acme") != before["__Host-subtrack.acme"]
    assert "Choir" not in kept(second, acme) and "Half an acme" not in kept(second, acme)
    ada.go("/subscriptions", page=first)
    ada.see("Allotment", where="main", page=first)
    add_own(ada, "Rowing", page=first)
    ada.saved(page=first)


def test_two_people_one_after_the_other(person, service):
    """The second one finds nothing of the first, also of what was typed in pages that were not loaded anew."""
    grace = Keeper(service)
    grace.own("Choir", "7.00")
    address = f"{grace.user}@example.org"
    grace.call("POST", "/v1/accounts", {"email": address, "password": PASSWORD})
    ada = person(size="desktop")
    page = add_own(ada, "Allotment")
    ada.saved()
    mine = f"{uuid.uuid4().hex[:12]}@example.org"
    register(ada, page, mine)
    token = cookies(ada)["__Host-subtrack.default"]
    begin_own(ada, "Half of Ada")
    # By links alone: what pages have in memory stays.
    page.get_by_role("link", name="Subscriptions").first.click()
    page.get_by_role("searchbox").fill("allot")
    page.locator("nav.side a[href=profile]").click()
    sign_out(ada, page)
    ada.heading("What do you keep paying for?")
    assert cookies(ada)["__Host-subtrack.default"] != token
    page.get_by_role("link", name="I have an account").click()
    assert page.get_by_label("E-mail").input_value() == ""
    page.get_by_label("E-mail").fill(address)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    ada.press("Sign in", exact=True)
    ada.see(re.compile("You are signed in"))
    page.get_by_role("link", name="Subscriptions").first.click()
    ada.see("Choir", where="main")
    assert page.get_by_role("searchbox").input_value() == ""
    assert page.locator("main").get_by_text("Allotment").count() == 0
    page.keyboard.press("Escape")
    page.evaluate("() => { const link = document.createElement('a'); link.href = 'add/own'; document.body.append(link); link.click(); link.remove(); }")
    page.get_by_label("What is it?").wait_for()
    assert page.get_by_label("What is it?").input_value() == ""
    ada.saved()
    store = kept(page, "default")
    for trace in ("Allotment", "Half of Ada", mine):
        assert trace not in store, trace
    assert [one["plan"]["provider"] for one in grace.call("GET", "/v1/subscriptions")["subscriptions"]] == ["Choir"]
    assert json.dumps(grace.call("GET", "/v1/me")).count(address) == 1
