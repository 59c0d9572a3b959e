"""Connections that are many and slow: unfinished bodies, heads, answers that are not taken."""

import time

from attacks.service import MIB
from attacks.target import SLOW


def unfinished_bodies(target):
    swarm = target.swarm(target.post(MIB) + b" " * (MIB - 1))
    swarm.run(target.seconds)
    found, left, refused = swarm.statuses(), swarm.open, swarm.refused
    swarm.close()
    # The last connection has to be closed, and memory is given back at most every five seconds.
    end = time.monotonic() + 15 + target.late
    while target.measures and target.service.memory() - target.service.rest > 30 and time.monotonic() < end:
        time.sleep(0.1)
    kept = target.service.memory() - target.service.rest
    return [("memory that stays afterwards", f"{kept:.0f} MiB", "30 MiB", target.judged(kept <= 30)),
            (f"of {target.count} bodies refused with 503, or held", f"{found.get(503, 0)} + {left}", "all",
             set(found) <= {503} and not refused)]


def slow_bodies(target):
    """A byte of the body now and then: the minimum rate ends them after ten seconds."""
    swarm = target.swarm(target.post(MIB), count=target.patient)
    return drip(target, swarm, 10, b" ", "slow bodies")


def slow_heads(target):
    """Heads that come line by line."""
    swarm = target.swarm(b"GET /v1 HTTP/1.1\r\nHost: a\r\n", count=target.patient)
    return drip(target, swarm, 10, b"X-A: b\r\n", "slow heads")


def slow_lines(target):
    """Plain sockets that stop in their first line, and others that never say a thing."""
    swarm = target.swarm(lambda number: b"{" if number % 2 else b"", count=target.patient, plain=True)
    return target.hard_end(swarm, 10, "slow lines")


def drip(target, swarm, seconds, data, what):
    while swarm.open and swarm.longest < seconds + target.late:
        swarm.send(data)
        swarm.run(0.5)
    return target.hard_end(swarm, seconds, what)


def unread_answers(target):
    """Clients that ask a lot at once and take none of the answers. The service cuts them after 30 seconds."""
    request = f"GET /v1/plans?limit=100 HTTP/1.1\r\nHost: a\r\n{target.authorization()}\r\n".encode() * 200
    # As many as one network may have: those of this machine are not counted.
    swarm = target.swarm(request, count=40 if target.short else 256, reads=False, room=4096)
    end = time.monotonic() + (target.seconds if target.short else 60)
    while time.monotonic() < end and swarm.open:
        swarm.run(0.5)
        swarm.look()
    left = swarm.open
    swarm.close()
    return [] if target.short else [("connections that take nothing still open after 60 s", left, 0, left == 0)]


def idle(target):
    """A thousand connections that say nothing, fifty at a time: more than the service may have files open for."""
    swarm = target.swarm(b"", count=1000, pause=0.3)
    swarm.run(3)
    swarm.close()
    return []


def aborted(target):
    """Requests that end in a reset, in the middle of their body and while they are answered."""
    count = 50 if target.short else 200
    for _ in range(2 if target.short else 10):
        swarm = target.swarm(target.post(60000) + b"[" * 30000, count=count)
        swarm.run(0.2)
        swarm.reset()
        swarm = target.swarm(f"GET /v1/plans HTTP/1.1\r\nHost: a\r\n{target.authorization()}\r\n".encode(), count=count)
        swarm.run(0.02)
        swarm.reset()
    return []


def asking_first(target):
    """Expect: 100-continue, and then nothing."""
    swarm = target.swarm(target.post(1000, "Expect: 100-continue\r\n"), count=target.patient)
    rows = target.hard_end(swarm, 10, "bodies that were asked for")
    statuses = swarm.statuses()
    # One whose head came late, for this machine was slow, has no answer.
    late = sum(not peer.statuses and peer.life >= SLOW for peer in swarm.peers)
    return rows + [("asked to go on", statuses.get(100, 0), len(swarm.peers),
                    set(statuses) == {100} and statuses[100] + min(late, len(swarm.peers) - 1) >= len(swarm.peers))]


def half_closed(target):
    """Connections whose sending side ends behind a request, inside of a head, of a body, and of a chunk."""
    complete = f"GET /v1/subscriptions HTTP/1.1\r\nHost: a\r\n{target.authorization()}\r\n".encode()
    chunked = (f"POST /v1/changes HTTP/1.1\r\nHost: a\r\n{target.authorization()}"
               "Transfer-Encoding: chunked\r\n\r\n400\r\nxx").encode()
    payloads = [complete, complete[:-2], target.post(1000) + b"xx", chunked, b""]
    swarm = target.swarm(lambda number: payloads[number % len(payloads)], count=target.patient, ends=True)
    rows = target.hard_end(swarm, 5, "half-closed connections")
    asking = [peer for peer in swarm.peers if peer.number % len(payloads) == 0]
    return rows + [("complete requests answered", sum(peer.statuses == [200] for peer in asking), len(asking),
                    all(peer.statuses == [200] or not peer.statuses and peer.life >= SLOW for peer in asking))]


def half_closed_lines(target):
    """Plain sockets that end their sending side behind a call without an end of line, and inside of one."""
    payloads = [b'{"jsonrpc":"2.0","id":1,"method":"server.info"}', b'{"jsonrpc":"2.0","id":1', b""]
    swarm = target.swarm(lambda number: payloads[number % len(payloads)], count=target.patient, plain=True, ends=True)
    rows = target.hard_end(swarm, 5, "half-closed lines")
    bad = [peer.number for peer in swarm.peers
           if peer.number % 3 == 0 and b'"result"' not in peer.answer and (peer.answer or peer.life < SLOW)]
    return rows + [("complete calls not answered", len(bad), 0, not bad)]
