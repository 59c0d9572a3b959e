"""The links of mails, with a real mail sink: confirming an address and choosing a new password, in a browser that was never here."""

import email
import os
import re
import select
import time

import pytest

from support.door import Door
from support.extent import full
from support.front import Front
from support.person import Keeper, Person
from support.service import Service
from support.waiting import SECONDS

SINK = """#!/bin/sh
name=$(mktemp "{folder}/mail.XXXXXX.part")
cat > "$name"
mv "$name" "${{name%.part}}"
echo > "{folder}/told"
"""


class Sink:
    """A folder into which the service's mails fall, with a pipe that tells of each."""

    def __init__(self, folder):
        self.folder = folder
        self.program = folder / "sendmail"
        self.program.write_text(SINK.format(folder=folder))
        self.program.chmod(0o755)
        os.mkfifo(folder / "told")
        # Also for writing: then mails need not wait for a reader, and the pipe never ends.
        self.told = os.open(folder / "told", os.O_RDWR | os.O_NONBLOCK)

    def close(self):
        os.close(self.told)

    def link(self, path):
        """The link to a path in a mail; waits for it."""
        end = time.monotonic() + SECONDS
        while True:
            for file in self.folder.glob("mail.??????"):
                for part in email.message_from_bytes(file.read_bytes()).walk():
                    if part.get_content_type() != "text/plain":
                        continue
                    if found := re.search(rf"/{path}#token=[^\s\"<>]+", part.get_payload(decode=True).decode()):
                        return found[0]
            # Each mail is told after it is in place: one that fell meanwhile is in the pipe already.
            if not select.select([self.told], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"no mail with {path}: {len(list(self.folder.glob('mail.??????')))} mails")
            os.read(self.told, 4096)


@pytest.fixture(scope="module")
def mailed(tmp_path_factory, state):
    sink = Sink(tmp_path_factory.mktemp("mails"))
    service = Service("--sendmail", str(sink.program), state=state)
    try:
        yield service.start(), sink
    finally:
        service.remove()
        sink.close()


def test_confirm_and_reset(browser, mailed):
    service, sink = mailed
    way = Front(service.port) if os.environ.get("SUBTRACKIT_WEB_TREE") else Door(service.port)
    one = Keeper(service)
    address = f"{one.user}@example.org"
    one.call("POST", "/v1/accounts", {"email": address, "password": "violet tram nineteen lamps"})
    stranger = Person(browser, way.url)
    page = stranger.page
    link = sink.link("account/verify")
    stranger.go(link)
    stranger.heading("Confirm your address")
    assert "token" not in page.url
    stranger.press("Confirm my address")
    stranger.see("Your address is confirmed.")
    assert one.call("GET", "/v1/me")["accounts"][0]["verified"] is True

    # The second time it says what happened.
    page.goto("about:blank")
    stranger.go(link)
    stranger.press("Confirm my address")
    stranger.see("This link is used up or too old. Ask for a new mail.", where='[role="alert"]')

    stranger.go("/forgot")
    page.get_by_label("E-mail").fill(address)
    stranger.press("Send the mail")
    stranger.heading("Look into your mail")
    stranger.go(sink.link("account/reset"))
    stranger.heading("Choose a new password")
    page.get_by_label("New password", exact=True).fill("qwerty123")
    stranger.press("Change my password")
    page.locator('[aria-invalid="true"]').wait_for()
    page.get_by_label("New password", exact=True).fill("seven green umbrellas walk")
    stranger.press("Change my password")
    stranger.see(re.compile("^Your password was changed"))
    stranger.press("Sign in", "link")
    page.get_by_label("E-mail").fill(address)
    page.get_by_label("Password", exact=True).fill("seven green umbrellas walk")
    stranger.press("Sign in", exact=True)
    stranger.see("You are signed in.")
    stranger.close()
    way.close()


WITHOUT = [
    ("en-GB", "Confirm my address", "This link is used up or too old.", "This service sends no mails", "Create account", "Your account is ready."),
    ("de-DE", "Meine Adresse bestätigen", "Dieser Link ist verbraucht oder zu alt.", "Dieser Dienst sendet keine Mails", "Konto anlegen", "Dein Konto ist fertig."),
    ("zh-CN", "确认我的地址", "此链接已使用或过期。", "此服务不发送邮件", "创建账户", "账户已创建。"),
]


@pytest.mark.parametrize(("locale", "confirm", "used", "none", "create", "created"), [pytest.param(*WITHOUT[0], id=WITHOUT[0][0]), *(full(*each, id=each[0]) for each in WITHOUT[1:])])
def test_no_mail_is_promised_where_none_is_sent(person, keeper, locale, confirm, used, none, create, created):
    one = keeper()
    one.own("Gym", "29.90")
    ada = person(token=one.token, locale=locale)
    page = ada.go("/account/verify#token=sub_nothing")
    ada.press(confirm)
    ada.see(re.compile(f"^{re.escape(used)}$"), where='[role="alert"]')
    ada.go("/forgot")
    ada.see(re.compile(f"^{none}"))
    assert page.locator("form").count() == 0
    ada.go("/account/reset")
    assert page.locator("main a[href=sign-in]").count() == 1 and page.locator("main a[href=forgot]").count() == 0
    ada.go("/register")
    ada.see(re.compile(f"^{none}"))
    page.locator("#f-email").fill(f"{one.user}@example.org")
    page.locator("#f-password").fill("violet tram nineteen lamps")
    ada.press(create)
    ada.see(re.compile(f"^{re.escape(created)}$"))
    ada.go("/profile")
    page.locator(".identity .muted").wait_for()
    assert page.locator(".identity .muted").inner_text() == f"{one.user}@example.org"
    ada.go("/profile/password")
    page.locator("#f-newEmail").fill(f"new.{one.user}@example.org")
    page.locator("#f-currentPassword2").fill("violet tram nineteen lamps")
    page.locator("section[aria-labelledby=mail] form button:not([aria-label])").last.click()
    page.locator("#toast").filter(has_text=re.compile(r"\S")).wait_for()
    assert not re.search("Mail|mail|邮件", page.locator("#toast").inner_text())


def test_a_browser_that_knew_of_no_mails_asks_again(browser, mailed):
    """An operator may have set up mails since: the page for a forgotten password looks at the service, not at what was kept."""
    service, _ = mailed
    way = Front(service.port) if os.environ.get("SUBTRACKIT_WEB_TREE") else Door(service.port)
    ada = Person(browser, way.url)
    page = ada.go("/forgot")
    page.get_by_label("E-mail").wait_for()
    page.evaluate("""() => new Promise((resolve) => {
        const open = indexedDB.open("subtrack.default");
        open.onsuccess = () => {
            const written = open.result.transaction("meta", "readwrite");
            written.objectStore("meta").put(false, "sendsMails");
            written.oncomplete = () => { open.result.close(); resolve(); };
        };
    })""")
    ada.go("/forgot")
    page.get_by_label("E-mail").wait_for()
    ada.close()
    way.close()
