"""A person with a browser, for stories."""

import datetime
import re
import uuid

from playwright.sync_api import Error

from support.days import day
from support.device import AWAY
from support.waiting import LONG

SIZES = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1280, "height": 800}}


class Person:
    """A browser of its own on the app's pages. Each fault of a page fails the test.

    `worker`: the app's service worker is there. It fetches all files once more, which most stories need not wait for.
    """

    def __init__(self, browser, url, size="phone", theme="light", locale="en-GB", token=None, tenant="default", worker=False, **options):
        self.url = url
        self.tenant = tenant
        self.size = size
        self.context = browser.new_context(viewport=SIZES[size], color_scheme=theme, locale=locale, timezone_id="UTC",
                                           reduced_motion=options.pop("motion", "reduce"), has_touch=size == "phone",
                                           service_workers="allow" if worker else "block", **options)
        self.context.set_default_timeout(LONG)
        if token:
            self.sign(token)
        self.faults = []
        self.foreign = []
        self.page = self.tab()

    def root(self, tenant=None):
        """The address of a tenant's pages, without a slash at its end."""
        tenant = tenant or self.tenant
        return self.url if tenant == "default" else f"{self.url}/t/{tenant}"

    def tab(self):
        page = self.context.new_page()
        page.on("pageerror", lambda error: AWAY in str(error) or self.faults.append(f"{error}"))
        page.on("console", lambda message: self._heard(message))
        page.on("request", lambda request: None if request.url.startswith((self.url, "ws" + self.url[4:], "blob:", "data:")) else self.foreign.append(request.url))
        page.on("dialog", lambda dialog: (self.faults.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
        return page

    def _heard(self, message):
        # A refused policy or a wrong script; that the service is away or says no is no fault of the page.
        if message.type == "error" and "Failed to load resource" not in message.text and "WebSocket" not in message.text and AWAY not in message.text:
            self.faults.append(message.text)

    def sign(self, token):
        """The browser has this session."""
        self.context.add_cookies([{"name": f"__Host-subtrack.{self.tenant}", "value": token, "url": self.url.replace("http:", "https:"), "secure": True,
                                   "httpOnly": True, "sameSite": "Strict"}])

    def go(self, path="/", page=None, tenant=None):
        page = page or self.page
        page.goto(self.root(tenant) + path)
        page.wait_for_selector("[data-ready]", state="attached")
        return page

    def visit(self, path):
        """Goes to a page by a link, as a person does. The page is not loaded anew."""
        page = self.page
        page.evaluate("""(path) => {
            const link = document.createElement("a");
            link.href = document.baseURI.replace(/\\/$/, "") + path;
            document.body.append(link);
            link.click();
            link.remove();
        }""", path)
        page.wait_for_url(self.root() + path)
        return page

    def turn_to(self, path):
        """Goes to a page by a link and waits until it is shown: then its title or its search field has the focus. The first page is loaded."""
        if not self.page.url.startswith(self.root()):
            return self.go(path)
        self.page.evaluate("() => document.activeElement.blur()")
        self.visit(path)
        self.page.wait_for_function("() => document.activeElement !== document.body")
        return self.page

    def see(self, text, where="#app, #toast, dialog, [popover]", page=None):
        """Waits until a text is there to be read."""
        page = page or self.page
        place = page.locator(where).get_by_text(text).locator("visible=true").first
        try:
            place.wait_for(state="visible")
        except Error as error:
            shown = re.sub("(?:[A-Z]{3} · .*\n?)+", "", page.inner_text("body"))[:1500]
            raise AssertionError(f"{text!r} is not seen at {page.url}:\n{shown}\n{self.faults}") from error
        return place

    def press(self, name, role="button", page=None, exact=False):
        (page or self.page).get_by_role(role, name=name, exact=exact).first.click()

    def heading(self, name):
        self.see(re.compile(f"^{re.escape(name)}$"), where="h1")

    def saved(self, page=None, tenant=None):
        """Waits until nothing waits to be sent."""
        self._stored("changes are not sent", """async (read) => await read("outbox", (outbox) => outbox.count()) === 0""", page, tenant)

    def stocked(self, page=None, tenant=None):
        """Waits until the catalogue is here."""
        self._stored("the catalogue does not come", """async (read) => await read("meta", (meta) => meta.get("cursor")) !== undefined
            && await read("meta", (meta) => meta.get("left")) === undefined""", page, tenant)

    def synced(self, page=None, tenant=None):
        """Waits until a sync is over. The user's rows are shown before that."""
        self._stored("no sync is over", """async (read) => await read("meta", (meta) => meta.get("syncedAt")) !== undefined""", page, tenant)

    def _stored(self, fault, test, page, tenant):
        """Waits until something holds of the store. Its connection is opened once: to open it for each look is dear."""
        (page or self.page).evaluate("""async ([name, fault, patience]) => {
            const answered = (asked) => new Promise((resolve, reject) => { asked.onsuccess = () => resolve(asked.result); asked.onerror = () => reject(asked.error); });
            let store = null;
            const read = async (table, ask) => {
                store ??= await answered(indexedDB.open(name));
                // The app may replace its store.
                store.onversionchange = store.onclose = () => { store?.close(); store = null; };
                return answered(ask(store.transaction(table).objectStore(table)));
            };
            const test = %s, end = performance.now() + patience;
            try {
                while (!await test(read)) {
                    if (performance.now() > end) throw new Error(fault);
                    await new Promise(requestAnimationFrame);
                }
            } finally { store?.close(); }
        }""" % test, [f"subtrack.{tenant or self.tenant}", fault, LONG])

    def overflows(self):
        """Whether the page can be moved sideways, and the elements that reach beyond it. What a change of the window's size moves is in its place two frames later."""
        return self.page.evaluate("""async () => {
            for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
            const wide = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= wide) return [];
            const beyond = [...document.querySelectorAll("#app *")].filter((one) => {
                const box = one.getBoundingClientRect();
                return box.width && (box.right > wide + 1 || box.left < -1) && !one.closest(".chips, .scroll, .visually-hidden, .skip");
            });
            return [`${document.documentElement.scrollWidth} of ${wide}`, ...beyond.slice(0, 5).map((one) => one.outerHTML.slice(0, 160))];
        }""")

    def close(self):
        self.context.close()
        assert not self.faults, self.faults
        assert not self.foreign, f"asked of others: {self.foreign}"


class Keeper:
    """A user made by the interface, for stories that begin in the middle."""

    def __init__(self, service, country="DE"):
        self.service = service
        status, answer = service.call("POST", "/v1/devices", {"name": "Another device", "country": country, "timeZone": "UTC"})
        assert status == 201, answer
        self.token = answer["token"]
        self.user = answer["user"]["id"]

    def call(self, method, path, body=None, expect=(200, 201, 202, 204)):
        status, answer = self.service.call(method, path, body, token=self.token)
        assert status in expect, (status, answer)
        return answer

    def own(self, provider, fee="9.99", currency="EUR", unit="month", value=1, name=None, category="", **fields):
        """A subscription of a plan of the user's own."""
        plan = {"provider": provider, "name": name or provider, "fee": fee, "currency": currency, "duration": {"value": value, "unit": unit}}
        if category:
            plan["category"] = category
        for field in ("trialDays", "noticeDays"):
            if field in fields:
                plan[field] = fields.pop(field)
        return self.call("POST", "/v1/subscriptions", {"id": str(uuid.uuid4()), "plan": plan, "autoRenew": fields.pop("autoRenew", True), **fields})

    def add(self, provider, plan, **fields):
        """A subscription of a plan of the catalogue."""
        found = self.service.call("GET", f"/v1/plans?country=DE&limit=200&provider={provider.replace('+', '%2B').replace(' ', '%20')}")[1]["plans"]
        chosen = next(one for one in found if re.search(plan, one["name"]))
        return self.call("POST", "/v1/subscriptions", {"id": str(uuid.uuid4()), "planId": chosen["id"], "autoRenew": fields.pop("autoRenew", True), **fields})

    def remind(self, *reminders):
        """Adds reminders as a device does that has reminded by itself: (subscription, kind, field of its day, days ahead)."""
        kinds = ["renewal", "cancelBy", "trial", "price", "ended", "overdue", "date", "digest"]
        changes = []
        for made, kind, field, lead in reminders:
            days = (datetime.date.fromisoformat(made[field]) - datetime.date(1970, 1, 1)).days
            mixed = uuid.UUID(int=uuid.UUID(made["id"]).int ^ ((kinds.index(kind) + 1) << 40 | days << 16 | lead & 0xFFFF))
            fields = {"subjectId": made["id"], "kind": kind, "occursOn": made[field], "leadDays": lead}
            changes.append({"key": str(uuid.uuid4()), "entity": "reminder", "id": str(mixed), "op": "create", "fields": fields})
        self.call("POST", "/v1/changes", {"mutations": changes})

    def furnish(self):
        """Adds a subscription of each standing, in two currencies, with a note and a label. Some have been reminded of."""
        video = self.add("Netflix", "Premium", nextRenewal=day(2), note="Family profile for Mum is called “Ursula”.")
        self.add("Spotify", ".", startDate=day(-12))
        gym = self.own("Kraftwerk Gym", "29.90", name="Off-peak", category="Sport", label="Gym", startDate=day(-20), noticeDays=5)
        domain = self.own("INWX", "12.00", name=".example domain", category="Software", unit="year", startDate=day(-368), autoRenew=False, label="lovelace.example")
        trial = self.own("Audible", "9.95", name="1 book a month", category="Books", freeTrial=True, trialDays=30, startDate=day(-27))
        self.own("New York Times", "17.00", currency="USD", name="All Access", category="News", startDate=day(-11))
        self.own("Die Zeit", "7.90", unit="week", value=4, name="Digital", category="News", startDate=day(-18))
        self.own("BahnCard 50", "244.00", unit="year", name="2nd class", category="Travel", startDate=day(-200), noticeDays=28)
        gone = self.own("Disney+", "9.99", name="Standard", category="Video", startDate=day(-14))
        self.call("POST", f"/v1/subscriptions/{gone['id']}/cancel")
        away = self.own("Old Paper", "3.00", category="News")
        self.call("DELETE", f"/v1/subscriptions/{away['id']}")
        self.remind((video, "renewal", "endDate", 7), (gym, "cancelBy", "cancelBy", 7), (domain, "overdue", "endDate", -1), (trial, "trial", "endDate", 3))
        return self
