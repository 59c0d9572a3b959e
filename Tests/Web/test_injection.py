"""Whatever is written in a field by a person, or by an admin's SQL, is shown as it was typed: nothing runs, nothing is asked of others."""

import re
from urllib.parse import quote

import pytest

from support.days import day
from support.person import Keeper

CORPUS = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "'-alert(1)-'", "${alert(1)}", "{{constructor.constructor('alert(1)')()}}",
    "javascript:alert(1)", "<!--⁠h0-->", "⁠h1", "</textarea><script>alert(1)</script>", "<a href=\"javascript:alert(1)\">x</a>", "<iframe srcdoc=\"<script>parent.alert(1)</script>\">",
    "<style>*{background:url(//evil.example)}</style>", "‮gnirts‬", "𝕏\u0301\u0301\u0301", "<math><mtext></p><img src=//evil.example/x>", "__proto__", "constructor",
]
# What a page of the app has nowhere, wherever it came from.
STRANGE = "#app script, #app iframe, #app img, #app style, #app math, #app [onerror], #app [onload], [href^='javascript:' i]"
PATHS = ["/", "/subscriptions", "/add", "/calendar", "/spending", "/profile", "/deleted", "/profile/devices"]

# Among the longest of all.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def poisoned(own_service):
    """A user whose every field is hostile, among a catalogue that is."""
    one = Keeper(own_service)
    one.call("PATCH", "/v1/me", {"userName": CORPUS[0]})
    for i, text in enumerate(CORPUS):
        made = one.own(text, name=text, category=text[:50], label=text, note=text, startDate=day(-i))
        if i == 1:
            one.call("POST", f"/v1/subscriptions/{made['id']}/cancel")
    for statement in typed_by_admin(one.user):
        own_service.sql(statement)
    return one


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def typed_by_admin(user):
    """Each text in each column that a person reads: providers, plans and their kinds, subscriptions, devices, countries, currencies."""
    of = f"UNHEX(REPLACE('{user}', '-', ''))"
    yield "".join(f"""
        INSERT INTO Provider (Provider, Category, Website, Cancel_URL) VALUES ({quoted(text)}, {quoted(text[:50])}, 'https://evil.example/?{i}', '{'javascript:alert(1)//' if i % 2 else 'https://evil.example/#'}{i}');
        INSERT INTO Plan (Provider, Plan_name, Subscription_type, Fee, Country_ID, Duration_value, Duration_unit)
            VALUES ({quoted(text)}, {quoted(text)}, {quoted(text[:30])}, 1, 'DE', 1, 'month');
        INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Label, Note) VALUES ({of}, LAST_INSERT_ID(), CURDATE(), {quoted(text)}, {quoted(text)});
    """ for i, text in enumerate(CORPUS))
    yield f"""
        UPDATE `User` SET User_name = {quoted(CORPUS[1])} WHERE User_ID = {of};
        UPDATE Device SET Device_name = {quoted(CORPUS[1])} WHERE User_ID = {of};
        UPDATE Private_provider SET Category = {quoted(CORPUS[2])} WHERE Owner_ID = {of};
        UPDATE Country SET Country_name = {quoted(CORPUS[1])} WHERE Country_ID = 'DE';
        UPDATE Currency SET Currency_name = {quoted(CORPUS[1])} WHERE Currency_code = 'EUR';"""


@pytest.fixture
def door_of_own(own_service):
    import os

    from support.door import Door
    from support.front import Front
    made = Front(own_service.port) if os.environ.get("SUBTRACKIT_WEB_TREE") else Door(own_service.port)
    yield made
    made.close()


def test_nothing_runs_anywhere(person, poisoned, door_of_own):
    """On every page: no dialog, no request elsewhere, no report of the policy, and the text is there as it was typed."""
    ada = person(size="desktop", at=door_of_own, token=poisoned.token)
    page = ada.page
    page.add_init_script("globalThis.reports = []; document.addEventListener('securitypolicyviolation', (event) => reports.push(event.violatedDirective + ' ' + event.blockedURI));")
    rows = poisoned.call("GET", "/v1/subscriptions?limit=200")["subscriptions"]
    assert len(rows) == 2 * len(CORPUS)
    # Of each kind one of the user's own and one of the catalogue.
    some = [next(row for row in rows if row["label"] == text and row["plan"]["private"] == private) for text in CORPUS[:3] for private in (True, False)]
    adding = [f"/add/{quote(row['plan']['provider'], safe='')}" for row in some[1::2]] + [f"/add/{quote(some[1]['plan']['provider'], safe='')}/{some[1]['plan']['id']}"]
    ada.go("/")
    ada.stocked()
    for path in [*PATHS, *adding, *[f"/subscriptions/{row['id']}" for row in some], *[f"/subscriptions/{row['id']}/edit" for row in some[:2]]]:
        ada.turn_to(path)
        assert page.evaluate("reports") == [], path
        assert page.locator(STRANGE).count() == 0, path
    ada.go("/subscriptions")
    page.locator("st-window .row").first.wait_for()
    shown = page.locator("st-window .row-title bdi").all_text_contents()
    assert sorted(shown) == sorted(2 * CORPUS)


def test_hostile_search_and_addresses(person, poisoned, door_of_own):
    """In fields of search and in the address itself: text."""
    ada = person(at=door_of_own, token=poisoned.token)
    page = ada.page
    ada.go("/")
    for text in CORPUS[:6] + ["(", "[a-z", "\\", "*"]:
        ada.visit("/subscriptions")
        page.locator("#search").fill(text)
        ada.visit("/add")
        page.locator("#finder").fill(text)
        # The results of the text before stay until those of this one are there.
        page.wait_for_function("text => document.querySelector('.found')?.innerText.includes(text)", arg=text.strip())
    for path in ("/add/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "/subscriptions/%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E", "/calendar/2026-99", "/calendar/%00", "/spending/__proto__", "/add/x/constructor", "/add/%E0%A4%A"):
        response = page.goto(door_of_own.url + path)
        if response.status == 200:
            page.wait_for_selector("[data-ready]", state="attached")
            page.locator("h1").wait_for()
    assert re.search(r"^http://127", page.url)
