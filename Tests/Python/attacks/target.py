"""What the attacks are directed at, and how much of each."""

import re
import socket
import time

from attacks.service import MIB, context
from attacks.swarm import Swarm


class Target:
    """A service, and how hard it is attacked."""

    def __init__(self, service, short, measures=True):
        self.service, self.token, self.short = service, service.token, short
        #: whether seconds and memory are judged, or shown alone
        self.measures = measures
        #: how many bodies, readers and streams
        self.count = 300 if short else 2000
        #: how many that take no memory
        self.patient = 40 if short else 2000
        #: how many that have the service work for answers that they do not take
        self.few = 4 if short else 200
        #: how long those are held that the service need not end
        self.seconds = 3 if short else 12
        #: the size of one input
        self.size = 16 << 10 if short else MIB
        #: seconds in which an input must be answered
        self.limit = 120 if short else 1
        #: seconds that a deadline of the service may be late by
        self.late = 120 if short else 4
        #: seconds until a client gives up
        self.patience = self.limit + 60
        self.wrap = (lambda one: context().wrap_socket(one)) if service.tls else None

    def judged(self, holds):
        """The verdict of a figure that depends on the machine's load: None where it is shown alone."""
        return bool(holds) if self.measures else None

    def authorization(self):
        return f"Authorization: Bearer {self.token}\r\n"

    def post(self, length, extra=""):
        return (f"POST /v1/changes HTTP/1.1\r\nHost: a\r\n{self.authorization()}{extra}"
                f"Content-Length: {length}\r\n\r\n").encode()

    def swarm(self, payload, count=None, plain=False, **options):
        """A swarm at the HTTP port, or at that of plain sockets."""
        port = self.service.socket_port if plain else self.service.port
        return Swarm(port, count or self.count, payload, wrap=options.pop("wrap", self.wrap), **options)

    def connect(self, plain=False):
        port = self.service.socket_port if plain else self.service.port

        def connected():
            one = socket.create_connection(("127.0.0.1", port), timeout=self.patience)
            return self.wrap(one) if self.wrap else one
        return prompt(connected)

    def hard_end(self, swarm, seconds, what):
        """Runs a swarm that the service must end, and says how long that took."""
        while swarm.open and swarm.longest < seconds + self.late:
            swarm.run(0.3)
        left, longest = swarm.open, swarm.longest
        swarm.close()
        return [(f"{what} still open", left, 0, left == 0),
                (f"{what}: the longest life", f"{longest:.1f} s", f"{seconds + self.late} s",
                 self.judged(longest <= seconds + self.late))]


#: The service's shortest deadline for clients is twice as long, in seconds.
SLOW = 5


def prompt(attempt, is_good=lambda result: True):
    """The result of an attempt, which is made again where this machine took so long over a bad one that a deadline of the
    service may have passed. What is bad and prompt is the service's fault, and counts at once."""
    for number in range(5):
        begin = time.monotonic()
        try:
            result = attempt()
            if is_good(result) or number == 4 or time.monotonic() - begin < SLOW:
                return result
        except OSError:
            if number == 4 or time.monotonic() - begin < SLOW:
                raise


def status_of(one):
    """The first status of all that comes until the connection's end."""
    found = re.match(rb"HTTP/1\.1 (\d\d\d)", read_all(one))
    return int(found[1]) if found else "no answer"


def read_all(one):
    answer = b""
    try:
        while data := one.recv(65536):
            answer += data
    except OSError:
        pass
    one.close()
    return answer
