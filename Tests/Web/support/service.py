"""A real subtrackd with a MariaDB of its own, which ends with the tests."""

import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
# What keeps a thousand test devices of one address from being taken for an attack.
GENEROUS = [
    *("--devices-per-hour", "1000000"), *("--registrations-per-hour", "1000000"), *("--mails-per-hour", "1000000"),
    *("--writes-per-hour", "1000000"), *("--network-writes-per-hour", "1000000"),
    *("--sign-ins-per-minute", "1000000"), *("--tenant-sign-ins-per-minute", "1000000"), *("--free-wrong-passwords", "1000000"),
    *("--http-connections-per-network", "1000"),
]


def program():
    """The built service: that of SUBTRACKIT_WEB_SUBTRACKD, or the debug build."""
    named = os.environ.get("SUBTRACKIT_WEB_SUBTRACKD")
    if named:
        return named
    for folder in (".build/debug", ".build-release/release"):
        if (ROOT / folder / "subtrackd").exists():
            return str(ROOT / folder / "subtrackd")
    raise RuntimeError("no subtrackd here: build it first (script/build)")


def environment():
    """This one without settings of the service: those of the tests are none of it."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SUBTRACKIT_")}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Service:
    """One service. `restart` and `kill` keep its data and its port."""

    def __init__(self, *arguments, state=None):
        """A service with a copy of a folder's data, or with new data."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="subtrack-web-"))
        if state:
            shutil.copytree(state, self.folder / "state")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.arguments = list(arguments)
        self.process = None
        self.log = open(self.folder / "log", "ab")

    def start(self):
        self.process = subprocess.Popen(
            [program(), "serve", "--state-dir", str(self.folder / "state"), "--http-listen", f"127.0.0.1:{self.port}",
             "--socket-listen", "none", "--log-format", "json", *GENEROUS, *self.arguments],
            stdout=self.log, stderr=self.log, env=environment())
        self._until_ready()
        return self

    def _until_ready(self):
        end = time.monotonic() + 180
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=60):
                    return
            except (OSError, urllib.error.URLError):
                time.sleep(0.1)
        raise RuntimeError(f"the service does not start:\n{self.logged()[-4000:]}")

    def logged(self):
        return (self.folder / "log").read_text(errors="replace")

    def stop(self):
        """Ends it in order."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def kill(self):
        """Ends it at once, in the middle of whatever it does."""
        self.process.kill()
        self.process.wait()

    def remove(self):
        self.stop()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *arguments, text=None):
        """Runs another of the program's commands on this service's data."""
        done = subprocess.run(
            [program(), *arguments, "--state-dir", str(self.folder / "state")], input=text, capture_output=True, text=True, timeout=300,
            env=environment())
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stderr[-2000:]}")
        return done.stdout

    def sql(self, statements, tenant="default"):
        """What an admin types: the lines of the answer, a list of columns each, a head before the rows of each query."""
        return [line.split("\t") for line in self.run("sql", "--tenant", tenant, text=statements).splitlines()]

    def call(self, method, path, body=None, token=None, headers=None):
        """Calls an operation as another client would: (status, answer)."""
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Accept": "application/json", **({"Content-Type": "application/json"} if body is not None else {}),
                     **({"Authorization": f"Bearer {token}"} if token else {}), **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            text = error.read()
            return error.code, json.loads(text) if text else None


def prepared_state(folder):
    """The data of a service after its first start, made once in a folder that all workers of a run share.

    To make and migrate a database takes longer than most tests. A copy takes a moment.
    """
    state = folder / "prepared"
    with open(folder / "prepared.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not state.exists():
            made = Service()
            try:
                made.start().stop()
                # Under this name it is whole.
                shutil.move(made.folder / "state", folder / "being-moved")
                (folder / "being-moved").rename(state)
            finally:
                made.remove()
    return state


def serves_pages(service):
    """Whether this build serves the app itself."""
    request = urllib.request.Request(f"{service.url}/", headers={"Accept": "text/html"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return bool(re.search(rb"app/[^/\"]+/", answer.read()))
    except urllib.error.HTTPError:
        return False
