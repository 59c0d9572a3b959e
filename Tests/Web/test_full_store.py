"""A full disk at each write of the store in turn: the person is told, and what was said to be kept is there in the end.

Transactions that put something are counted. One of them fails: where its first row is put, or when it is to be written to the disk.
"""

import re
import uuid

import pytest
from support.device import Failure
from support.person import day

pytestmark = pytest.mark.slow

PASSWORD = "violet tram nineteen"
OWN = {"provider": "Gym", "name": "Off-peak", "fee": "17.99", "currency": "EUR", "duration": {"value": 1, "unit": "month"}}
TABLE = "name;price;currency;cycle;start\nGym;29,90;EUR;monthly;2024-01-31\nClub;12,00;EUR;monthly;2024-01-31\n"

# What is noted of the service, and comes again with the next look or pull. Nothing of the person's is lost with it.
NOTED = ["accountless", "clockOffset", "stranger"]

# The transaction of number `failing` fails. `isTold`: the connection told of it.
FAULTS = """([kind, failing]) => {
    const store = IDBObjectStore.prototype, seen = new WeakMap();
    let count = 0;
    globalThis.faults = { hit: 0, isTold: false };
    app.onChange(() => { faults.isTold ||= app.state.connection.isStoreFull; });
    for (const name of ["put", "add"]) {
        const plain = store[name];
        store[name] = function (...given) {
            const { transaction } = this;
            if (!seen.has(transaction)) seen.set(transaction, ++count);
            if (seen.get(transaction) !== failing) return plain.apply(this, given);
            faults.hit++;
            faults.first ??= this.name === "meta" ? given[1] : this.name;
            const full = new DOMException("full", "QuotaExceededError");
            if (kind === "put") throw full;
            const request = plain.apply(this, given);
            // As a browser aborts it that finds no room on the disk.
            Object.defineProperty(transaction, "error", { value: full, configurable: true });
            request.addEventListener("success", () => { try { transaction.abort(); } catch { } });
            return request;
        };
    }
}"""
ALL_FAIL = """() => {
    const store = IDBObjectStore.prototype, { put, add } = store;
    store.put = store.add = () => { throw new DOMException("full", "QuotaExceededError"); };
    globalThis.clear = () => Object.assign(store, { put, add });
}"""


class Tried:
    """A browser whose write of a number fails."""

    def __init__(self, device, kind, failing):
        self.one = device()
        self.is_told = False
        self.one.page.evaluate(FAULTS, [kind, failing])

    def act(self, name, *arguments, again="true"):
        """Does something; once more where the browser said that it could not keep it, and `again` holds after a sync."""
        try:
            return self.one.act(name, *arguments)
        except Failure as failure:
            assert (failure.failure, failure.code) == ("store", "QuotaExceededError"), failure
            self.is_told = True
        if again != "true":
            self.settle()
        return self.one.act(name, *arguments) if self.one.read(again) else None

    def settle(self):
        """Syncs until all is in step. An exchange that failed goes on at the next one."""
        for _ in range(2):
            self.one.sync()
        self.one.in_step()

    def ends(self):
        """Whether a write has failed. Then somebody was told."""
        hit, first, by_connection = self.one.page.evaluate("[faults.hit, faults.first, faults.isTold]")
        assert not hit or self.is_told or by_connection or first in NOTED, first
        self.one.context.close()
        return hit > 0


def changes(tried):
    """Each change that a browser knows, most of them online."""
    one = tried.one
    gym = tried.act("addSubscription", {"plan": OWN, "autoRenew": False, "label": "Gym"})["id"]
    zeit = tried.act("addSubscription", {"plan": {**OWN, "provider": "Zeit"}, "autoRenew": True, "label": "Zeit"})["id"]
    tried.act("change", gym, {"note": "Locker 17"})
    tried.act("cancel", zeit)
    ada = tried.act("addRow", "contact", {"firstName": "Ada", "middleName": None, "lastName": "Lovelace", "note": None, "phones": [], "emails": [], "addresses": [], "dates": []})["id"]
    one.until("state.row('contact', given)", ada)
    row = one.read(f"state.row('contact', '{ada}').row")
    tried.act("saveRow", "contact", ada, {**row, "note": "Countess"}, row)
    tried.act("set", "theme", "dark")
    tried.settle()
    tried.act("remove", zeit)
    tried.act("restore", zeit)
    tried.act("removeRow", "contact", ada)
    tried.act("restoreRow", "contact", ada)
    tried.act("changeMe", {"userName": "Ada"})
    tried.settle()
    shown = """[state.subscriptions.map(({ label, note, cancelledOn }) => [label, note, cancelledOn !== null]).sort(), state.rows('contact').map(({ row }) => [row.lastName, row.note]),
        state.user.userName, state.settings.theme, state.lost.length]"""
    expected = [[["Gym", "Locker 17", False], ["Zeit", None, True]], [["Lovelace", "Countess"]], "Ada", "dark", 0]
    one.until("state.rows('contact')")
    assert one.read(shown) == expected
    # What the store has is what was shown.
    faults = one.page.evaluate("faults")
    one.reopen()
    one.until("state.rows('contact')")
    assert one.read(shown) == expected
    one.page.evaluate("(faults) => { globalThis.faults = faults; }", faults)


def answers(tried):
    """A question that is answered, and a file: a renewal is made once, and rows are added once."""
    one = tried.one
    tried.act("addSubscription", {"plan": OWN, "autoRenew": False, "label": "Overdue", "startDate": day(-33)})
    one.until("state.questions.length === 1")
    tried.act("answer", one.read("state.questions[0].id"), "renewed")
    assert one.read("[state.subscriptions[0].period, state.answered.length, state.outbox.items.filter(({ op }) => op === 'renew').length]") == [1, 1, 1]
    tried.act("readImport", {"name": "table.csv", "text": TABLE})
    assert tried.act("doImport")["added"] == 2
    assert sorted(one.read("state.subscriptions.map(({ name }) => name)")) == ["Club", "Gym", "Overdue"]


def account(tried):
    """An account is made, left, and entered again. An action that the service has done already is not done again."""
    one, address = tried.one, f"{uuid.uuid4().hex[:12]}@example.org"
    tried.act("addSubscription", {"plan": OWN, "autoRenew": False, "label": "Gym"})
    tried.act("register", {"email": address, "password": PASSWORD}, again="state.user.accounts.length === 0")
    tried.settle()
    tried.act("signOut", again="state.user.accounts.length > 0")
    tried.settle()
    assert one.read("[state.user.accounts.length, state.subscriptions.length]") == [0, 0]
    tried.act("addSubscription", {"plan": OWN, "autoRenew": False, "label": "Between"})
    tried.act("signIn", {"email": address, "password": PASSWORD}, again="state.user.accounts.length === 0")
    tried.settle()
    assert one.read("[state.user.accounts.map(({ email }) => email), state.subscriptions.map(({ name }) => name).sort(), state.lost.length]") == [[address], ["Between", "Gym"], 0]


@pytest.mark.parametrize("kind", ["put", "disk"])
@pytest.mark.parametrize(("work", "part"), [(work, part) for work, parts in ((changes, 3), (answers, 1), (account, 3)) for part in range(parts)])
def test_each_write_that_fails_is_told_and_loses_nothing(device, kind, work, part):
    """Every third write of the longer ones, in three tests; until there is none of that number."""
    step = 1 if work is answers else 3
    failing = 1 + part
    while True:
        tried = Tried(device, kind, failing)
        try:
            work(tried)
        except Exception as error:
            raise AssertionError(f"write {failing}") from error
        if not tried.ends():
            break
        failing += step
    assert failing > 4


def test_a_full_store_shows_what_it_has_and_a_new_one_says_so(person, keeper):
    one = keeper()
    one.own("Kraftwerk Gym", label="Gym")
    ada = person(token=one.token)
    ada.go("/subscriptions")
    ada.see("Gym", where="main")
    ada.stocked()
    ada.page.add_init_script(f"({ALL_FAIL})()")
    ada.page.reload()
    ada.see("Gym", where="main")
    # A browser that has nothing shows Welcome, and says what is wrong where something is to be kept.
    grace = person()
    grace.page.add_init_script(f"({ALL_FAIL})()")
    page = grace.go("/add/own")
    page.get_by_label("What is it?").fill("Allotment")
    page.get_by_label("Price", exact=True).fill("5")
    grace.press("Add, it does")
    grace.see(re.compile("^This browser cannot keep data"), where='[role="alert"]')
    page.evaluate("() => clear()")
    grace.press("Add, it does")
    grace.see(re.compile("Allotment is added"))
    grace.saved()


def test_a_browser_without_a_store_says_so(person):
    ada = person()
    ada.page.add_init_script("indexedDB.open = () => { throw new DOMException('no store', 'SecurityError'); }")
    ada.page.goto(ada.root() + "/")
    ada.see(re.compile("^This browser cannot keep data"), where='[role="alert"]')
    ada.faults.clear()


def test_an_exchange_that_cannot_be_kept_is_told_on_the_page(person, keeper):
    """The connection does not say that the network is away."""
    one = keeper()
    made = one.own("Kraftwerk Gym", label="Gym")
    ada = person(token=one.token)
    ada.go("/subscriptions")
    ada.see("Gym", where="main")
    ada.stocked()
    ada.page.evaluate(ALL_FAIL)
    one.call("PATCH", f"/v1/subscriptions/{made['id']}", {"label": "Climbing"})
    ada.see(re.compile("^This browser cannot keep data"), where='[role="status"]')
    ada.page.evaluate("() => clear()")
    ada.see("Climbing", where="main")
