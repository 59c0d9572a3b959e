"""Keeps a folder of vCards and a user's contacts the same by vdirsyncer, and asks the service what no good client asks.

usage: address_books.py URL VDIRSYNCER      URL: http://127.0.0.1:8080; VDIRSYNCER: the program

The last line counts the checks: N passed, N failed.
"""

import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request
import uuid

url, program = sys.argv[1:3]


def ask(method, path, body=None, headers=None, **more):
    """Status, headers and text of an answer."""
    data = json.dumps(body).encode() if isinstance(body, dict) else body.encode() if body is not None else None
    request = urllib.request.Request(url + path, data=data, method=method, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


class User:
    """A user of the service with its contacts."""

    def __init__(self):
        device = json.loads(ask("POST", "/v1/devices", {"name": "address book", "country": "DE"})[2])
        self.token = device["token"]
        self.bearer = {"Authorization": f"Bearer {self.token}"}
        self.id = json.loads(self.api("GET", "/v1/me")[2])["id"]
        secret = base64.b64encode(f"{self.id}:{self.token}".encode()).decode()
        self.basic = {"Authorization": f"Basic {secret}"}
        self.home = f"/dav/{self.id}/contacts/"

    def api(self, method, path, body=None, headers=None):
        return ask(method, path, body, {**self.bearer, **(headers or {})})

    def dav(self, method, path, body=None, headers=None):
        return ask(method, path, body, {**self.basic, **(headers or {})})

    def contacts(self):
        """The contacts by their first names."""
        found, cursor = {}, ""
        while True:
            page = json.loads(self.api("GET", f"/v1/contacts?limit=100{cursor}")[2])
            found |= {contact["firstName"]: contact for contact in page["contacts"]}
            if not page.get("nextCursor"):
                return found
            cursor = "&cursor=" + page["nextCursor"]


class Folder:
    """A folder of vCards that vdirsyncer keeps the same as a user's contacts."""

    def __init__(self, user, winner):
        self.place = pathlib.Path(tempfile.mkdtemp())
        self.cards = self.place / "cards" / "contacts"
        self.cards.mkdir(parents=True)
        (self.place / "config").write_text(f"""
[general]
status_path = "{self.place}/status"
[pair contacts]
a = "here"
b = "there"
collections = ["contacts"]
conflict_resolution = "{winner}"
[storage here]
type = "filesystem"
path = "{self.place}/cards"
fileext = ".vcf"
[storage there]
type = "carddav"
url = "{url}/"
username = "{user.id}"
password = "{user.token}"
""")
        self.run("discover", "contacts")

    def start(self, *arguments):
        return subprocess.Popen(
            [program, "--config", str(self.place / "config"), *arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, *arguments):
        process = self.start(*arguments)
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0, output
        return output

    def sync(self):
        return self.run("sync")

    def write(self, name, *lines):
        uid = str(uuid.uuid4())
        card = ["BEGIN:VCARD", "VERSION:3.0", f"UID:{uid}", f"N:Test;{name};;;", f"FN:{name} Test", *lines, "END:VCARD", ""]
        (self.cards / f"{uid}.vcf").write_bytes("\r\n".join(card).encode())
        return uid

    def texts(self):
        """The cards by their first names."""
        texts = [path.read_bytes().decode() for path in self.cards.glob("*.vcf")]
        return {re.search(r"^N:[^;]*;([^;]*);", text, re.M).group(1): text for text in texts}

    def path(self, name):
        return next(path for path in self.cards.glob("*.vcf") if f";{name};" in path.read_text())


def both_ways():
    """Creating, changing and deleting on both sides; a photo and unknown properties stay."""
    user = User()
    folder = Folder(user, "a wins")
    folder.write("Ada", "TEL;TYPE=CELL:030 123456", "X-SHOE-SIZE:38", "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg==")
    folder.write("Grace", "EMAIL:grace@example.org")
    folder.sync()
    contacts = user.contacts()
    assert set(contacts) == {"Ada", "Grace"}, contacts
    assert contacts["Ada"]["phones"][0]["e164"] == "+4930123456"
    folder.sync()
    assert "X-SHOE-SIZE:38" in folder.texts()["Ada"] and "/9j/4AAQSkZJRg==" in folder.texts()["Ada"]
    before = {name: contact["version"] for name, contact in user.contacts().items()}
    folder.sync()
    assert {name: contact["version"] for name, contact in user.contacts().items()} == before

    # There: a new one, a change, an end.
    status, _, text = user.api("POST", "/v1/contacts", {"firstName": "Alan", "lastName": "Turing"})
    assert status == 201, text
    assert user.api("PATCH", f"/v1/contacts/{contacts['Ada']['id']}", {"note": "Wrote notes"})[0] == 200
    assert user.api("DELETE", f"/v1/contacts/{contacts['Grace']['id']}")[0] in (200, 204)
    folder.sync()
    texts = folder.texts()
    assert set(texts) == {"Ada", "Alan"} and "NOTE:Wrote notes" in texts["Ada"], texts

    # Here: the same.
    folder.write("Mary")
    path = folder.path("Ada")
    path.write_bytes(path.read_bytes().replace(b"NOTE:Wrote notes", b"NOTE:Wrote seven notes"))
    folder.path("Alan").unlink()
    folder.sync()
    folder.sync()
    contacts = user.contacts()
    assert set(contacts) == {"Ada", "Mary"}, contacts
    assert contacts["Ada"]["note"] == "Wrote seven notes"
    assert [phone["e164"] for phone in contacts["Ada"]["phones"]] == ["+4930123456"]


def conflict():
    """Both sides change one card: the side that the user chose wins, and nothing is doubled."""
    for winner, expected in [("a wins", "here"), ("b wins", "there")]:
        user = User()
        folder = Folder(user, winner)
        folder.write("Ada", "NOTE:before")
        folder.sync()
        folder.sync()
        contact = user.contacts()["Ada"]
        assert user.api("PATCH", f"/v1/contacts/{contact['id']}", {"note": "there"})[0] == 200
        path = folder.path("Ada")
        path.write_bytes(path.read_bytes().replace(b"NOTE:before", b"NOTE:here"))
        folder.sync()
        folder.sync()
        contacts = user.contacts()
        assert len(contacts) == 1 and contacts["Ada"]["note"] == expected, contacts
        assert f"NOTE:{expected}" in folder.texts()["Ada"]


def many():
    """A thousand cards, with an interruption: each is there once."""
    user = User()
    folder = Folder(user, "a wins")
    for number in range(1000):
        folder.write(f"N{number}", f"TEL:+4930{number + 1000}")
    process = folder.start("sync")
    until = time.monotonic() + 60
    while not user.contacts() and time.monotonic() < until:
        time.sleep(0.1)
    process.kill()
    process.communicate()
    folder.sync()
    folder.sync()
    contacts = user.contacts()
    assert len(contacts) == 1000, len(contacts)
    assert len(list(folder.cards.glob("*.vcf"))) == 1000
    other = Folder(user, "a wins")
    other.sync()
    assert len(list(other.cards.glob("*.vcf"))) == 1000


def names():
    """A card with another name is another contact; its parts and its place stay."""
    user = User()
    folder = Folder(user, "a wins")
    folder.write("Ada", "TEL:+4930123456")
    folder.sync()
    folder.sync()
    former = user.contacts()["Ada"]["id"]
    path = folder.path("Ada")
    path.write_bytes(path.read_bytes().replace(b";Ada;", b";Augusta;").replace(b"FN:Ada", b"FN:Augusta"))
    folder.sync()
    folder.sync()
    contacts = user.contacts()
    assert set(contacts) == {"Augusta"} and contacts["Augusta"]["id"] != former
    assert len(contacts["Augusta"]["phones"]) == 1 and len(list(folder.cards.glob("*.vcf"))) == 1
    assert user.api("POST", f"/v1/contacts/{former}/restore")[0] == 200


CARD = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{}\r\nN:Test;{};;;\r\nFN:{} Test\r\nEND:VCARD\r\n"


def conditions():
    """Entity tags in quotes, If-Match, If-None-Match, a UID that another card has, cards without UID."""
    user = User()
    path = user.home + "one.vcf"
    new = {"If-None-Match": "*"}
    assert user.dav("PUT", path, CARD.format("one", "Ada", "Ada"), new)[0] == 201
    assert user.dav("PUT", path, CARD.format("one", "Ada", "Ada"), new)[0] == 412
    status, headers, text = user.dav("GET", path)
    tag = headers["ETag"]
    assert status == 200 and re.fullmatch(r'"[0-9a-f]{8}-\d+"', tag) and "UID:one" in text
    assert user.dav("PUT", path, text, {"If-Match": tag})[1]["ETag"] == tag
    assert user.dav("PUT", path, text, {"If-Match": '"1"'})[0] == 412
    status, _, text = user.dav("PUT", user.home + "two.vcf", CARD.format("one", "Ada", "Ada"), new)
    assert status == 409 and "no-uid-conflict" in text and user.home + "one.vcf" in text, text
    without = CARD.format("x", "Bob", "Bob").replace("UID:x\r\n", "")
    assert user.dav("PUT", user.home + "three.vcf", without, new)[0] == 201
    assert "UID:three" in user.dav("GET", user.home + "three.vcf")[2]
    assert user.dav("DELETE", path, headers={"If-Match": '"1"'})[0] == 412
    assert user.dav("DELETE", path, headers={"If-Match": tag})[0] == 204
    assert user.dav("GET", path)[0] == 404 and user.dav("DELETE", path)[0] == 404
    # Its name is free again.
    assert user.dav("PUT", path, CARD.format("one", "Eve", "Eve"), new)[0] == 201
    status, _, text = user.dav("PUT", user.home + "four.vcf", "BEGIN:VCARD\r\nN:a\0;b\r\nEND:VCARD")
    assert status == 403 and "control character" in text, text
    assert user.dav("MKCOL", user.home + "x")[0] == 405


def reports():
    """sync-collection from nothing and from a token, multiget, query, unknown tokens."""
    user = User()

    def report(body, depth="1"):
        return user.dav("REPORT", user.home, body, {"Depth": depth, "Content-Type": "application/xml"})

    def changes(token):
        status, _, text = report(
            f'<sync-collection xmlns="DAV:"><sync-token>{token}</sync-token><sync-level>1</sync-level>'
            "<prop><getetag/></prop></sync-collection>")
        assert status == 207, text
        return re.findall(r"<d:href>[^<]*/([^/<]*)\.vcf</d:href>", text), re.search(
            r"<d:sync-token>([^<]*)</d:sync-token>", text).group(1), text

    for name in ["ada", "grace"]:
        user.dav("PUT", f"{user.home}{name}.vcf", CARD.format(name, name.title(), name.title()))
    found, token, _ = changes("")
    assert sorted(found) == ["ada", "grace"]
    assert changes(token)[0] == []
    user.dav("DELETE", f"{user.home}ada.vcf")
    user.dav("PUT", f"{user.home}alan.vcf", CARD.format("alan", "Alan", "Alan"))
    found, _, text = changes(token)
    assert sorted(found) == ["ada", "alan"] and text.count("404 Not Found") == 1, text
    for bad in ["urn:subtrackit:00000000:1", token.rpartition(":")[0] + ":999999999", "nonsense"]:
        status, _, text = report(
            f'<sync-collection xmlns="DAV:"><sync-token>{bad}</sync-token><prop><getetag/></prop></sync-collection>')
        assert status == 403 and "valid-sync-token" in text, text
    card = "urn:ietf:params:xml:ns:carddav"
    status, _, text = report(
        f'<c:addressbook-multiget xmlns:c="{card}" xmlns:d="DAV:"><d:prop><d:getetag/><c:address-data/></d:prop>'
        f"<d:href>{user.home}grace.vcf</d:href><d:href>{user.home}none.vcf</d:href></c:addressbook-multiget>")
    assert status == 207 and "UID:grace" in text and text.count("404 Not Found") == 1, text
    for match, expected in [("rac", ["grace"]), ("alan", ["alan"]), ("nobody", [])]:
        status, _, text = report(
            f'<c:addressbook-query xmlns:c="{card}" xmlns:d="DAV:"><d:prop><d:getetag/></d:prop><c:filter>'
            f'<c:prop-filter name="FN"><c:text-match>{match}</c:text-match></c:prop-filter></c:filter>'
            "</c:addressbook-query>")
        assert re.findall(r"/([^/<]*)\.vcf</d:href>", text) == expected, text


def strangers():
    """Nobody reads another user's contacts; XML that fetches or grows is refused."""
    user, other = User(), User()
    user.dav("PUT", user.home + "one.vcf", CARD.format("one", "Ada", "Ada"))
    assert ask("PROPFIND", user.home, headers={"Depth": "1"})[0] == 401
    status, headers, _ = ask("GET", user.home + "one.vcf")
    assert status == 401 and headers["WWW-Authenticate"].startswith("Basic ")
    assert ask("GET", user.home + "one.vcf", headers=user.bearer)[0] == 401
    assert other.dav("GET", user.home + "one.vcf")[0] == 404
    assert other.dav("PROPFIND", user.home, headers={"Depth": "1"})[0] == 404
    wrong = base64.b64encode(f"{other.id}:{user.token}".encode()).decode()
    assert ask("GET", user.home + "one.vcf", headers={"Authorization": f"Basic {wrong}"})[0] == 401
    deep = "<a>" * 100_000 + "</a>" * 100_000
    entities = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><propfind xmlns="DAV:">&b;</propfind>'
    for body in [deep, entities, "<propfind", "<a>&nothing;</a>", "<x:propfind/>", "<a/><b/>", "\0"]:
        status, _, text = user.dav("PROPFIND", user.home, body, {"Depth": "0"})
        assert status == 400 and "root:" not in text, (body[:50], status, text)
    class Still(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *arguments):
            return None

    try:
        urllib.request.build_opener(Still).open(url + "/.well-known/carddav", timeout=60)
        raise AssertionError("no redirection")
    except urllib.error.HTTPError as error:
        assert error.code == 301 and error.headers["Location"] == "/dav/"


passed = failed = 0
for check in [both_ways, conflict, names, conditions, reports, strangers, many]:
    try:
        check()
        passed += 1
        print(f"passed: {check.__doc__}", flush=True)
    except Exception:
        failed += 1
        print(f"failed: {check.__doc__}\n{traceback.format_exc()[-3000:]}", flush=True)
print(f"{passed} passed, {failed} failed")
