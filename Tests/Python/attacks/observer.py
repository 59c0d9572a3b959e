"""The second client, and the memory of the service.

As a program it asks in turn for /healthz and for a list, on new and on kept connections, until its input ends. Then it prints
its figures as JSON.

usage: observer.py PORT http|https TOKEN
"""

import http.client
import json
import pathlib
import select
import subprocess
import sys
import threading
import time

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from attacks.service import http_connection  # noqa: E402
from attacks.target import prompt  # noqa: E402


def observe(port, tls, token):
    figures, faults, busy, kept, number = {"/healthz": [], "a list": []}, [], 0, None, 0
    print("ready", flush=True)
    # However short the attack, each path is asked for on a new and on a kept connection.
    while number < 4 or not select.select([sys.stdin], [], [], 0.01)[0]:
        name, path = (("/healthz", "/healthz"), ("a list", "/v1/subscriptions"))[number % 2]
        number += 1
        begin = time.monotonic()

        def ask():
            nonlocal kept
            try:
                if kept is None or number % 4 < 2:
                    if kept:
                        kept.close()
                    kept = http_connection(port, tls, timeout=180)
                kept.request("GET", path, headers={"Authorization": f"Bearer {token}"})
                answer = kept.getresponse()
                body = answer.read()
                return "busy" if is_busy(answer, body) else answer.status
            except (OSError, http.client.HTTPException) as error:
                kept = None
                return type(error).__name__
        # That it took long shows in the figures.
        status = prompt(ask, is_good=lambda status: status in (200, "busy"))
        figures[name].append((time.monotonic() - begin) * 1000)
        busy += status == "busy"
        if status not in (200, "busy"):
            faults.append(f"{name}: {status}")
    print(json.dumps({"figures": figures, "faults": sorted(set(faults)), "busy": busy}), flush=True)


def is_busy(answer, body):
    """Whether a service says that it takes no more for the moment, and when to try again."""
    try:
        return (answer.status == 503 and int(answer.getheader("Retry-After", "")) > 0
                and json.loads(body)["code"] == "unavailable")
    except (ValueError, KeyError, TypeError):
        return False


class Observer:
    """The second client, another user, in a process of its own, which the attack's own work does not hold up."""

    def __init__(self, service):
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(service.port), "https" if service.tls else "http", service.other],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def end(self):
        """Its figures in milliseconds by what it asked for, the wrong answers, and how many told it to try again."""
        output, _ = self.process.communicate(timeout=1200)
        found = json.loads(output)
        return found["figures"], found["faults"], found["busy"]


class Memory(threading.Thread):
    """Looks at the memory of the service all the time."""

    def __init__(self, service):
        super().__init__(daemon=True)
        self.service, self.peak, self.done = service, service.memory(), threading.Event()
        self.start()

    def run(self):
        while not self.done.wait(0.02):
            self.peak = max(self.peak, self.service.memory())

    def end(self):
        self.done.set()
        self.join()
        return self.peak


def quantile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


if __name__ == "__main__":
    observe(int(sys.argv[1]), sys.argv[2] == "https", sys.argv[3])
