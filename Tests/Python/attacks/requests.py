"""Hostile requests of HTTP/1.1: wide, deep and long inputs, requests that a proxy could read otherwise, floods of requests."""

import http.client
import json
import random
import re
import time

import hostile_inputs
from attacks.target import prompt, read_all, status_of


def hostile(target, send, inputs):
    """Sends inputs one after the other. A send returns its status, and is a fault where that is 500 or none."""
    worst, which, bad = 0.0, "", []
    for label, data in inputs:
        start = time.monotonic()

        def answer():
            nonlocal start
            start = time.monotonic()
            try:
                return send(data)
            except (OSError, http.client.HTTPException) as error:
                return type(error).__name__
        status = prompt(answer, is_good=lambda status: isinstance(status, int))
        took = time.monotonic() - start
        if took > worst:
            worst, which = took, label
        if not isinstance(status, int) or status >= 500 and status not in (501, 503):
            bad.append(f"{label}: {status}")
    return [(f"worst answer ({which})", f"{worst * 1000:.0f} ms", f"{target.limit * 1000} ms",
             target.judged(worst <= target.limit)),
            ("without an answer, or with 500", ", ".join(bad) or 0, 0, not bad)]


def hostile_bodies(target):
    return hostile(target, lambda data: target.service.request(
        "POST", "/v1/changes", data, target.token, timeout=target.patience)[0], hostile_inputs.bodies(target.size))


def hostile_targets(target):
    def send(path):
        one = target.connect()
        one.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode("utf-8", "replace"))
        return status_of(one)
    return hostile(target, send, hostile_inputs.targets())


def hostile_headers(target):
    def send(data):
        field, value = data
        one = target.connect()
        value = value if isinstance(value, bytes) else str(value).encode()
        one.sendall(f"GET /v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{field}: ".encode() + value + b"\r\n\r\n")
        return status_of(one)
    return hostile(target, send, [(n, (f, v)) for n, f, v in hostile_inputs.headers()])


def ambiguous(target):
    """Requests that a proxy in front could read otherwise."""
    tail = b"\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    heads = [
        "POST /v1/devices HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n",
        "POST /v1/devices HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n",
        "POST /v1/devices HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "POST /v1/devices HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n",
        "POST /v1/devices HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n",
        "POST /v1/devices HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n",
        "POST /v1/devices HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n",
        "GET /v1 HTTP/1.1\r\nHost: a\r\nX: y\r\n z\r\n", "GET /v1 HTTP/1.1\nHost: a\n",
        "GET /v1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n", "GET http://b/v1 HTTP/1.1\r\nHost: a\r\n",
    ]
    bad = []
    for head in heads:
        def statuses_of():
            one = target.connect()
            one.sendall(head.encode() + tail)
            return re.findall(rb"HTTP/1\.1 (\d\d\d)", read_all(one))
        statuses = prompt(statuses_of, is_good=bool)
        if len(statuses) != 1 or statuses[0] not in (b"400", b"501"):
            bad.append(head.replace("\r\n", "|"))
    return [(f"of {len(heads)} ambiguous requests accepted, or answered twice", ", ".join(bad) or 0, 0, not bad)]


def chunks(target):
    """Bodies in chunks with absurd sizes, extensions and trailers."""
    size = target.size
    whole = {
        "a long extension": b"2;" + b"x" * size + b"\r\n{}\r\n0\r\n\r\n",
        "many extensions": b"2" + b";a=b" * (size // 4) + b"\r\n{}\r\n0\r\n\r\n",
        "an extension on each of many chunks": b"1;" + b"x" * 60 + b"\r\n \r\n" + (b"1;" + b"x" * 60 + b"\r\n \r\n") * (
            size // 70) + b"0\r\n\r\n",
        "a size of zeros": b"0" * size + b"2\r\n{}\r\n0\r\n\r\n",
        "a size of 17 digits": b"1" + b"0" * 15 + b"2\r\n{}\r\n0\r\n\r\n",
        "a negative size": b"-2\r\n{}\r\n0\r\n\r\n",
        "a size with a sign": b"+2\r\n{}\r\n0\r\n\r\n",
        "a size with a prefix": b"0x2\r\n{}\r\n0\r\n\r\n",
        "no size": b"\r\n{}\r\n0\r\n\r\n",
        "a chunk that is longer than it says": b"1\r\n{}\r\n0\r\n\r\n",
        "chunks of a byte": b"1\r\n \r\n" * (size // 6) + b"0\r\n\r\n",
        "many trailers": b"2\r\n{}\r\n0\r\n" + b"a: b\r\n" * (size // 6) + b"\r\n",
        "a long trailer": b"2\r\n{}\r\n0\r\nX: " + b"x" * size + b"\r\n\r\n",
        "a trailer that changes the length": b"2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n",
    }
    endless = {"an extension without end": b"2;" + b"x" * size, "a size without end": b"0" * size,
               "trailers without end": b"2\r\n{}\r\n0\r\n" + b"a: b\r\n" * 100, "a chunk without end": b"2\r\n{",
               "a chunk of 2^64 - 1 bytes": b"F" * 16 + b"\r\n{}\r\n0\r\n\r\n"}
    head = (f"POST /v1/changes HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{target.authorization()}"
            "Transfer-Encoding: chunked\r\n\r\n").encode()

    def send(data):
        one = target.connect()
        try:
            one.sendall(head + data)
        except OSError:
            pass
        status = status_of(one)
        # One that has not sent all of it when it is refused may not see why.
        return 400 if status == "no answer" and len(data) > 1000 else status
    rows = hostile(target, send, whole.items())
    swarm = target.swarm(lambda number: head + list(endless.values())[number], count=len(endless))
    rows += target.hard_end(swarm, 10, "chunks without end")
    accepted = [name for name in ("a size of 17 digits", "a negative size", "a size with a sign",
                                  "a size with a prefix", "no size") if send(whole[name]) != 400]
    return rows + [("wrong sizes that were accepted", ", ".join(accepted) or 0, 0, not accepted)]


def pipelined(target):
    """Thousands of requests on one connection at once: all are answered, in turn, and others are as well."""
    count = 200 if target.short else 10000
    requests = [f"GET {path} HTTP/1.1\r\nHost: a\r\n{target.authorization()}\r\n".encode()
                for path in ("/healthz", "/v1/subscriptions", "/nothing")]
    swarm = target.swarm(b"".join(requests[number % 3] for number in range(count)), count=3)
    # All that comes between two looks is counted.
    swarm.KEPT = 1 << 26
    end = time.monotonic() + target.patience
    answers = [0] * 3
    while time.monotonic() < end and min(answers) < count and swarm.open:
        swarm.run(0.05)
        for number, peer in enumerate(swarm.peers):
            # Counted bytes are dropped, but for a beginning that may be cut.
            found = list(re.finditer(rb"HTTP/1\.1 \d\d\d", bytes(peer.answer)))
            answers[number] += len(found)
            if found:
                del peer.answer[:found[-1].end()]
    swarm.close()
    return [(f"answers to three times {count} pipelined requests", sum(answers), 3 * count, answers == [count] * 3)]


def replayed(target):
    """Copies of one request with one Idempotency-Key, all at once, by a device that has nothing else."""
    token = target.service.register()
    status, answer = target.service.request("GET", "/v1/plans?limit=1", token=token)
    plan = json.loads(answer)["plans"][0]["id"] if status == 200 else 1
    body = json.dumps({"planId": plan}).encode()
    head = (f"POST /v1/subscriptions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n"
            f"Idempotency-Key: replay\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n")
    ids = set()
    # Copies that this machine was too slow to send in time are not answered, and are sent again.
    for _ in range(5):
        swarm = target.swarm(head.encode() + body, count=100)
        swarm.run(target.patience)
        ids |= {found.decode() for peer in swarm.peers if 201 in peer.statuses
                for found in re.findall(rb'"id":"?([0-9a-f-]+)', bytes(peer.answer))[:1]}
        swarm.close()
        if ids:
            break
    status, answer = target.service.request("GET", "/v1/subscriptions", token=token)
    rows = len(json.loads(answer)["subscriptions"]) if status == 200 else f"status {status}"
    return [("rows that 100 copies of a request made", rows, 1, rows == 1),
            ("ids in their answers", len(ids), 1, len(ids) == 1)]


def garbage(target):
    generator = random.Random(7)
    swarm = target.swarm(lambda _: generator.randbytes(generator.randrange(1, 4096)), count=200, wrap=None)
    return target.hard_end(swarm, 10, "connections that say garbage")
