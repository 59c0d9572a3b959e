#!/usr/bin/env python3
"""Keeps a copy of a user's subscriptions in step with a SubTrackIt server, also offline. Standard library only.

    sync.py URL register NAME COUNTRY          make a device and a user, print the token
    sync.py URL add PLAN_ID [START_DATE]       note a new subscription in the outbox
    sync.py URL edit ID FIELD=VALUE…           note a change of one (no VALUE: takes it away)
    sync.py URL renew|cancel|resume|delete|restore ID
    sync.py URL sync                           push the outbox, then pull
    sync.py URL list                           show the copy, which is copy.json in this folder or $SYNC_COPY

Exit codes: 0 done, 1 a change was refused, 64 wrong use, 69 no service answers there, 74 the copy cannot be read or written,
75 try again later, 77 the token is no good. A fault is one line.
"""
import datetime, http.client
import json, os, re, sys, urllib.error, urllib.parse, urllib.request, uuid

UNAVAILABLE, LATER, SIGNED_OUT, BAD_COPY = 69, 75, 77, 74  # exit codes (sysexits); 64 is wrong use, 1 a refused change
PATH = os.environ.get("SYNC_COPY", "copy.json")
CHILDREN = {"subscription": "period", "plan": "price"}  # deleting one deletes these too
KINDS = {"label": "text", "note": "text", "fee": "amount", "reminderDays": "number", "planId": "number", "startDate": "day",
         "nextRenewal": "day", "freeTrial": "flag", "autoRenew": "flag", "muted": "flag"}  # the fields of an update


def save(copy):
    with open(PATH + ".new", "w") as file:
        json.dump(copy, file, indent=1)
    os.replace(PATH + ".new", PATH)  # all of it or nothing: a cursor must not be kept without its rows


def fail(code, text):
    """Ends the program with a line for people and an exit code for scripts."""
    print(text, file=sys.stderr)
    sys.exit(code)


class Unreadable(Exception):
    """The server says of a request that it cannot be read, also when it is sent again."""


def call(url, copy, method, path, body=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + copy["token"]} if copy["token"] else {})
    request = urllib.request.Request(url + path, body and json.dumps(body).encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code == 410:  # the cursor leads nowhere any more: start over; the outbox stays
            return None
        try:
            detail = json.load(error)["detail"]
        except (ValueError, KeyError, TypeError):
            fail(UNAVAILABLE, "%s answers %d, and no service of this kind does so: is the URL right?" % (url, error.code))
        if error.code in (400, 413):
            raise Unreadable(detail)
        if error.code == 401:
            fail(SIGNED_OUT, detail + " Register again, or put a good token into %s. The outbox is kept." % PATH)
        if error.code in (429, 503):
            fail(LATER, detail + " Try again in %s s. The outbox is kept." % error.headers.get("Retry-After", "60"))
        fail(UNAVAILABLE if error.code in (404, 405) or error.code >= 500 else 1, detail)
    except ValueError:
        fail(UNAVAILABLE, "%s answers no JSON: is the URL right?" % url)
    except (OSError, http.client.HTTPException) as error:  # refused, timed out, cut off, no such host
        fail(UNAVAILABLE, "%s cannot be reached: %s. The outbox is kept." % (url, getattr(error, "reason", error)))


def apply(rows, change):
    """Takes in a change: what is older than what is held is ignored, and who goes takes its children along."""
    key = "\t".join([change["scope"], change["entity"], change["id"]])
    if not change["deleted"]:
        if key not in rows or rows[key]["version"] <= change["version"]:
            rows[key] = {"version": change["version"], "data": change["data"]}
        return
    child = "\t".join([change["scope"], CHILDREN.get(change["entity"], "-"), change["id"] + " "])
    for name in [name for name in rows if name == key or name.startswith(child)]:
        if rows[name]["version"] <= change["version"]:
            del rows[name]


def pull(url, copy):
    more = True
    while more:
        query = "?" + urllib.parse.urlencode({"cursor": copy["cursor"]}) if copy["cursor"] else ""
        page = call(url, copy, "GET", "/v1/changes" + query)
        if page is None or not copy["cursor"]:
            copy["rows"], copy["cursor"] = {}, None  # a copy begins anew
        if page:
            copy["rows"] = {name: row for name, row in copy["rows"].items() if name.split("\t")[0] not in page["dropped"]}
            for change in page["changes"]:
                apply(copy["rows"], change)
            copy["cursor"], more = page["cursor"], page["more"]
            save(copy)
            print("%d changes, %d left" % (len(page["changes"]), page["total"]))


def push(url, copy):
    """Sends the outbox. A change that is refused leaves it: the server would refuse it for ever, and all behind it would wait."""
    size, refused = 100, 0
    while batch := copy["outbox"][:size]:
        try:
            # Keys stay with their changes: an answer that is lost costs nothing but sending again.
            results = call(url, copy, "POST", "/v1/changes", {"mutations": batch})["results"]
        except Unreadable as error:
            if len(batch) > 1:
                size = len(batch) // 2  # until the one at fault is alone
                continue
            results = [{"outcome": "refused", "error": {"detail": str(error)}, "lost": [], "row": None}]
        done = [result for result in results if result["outcome"] != "unknown"]
        for mutation, result in zip(batch, done):
            print("%s %s: %s" % (mutation["op"], mutation["id"], result["outcome"]), (result["error"] or {}).get("detail", ""))
            if result["outcome"] == "refused":
                print("  not done:", json.dumps(mutation["fields"]))
                refused += 1
            for lost in result["lost"]:
                print("  %(field)s: kept %(kept)r, lost %(yours)r" % lost)
            for row in filter(None, (result["row"], result.get("plan"))):
                apply(copy["rows"], row)
        copy["outbox"] = copy["outbox"][len(done):]
        save(copy)
        if len(done) < len(batch):
            sys.exit("the server does not know what became of the rest; run it again")
    return refused


def note(copy, op, id, fields):
    mutation = {"key": str(uuid.uuid4()), "entity": "subscription", "id": id, "op": op, "fields": fields,
                "madeOn": datetime.date.today().isoformat()}  # it may arrive long after
    if before := [other["key"] for other in copy["outbox"] if other["id"] == id]:
        mutation["after"] = before[-1]  # one's own change is nobody else's
    if held := copy["rows"].get("user\tsubscription\t" + id):
        mutation["baseVersion"] = held["version"]
        if op == "renew":
            mutation["fields"] = {"period": held["data"]["period"]}  # twice renewed from two devices is once
    copy["outbox"].append(mutation)
    save(copy)


def value(copy, id, field, text):
    """A value as the API has it. A value that the server would refuse ends the program: it can be typed anew."""
    if not (kind := KINDS.get(field)):
        sys.exit("%s: there is no such field; there are %s" % (field, ", ".join(KINDS)))
    if not text:
        return None
    try:
        if kind == "number":
            return int(text)
        if kind == "flag":
            return ["false", "true"].index(text) == 1
        if kind == "day":
            return datetime.date.fromisoformat(text).isoformat()
        if kind == "amount":  # a text, never a number: binary fractions are not money
            currency = copy["rows"].get("user\tsubscription\t" + id, {"data": {"currency": "?"}})["data"]["currency"]
            digits = copy["rows"].get("reference\tcurrency\t" + currency, {"data": {"minorDigits": 6}})["data"]["minorDigits"]
            if not re.fullmatch(r"[0-9]{1,11}(\.[0-9]{1,%d})?" % digits if digits else "[0-9]{1,11}", text):
                sys.exit("fee: must be an amount such as 5.50, with at most %d digits after the point, is %s" % (digits, text))
        return text
    except ValueError:
        wanted = {"number": "a whole number", "flag": "true or false", "day": "a day such as 2026-01-31"}[kind]
        sys.exit("%s: must be %s, is %s" % (field, wanted, text))


WANTED = {"register": 2, "add": 1, "edit": 2, "renew": 1, "cancel": 1, "resume": 1, "delete": 1, "restore": 1, "sync": 0, "list": 0}


def main(url, command, *rest):
    copy = {"token": None, "cursor": None, "rows": {}, "outbox": []}
    try:
        copy |= json.load(open(PATH))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, TypeError) as error:
        fail(BAD_COPY, "%s cannot be read: %s. Move it away to begin anew; changes that were not sent are in it." % (PATH, error))
    if not re.match("https?://[^/]", url):
        fail(64, "%s is no URL such as https://subtrack.example.org" % url)
    if command == "sync" and not copy["token"]:
        fail(64, "%s has no token yet: sync.py %s register NAME COUNTRY" % (PATH, url))
    if command not in WANTED or len(rest) < WANTED[command]:
        fail(64, __doc__)
    if command == "register":
        copy["token"] = None  # a token that is no good any more would be refused
        copy["token"] = call(url, copy, "POST", "/v1/devices", {"name": rest[0], "country": rest[1]})["token"]
        save(copy)
        print(copy["token"])
    elif command == "add":
        fields = {name: value(copy, "", name, text) for name, text in zip(("planId", "startDate"), rest)}
        note(copy, "create", id := str(uuid.uuid4()), fields)
        print(id)
    elif command == "edit":
        parts = [part.partition("=") for part in rest[1:]]
        note(copy, "update", rest[0], {field: value(copy, rest[0], field, text) for field, _, text in parts})
    elif command in ("renew", "cancel", "resume", "delete", "restore"):
        note(copy, command, rest[0], {})
    elif command == "sync":
        refused = push(url, copy)
        pull(url, copy)
        if refused:
            sys.exit("%d of your changes were refused" % refused)
    elif command == "list":
        held = {tuple(name.split("\t")[1:]): row["data"] for name, row in sorted(copy["rows"].items())}
        for id, row in [(name[1], row) for name, row in held.items() if name[0] == "subscription"]:
            provider = held.get(("plan", str(row["planId"])), {}).get("provider", "?")
            print(id, row["startDate"], row["endDate"], row["fee"], row["currency"], provider, row["label"] or "")


try:
    main(sys.argv[1].rstrip("/"), *sys.argv[2:]) if len(sys.argv) > 2 else fail(64, __doc__)
except Unreadable as error:
    fail(64, str(error))
except OSError as error:
    fail(BAD_COPY, "%s cannot be written: %s" % (PATH, error))
