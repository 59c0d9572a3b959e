"""Pictures for the documents: made from furnished data when SUBTRACKIT_WRITE_PICTURES=1, and looked at by a person before a release.

SUBTRACKIT_WRITE_PICTURES=FOLDER writes them in each size, theme and language into that folder, to be looked at.
"""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from support.days import day
from support.door import Door
from support.front import Front
from support.person import Keeper, Person
from support.service import Service
from test_mail import Sink
from test_reminders import key, look

WANTED = os.environ.get("SUBTRACKIT_WRITE_PICTURES")
HAS_ALL = WANTED not in (None, "", "1")
FOLDER = pathlib.Path(WANTED) if HAS_ALL else pathlib.Path(__file__).resolve().parents[2] / "docs/pictures"
LOOKS = [(size, theme, locale) for locale in ("en-IE", "de-DE", "zh-CN") for size in ("phone", "desktop") for theme in ("light", "dark")] if HAS_ALL else [
    ("phone", "light", "en-IE"), ("desktop", "dark", "en-IE")]


def known(one):
    """Adds some contacts, and gives the id of one that has something of each kind."""
    for first, last, more in (("José", "Álvarez", {"phones": [{"e164": "+34600123456"}]}), ("Carl", "Brandt", {"emails": [{"email": "carl@example.com"}]}), ("Léa", "Martin", {"emails": [{"email": "lea@example.org"}]}),
                              ("Tomasz", "Nowak", {"addresses": [{"street": "ul. Długa 12", "city": "Gdańsk", "zip": "80-827"}]}), ("Mei", "Tanaka", {"dates": [{"date": "2001-05-30"}]}),
                              ("Jonas", "Weber", {"phones": [{"e164": "+49305550142", "type": "work"}]})):
        one.call("POST", "/v1/contacts", {"firstName": first, "lastName": last, **more})
    birthday = f"{int(day(12)[:4]) - 32}{day(12)[4:]}"
    return one.call("POST", "/v1/contacts", {
        "firstName": "Noor", "lastName": "Haddad", "note": "Prefers tea.", "phones": [{"e164": "+491605550142"}], "emails": [{"email": "noor@example.org"}],
        "addresses": [{"street": "Weserstraße 18", "apt": "Flat 4", "zip": "12047", "city": "Berlin"}], "dates": [{"date": birthday}, {"date": "--06-14", "type": "anniversary"}]})["id"]


@pytest.fixture(scope="module")
def reminded(tmp_path_factory, state):
    """A service with a user who has something of each kind, an account, and reminders by mail: the address of the pages, the user, and the pages by name."""
    sink = Sink(tmp_path_factory.mktemp("mails"))
    service = Service("--sendmail", str(sink.program), state=state)
    way = None
    try:
        service.start()
        one = Keeper(service).furnish()
        one.call("PATCH", "/v1/me", {"userName": "Ada"})
        noor = known(one)
        one.call("POST", "/v1/calendars", {"name": "My phone"})
        one.call("POST", "/v1/accounts", {"email": "ada@example.org", "password": "violet tram nineteen lamps"})
        one.call("POST", "/v1/email-verifications", {"token": sink.link("account/verify").split("token=")[1]})
        # They are said once more, by mail.
        service.sql(f"DELETE FROM Reminder WHERE User_ID = {key(one.user)}")
        look(service, one.user)
        token = sink.link("account/answer").split("token=")[1].split("&")[0]
        service.sql(f"UPDATE Reminder_setting SET Remind_at = '08:00' WHERE User_ID = {key(one.user)}")
        mailed = one.call("POST", "/v1/answers/preview", {"token": token})["reminders"]
        answered = next(each for each in mailed if each["title"] == "Netflix")["id"]
        netflix = next(each for each in one.call("GET", "/v1/subscriptions")["subscriptions"] if each["plan"]["provider"] == "Netflix")["id"]
        way = Front(service.port) if os.environ.get("SUBTRACKIT_WEB_TREE") else Door(service.port)
        yield way.url, one, {
            "today": ("/", ".answer"), "subscriptions": ("/subscriptions", "st-window .row"), "subscription": (f"/subscriptions/{netflix}", ".periods tbody"),
            "when": ("/add/Spotify", ".plan"), "calendar": (f"/calendar/{day(2)[:7]}", ".cell-day.has"), "spending": ("/spending", "svg.columns"),
            "contacts": ("/contacts", "st-window .row"), "contact": (f"/contacts/{noor}", ".lines-card"), "reminders": ("/profile/reminders", ".leads"),
            "answer": (f"/account/answer#token={token}&r={answered}&a=cancel", "form .segments")}
    finally:
        if way:
            way.close()
        service.remove()
        sink.close()


@pytest.mark.skipif(not WANTED, reason="pictures are written on demand")
@pytest.mark.parametrize(("size", "theme", "locale"), LOOKS)
def test_pictures(browser, reminded, size, theme, locale):
    url, one, pages = reminded
    ada = Person(browser, url, size=size, theme=theme, token=one.token, locale=locale, device_scale_factor=2 if size == "phone" else 1)
    page = ada.page
    ada.go("/")
    ada.stocked()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (path, ready) in pages.items():
        ada.go(path)
        page.locator(ready).first.wait_for()
        if name == "when":
            page.locator(".plan").first.click()
            page.locator(".preview").wait_for()
        page.mouse.move(0, 0)
        file = FOLDER / f"web-{name}-{size}-{theme}{f'-{locale[:2]}' if HAS_ALL else ''}.png"
        page.screenshot(path=file)
        assert re.search(r"\S", page.inner_text("h1"))
        # WebP is a third of the size; without the tool the picture stays as it is.
        if not HAS_ALL and (cwebp := shutil.which("cwebp")):
            subprocess.run([cwebp, "-quiet", "-q", "82", str(file), "-o", str(file.with_suffix(".webp"))], check=True)
            file.unlink()
    ada.close()
