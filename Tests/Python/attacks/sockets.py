"""Hostile WebSockets and plain sockets."""

import select
import struct
import time

import hostile_inputs
from attacks.requests import hostile
from attacks.swarm import BLOCKED
from attacks.target import prompt

CALL = b'{"jsonrpc":"2.0","id":1,"method":"plans.list","params":{"country":"US","limit":100}}'


def frame(first, payload, mask=0x80):
    """A client's WebSocket frame (RFC 6455 §5.2), with a mask of zeros."""
    length = len(payload)
    if length < 126:
        head = struct.pack("!BB", first, mask | length)
    elif length < 1 << 16:
        head = struct.pack("!BBH", first, mask | 126, length)
    else:
        head = struct.pack("!BBQ", first, mask | 127, length)
    return head + (b"\0\0\0\0" if mask else b"") + payload


def upgrade_request(target):
    return (f"GET /v1/live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"{target.authorization()}\r\n").encode()


def upgrade(target):
    return prompt(lambda: upgraded(target))


def upgraded(target):
    one = target.connect()
    one.sendall(upgrade_request(target))
    head = b""
    while b"\r\n\r\n" not in head:
        data = one.recv(4096)
        if not data:
            raise ConnectionError("no WebSocket")
        head += data
    return one


def websocket_messages(target):
    def send(fragments):
        one = upgrade(target)
        # A message in more fragments is cut, and then a client that still sends sees a reset.
        is_cut = len(fragments) > 1024
        try:
            for number, payload in enumerate(fragments):
                first = (0x80 if number == len(fragments) - 1 else 0) | (1 if number == 0 else 0)
                one.sendall(frame(first, payload))
            # Once it has answered this, it has read all bytes before; or it has closed.
            one.sendall(frame(0x88, b"\x03\xe8"))
            while one.recv(65536):
                pass
        except (ConnectionResetError, BrokenPipeError):
            if not is_cut:
                raise
        one.close()
        return 200
    return hostile(target, send, hostile_inputs.messages(target.size))


#: Frames that end a WebSocket, and the code that the service gives.
FAULTS = {
    "a compressed frame that was not agreed on": (frame(0xC1, b"x"), 1002),
    "a reserved bit": (frame(0x91, b"x"), 1002),
    "a frame without a mask": (frame(0x81, b"x", mask=0), 1002),
    "an opcode that does not exist": (frame(0x83, b"x"), 1002),
    "a binary message": (frame(0x82, b"x"), 1003),
    "a continuation of nothing": (frame(0x80, b"x"), 1002),
    "a message inside of another": (frame(0x01, b"x") + frame(0x01, b"x"), 1002),
    "a long ping": (frame(0x89, b"x" * 200), 1002),
    "a ping in fragments": (frame(0x09, b"x"), 1002),
    "a length of 2^63": (struct.pack("!BBQ", 0x81, 0xFF, 1 << 63), 1009),
    "a length beyond the limit": (struct.pack("!BBQ", 0x81, 0xFF, 1 << 40), 1009),
    "a message that is too long in fragments": (frame(0x01, b"x" * 60000) + frame(0x00, b"x" * 60000), 1009),
    "no UTF-8": (frame(0x81, b"\xff\xfe"), 1007),
    "a closing with one byte": (frame(0x88, b"\x03"), 1002),
}


def websocket_frames(target):
    bad = []
    for name, (data, wanted) in FAULTS.items():
        def answer():
            one, received = upgrade(target), b""
            try:
                one.sendall(data)
                while part := one.recv(65536):
                    received += part
            except OSError as error:
                received = received or type(error).__name__.encode()
            one.close()
            return received
        received = prompt(answer, is_good=lambda received: struct.pack("!H", wanted) in received)
        if struct.pack("!H", wanted) not in received or b"\x88" not in received:
            bad.append(f"{name}: {received[:20]!r}")
    return [(f"of {len(FAULTS)} kinds of wrong frames not closed with their code", ", ".join(bad) or 0, 0, not bad)]


def websocket_floods(target):
    """Pings, pongs, empty fragments and calls without end from clients that take no answer."""
    count = 200 if target.short else 20000
    kinds = [frame(0x89, b"x" * 100) * count, frame(0x8A, b"x" * 100) * count,
             frame(0x01, b"x") + frame(0x00, b"") * count, frame(0x81, CALL) * count]
    swarm = target.swarm(lambda number: upgrade_request(target) + kinds[number % 4], count=target.few,
                         reads=False, room=4096)
    swarm.run(target.seconds)
    swarm.close()
    return []


def plain_lines(target):
    """Each line, and each megabyte of lines: how long it takes until the first answer, and that the last one comes."""
    worst, which, bad = 0.0, "", []
    for name, data in hostile_inputs.lines(target.size):
        begin, first, received = time.monotonic(), None, b""
        # A call behind it is answered also where there is nothing to answer in it.
        left = memoryview(data + b'\n{"jsonrpc":"2.0","id":"last","method":"server.info"}\n')
        with target.connect(plain=True) as one:
            one.setblocking(False)
            while b'"last"' not in received and time.monotonic() - begin < target.patience:
                readable, writable, _ = select.select([one], [one] if left else [], [], 1)
                try:
                    if writable:
                        left = left[one.send(left[:65536]):]
                    if readable:
                        part = one.recv(1 << 18)
                        if not part:
                            break
                        first = first or time.monotonic() - begin
                        received = received[-100:] + part
                except BLOCKED:
                    pass
                except OSError:
                    break
        if b'"last"' not in received:
            bad.append(name)
        if first and first >= worst:
            worst, which = first, name
    return [(f"worst first answer ({which})", f"{worst * 1000:.0f} ms", f"{target.limit * 1000} ms",
             target.judged(worst <= target.limit)),
            ("lines without their last answer", ", ".join(bad) or 0, 0, not bad)]


def unread_lines(target):
    """Plain sockets that call thousands of times and take no answer: the service closes them after ten seconds."""
    swarm = target.swarm((CALL + b"\n") * 2000, count=target.few, plain=True, reads=False, room=4096)
    end = time.monotonic() + 12 + target.late
    while time.monotonic() < end and swarm.open:
        swarm.run(0.5)
        swarm.look()
    left = swarm.open
    swarm.close()
    return [("plain sockets that take nothing still open", left, 0, left == 0)]


def endless_lines(target):
    """Lines without an end: what is too long is refused at once and read over; the socket ends when its time is over."""
    swarm = target.swarm(b"x" * (16 * target.size), count=target.few, plain=True)
    rows = target.hard_end(swarm, 12, "lines without end")
    told = sum(b"error" in peer.answer for peer in swarm.peers)
    return rows + [("refused", told, len(swarm.peers), told == len(swarm.peers))]
