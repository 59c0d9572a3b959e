"""The session's cookie in a real browser: pages of other origins cannot use it, and no store of the browser has its token."""

import contextlib
import http.server
import json
import threading

import pytest
from support.person import Keeper

# The attempts of a page of another origin with a browser that is signed in. The form goes last: it leaves the page.
ATTACK = """async (target) => {
    const tries = {
        read: () => fetch(`${target}/v1/me`, { credentials: "include" }).then((answer) => answer.text()),
        write: () => fetch(`${target}/v1/me`, { method: "PATCH", credentials: "include", headers: { "Content-Type": "application/json" }, body: '{"userName":"Mallory"}' }).then((answer) => answer.text()),
        simple: () => fetch(`${target}/v1/subscriptions`, { method: "POST", mode: "no-cors", credentials: "include", headers: { "Content-Type": "text/plain" }, body: BODY }).then(({ type }) => { if (type === "opaque") throw new Error("opaque"); return type; }),
        socket: () => new Promise((resolve, reject) => {
            const socket = new WebSocket(`${target.replace("http", "ws")}/v1/live`);
            socket.onopen = () => resolve("open");
            socket.onerror = () => reject(new Error("refused"));
        }),
    };
    const got = {};
    for (const [name, attempt] of Object.entries(tries)) got[name] = await attempt().then((text) => text, () => null);
    return got;
}"""
OWN = {"plan": {"provider": "Evil", "name": "Evil", "fee": "1", "currency": "EUR", "duration": {"value": 1, "unit": "month"}}, "autoRenew": True}


@contextlib.contextmanager
def site(html):
    """A server of a page without any policy: its port."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["same-site", "cross-site"])
def test_a_page_of_another_origin_changes_and_reads_nothing(person, service, pages, host):
    """Another port of the same host gets the cookie along, another host does not: both are refused."""
    one = Keeper(service)
    one.own("Gym", "9.99")
    ada = person(token=one.token)
    ada.go("/")
    # A form without encoding sends JSON: its field's name and value are the body, with a sign between them.
    text = json.dumps({**OWN, "note": "="})
    name, value = text.split("=")
    form = f"""<!doctype html><form method="post" enctype="text/plain" action="{pages.url}/v1/subscriptions"><input name='{name}' value='{value}'></form>"""
    asked = len(pages.requests)
    with site(form) as port:
        other = ada.context.new_page()
        other.goto(f"http://{host}:{port}/")
        assert other.evaluate(ATTACK.replace("BODY", json.dumps(text)), pages.url) == {"read": None, "write": None, "simple": None, "socket": None}
        # Firefox shows a page of its own for the refusal.
        with other.expect_response(lambda answer: answer.request.method == "POST") as sent:
            other.evaluate("() => document.forms[0].submit()")
        assert sent.value.status == 403
    # They came as far as the service.
    came = pages.requests[asked:]
    assert came.count("POST /v1/subscriptions") == 2 and "GET /v1/live" in came and "GET /v1/me" in came, came
    assert [each["plan"]["provider"] for each in one.call("GET", "/v1/subscriptions")["subscriptions"]] == ["Gym"]
    assert one.call("GET", "/v1/me")["userName"] is None


def test_a_page_of_ours_has_live_changes_by_the_cookie(person, service, pages):
    one = Keeper(service)
    ada = person(token=one.token)
    page = ada.go("/")
    assert page.evaluate("() => new Promise((resolve) => { const socket = new WebSocket('/v1/live'); socket.onopen = () => { socket.close(); resolve('open'); }; socket.onerror = () => resolve('refused'); })") == "open"


EVERYTHING = """async () => {
    const found = [document.cookie, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    for (const { name } of await indexedDB.databases()) {
        const database = await new Promise((resolve, reject) => { const open = indexedDB.open(name); open.onsuccess = () => resolve(open.result); open.onerror = () => reject(open.error); });
        for (const table of database.objectStoreNames) found.push(await new Promise((resolve) => {
            const all = database.transaction(table).objectStore(table).getAll();
            all.onsuccess = () => resolve(JSON.stringify(all.result, (_, value) => typeof value === "bigint" ? String(value) : value));
        }));
        database.close();
    }
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) found.push(request.url, ...[...(await cache.match(request)).headers].flat(), await (await cache.match(request)).text());
    }
    return found;
}"""


def test_no_store_and_no_cache_has_the_token(person, pages):
    """Of a user that the app registered itself, after its worker has kept all files."""
    ada = person(size="desktop", worker=True)
    page = ada.go("/add/own")
    page.get_by_label("What is it?").fill("Allotment")
    page.get_by_label("Price", exact=True).fill("31.50")
    page.get_by_label("Currency").select_option("EUR")
    ada.press("Add, it does")
    ada.saved()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    [cookie] = ada.context.cookies()
    assert cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Strict" and cookie["value"].startswith("sub_")
    token = cookie["value"].split(".")[0]
    everything = page.evaluate(EVERYTHING)
    assert any("Allotment" in text for text in everything) and len(everything) > 50
    assert not any(token in text or "sub_" in text for text in everything)
