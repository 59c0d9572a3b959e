"""Reminders: open ones answered in place, offline too, and by the link of a mail; how and by which ways a person is told."""

import http.server
import os
import re
import threading
import uuid

import pytest
from playwright.sync_api import expect
from support.device import Device
from support.door import Door
from support.front import Front
from support.person import Keeper, Person, day
from support.service import Service
from test_access import FRAME, faults
from test_injection import CORPUS, STRANGE
from test_mail import Sink

# Longer than an answer can be taken back, in seconds.
HELD = 11


def way_to(service):
    return Front(service.port) if os.environ.get("SUBTRACKIT_WEB_TREE") else Door(service.port)


@pytest.fixture
def ada(person, keeper):
    """A person with three subscriptions, one of them overdue, on Today. Time can be moved."""
    one = keeper()
    one.own("Gym", startDate=day(-28))
    one.own("Cinema", startDate=day(-29), noticeDays=1)
    one.own("Old Paper", startDate=day(-40), autoRenew=False)
    made = person(size="desktop", token=one.token)
    made.one = one
    made.context.clock.install()
    made.go("/")
    made.page.locator(".answer .buttons").nth(2).wait_for()
    return made


def card(one, name):
    return one.page.locator("li.answer", has=one.page.get_by_role("link", name=re.compile(name)))


def answers(one):
    """What the service has of answers: the kind and the answer of each reminder."""
    return sorted((row["kind"], row["answer"]) for row in one.call("GET", "/v1/reminders")["reminders"] if row["answer"])


def subscription(one, provider):
    return next(row for row in one.call("GET", "/v1/subscriptions")["subscriptions"] if row["plan"]["provider"] == provider)


# Today


def test_open_reminders_are_answered_in_place(ada):
    """Each thing is asked once, with all that is to be said of it. The answer is a line with Undo, and on the service afterwards."""
    expect(ada.page.locator("li.answer:not(.done)")).to_have_count(3)
    ada.press(re.compile("^Keep it.*Gym"))
    line = ada.page.locator("li.answer.done", has_text="Gym")
    expect(line).to_contain_text("stays")
    expect(line.get_by_role("button", name=re.compile("^Undo"))).to_be_visible()
    assert answers(ada.one) == []
    ada.context.clock.fast_forward(HELD * 1000)
    ada.saved()
    expect(line.get_by_role("button")).to_have_count(0)
    assert answers(ada.one) == [("renewal", "keep")]
    # The day before the last one to cancel and the renewal itself are one question, and both are answered.
    ada.press(re.compile("^Keep it.*Cinema"))
    ada.context.clock.fast_forward(HELD * 1000)
    ada.saved()
    assert ("renewal", "keep") in answers(ada.one) and len(answers(ada.one)) >= 2
    ada.press(re.compile("^Renewed.*Old Paper"))
    ada.context.clock.fast_forward(HELD * 1000)
    ada.saved()
    assert ("overdue", "renew") in answers(ada.one)
    assert subscription(ada.one, "Old Paper")["period"] == 1
    ada.go("/")
    ada.page.locator(".hero").wait_for()
    expect(ada.page.locator("li.answer:not(.done)")).to_have_count(0)


def test_an_answer_can_be_taken_back_for_ten_seconds(ada):
    """Taken back, nothing of it was ever sent, and the question is there again, with the focus in its place."""
    ada.press(re.compile("^Cancel it.*Gym"))
    ada.press(re.compile("^Undo.*Gym"))
    card(ada, "Gym").get_by_role("button", name=re.compile("^Keep it")).wait_for()
    ada.page.wait_for_function("() => document.activeElement && document.activeElement !== document.body")
    ada.context.clock.fast_forward(HELD * 1000)
    ada.saved()
    assert answers(ada.one) == []
    assert subscription(ada.one, "Gym")["status"] == "active"


def test_later_is_asked_again_tomorrow(ada):
    ada.press(re.compile("^Later.*Gym"))
    ada.context.clock.fast_forward(HELD * 1000)
    ada.saved()
    row = next(row for row in ada.one.call("GET", "/v1/reminders")["reminders"] if row["answer"] == "snooze")
    assert row["snoozedUntil"] == day(1)
    ada.go("/")
    ada.page.locator(".hero").wait_for()
    expect(ada.page.locator("li.answer:not(.done)", has_text="Gym")).to_have_count(0)


def test_cancelling_opens_the_page_of_the_provider(person, keeper, service):
    """The cancelling itself is done there: the page opens beside the app."""
    one = keeper()
    service.sql("UPDATE Provider SET Cancel_URL = 'https://example.org/stop' WHERE Provider = 'Netflix';")
    one.add("Netflix", "Premium", nextRenewal=day(2))
    ada = person(size="desktop", token=one.token)
    page = ada.go("/")
    page.evaluate("() => { globalThis.opened = []; globalThis.open = (...given) => { opened.push(given); return null; }; }")
    ada.press(re.compile("^Cancel it.*Netflix"))
    page.locator("li.answer.done", has_text="Netflix").wait_for()
    assert page.evaluate("opened") == [["https://example.org/stop", "_blank", "noopener,noreferrer"]]


def test_answers_without_network(ada, pages):
    """Answered while the service is away, kept over a reload, sent once when it is back."""
    pages.shut()
    ada.press(re.compile("^Cancel it.*Gym"))
    expect(ada.page.locator("li.answer.done", has_text="Gym")).to_contain_text("not sent yet")
    ada.visit("/subscriptions")
    expect(ada.page.locator("st-window .row", has_text="Gym")).to_contain_text("Cancelled")
    pages.open()
    ada.go("/")
    ada.context.clock.fast_forward(HELD * 1000)
    ada.saved()
    assert answers(ada.one) == [("renewal", "cancel")]
    assert subscription(ada.one, "Gym")["status"] == "cancelled"


def test_two_devices_answer_without_network(browser, service):
    """Both compute the reminder by themselves, under the same id. The first answer that arrives holds, the other device is told."""
    doors = [Door(service.port) for _ in range(2)]
    first, second = [Device(browser, door, timezone="UTC", hasClock=True) for door in doors]
    try:
        email = f"{uuid.uuid4()}@example.org"
        plan = {"provider": "Gym", "name": "Gym", "fee": "9.99", "currency": "EUR", "duration": {"value": 1, "unit": "month"}}
        first.act("addSubscription", {"plan": plan, "startDate": day(-28), "autoRenew": True})
        first.in_step()
        first.act("register", {"email": email, "password": "violet tram nineteen lamps"})
        second.act("signIn", {"email": email, "password": "violet tram nineteen lamps"})
        asked = []
        for one, answer in ((first, "keep"), (second, "later")):
            one.until("state.questions.length === 1")
            one.door.shut()
            asked.append(one.read("state.questions[0].reminders"))
            one.act("answer", one.read("state.questions[0].id"), answer)
            one.pass_time(HELD)
        assert asked[0] == asked[1] and asked[0][0].startswith("renewal.")
        for one in (first, second):
            one.door.open()
            one.sync()
            one.in_step()
        assert first.read("state.lost") == []
        lost = second.read("state.lost")
        assert [(each["name"], field["field"], field["theirs"], field["yours"]) for each in lost for field in each["fields"] if field["field"] == "answer"] == [("Gym", "answer", "keep", "snooze")]
    finally:
        for one in (first, second):
            one.close()
        for door in doors:
            door.close()


def test_days_of_contacts_and_the_week_are_asked(person, keeper):
    """A birthday tomorrow has the name and the age; the overview of the week comes on its day, and names its renewals."""
    one = keeper()
    one.own("Gym", startDate=day(-28))
    one.call("POST", "/v1/contacts", {"firstName": "Grace", "lastName": "Hopper", "dates": [{"type": "birthday", "date": f"1986-{day(1)[5:]}"}]})
    weekday = (int(one.service.sql("SELECT WEEKDAY(UTC_DATE());")[-1][0])) + 1
    one.call("PATCH", "/v1/me/reminders", {"remindAt": "00:00", "weeklyOn": weekday})
    ada = person(size="desktop", token=one.token)
    ada.go("/")
    birthday = card(ada, "Grace Hopper")
    birthday.wait_for()
    expect(birthday).to_contain_text("Birthday")
    expect(birthday.get_by_role("link")).to_have_attribute("href", re.compile("^contacts/"))
    week = card(ada, "Your week")
    expect(week).to_contain_text("In the next 7 days: Gym.")
    ada.press(re.compile("^Done.*Your week"))
    ada.page.locator("li.answer.done", has_text="Your week").wait_for()


# Settings


def test_settings_hold_at_once_and_on_all_devices(person, keeper):
    """Hour, days ahead, repeat, week and mail: each holds when it is chosen, and another device shows it."""
    one = keeper()
    one.own("Gym", startDate=day(-5))
    ada, other = person(size="desktop", token=one.token), person(token=one.token)
    page = ada.go("/profile")
    page.get_by_role("link", name=re.compile("^Reminders")).click()
    ada.heading("Reminders")
    page.locator("#f-remindAt").fill("07:30")
    page.locator("#f-remindAt").blur()
    page.locator("#f-repeatDays").select_option("2")
    page.locator("#f-weeklyOn").select_option("")
    renewal = page.get_by_role("group", name="A renewal")
    renewal.get_by_role("button", name="14 days before").click()
    expect(renewal.get_by_role("button", name="14 days before")).to_have_attribute("aria-pressed", "true")
    renewal.get_by_role("button", name="1 day before").click()
    page.get_by_role("switch", name=re.compile("^Send reminders by mail")).uncheck()
    ada.saved()
    row = one.call("GET", "/v1/me/reminders")
    assert (row["remindAt"], row["repeatDays"], row["weeklyOn"], row["byMail"], row["leads"]["renewal"]) == ("07:30", 2, None, False, [14, 7])
    assert row["leads"]["trial"] == [3, 1]
    # In 25 days it renews: the reminder of 14 days before is among those of the next 30 days, at the chosen hour.
    expect(page.locator("section", has=page.locator("#ahead")).locator("li.row", has_text="Gym").first).to_contain_text("7:30")
    other.go("/profile/reminders")
    expect(other.page.locator("#f-remindAt")).to_have_value("07:30")
    expect(other.page.get_by_role("group", name="A renewal").get_by_role("button", name="14 days before")).to_have_attribute("aria-pressed", "true")


def test_settings_without_network(person, keeper, pages):
    one = keeper()
    one.own("Gym", startDate=day(-5))
    ada = person(size="desktop", token=one.token)
    page = ada.go("/profile/reminders")
    page.locator("#f-repeatDays").wait_for()
    pages.shut()
    page.locator("#f-repeatDays").select_option("3")
    ada.see("Saved")
    pages.open()
    ada.go("/profile/reminders")
    ada.saved()
    assert one.call("GET", "/v1/me/reminders")["repeatDays"] == 3


def test_a_tenant_without_reminders_shows_nothing_of_them(person, service):
    service.run("tenant", "create", "unreminded", "--areas", "none")
    ada = person(tenant="unreminded", size="desktop")
    page = ada.go("/profile")
    page.locator("#f-timeZone").wait_for()
    assert page.get_by_text("Reminders").count() == 0
    for path in ("/profile/reminders", "/profile/channels"):
        ada.go(path)
        ada.heading("Page not found")


# The link of a mail


@pytest.fixture(scope="module")
def told(tmp_path_factory, state):
    """A service that sends mails, and a user who is told of a renewal by one."""
    sink = Sink(tmp_path_factory.mktemp("mails"))
    service = Service("--sendmail", str(sink.program), state=state)
    try:
        service.start()
        one = Keeper(service)
        one.call("POST", "/v1/accounts", {"email": f"{one.user}@example.org", "password": "violet tram nineteen lamps"})
        verify = sink.link("account/verify").split("token=")[1]
        assert service.call("POST", "/v1/email-verifications", {"token": verify})[0] in (200, 204)
        one.own("Gym", startDate=day(-28))
        one.call("PATCH", "/v1/me/reminders", {"remindAt": "00:00"})
        of = f"UNHEX(REPLACE('{one.user}', '-', ''))"
        # The hour of today has come, and nobody has looked since: the next pass tells.
        service.sql(f"REPLACE INTO Agenda (User_ID, Next_at, Looked_at) VALUES ({of}, '2020-01-01', '2020-01-01');")
        yield one, sink
    finally:
        service.remove()
        sink.close()


def test_the_link_of_a_mail_answers_by_its_button(browser, told):
    """Opening it changes nothing and shows what it is about, with the answer of the link chosen. The button answers."""
    one, sink = told
    link = sink.link("account/answer")
    way = way_to(one.service)
    stranger = Person(browser, way.url)
    page = stranger.page
    link = re.sub(r"&a=\w+", "&a=cancel", link)
    for _ in range(2):
        stranger.go(link)
        stranger.heading("Answer a reminder")
        stranger.see("Gym")
        assert "token" not in page.url
        expect(page.get_by_role("radio", name="I cancel it")).to_be_checked()
    assert answers(one) == [] and subscription(one, "Gym")["status"] == "active"
    assert not faults(page)
    page.get_by_role("radio", name="Remind me later").check()
    page.get_by_label("Remind me on").fill(day(2))
    stranger.press("Send the answer")
    stranger.see("You are reminded again on")
    assert answers(one) == [("renewal", "snooze")]
    # Another answer takes its place, by keys alone.
    stranger.go(link)
    page.get_by_role("radio", name="I cancel it").wait_for()
    page.get_by_role("radio", name="I cancel it").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.textContent").strip() == "Send the answer":
            break
    page.keyboard.press("Enter")
    stranger.see("Noted as cancelled.")
    assert subscription(one, "Gym")["status"] == "cancelled"
    stranger.close()
    way.close()


def test_a_link_that_is_not_good_says_so(person):
    ada = person()
    for link in ("/account/answer#token=nothing", "/account/answer"):
        ada.go(link)
        ada.heading("Answer a reminder")
        ada.page.locator(".gate-main p").first.wait_for()
        assert ada.page.get_by_role("button", name="Send the answer").count() == 0
    ada.go("/account/answer#token=nothing")
    ada.see("This link is not valid, or no longer.")


# Channels and calendars


class Hook(http.server.BaseHTTPRequestHandler):
    """A receiver of webhooks that answers as it is told."""

    status = 204

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(Hook.status)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def outward(state):
    """A service that may call this machine, and a receiver: (service, the receiver's address)."""
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    service = Service("--outbound-allow", "127.0.0.0/8", state=state)
    try:
        yield service.start(), f"http://127.0.0.1:{receiver.server_port}/"
    finally:
        service.remove()
        receiver.shutdown()


@pytest.fixture
def linked(browser, outward):
    service, address = outward
    one = Keeper(service)
    one.own("Gym", startDate=day(-5))
    way = way_to(service)
    made = Person(browser, way.url, size="desktop", token=one.token)
    made.one, made.address = one, address
    yield made
    made.close()
    way.close()


def add(ada, kind, address, name, **more):
    ada.press("Add a channel")
    page = ada.page
    page.locator("#f-kind").select_option(kind)
    page.locator("#f-target").fill(address)
    for field, value in {"name": name, **more}.items():
        page.locator(f"#f-{field}").fill(value)
    ada.press("Add it")


def choose(ada, name, item):
    ada.press(f"More for {name}")
    ada.page.get_by_role("menuitem", name=item).click()


def test_a_webhook_shows_its_secret_once_and_how_it_stands(linked):
    """Added, tested, failing and working again, another secret, removed. The secret is on the page once, and in no store."""
    ada, page = linked, linked.page
    ada.go("/profile/channels")
    add(ada, "webhook", ada.address + "hook", "House")
    secret = page.locator("dialog .secret").inner_text()
    assert secret.startswith("whsec_")
    assert not faults(page, without=FRAME)
    ada.press("Close")
    row = page.locator("li", has_text="House").first
    row.wait_for()
    assert secret not in page.content()
    Hook.status = 500
    choose(ada, "House", "Test")
    expect(row).to_contain_text("500", timeout=30_000)
    Hook.status = 204
    choose(ada, "House", "Test")
    expect(row).to_contain_text("Works", timeout=30_000)
    choose(ada, "House", "New secret")
    page.locator("dialog .secret").wait_for()
    assert page.locator("dialog .secret").inner_text() != secret
    ada.press("Close")
    choose(ada, "House", "Pause")
    expect(row).to_contain_text("Paused since")
    choose(ada, "House", "Resume")
    expect(row).not_to_contain_text("Paused since")
    choose(ada, "House", "Show what was not delivered")
    ada.see("Everything was delivered.")
    choose(ada, "House", "Remove")
    ada.see("There is no other channel yet.")
    assert ada.one.call("GET", "/v1/channels")["channels"] == []


def test_what_was_not_delivered_is_sent_again(linked):
    ada, page = linked, linked.page
    made = ada.one.call("POST", "/v1/channels", {"kind": "webhook", "name": "House", "target": ada.address})["channel"]["id"]
    of, channel = (f"UNHEX(REPLACE('{text}', '-', ''))" for text in (ada.one.user, made))
    ada.one.service.sql(f"""INSERT INTO Notification (User_ID, Notification_no, Fired_at) VALUES ({of}, 7, UTC_TIMESTAMP());
        INSERT INTO Delivery (User_ID, Notification_no, Channel_ID, Attempts, Next_attempt_at, Dead_at, Last_problem)
        VALUES ({of}, 7, {channel}, 8, UTC_TIMESTAMP(), UTC_TIMESTAMP(), 'the server answers 500');""")
    ada.go("/profile/channels")
    choose(ada, "House", "Show what was not delivered")
    ada.see("the server answers 500")
    ada.press(re.compile("^Send again"))
    ada.see("It is sent once more.")
    ada.see("Everything was delivered.")


def test_an_address_that_is_refused_stands_at_its_field(linked):
    ada, page = linked, linked.page
    ada.go("/profile/channels")
    add(ada, "ntfy", "http://10.0.0.1/topic", "Inside")
    page.locator("#f-target[aria-invalid=true]").wait_for()
    expect(page.locator("#f-target")).to_have_value("http://10.0.0.1/topic")
    expect(page.locator("#f-name")).to_have_value("Inside")


def test_hostile_names_of_channels_and_calendars_are_text(linked):
    ada, page = linked, linked.page
    for text in CORPUS[:8]:
        ada.one.call("POST", "/v1/channels", {"kind": "webhook", "name": text, "target": ada.address})
        ada.one.call("POST", "/v1/calendars", {"name": text})
    page.add_init_script("globalThis.reports = []; document.addEventListener('securitypolicyviolation', (event) => reports.push(event.violatedDirective));")
    ada.go("/profile/channels")
    page.locator("main li.row, main li .row").nth(15).wait_for()
    shown = page.locator("main li .row-title bdi").all_text_contents()
    assert sorted(shown) == sorted(2 * CORPUS[:8])
    assert page.locator(STRANGE).count() == 0 and page.evaluate("reports") == []


ASKED = """globalThis.asked = 0;
Notification.requestPermission = async () => { asked += 1; return "denied"; };"""


def test_push_is_asked_for_by_its_button_alone(person, furnished):
    """On no page by itself; after the button the browser is asked, and a refusal says how to allow it."""
    ada = person(size="desktop", token=furnished().token)
    page = ada.page
    page.add_init_script(ASKED)
    for path in ("/", "/profile", "/profile/reminders", "/profile/channels"):
        ada.go(path)
        page.locator("main h1").wait_for()
        assert page.evaluate("asked") == 0, path
    ada.press("Tell me in this browser")
    page.wait_for_function("() => asked === 1")
    ada.see("The browser does not allow it.")


def test_a_message_is_shown_and_opens_the_app(person, furnished, pages):
    """The worker shows what the service sends. An answer's button answers without a page, and the page of the answer opens where that fails."""
    ada = person(size="desktop", token=furnished().token, worker=True)
    ada.context.grant_permissions(["notifications"])
    page = ada.go("/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    worker = ada.context.service_workers[0]
    shown = worker.evaluate("""async () => {
        const shown = [], opened = [], asked = [];
        // Only the browser's own events can be waited for.
        ExtendableEvent.prototype.waitUntil = () => {};
        self.registration.showNotification = async (...given) => { shown.push(given); };
        self.clients.openWindow = async (address) => { opened.push(address); };
        const fetched = self.fetch;
        self.fetch = async (address, options) => { asked.push([address, JSON.parse(options.body)]); return new Response("{}", { status: 400 }); };
        const pushed = new PushEvent("push", { data: JSON.stringify({ title: "Gym renews tomorrow", body: "for 9.99", tag: "msg_1", url: "/", token: "t", reminder: "renewal.x.2026-01-01.1", actions: [{ answer: "cancel", label: "I cancel it" }] }) });
        self.dispatchEvent(pushed);
        const [title, options] = shown[0];
        const clicked = new ExtendableEvent("notificationclick");
        Object.assign(clicked, { action: "cancel", notification: { close() {}, data: options.data } });
        self.dispatchEvent(clicked);
        for (let i = 0; i < 100 && !opened.length; i++) await new Promise((resolve) => setTimeout(resolve, 10));
        self.fetch = fetched;
        return { title, options, opened, asked };
    }""")
    assert shown["title"] == "Gym renews tomorrow"
    assert (shown["options"]["body"], shown["options"]["tag"], shown["options"]["actions"]) == ("for 9.99", "msg_1", [{"action": "cancel", "title": "I cancel it"}])
    assert shown["asked"] == [["/v1/answers", {"token": "t", "reminder": "renewal.x.2026-01-01.1", "answer": "cancel"}]]
    assert shown["opened"] == ["/account/answer#token=t&r=renewal.x.2026-01-01.1&a=cancel"]


def test_the_address_of_a_calendar_is_shown_once(linked):
    """Made, read by a program, revoked: then it is of no use. After the dialog the page does not have it any more."""
    ada, page = linked, linked.page
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.go("/profile/channels")
    page.locator("#f-calendar").fill("On my phone")
    ada.press("Make an address")
    address = page.locator("dialog .secret").inner_text()
    path = re.search(r"/calendar/[^/]+\.ics$", address)[0]
    ada.press("Copy")
    ada.see("Copied.")
    ada.press("Close")
    ada.see("On my phone", where="main")
    assert address not in page.content()
    assert page.request.get(ada.url + path).status == 200
    ada.press(re.compile("^Revoke.*On my phone"))
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    ada.see("There is no address yet.")
    assert page.request.get(ada.url + path).status == 404


def test_reminders_by_keys_alone(person, furnished):
    """Days ahead, the switch, a channel's menu: reached by Tab, done by Enter and Space, and the focus is never lost."""
    one = furnished()
    one.call("POST", "/v1/channels", {"kind": "webhook", "name": "House", "target": "https://example.org/hook"}, expect=(201, 400))
    ada = person(size="desktop", token=one.token)
    page = ada.go("/profile/reminders")
    page.locator("#f-remindAt").wait_for()

    def focus(role, name, limit=90):
        for _ in range(limit):
            page.keyboard.press("Tab")
            if page.get_by_role(role, name=name).first.evaluate("(one) => one === document.activeElement"):
                return
        raise AssertionError(f"{role} {name} is not reached by Tab")
    focus("button", "30 days before")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="30 days before").first).to_have_attribute("aria-pressed", "true")
    assert page.get_by_role("button", name="30 days before").first.evaluate("(one) => one === document.activeElement")
    focus("switch", re.compile("^Send reminders by mail"))
    page.keyboard.press("Space")
    expect(page.get_by_role("switch").first).not_to_be_checked()
    focus("link", re.compile("^Browsers, channels and calendar"))
    page.keyboard.press("Enter")
    ada.heading("Browsers, channels and calendar")
    page.wait_for_function("() => document.activeElement.tagName === 'H1'")
    focus("button", "Add a channel")
    page.keyboard.press("Enter")
    focus("textbox", "Address")
    page.keyboard.type("no address")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'f-target' && document.activeElement.ariaInvalid === 'true'")
