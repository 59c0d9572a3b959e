"""Hostile clients against a service on loopback, and a second client that measures what others feel.

usage: attack.py PROGRAM [--short] [--only NAME,…]     see script/attack
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from attacks import bodies, http2, requests, sockets
from attacks.observer import Memory, Observer, quantile
from attacks.service import MIB, Service
from attacks.target import Target

#: Attacks on a service without TLS, those beside each other that the short form makes at the same time.
PLAIN = [
    [bodies.unfinished_bodies],
    [bodies.slow_bodies, bodies.slow_heads, bodies.slow_lines, bodies.asking_first, sockets.unread_lines,
     sockets.endless_lines, bodies.half_closed, bodies.half_closed_lines, requests.replayed, requests.hostile_bodies,
     requests.hostile_targets, requests.hostile_headers, requests.ambiguous, requests.chunks, requests.garbage,
     sockets.websocket_messages, sockets.websocket_frames, sockets.plain_lines],
    [bodies.unread_answers, bodies.aborted, requests.pipelined, sockets.websocket_floods],
]
#: Attacks on a service with TLS.
TLS = [
    [bodies.unfinished_bodies],
    [http2.http2_unfinished_bodies],
    [http2.silent_handshakes, http2.silent_connections, http2.slow_records, http2.http2_slow_bodies, http2.http2_floods,
     http2.http2_faults, http2.http2_heads, requests.garbage],
    [http2.http2_unread_answers, bodies.unread_answers],
]
#: The limit of a service that may open 1,024 files.
FILES = [[bodies.idle]]


class Report:
    """The table. Rows may come from several threads. A row with a verdict of None is shown and not counted."""

    def __init__(self):
        self.passed, self.failed, self.lock = 0, 0, threading.Lock()
        print("| attack | figure | value | goal | verdict |\n|---|---|---|---|---|", flush=True)

    def row(self, attack, what, value, goal, holds):
        with self.lock:
            self.passed, self.failed = self.passed + bool(holds), self.failed + (holds is not None and not holds)
            verdict = "shown" if holds is None else "holds" if holds else "MISSED"
            print(f"| {attack} | {what} | {value} | {goal} | {verdict} |", flush=True)


class Run:
    """The attacks on one service, and what is measured beside each of them."""

    def __init__(self, report, label, target, bounds):
        self.report, self.label, self.target, self.bounds = report, label, target, bounds

    def attack(self, group):
        """Makes the attacks of a group at the same time. Returns whether the service lives."""
        service = self.target.service
        # The service gives resources of the attack before back, and open connections end.
        time.sleep(0.2 if self.target.short else 2)
        observer, memory = Observer(service), Memory(service)
        processor, begin = service.processor(), time.monotonic()
        threads = [threading.Thread(target=self.one, args=(attack,)) for attack in group]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        figures, faults, busy = observer.end()
        grown = memory.end() - service.rest
        title = self.title(*group) if len(group) == 1 else f"{self.label}: these {len(group)} together"
        for name, values in figures.items():
            worst = quantile(values, 1)
            text = f"{quantile(values, 0.5):.1f} / {quantile(values, 0.99):.1f} / {worst:.1f} ms"
            self.report.row(title, f"others, {name}: p50 / p99 / worst", text, f"worst {self.bounds['worst']} ms",
                            self.target.judged(worst <= self.bounds["worst"]))
        self.report.row(title, "others answered with neither 200 nor a 503 that says when to try again",
                        ", ".join(faults) or 0, 0, not faults)
        self.report.row(title, "others told to try again (503)", busy, 0, self.target.judged(not busy))
        serves = service.serves()
        self.report.row(title, "others served afterwards", "yes" if serves else "no", "yes", serves)
        processor, took = service.processor() - processor, time.monotonic() - begin
        self.report.row(title, "memory beyond that at rest; processor time", f"{grown:.0f} MiB; {processor:.1f} of {took:.0f} s",
                        f"{self.bounds['memory']} MiB", self.target.judged(grown <= self.bounds["memory"]))
        if service.process.poll() is not None:
            self.report.row(title, "the service", f"ended with {service.process.returncode}", "lives", False)
        return service.process.poll() is None

    def title(self, attack):
        return f"{self.label}: {attack.__name__.replace('_', ' ')}"

    def one(self, attack):
        try:
            rows = attack(self.target)
        except Exception as error:  # noqa: BLE001 - an attack that breaks is a row, and the others go on
            rows = [("the attack itself", f"{type(error).__name__}: {error}", "none", False)]
        for row in rows:
            self.report.row(self.title(attack), *row)

    def all(self, groups):
        for group in groups:
            for part in [group] if self.target.short else [[attack] for attack in group]:
                if part and not self.attack(part):
                    return

    def stop(self, beside=""):
        """Ends the service, while it is attacked where there is something beside."""
        swarm = None
        if beside:
            swarm = self.target.swarm(self.target.post(MIB) + b" " * 100_000, count=200)
            swarm.run(1)
        log, errors = self.target.service.log_growth()
        took = self.target.service.stop()
        if swarm:
            swarm.close()
        # One that does not end is killed, and has another exit code.
        self.report.row(f"{self.label}: SIGTERM{beside}", "time to end", f"{took:.1f} s", f"{self.bounds['stop']} s",
                        self.target.judged(took <= self.bounds["stop"]))
        status = self.target.service.process.returncode
        self.report.row(f"{self.label}: SIGTERM{beside}", "exit code", status, 0, status == 0)
        self.report.row(f"{self.label}: the log", "growth", f"{log:.0f} KiB", "1024 KiB", self.target.judged(log <= 1024))
        self.report.row(f"{self.label}: the log", "lines of errors", errors, 0, errors == 0)


def certificate(folder):
    files = str(folder / "certificate.pem"), str(folder / "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout", files[1]],
        check=True, stderr=subprocess.DEVNULL)
    return files


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    words = [word.replace("-", "_") for word in options.only.split(",") if word]
    bounds = {"worst": 120000, "memory": 100, "stop": 120} if options.short else {"worst": 250, "memory": 100, "stop": 20}

    def chosen(groups):
        return [[one for one in group if not words or any(word in one.__name__ for word in words)] for group in groups]

    # The short form judges seconds and memory only in the full run: a busy machine misses any bound.
    measures = not options.short or any(os.environ.get(name) for name in ("SUBTRACKIT_FULL", "SUBTRACKIT_FAULTS"))
    report = Report()
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        folder = pathlib.Path(folder)
        services, faults = [], []

        def lane(label, groups, beside="", **settings):
            if not any(groups):
                return
            try:
                service = Service(options.program, folder / label.split()[0], **settings)
                services.append(service)
                attacks = Run(report, label, Target(service, options.short, measures), bounds)
                attacks.all(groups)
                attacks.stop(beside)
            except BaseException as error:  # noqa: BLE001 - it is told in the thread that waits
                faults.append(f"{label}: {error}")

        beside = " beside 200 unfinished bodies"
        plain, tls, files = chosen(PLAIN), chosen(TLS), chosen(FILES)
        if options.short:
            # One service has few files for all of its attacks, and two services are attacked at the same time.
            lanes = [("plain", plain + files, beside, {"files": 1500}),
                     ("TLS", tls, "", {"tls": certificate(folder)})]
        else:
            lanes = [("plain", plain, beside, {}), ("TLS", tls, beside, {"tls": certificate(folder)}),
                     ("1,024 descriptors", files, "", {"files": 1024})]
        try:
            threads = [threading.Thread(target=lane, args=(label, groups, end), kwargs=settings)
                       for label, groups, end, settings in lanes]
            for thread in threads:
                thread.start()
                if not options.short:
                    thread.join()
            for thread in threads:
                thread.join()
        finally:
            for service in services:
                service.stop()
    for fault in faults:
        report.row("the attacks", fault, "broken off", "none", False)
    print(f"{report.passed} passed, {report.failed} failed")
    sys.exit(1 if report.failed or not report.passed else 0)


if __name__ == "__main__":
    main()
