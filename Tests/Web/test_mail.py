"""The links of mails, with a real mail sink: confirming an address and choosing a new password, in a browser that was never here."""

import email
import os
import re
import select
import time

import pytest

from support.door import Door
from support.front import Front
from support.person import Keeper, Person
from support.service import Service

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
        end = time.monotonic() + 30
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
    page.locator('[role="alert"], [role="status"]').filter(has_text=re.compile(r"\w")).first.wait_for()

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
