"""subtrackd with a database of its own."""

import http.client
import json
import os
import re
import signal
import ssl
import subprocess
import sys
import time

MIB = 1 << 20


def context(protocols=()):
    """A TLS context that takes the certificate of the test, which no authority has signed."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE
    if protocols:
        made.set_alpn_protocols(list(protocols))
    return made


def http_connection(port, tls, timeout):
    if tls:
        return http.client.HTTPSConnection("127.0.0.1", port, timeout=timeout, context=context())
    return http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)


class Service:
    """A running service, its ports, and what it costs."""

    def __init__(self, program, folder, tls=None, files=None):
        folder.mkdir(exist_ok=True)
        self.log_path = folder / "log"
        self.log = open(self.log_path, "ab+")
        start = self.log.seek(0, 2)
        command = [program, "serve", "--state-dir", str(folder / "state"), "--http-listen", "127.0.0.1:0",
                   "--socket-listen", "127.0.0.1:0", "--log-format", "json", "--devices-per-hour", "100000"]
        if tls:
            command += ["--tls-certificate-file", tls[0], "--tls-key-file", tls[1]]
        if files:
            command = ["/bin/sh", "-c", f'ulimit -n {files}; exec "$0" "$@"'] + command
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SUBTRACKIT_")}
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, env=environment)
        self.tls, self.port, self.socket_port = tls is not None, None, None
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and self.process.poll() is None:
            text = self.log_path.read_bytes()[start:].decode(errors="replace")
            at = re.search(r"listens at https?:\\?/\\?/127\.0\.0\.1:(\d+)", text)
            plain = re.search(r"plain sockets at 127\.0\.0\.1:(\d+)", text)
            if at and plain:
                self.port, self.socket_port = int(at[1]), int(plain[1])
                if self.answers("/readyz"):
                    self.token = self.register()
                    #: another user's, for the second client: a user's own requests have turns
                    self.other = self.register()
                    self.rest = self.memory()
                    self.log_rest = self.log_path.stat().st_size
                    return
            time.sleep(0.1)
        self.stop()
        sys.exit(f"the service does not start: {self.log_path.read_text(errors='replace')[-2000:]}")

    def request(self, method, path, body=None, token=None, headers=None, timeout=180):
        connection = http_connection(self.port, self.tls, timeout)
        try:
            all_headers = dict(headers or {})
            if token:
                all_headers["Authorization"] = f"Bearer {token}"
            connection.request(method, path, body, all_headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def answers(self, path):
        try:
            return self.request("GET", path, timeout=5)[0] == 200
        except OSError:
            return False

    def serves(self):
        """Whether the second client gets its list within a minute."""
        end = time.monotonic() + 60
        while self.process.poll() is None:
            try:
                if self.request("GET", "/v1/subscriptions", token=self.other, timeout=60)[0] == 200:
                    return True
            except (OSError, http.client.HTTPException):
                pass
            if time.monotonic() >= end:
                break
            time.sleep(0.2)
        return False

    def register(self):
        """Registers a device. Then it asks once for all that is made at the first request, which is no attack's."""
        body = json.dumps({"name": "attack", "country": "US"}).encode()
        status, answer = self.request("POST", "/v1/devices", body)
        if status != 201:
            sys.exit(f"no device could be registered: {status} {answer[:300]!r}")
        token = json.loads(answer)["token"]
        for path in ("/v1", "/healthz", "/openapi.json", "/v1/subscriptions", "/v1/plans"):
            self.request("GET", path, token=token)
        return token

    def memory(self):
        """Memory that the process has for itself, in MiB: without pages of its program's file."""
        try:
            with open(f"/proc/{self.process.pid}/statm") as file:
                fields = file.read().split()
            return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE") / MIB
        except (OSError, IndexError):
            return float("nan")

    def processor(self):
        """Seconds of processor time that it has taken."""
        try:
            with open(f"/proc/{self.process.pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            return float("nan")

    def log_growth(self):
        """How many KiB it has logged since it started, and how many of the lines are errors."""
        with open(self.log_path, "rb") as file:
            file.seek(self.log_rest)
            text = file.read()
        errors = sum(line.count(b'"error"') > 0 and b'"level":"error"' in line.replace(b" ", b"")
                     or b'"level":"critical"' in line for line in text.splitlines())
        return len(text) / 1024, errors

    def stop(self, limit=180):
        """Ends it by SIGTERM. Returns how long that took, in seconds."""
        start = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(limit)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return time.monotonic() - start
