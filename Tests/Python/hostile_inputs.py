"""Hostile inputs of bounded size: named byte strings that are cheap to send and were, or might be, dear to read.

usage: hostile_inputs.py list                         names and sizes
       hostile_inputs.py write FOLDER [--size BYTES]  a file for each input, and index.tsv: kind, name, file, size

As a module:
  bodies(size)    (name, bytes): bodies of POST /v1/changes; most fit any operation that takes a body
  targets(size)   (name, str): request targets, of at most 64 KiB whatever the size
  headers(size)   (name, field name, field value): one header field each, of at most 64 KiB
  lines(size)     (name, bytes): bytes for a plain socket, ends of lines included
  messages(size)  (name, [bytes]): a WebSocket message as the payloads of its fragments

The size is that of one input in bytes and 1 MiB unless given. The same size gives the same bytes. Standard library only.
"""

import json
import pathlib
import sys
import uuid

MIB = 1 << 20
HEADER = 60 << 10
LINE = 64 << 10


def mutation(fields=None, **members):
    """A change of a subscription as it is pushed."""
    base = {"key": str(uuid.UUID(int=0x0190 << 112 | 7 << 76 | 2 << 62 | 1)), "entity": "subscription",
            "id": str(uuid.UUID(int=0x0190 << 112 | 7 << 76 | 2 << 62 | 2)), "op": "update"}
    if fields is not None:
        base["fields"] = fields
    return base | members


def push(mutations, **members):
    """The body of a push."""
    return dump({"mutations": mutations} | members)


def dump(value):
    return json.dumps(value, separators=(",", ":")).encode()


def filled(size, head, unit, tail, separator=b","):
    """A head, as many units as fit, and a tail. A unit may be bytes or a function of its number."""
    parts, room, number = [], size - len(head) - len(tail), 0
    while True:
        part = unit(number) if callable(unit) else unit
        room -= len(part) + len(separator)
        if room < 0 and parts:
            break
        parts.append(part)
        number += 1
    return head + separator.join(parts) + tail


def push_text(size, text, name="label"):
    """A push whose only field is a text, given as the bytes of its characters and repeated."""
    head = push([mutation({name: "@"})]).split(b"@")
    count = max(1, (size - len(head[0]) - len(head[1])) // len(text))
    return head[0] + text * count + head[1]


def bodies(size=MIB):
    """Bodies of POST /v1/changes."""
    fields_head, fields_tail = push([mutation({"@": 0})]).split(b'"@":0')
    name = lambda number: b'"n%d":0' % number
    yield "wide: names in fields", filled(size, fields_head, name, fields_tail)
    yield "wide: names of the input", filled(size, b"{", name, b"}")
    yield "wide: names of a mutation", filled(size, b'{"mutations":[{', name, b"}]}")
    yield "wide: duplicate name last", filled(size - 9, b"{", name, b',"n0":1}')
    yield "wide: one name again and again", filled(size, b"{", b'"a":0', b"}")
    yield "wide: names that differ at their end", filled(
        size, b"{", lambda number: b'"%s%08d":0' % (b"x" * 200, number), b"}")
    yield "wide: many objects of few names", filled(
        size, fields_head + b'"label":[', b'{"a":0,"b":1,"c":2}', b"]" + fields_tail)
    yield "list: numbers", filled(size, fields_head + b'"label":[', b"0", b"]" + fields_tail)
    yield "list: empty lists", filled(size, fields_head + b'"label":[', b"[]", b"]" + fields_tail)
    yield "list: fractions", filled(size, fields_head + b'"label":[', b"0.5", b"]" + fields_tail)
    yield "deep: lists", b"[" * (size // 2) + b"]" * (size // 2)
    yield "deep: lists without end", b"[" * size
    yield "deep: objects", filled(size, b"", b'{"a":', b"", b"")
    yield "deep: many that are as deep as may be", filled(
        size, fields_head + b'"label":[', b"[" * 26 + b"]" * 26, b"]" + fields_tail)
    yield "number: digits", b'{"mutations":' + b"9" * (size - 14) + b"}"
    yield "number: fraction", b'{"mutations":0.' + b"3" * (size - 16) + b"}"
    yield "number: exponent", b'{"mutations":1e' + b"9" * (size - 16) + b"}"
    yield "number: many of 64 characters", filled(
        size, fields_head + b'"label":[', b"0." + b"3" * 62, b"]" + fields_tail)
    yield "text: long", push_text(size, b"x")
    yield "text: long id", push([mutation({}, id="9" * (size - 200))])
    yield "text: long entity", push([mutation({}, entity="e" * (size - 200))])
    yield "text: long cursor", dump({"mutations": [], "cursor": "A" * (size - 40)})
    yield "text: spaces", push_text(size, b" ")
    yield "text: ends of lines of Windows", push_text(size, rb"\r\n", "note")
    yield "text: amount of zeros", push_text(size, b"0", "fee")
    yield "text: escapes", push_text(size, rb"\u0041")
    yield "text: surrogate pairs", push_text(size, rb"\ud834\udd1e")
    yield "text: quotes", push_text(size, rb"\"")
    yield "text: marks in one order", push_text(size, "\u0301".encode())
    yield "text: marks in turn", push_text(size, "\u0301\u0316".encode())
    half = push([mutation({"label": "@"})]).split(b"@")
    marks = (size - len(half[0]) - len(half[1])) // 4
    yield "text: marks in the wrong order", (
        half[0] + "\u0301".encode() * marks + "\u0316".encode() * marks + half[1])
    yield "text: marks as the entity", half[0].replace(b"subscription", "\u0301\u0316".encode() * (marks)) + half[1]
    yield "text: marks as a name", b'{"' + "\u0301\u0316".encode() * ((size - 8) // 4) + b'":0}'
    yield "text: marks that one character hides", push_text(size, "\u0f73".encode())
    yield "text: ligature that grows", push_text(size, "\ufdfa".encode(), "note")
    yield "text: flags", push_text(size, "\U0001F1E9".encode())
    yield "text: joined emoji", push_text(size, "\U0001F469\u200d".encode())
    yield "text: syllables", push_text(size, "\u1100\u1161\u11a8".encode())
    yield "text: no UTF-8 at its end", push_text(size - 1, b"x")[:-6] + b"\xff"
    yield "name: long", b'{"' + b"n" * (size - 7) + b'":0}'
    yield "name: many long and unknown", filled(
        size, b"{", lambda number: b'"%s%03d":0' % (b"x" * (size // 40), number), b"}")
    yield "faults: mutations", filled(size, b'{"mutations":[', b"{}", b"]}")
    yield "faults: each member", filled(
        size, b'{"mutations":[', b'{"key":1,"entity":2,"id":3,"op":4,"baseVersion":"5","fields":6,"x":7}', b"]}")
    many = ",".join(f'"n{number}":0' for number in range(4000))
    yield "faults: wide fields, then thirty faulty mutations", (
        push([mutation({"@": 0})]).replace(b'"@":0', many.encode())[:-2] + b",{}" * 30 + b"]}")
    yield "faults: in fields of a hundred mutations", push(
        [mutation({name: [] for name in FIELDS}, key=str(uuid.UUID(int=(1 << 76 | 2 << 62) + number)))
         for number in range(100)])
    plan = {"provider": "P" * 100, "name": "N" * 100, "type": "T" * 30, "category": "C" * 50, "fee": "99999999999.999999",
            "currency": "EUR", "duration": {"value": 1200, "unit": "month"}, "trialDays": 1200, "noticeDays": 1200}
    full = {"plan": plan, "startDate": "2999-12-31", "freeTrial": True, "autoRenew": True, "fee": "99999999999.999999",
            "label": "L" * 100, "reminderDays": 365, "muted": True, "note": "n" * 1000}
    yield "many: a hundred full mutations", push(
        [mutation(full, op="create", id=str(uuid.UUID(int=(7 << 76 | 2 << 62) + number)),
                  key=str(uuid.UUID(int=(1 << 78 | 7 << 76 | 2 << 62) + number))) for number in range(100)])
    one = dump(mutation({}, op="delete"))
    yield "many: mutations", filled(size, b'{"mutations":[', one, b"]}")
    yield "many: the largest text in each of a hundred", push(
        [mutation({"note": "n" * (size // 100 - 300)}, key=str(uuid.UUID(int=(1 << 76 | 2 << 62) + number)))
         for number in range(100)])
    yield "white space", b" " * (size - 2) + b"{}"
    yield "no JSON at its end", b'{"mutations":[' + b"{}," * ((size - 16) // 3) + b"?"
    yield "zeros", b"\0" * size


FIELDS = ["planId", "plan", "startDate", "nextRenewal", "freeTrial", "autoRenew", "fee", "label", "reminderDays", "muted", "note"]


def targets(size=MIB):
    """Request targets."""
    size = min(size, HEADER)
    count = size // 8
    yield "query: names", "/v1/subscriptions?" + "&".join(f"n{number}=1" for number in range(count))
    yield "query: one name again and again", "/v1/subscriptions?" + "limit=1&" * (size // 8)
    yield "query: ampersands", "/v1/subscriptions?" + "&" * size
    yield "query: long name", "/v1/subscriptions?" + "n" * size + "=1"
    yield "query: escapes", "/v1/subscriptions?cursor=" + "%41" * (size // 3)
    yield "query: marks in turn", "/v1/subscriptions?" + "%CC%81%CC%96" * (size // 12) + "=1"
    yield "query: marks as a status", "/v1/subscriptions?status=" + "%CC%81%CC%96" * (size // 12)
    yield "query: search for wildcards", "/v1/providers?search=" + "%25_" * (size // 4)
    yield "query: long cursor", "/v1/subscriptions?cursor=" + "A" * size
    yield "query: broken escapes", "/v1/subscriptions?a=" + "%" * size
    yield "path: slashes", "/" * size
    yield "path: segments", "/v1" * (size // 3)
    yield "path: long segment", "/v1/subscriptions/" + "9" * size
    yield "path: escapes", "/v1/subscriptions/" + "%41" * (size // 3)
    yield "path: marks in turn", "/v1/" + "%CC%81%CC%96" * (size // 12)
    yield "path: marks as the tenant", "/t/" + "%CC%81%CC%96" * (size // 12) + "/v1/me"


def headers(size=MIB):
    """Header fields."""
    size = min(size, HEADER)
    marks = "\u0301\u0316" * (size // 4)
    yield "If-None-Match: tags", "If-None-Match", ",".join(f'"{number}"' for number in range(size // 8))
    yield "If-None-Match: commas", "If-None-Match", "," * size
    yield "If-None-Match: marks", "If-None-Match", f'"{marks}"'
    yield "If-Match: tags", "If-Match", ",".join(f'"{number}"' for number in range(size // 8))
    yield "If-Match: digits", "If-Match", '"' + "9" * size + '"'
    yield "Authorization: spaces", "Authorization", "Bearer" + " " * size + "x"
    yield "Authorization: long token", "Authorization", "Bearer " + "x" * size
    yield "Authorization: marks", "Authorization", marks
    yield "Cookie: pairs", "Cookie", "; ".join(f"n{number}=1" for number in range(size // 10))
    yield "Accept: kinds", "Accept", ",".join(["*/*;q=0.1"] * (size // 10))
    yield "Accept-Language: languages", "Accept-Language", ",".join(["de;q=0.1"] * (size // 9))
    yield "Idempotency-Key: long", "Idempotency-Key", "k" * size
    yield "Idempotency-Key: marks", "Idempotency-Key", marks
    yield "X-Forwarded-For: addresses", "X-Forwarded-For", ", ".join(["10.0.0.1"] * (size // 10))
    yield "Forwarded: elements", "Forwarded", ", ".join(['for="[::1]";host=x'] * (size // 20))
    yield "Expect: marks", "Expect", marks
    yield "Connection: options", "Connection", ",".join(["x"] * (size // 2))


def request(method, params=None, **members):
    return dump({"jsonrpc": "2.0", "id": 1, "method": method} | ({"params": params} if params else {}) | members)


def lines(size=MIB):
    """Bytes for a plain socket."""
    name = lambda number: b'"n%d":0' % number
    head, tail = request("changes.push", {"mutations": [mutation({"@": 0})]}).split(b'"@":0')
    line = min(size, LINE) - 2
    yield "one line: names in fields", filled(min(line, 41 << 10), head, name, tail) + b"\n"
    yield "one line: names of the request", filled(line, b"{", name, b"}") + b"\n"
    yield "one line: marks as the method", request("@").replace(b"@", "\u0301\u0316".encode() * (line // 5)) + b"\n"
    yield "one line: marks as the id", request("server.info", id="@").replace(
        b"@", "\u0301\u0316".encode() * (line // 5)) + b"\n"
    yield "one line: a batch of a hundred faults", b"[" + b",".join([request("devices.register", {
        name: [] for name in ["id", "name", "country", "timeZone", "userName", *"abcdefghijklmnop"]})] * 100) + b"]\n"
    yield "one line: a batch of empty objects", filled(line, b"[", b"{}", b"]") + b"\n"
    yield "one line: a batch of notifications", filled(line, b"[", b'{"jsonrpc":"2.0","method":"x"}', b"]") + b"\n"
    yield "one line too long", b"x" * size + b"\n"
    yield "many lines: empty", b"\n" * size
    yield "many lines: returns", b"\r\n" * (size // 2)
    yield "many lines: no JSON", b"x\n" * (size // 2)
    yield "many lines: calls", (request("server.info") + b"\n") * (size // 60)
    yield "many lines: no such method", (request("x") + b"\n") * (size // 50)
    one = filled(min(4 << 10, line), head, name, tail) + b"\n"
    yield "many lines: names in fields", one * max(1, size // len(one))


def messages(size=MIB):
    """WebSocket messages as payloads of their fragments. Beyond 1,024 fragments a message is refused."""
    text = request("server.info")
    yield "fragments: a byte each", [text[index:index + 1] for index in range(len(text))]
    yield "fragments: empty ones", [text] + [b""] * min(100_000, size // 8)
    long = lines(size)
    for name, line in long:
        if name.startswith("one line: "):
            yield name.removeprefix("one "), [line.strip()]
    body = b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"' + "€".encode() * 20_000 + b'"}}'
    yield "fragments: of 60 bytes, inside of characters", [body[index:index + 60] for index in range(0, len(body), 60)]
    yield "fragments: no UTF-8 at the end", [b"x" * 60] * 1000 + [b"\xff"]


def main(arguments):
    size = int(arguments[arguments.index("--size") + 1]) if "--size" in arguments else MIB
    inputs = [("body", name, data) for name, data in bodies(size)]
    inputs += [("target", name, text.encode()) for name, text in targets(size)]
    inputs += [("header", name, f"{field}: {value}".encode()) for name, field, value in headers(size)]
    inputs += [("line", name, data) for name, data in lines(size)]
    # A fragment is its length in four bytes, then its payload.
    inputs += [("message", name, b"".join(len(part).to_bytes(4, "big") + part for part in parts))
               for name, parts in messages(size)]
    if arguments[:1] == ["list"]:
        for kind, name, data in inputs:
            print(f"{len(data):9,}  {kind:8} {name}")
    elif arguments[:1] == ["write"] and len(arguments) > 1:
        folder = pathlib.Path(arguments[1])
        folder.mkdir(parents=True, exist_ok=True)
        index = []
        for number, (kind, name, data) in enumerate(inputs):
            file = f"{kind}-{number:03}.bin"
            (folder / file).write_bytes(data)
            index.append(f"{kind}\t{name}\t{file}\t{len(data)}\n")
        (folder / "index.tsv").write_text("".join(index))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
