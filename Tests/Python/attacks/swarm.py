"""Many connections at once."""

import re
import select
import selectors
import socket
import ssl
import struct
import time

BLOCKED = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Peer:
    """One connection of a swarm, what it still has to send, and what came back."""

    def __init__(self, one, number, data, began):
        self.socket, self.number, self.left = one, number, memoryview(data)
        self.answer, self.received = bytearray(), 0
        self.began, self.ended = began, None

    @property
    def life(self):
        """How long it lasted, in seconds; until now where it is open."""
        return (self.ended or time.monotonic()) - self.began

    @property
    def statuses(self):
        return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d\d\d)", bytes(self.answer))]


class Swarm:
    """Connections that send what a function gives for their number, and keep what comes back up to a limit.

    reads: whether they take what comes. ends: whether they close their sending side behind what they send. room: bytes that
    the system takes for one that does not read. pause: seconds between fifty connections.
    """

    KEPT = 1 << 16

    def __init__(self, port, count, payload, wrap=None, reads=True, ends=False, room=None, pause=0):
        self.selector = selectors.DefaultSelector()
        self.peers, self.refused, self.reads, self.ends = [], 0, reads, ends
        for number in range(count):
            # Before the service sees it: its deadlines begin later.
            began = time.monotonic()
            try:
                one = socket.socket()
                if room:
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
                one.settimeout(120)
                one.connect(("127.0.0.1", port))
                if wrap:
                    one = wrap(one)
            except OSError:
                self.refused += 1
                continue
            one.setblocking(False)
            peer = Peer(one, number, payload(number) if callable(payload) else payload, began)
            self.peers.append(peer)
            self.selector.register(one, selectors.EVENT_WRITE | (selectors.EVENT_READ if reads else 0), peer)
            if number % 50 == 49:
                self.run(pause)

    def forget(self, peer):
        if peer.ended is not None:
            return
        peer.ended = time.monotonic()
        try:
            self.selector.unregister(peer.socket)
        except (KeyError, ValueError):
            pass
        peer.socket.close()

    def run(self, seconds):
        """Sends what can be sent and reads what came, for so long or until none is open."""
        end = time.monotonic() + seconds
        while True:
            for key, events in self.selector.select(0.02 if seconds else 0):
                self.serve(key.data, events)
            if time.monotonic() >= end or not self.open:
                return

    def serve(self, peer, events):
        try:
            if events & selectors.EVENT_WRITE:
                if peer.left:
                    peer.left = peer.left[peer.socket.send(peer.left[:65536]):]
                if not peer.left:
                    if self.ends:
                        peer.socket.shutdown(socket.SHUT_WR)
                    if self.reads:
                        self.selector.modify(peer.socket, selectors.EVENT_READ, peer)
                    else:
                        self.selector.unregister(peer.socket)
            while events & selectors.EVENT_READ and self.reads:
                data = peer.socket.recv(65536)
                if not data:
                    return self.forget(peer)
                peer.received += len(data)
                if len(peer.answer) < self.KEPT:
                    peer.answer += data
        except BLOCKED:
            pass
        except (OSError, ValueError, KeyError):
            self.forget(peer)

    def send(self, data):
        """Sends the same again to all that have nothing else to send."""
        for peer in self.peers:
            if peer.ended is not None or peer.left:
                continue
            try:
                peer.socket.send(data)
            except BLOCKED:
                pass
            except (OSError, ValueError):
                self.forget(peer)

    def look(self):
        """Notes which of those that take nothing were closed by the other side."""
        poll = select.poll()
        numbers = {peer.socket.fileno(): peer for peer in self.peers if peer.ended is None}
        for number in numbers:
            poll.register(number, select.POLLRDHUP if not self.reads else 0)
        for number, _ in poll.poll(0):
            self.forget(numbers[number])

    @property
    def open(self):
        return sum(peer.ended is None for peer in self.peers)

    @property
    def longest(self):
        """The longest life, in seconds."""
        return max((peer.life for peer in self.peers), default=0)

    def statuses(self):
        """How many have each status as their first."""
        found = {}
        for peer in self.peers:
            for status in peer.statuses[:1]:
                found[status] = found.get(status, 0) + 1
        return found

    def reset(self):
        """Closes all so that the other side sees a reset."""
        for peer in self.peers:
            if peer.ended is None:
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        for peer in self.peers:
            self.forget(peer)
        self.selector.close()
