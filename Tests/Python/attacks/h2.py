"""Frames of HTTP/2 (RFC 9113), and a client that does with them what it likes."""

import socket
import struct

import hpack
from attacks.service import context
from attacks.swarm import BLOCKED
from attacks.target import prompt

DATA, HEADERS, PRIORITY, RESET, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS = 1, 1, 4


def frame(kind, flags, stream, payload=b""):
    return struct.pack("!I", len(payload))[1:] + bytes([kind, flags]) + struct.pack("!I", stream) + payload


def setting(number, value):
    return struct.pack("!HI", number, value)


class Client:
    """A connection that has agreed on HTTP/2. It keeps to the windows of the other side, and to nothing else."""

    def __init__(self, target, settings=b""):
        self.target = target
        self.socket = prompt(lambda: context(["h2"]).wrap_socket(
            socket.create_connection(("127.0.0.1", target.service.port), timeout=target.patience)))
        self.encoder, self.decoder = hpack.Encoder(), hpack.Decoder()
        self.incoming, self.outgoing = bytearray(), bytearray()
        self.is_open, self.goaway = True, None
        self.window, self.initial, self.windows = 65535, 65535, {}
        #: by stream: the status of its answer, the code of its reset, and how many bytes of body it still has to send
        self.statuses, self.resets, self.left = {}, {}, {}
        self.next = 1
        self.socket.setblocking(False)
        self.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, settings))

    def send(self, data):
        self.outgoing += data
        self.pump(reads=False)

    def block(self, method, path):
        return self.encoder.encode([
            (":method", method), (":scheme", "https"), (":authority", "a"), (":path", path),
            ("authorization", f"Bearer {self.target.token}")])

    def request(self, method="GET", path="/v1", body=0, ends=True):
        """Begins a request with so many bytes of body."""
        stream, self.next = self.next, self.next + 2
        self.windows[stream] = self.initial
        self.left[stream] = body
        self.send(frame(HEADERS, END_HEADERS | (END_STREAM if ends and not body else 0), stream, self.block(method, path)))
        return stream

    def feed(self, most=1 << 20):
        """Sends as much of the bodies as the windows allow, of each stream at most so much."""
        for stream, left in list(self.left.items()):
            room = min(left, self.windows[stream], self.window, most)
            while room > 0 and len(self.outgoing) < 1 << 18:
                part = min(room, 16384)
                self.outgoing += frame(DATA, 0, stream, b" " * part)
                self.left[stream] -= part
                self.windows[stream] -= part
                self.window -= part
                room -= part

    def pump(self, reads=True):
        """Sends and reads what goes."""
        try:
            while self.outgoing:
                del self.outgoing[:self.socket.send(bytes(self.outgoing[:65536]))]
        except BLOCKED:
            pass
        except OSError:
            self.is_open = False
        try:
            while reads and self.is_open:
                data = self.socket.recv(65536)
                if not data:
                    self.is_open = False
                self.incoming += data
        except BLOCKED:
            pass
        except OSError:
            self.is_open = False
        while len(self.incoming) >= 9:
            length = int.from_bytes(self.incoming[:3], "big")
            if len(self.incoming) < 9 + length:
                break
            kind, flags, stream = self.incoming[3], self.incoming[4], int.from_bytes(self.incoming[5:9], "big")
            payload = bytes(self.incoming[9:9 + length])
            del self.incoming[:9 + length]
            self.take(kind, flags, stream, payload)

    def take(self, kind, flags, stream, payload):
        if kind == SETTINGS and not flags & ACK:
            for at in range(0, len(payload), 6):
                number, value = struct.unpack("!HI", payload[at:at + 6])
                if number == 4:
                    for other in self.windows:
                        self.windows[other] += value - self.initial
                    self.initial = value
            self.outgoing += frame(SETTINGS, ACK, 0)
        elif kind == WINDOW:
            count = int.from_bytes(payload, "big")
            if stream:
                self.windows[stream] = self.windows.get(stream, 0) + count
            else:
                self.window += count
        elif kind == HEADERS:
            fields = dict(self.decoder.decode(payload, raw=True))
            self.statuses[stream] = int(fields.get(b":status", b"0"))
            self.left.pop(stream, None)
        elif kind == RESET:
            self.resets[stream] = int.from_bytes(payload, "big")
            self.left.pop(stream, None)
        elif kind == GOAWAY:
            self.goaway = int.from_bytes(payload[4:8], "big")
        elif kind == PING and not flags & ACK:
            self.outgoing += frame(PING, ACK, 0, payload)

    def close(self):
        self.socket.close()
