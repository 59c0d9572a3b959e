"""The terminal client, which stands on the service's kit: another device of the same user."""

import json
import pathlib
import subprocess
import tempfile

from support.service import environment, program


class Terminal:
    def __init__(self, service):
        self.service = service
        self.home = tempfile.TemporaryDirectory(prefix="subtrack-home-")

    def run(self, *arguments, text=None, check=True):
        done = subprocess.run(
            [str(pathlib.Path(program()).parent / "subtrack"), arguments[0], "--home", self.home.name, "--server", self.service.url, "--json", *arguments[1:]],
            input=text, capture_output=True, text=True, timeout=300, env={**environment(), "TZ": "Europe/Berlin"})
        if check and done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stdout[-1000:]}{done.stderr[-1000:]}")
        return done.stdout

    def sign_in(self, email, password):
        self.run("login", email, text=f"{password}\n")

    def subscriptions(self):
        return json.loads(self.run("list", "--all", "--sync"))

    def close(self):
        self.home.cleanup()
