"""Random histories of one user: two browsers with bad connections, a terminal on the service's kit, and an admin who types SQL. At
the end all have the same, and what the service would compute is what the browsers compute.

A failure names its seed: SUBTRACKIT_TEST_SEED=SEED runs that one alone.
"""

import os
import random
import uuid

import pytest
from support.days import end_of, today
from support.device import Failure
from support.door import Door
from support.extent import IS_FULL, full
from support.terminal import Terminal

PASSWORD = "violet tram nineteen"
NAMED = os.environ.get("SUBTRACKIT_TEST_SEED")
# The first ones are tried in each run.
FEW = 1
SEEDS = [int(NAMED)] if NAMED else [seed if seed <= FEW else full(seed) for seed in range(1, int(os.environ.get("SUBTRACKIT_WEB_HISTORIES", "4")) + 1)]
STEPS = int(os.environ.get("SUBTRACKIT_WEB_STEPS", "40" if IS_FULL else "16"))

# Among the longest of all.
pytestmark = pytest.mark.slow

# What a browser shows, in the service's words.
SHOWN = """state.subscriptions.map((s) => ({
    id: s.id, label: s.label, note: s.note, startDate: s.startDate, endDate: s.endDate, remaining: s.remaining, period: s.period, fee: s.price.fee,
    currency: s.price.currency, next: s.nextPrice && { fee: s.nextPrice.fee, currency: s.nextPrice.currency, on: s.nextPrice.on },
    freeTrial: s.freeTrial, autoRenew: s.autoRenew, status: s.status, cancelBy: s.cancelBy, reminderDays: s.reminderDays, muted: s.muted, version: s.version,
    plan: { id: s.plan.id, provider: s.plan.provider, name: s.plan.name, type: s.plan.type, category: s.plan.category, country: s.plan.country, fee: s.plan.fee,
        currency: s.plan.currency, duration: s.plan.duration, trialDays: s.plan.trialDays, noticeDays: s.plan.noticeDays, withdrawn: s.plan.withdrawn,
        private: s.plan.private },
})).sort((one, other) => one.id < other.id ? -1 : 1)"""


class History:
    def __init__(self, seed, service, browsers, terminal, plans):
        self.random = random.Random(seed)
        self.service, self.browsers, self.terminal, self.plans = service, browsers, terminal, plans
        self.added, self.removed = set(), set()
        self.user = browsers[0].read("state.user.id")
        self.today = today()

    def day(self):
        """The beginning, the middle or the end of this month or of one of the two before."""
        months = self.today.year * 12 + self.today.month - 1 - self.random.choice([2, 1, 0])
        end = end_of(months // 12, months % 12 + 1)
        return end.replace(day=min(self.random.choice([1, 15, 28, 29, 30]), end.day)).isoformat()

    def fee(self):
        return f"{self.random.randrange(100)}.{self.random.randrange(100):02}"

    def new(self):
        of = {"planId": self.random.choice(self.plans)} if self.random.random() < 0.5 else {"plan": {
            "provider": self.random.choice(["Gym", "Club"]), "name": self.random.choice(["Off-peak", "Standard"]), "fee": self.fee(), "currency": "EUR",
            "duration": {"value": self.random.choice([1, 1, 3]), "unit": self.random.choice(["month", "month", "year", "week"])},
            "noticeDays": self.random.choice([0, 14])}}
        when = {self.random.choice(["startDate", "startDate", "nextRenewal"]): self.day()} if self.random.random() < 0.7 else {}
        more = {"freeTrial": True} if self.random.random() < 0.15 else {}
        if self.random.random() < 0.3:
            more["fee"] = self.fee()
        if self.random.random() < 0.4:
            more["label"] = f"L{self.random.randrange(100)}"
        return {**of, **when, **more, "autoRenew": self.random.random() < 0.5}

    def patch(self, one):
        choice = self.random.randrange(8)
        if choice == 0:
            return {"note": self.random.choice([None, "n", "m"]), "label": f"L{self.random.randrange(100)}"}
        if choice == 1:
            return {"fee": self.random.choice([None, self.fee()])}
        if choice == 2:
            return self.random.choice([{"reminderDays": None}, {"reminderDays": 3}, {"muted": True}, {"muted": False}])
        if choice == 3:
            return {"autoRenew": self.random.random() < 0.5}
        if choice == 4:
            return {self.random.choice(["startDate", "nextRenewal"]): self.day()}
        if choice == 5:
            return {"freeTrial": self.random.random() < 0.5}
        if choice == 6 and one["plan"]["private"]:
            return {"plan": {"fee": self.fee()} if self.random.random() < 0.5 else {"name": self.random.choice(["A", "B"])}}
        return {"planId": self.random.choice(self.plans)}

    def step(self):
        browser = self.random.choice(self.browsers)
        choice = self.random.randrange(24)
        if choice < 12:
            self.edit(browser)
        elif choice < 14:
            browser.door.shut()
        elif choice < 16:
            browser.door.open()
        elif choice < 18:
            browser.door.open()
            browser.door.trap(self.random.choice(["POST /v1/changes", "GET /v1/changes"]), self.random.choice(["request", "answer", "half"]))
            browser.sync()
        elif choice < 20:
            browser.sync()
        elif choice == 20:
            browser.reopen()
        elif choice == 21:
            self.terminal_step()
        else:
            self.admin()

    def edit(self, browser):
        shown = browser.read("state.subscriptions.map(({ id, plan, cancelledOn, planIsHere }) => ({ id, plan: { private: plan.private }, cancelledOn, planIsHere }))")
        choice = self.random.randrange(12)
        try:
            if not shown or choice < 3:
                self.added.add(browser.act("addSubscription", self.new())["id"])
                return
            one = self.random.choice(shown)
            if choice < 7:
                browser.act("change", one["id"], self.patch(one))
            elif choice == 7:
                browser.act("renew", one["id"])
            elif choice == 8:
                browser.act("resume" if one["cancelledOn"] else "cancel", one["id"])
            elif choice == 9:
                browser.act("remove", one["id"])
                self.removed.add(one["id"])
            elif choice == 10:
                gone = browser.read("state.deleted.map(({ id }) => id)")
                if gone:
                    browser.act("restore", self.random.choice(gone))
            elif self.random.random() < 0.6:
                browser.act(self.random.choice(["cancel", "remove"]), one["id"])
                browser.undo()
        except Failure as failure:
            # What makes no sense is refused before it is anywhere.
            assert failure.failure in ("invalid", "unknown"), failure

    def terminal_step(self):
        arguments = self.random.choice([
            ("add", "Kit", "--fee", "9.90", "--currency", "EUR", "--every", "month"), ("sync",), ("sync",),
            ("edit", "Kit", "--note", f"k{self.random.randrange(9)}")])
        self.terminal.run(*arguments, check=False)

    def admin(self):
        """Types SQL: one of the rows, or a price of the catalogue."""
        of = f"User_ID = UNHEX(REPLACE('{self.user}', '-', ''))"
        some = f"{of} ORDER BY Subscription_ID LIMIT 1"
        self.service.sql(self.random.choice([
            f"UPDATE Subscription SET Note = 'admin {self.random.randrange(9)}' WHERE {some}",
            f"UPDATE Subscription SET Label = 'admin {self.random.randrange(9)}' WHERE {some}",
            f"DELETE FROM Subscription WHERE {of} AND Note LIKE 'admin%' LIMIT 1",
            f"UPDATE Plan SET Fee = {self.fee()} WHERE Plan_ID = {self.random.choice(self.plans)}",
            f"INSERT INTO Plan_price (Plan_ID, Effective_on, Fee) VALUES ({self.random.choice(self.plans)}, CURDATE() + INTERVAL {self.random.randrange(1, 60)} DAY, {self.fee()}) "
            "ON DUPLICATE KEY UPDATE Fee = VALUES(Fee)",
            f"UPDATE Plan SET Notice_days = {self.random.randrange(40)}, Withdrawn_on = {self.random.choice(['NULL', 'CURDATE()'])} WHERE Plan_ID = {self.random.choice(self.plans)}",
        ]))

    def settle(self):
        for browser in self.browsers:
            browser.door.clear()
            browser.door.open()
            # What could be taken back for some seconds is sent now.
            browser.page.evaluate("() => { const now = Date.now; Date.now = () => now() + 11000; }")
        self.terminal.run("sync")
        for _ in range(3):
            for browser in self.browsers:
                browser.sync()
        for browser in self.browsers:
            browser.in_step()
            browser.sync()


@pytest.fixture(scope="module")
def plans(service):
    service.sql("""INSERT IGNORE INTO Plan (Provider, Plan_name, Fee, Country_ID, Duration_value, Duration_unit, Notice_days)
        VALUES ('History A', 'One', 4.99, 'DE', 1, 'month', 0), ('History A', 'Two', 49.99, 'DE', 1, 'year', 30), ('History B', 'One', 1.50, 'DE', 2, 'week', 0)""")
    rows = service.sql("SELECT Plan_ID FROM Plan WHERE Provider LIKE 'History %'")
    return [int(row[0]) for row in rows if row[0].isdigit()]


@pytest.mark.parametrize("seed", SEEDS)
def test_all_have_the_same_in_the_end(seed, device, service, plans):
    print(f"SUBTRACKIT_TEST_SEED={seed} runs this one again")
    doors = [Door(service.port), Door(service.port)]
    terminal = Terminal(service)
    try:
        browsers = [device(door=door) for door in doors]
        address = f"{uuid.uuid4().hex[:12]}@example.org"
        browsers[0].act("addSubscription", {"plan": {"provider": "First", "fee": "1.00", "currency": "EUR", "duration": {"value": 1, "unit": "month"}}, "autoRenew": False})
        browsers[0].in_step()
        browsers[0].act("register", {"email": address, "password": PASSWORD})
        browsers[1].act("signIn", {"email": address, "password": PASSWORD})
        terminal.sign_in(address, PASSWORD)
        for browser in browsers:
            browser.in_step()
            browser.until(f"state.plan({plans[0]})")
        history = History(seed, service, browsers, terminal, plans)
        for _ in range(STEPS):
            history.step()
        history.settle()

        status, made = service.call("POST", "/v1/sessions", {"email": address, "password": PASSWORD, "device": {"name": "judge"}})
        assert status == 200 or status == 201, made
        token = made["token"]
        truth, cursor = [], None
        while True:
            _, page = service.call("GET", f"/v1/subscriptions?limit=200{f'&cursor={cursor}' if cursor else ''}", token=token)
            truth += page["subscriptions"]
            cursor = page["nextCursor"]
            if not cursor:
                break
        truth.sort(key=lambda one: one["id"])
        for number, browser in enumerate(browsers):
            assert browser.read("state.outbox.count") == 0
            shown = browser.read(SHOWN)
            for one, other in zip(shown, truth):
                assert one == other, f"seed {seed}, browser {number}"
            assert len(shown) == len(truth), f"seed {seed}, browser {number}"
            # Sums, notices and savings as the service computes them.
            _, dashboard = service.call("GET", "/v1/dashboard", token=token)
            assert browser.read("state.spending") == dashboard["spend"], f"seed {seed}"
            assert browser.read("state.saved.map(({ currency, fee }) => ({ currency, amount: fee }))") == [one for one in dashboard["saved"] if float(one["amount"])], f"seed {seed}"
            given = [{name: one.get(name) for name in ("subscriptionId", "kind", "on", "cancelBy", "from", "to", "fromTerms", "toTerms")} for one in dashboard["notices"]]
            assert browser.read("state.notices") == given, f"seed {seed}"
            # Periods as the service has them.
            for one in truth[:3]:
                _, listed = service.call("GET", f"/v1/subscriptions/{one['id']}/periods?limit=200", token=token)
                browser.until(f"state.details('{one['id']}')")
                assert browser.read(f"state.details('{one['id']}').periods") == listed["periods"], f"seed {seed}"
        kit = sorted((one["subscription"] if "subscription" in one else one for one in terminal.subscriptions()), key=lambda one: one["id"].lower())
        assert [one["id"].lower() for one in kit] == [one["id"] for one in truth], f"seed {seed}"
        print(f"seed {seed}: {len(truth)} kept of {len(history.added)} added, {len(history.removed)} removed, {len(dashboard['notices'])} notices, "
              f"{sum(len(browser.read('state.lost')) for browser in browsers)} told")
        # What was added and nobody removed is there.
        here = {one["id"] for one in truth}
        gone = {id for id in history.added - history.removed if id not in here}
        for browser in browsers:
            gone -= {lost["rowId"] for lost in browser.read("state.lost")} | set(browser.read("state.deleted.map(({ id }) => id)"))
        assert not gone, f"seed {seed}: {gone} got lost"
    finally:
        terminal.close()
        for door in doors:
            door.close()
