"""What TLS and HTTP/2 make possible."""

import collections
import socket
import ssl
import time

from attacks import h2
from attacks.h2 import Client, frame
from attacks.service import MIB, context
from attacks.swarm import BLOCKED, Swarm

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(h2.SETTINGS, 0, 0)


def silent_handshakes(target):
    """Handshakes that stop in the middle of their first message."""
    swarm = target.swarm(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", count=target.patient, wrap=None)
    return target.hard_end(swarm, 10, "handshakes that stop")


def silent_connections(target):
    """Connections that agree on HTTP/2, say nothing more and answer no ping."""
    swarm = target.swarm(PREFACE, count=target.patient // 4, wrap=lambda one: context(["h2"]).wrap_socket(one))
    return target.hard_end(swarm, 12, "silent HTTP/2 connections")


def slow_records(target):
    """A record of TLS that comes byte by byte behind a handshake: the service never sees what is in it."""
    peers = []
    for _ in range(target.patient // 4):
        into, out = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = context().wrap_bio(into, out)
        one = socket.create_connection(("127.0.0.1", target.service.port), timeout=target.patience)
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                one.sendall(out.read())
                into.write(one.recv(65536))
        one.sendall(out.read())
        tls.write(b"GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n" + b" " * 16000)
        one.setblocking(False)
        peers.append([one, out.read(), time.monotonic(), None])
    limit = 10 + target.late
    while any(peer[3] is None and time.monotonic() - peer[2] < limit for peer in peers):
        for peer in peers:
            if peer[3] is not None:
                continue
            try:
                peer[1] = peer[1][peer[0].send(peer[1][:1]):]
                if not peer[0].recv(65536):
                    peer[3] = time.monotonic() - peer[2]
            except BLOCKED:
                pass
            except OSError:
                peer[3] = time.monotonic() - peer[2]
        time.sleep(0.3)
    left = sum(peer[3] is None for peer in peers)
    for peer in peers:
        peer[0].close()
    return [("connections with slow records still open", left, 0, left == 0)]


def clients(target, count, settings=b""):
    opened = []
    for _ in range(count):
        try:
            opened.append(Client(target, settings))
        except OSError:
            pass
    return opened


def pump(opened, seconds, feeds=0, until=lambda: False, every=0.0):
    """Serves connections for so long. feeds: how many bytes of body each stream may send in a turn."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not until():
        for one in opened:
            if one.is_open:
                if feeds:
                    one.feed(feeds)
                one.pump()
        time.sleep(max(0.002, every))


def closed(opened):
    for one in opened:
        one.close()


def http2_unfinished_bodies(target):
    opened = clients(target, target.count // 100)
    for one in opened:
        for _ in range(100):
            one.request("POST", "/v1/changes", body=MIB - 1)
    held = 0

    def is_enough():
        # At the most: those whose last byte does not come are cut in the end.
        nonlocal held
        held = max(held, sum(MIB - 1 - left for one in opened for left in one.left.values()))
        return target.short and held > 16 * MIB
    pump(opened, 30 + target.late, feeds=MIB, until=is_enough)
    statuses = collections.Counter(status for one in opened for status in one.statuses.values())
    resets = sum(len(one.resets) for one in opened)
    closed(opened)
    return [(f"of {len(opened) * 100} streams refused, and held",
             f"{statuses.get(503, 0)} + {resets} cut, {held // MIB} MiB",
             "503 alone", set(statuses) <= {503} and statuses.total() + held > MIB)]


def http2_slow_bodies(target):
    """A byte of each stream's body now and then: the minimum rate ends the streams after ten seconds."""
    opened = clients(target, target.count // 100)
    for one in opened:
        for _ in range(100):
            one.request("POST", "/v1/changes", body=MIB)
    begin = time.monotonic()
    left = lambda: sum(len(one.left) for one in opened if one.is_open)
    pump(opened, 10 + target.late, feeds=1, until=lambda: not left(), every=0.5)
    still, took = left(), time.monotonic() - begin
    closed(opened)
    return [("slow streams still open", still, 0, still == 0),
            ("slow streams: the longest life", f"{took:.1f} s", f"{10 + target.late} s",
             target.judged(took <= 10 + target.late))]


def http2_unread_answers(target):
    """Streams whose answers find no window. The service ends them after thirty seconds."""
    opened = clients(target, target.count // 100, settings=h2.setting(4, 0))
    for one in opened:
        for _ in range(100):
            one.request("GET", "/v1/plans?limit=100")
    wanted = sum(len(one.windows) for one in opened)
    ended = lambda: sum(len(one.resets) for one in opened) + sum(
        len(one.windows) - len(one.resets) for one in opened if not one.is_open)
    pump(opened, target.seconds if target.short else 40, until=lambda: ended() == wanted)
    left = wanted - ended()
    closed(opened)
    return [] if target.short else [("streams that take nothing still open after 40 s", left, 0, left == 0)]


def http2_floods(target):
    """Floods of one kind of frame each. Those that cost the service something must be cut."""
    some = Client(target)
    block, post = some.block("GET", "/v1"), Client(target).block("POST", "/v1/changes")
    some.close()
    wide = b"\x40\x01a" + b"\x7f\xe9\x1e" + b"b" * 4000
    floods = {
        "rapid reset": lambda n: frame(h2.HEADERS, 5, n, block) + frame(h2.RESET, 0, n, b"\0\0\0\x08"),
        "continuation": lambda n: frame(h2.HEADERS, 0, 1, block) if n == 1 else frame(
            h2.CONTINUATION, 0, 1, b"\x40\x01a\x01b" * 50),
        "empty continuation": lambda n: frame(h2.HEADERS, 0, 1, block) if n == 1 else frame(h2.CONTINUATION, 0, 1),
        "header list by references": lambda n: frame(h2.HEADERS, 0, 1, block + wide) if n == 1 else frame(
            h2.CONTINUATION, 0, 1, b"\xbe" * 16000),
        "pings": lambda n: frame(h2.PING, 0, 0, b"12345678"),
        "settings": lambda n: frame(h2.SETTINGS, 0, 0),
        "streams": lambda n: frame(h2.HEADERS, 4, n, post),
        "empty data": lambda n: frame(h2.HEADERS, 4, 1, post) if n == 1 else frame(h2.DATA, 0, 1),
        "padding alone": lambda n: frame(h2.HEADERS, 4, 1, post) if n == 1 else frame(h2.DATA, 8, 1, b"\xc8" + b"\0" * 200),
        "priorities": lambda n: frame(h2.PRIORITY, 0, n, b"\0\0\0\0\x10"),
        "window updates": lambda n: frame(h2.WINDOW, 0, 0, b"\0\0\0\x01"),
        "unknown frames": lambda n: frame(0xFE, 0, 0, b"x" * 100),
    }
    count, cut, rest = 3000 if target.short else 40000, [], []
    swarms = {}
    for name, make in floods.items():
        data = PREFACE + b"".join(make(number) for number in range(1, 2 * count, 2))
        # The first of each kind takes no answer, the second does.
        for reads in (False, True):
            swarms[name, reads] = Swarm(target.service.port, 1, data, reads=reads,
                                        wrap=lambda one: context(["h2"]).wrap_socket(one))
    # Answers must not be kept for a client that does not read. Answers that are read cost their sender most.
    wanted = {("rapid reset", True), ("rapid reset", False), ("continuation", True), ("continuation", False),
              ("empty continuation", True), ("header list by references", True), ("header list by references", False),
              ("pings", False), ("settings", False)}
    end = time.monotonic() + 14 + target.late
    while time.monotonic() < end and any(
            swarm.open for kind, swarm in swarms.items() if kind in wanted or not target.short):
        for swarm in swarms.values():
            swarm.run(0.01)
            if not swarm.reads:
                swarm.look()
    for (name, reads), swarm in swarms.items():
        (rest if swarm.open else cut).append(name + ("" if reads else " (unread)"))
        swarm.close()
    missing = any(name + ("" if reads else " (unread)") in rest for name, reads in wanted)
    return [("floods that were cut", ", ".join(cut), "those that cost something", not missing),
            ("floods that went on", ", ".join(rest) or "none", "none that costs something", not missing)]


def http2_faults(target):
    """Frames that end a stream or a connection, by the rules (RFC 9113 §5.4)."""
    window = b"\x7f\xff\xff\xff"
    cases = {
        "a window beyond 2^31": lambda one, s: frame(h2.WINDOW, 0, s, window),
        "the connection's window beyond 2^31": lambda one, s: frame(h2.WINDOW, 0, 0, window),
        "an increment of nothing": lambda one, s: frame(h2.WINDOW, 0, 0, b"\0\0\0\0"),
        "an initial window beyond 2^31": lambda one, s: frame(h2.SETTINGS, 0, 0, h2.setting(4, 1 << 31)),
        "an initial window that overflows": lambda one, s: frame(h2.WINDOW, 0, s, b"\x7f\xff\0\0") + frame(
            h2.SETTINGS, 0, 0, h2.setting(4, (1 << 31) - 1)),
        "frames of 2^24 bytes": lambda one, s: frame(h2.SETTINGS, 0, 0, h2.setting(5, 1 << 24)),
        "a frame beyond the limit": lambda one, s: frame(h2.DATA, 0, s, b"x" * 20000),
        "data on no stream": lambda one, s: frame(h2.DATA, 0, 0, b"x"),
        "data on a stream that was not begun": lambda one, s: frame(h2.DATA, 0, s + 100, b"x"),
        "a stream of the server's": lambda one, s: frame(h2.HEADERS, 4, 2, one.block("GET", "/v1")),
        "a head that is no HPACK": lambda one, s: frame(h2.HEADERS, 4, s + 2, b"\xff" * 20),
        "more data than the window": lambda one, s: frame(h2.DATA, 0, s, b"x" * 16000) * 200,
        "a push": lambda one, s: frame(h2.PUSH, 4, s, b"\0\0\0\2" + one.block("GET", "/v1")),
        "settings of five bytes": lambda one, s: frame(h2.SETTINGS, 0, 0, b"\0\1\0\0\0"),
    }
    opened = {}
    for name, make in cases.items():
        one = Client(target)
        stream = one.request("POST", "/v1/changes", ends=False)
        one.send(make(one, stream))
        opened[name] = one
    answered = lambda one: not one.is_open or one.goaway or one.resets or one.statuses
    pump(list(opened.values()), 10 + target.late, until=lambda: all(answered(one) for one in opened.values()))
    bad = [name for name, one in opened.items() if not answered(one) or any(
        status < 400 for status in one.statuses.values())]
    closed(opened.values())
    return [(f"of {len(cases)} broken rules not answered by an end", ", ".join(bad) or 0, 0, not bad)]


def http2_heads(target):
    """Header lists that are wide, long, and large only when they are decoded."""
    def fields(*more):
        return [(":method", "GET"), (":scheme", "https"), (":authority", "a"), (":path", "/v1"), *more]
    cases = {
        "many names": fields(*((f"n{number}", "1") for number in range(10000))),
        "a long value": fields(("x", "y" * 200000)),
        "a long path": [(":method", "GET"), (":scheme", "https"), (":authority", "a"), (":path", "/" * 100000)],
        "one field again and again": fields(*([("x", "y" * 3900)] * 10000)),
        "cookies": fields(*([("cookie", "a=b")] * 10000)),
    }
    worst, bad = 0.0, []
    for name, given in cases.items():
        one = Client(target)
        block = one.encoder.encode(given)
        begin = time.monotonic()
        parts = [block[at:at + 16000] for at in range(0, len(block), 16000)]
        one.send(b"".join(
            frame(h2.CONTINUATION if at else h2.HEADERS, (0 if at else 1) | (4 if at == len(parts) - 1 else 0), 1, part)
            for at, part in enumerate(parts)))
        answered = lambda: not one.is_open or one.goaway or one.resets or one.statuses
        pump([one], target.patience, until=answered)
        worst = max(worst, time.monotonic() - begin)
        if not answered() or any(status < 400 for status in one.statuses.values()):
            bad.append(f"{name}: {one.statuses}")
        one.close()
    return [("header lists that were accepted, or not answered", ", ".join(bad) or 0, 0, not bad),
            ("worst answer to a header list", f"{worst * 1000:.0f} ms", f"{target.limit * 1000} ms",
             target.judged(worst <= target.limit))]
