"""Sends hostile inputs to a running service, one at a time, and measures their answers beside another client's.

usage: worst.py HTTP-PORT SOCKET-PORT TOKEN PID [--tls HTTPS-PORT] [--size BYTES] [--only PART]

For each input it prints a line: transport, name, bytes, milliseconds until the answer began, the longest answer of
/healthz meanwhile, and what was answered. Then it sends all of them at once, sends SIGTERM to the process PID, and prints how
long that took to end. Standard library and curl (HTTP/2) only.
"""

import base64
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Python"))
import hostile_inputs  # noqa: E402

LIMIT = 90


class Neighbour(threading.Thread):
    """Another client: asks for /healthz again and again on a connection of its own, and notes the longest answer."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.worst, self.began, self.lock = port, 0.0, None, threading.Lock()
        self.stopped = False

    def run(self):
        connection = socket.create_connection(("127.0.0.1", self.port), LIMIT)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while not self.stopped:
            with self.lock:
                self.began = time.perf_counter()
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            data = b""
            while b"\r\n\r\n" not in data or not data.endswith(b"\n"):
                more = connection.recv(65536)
                if not more:
                    return
                data += more
                if data.split(b"\r\n\r\n", 1)[1:] and length(data) <= len(data.split(b"\r\n\r\n", 1)[1]):
                    break
            with self.lock:
                self.worst = max(self.worst, time.perf_counter() - self.began)
                self.began = None
            time.sleep(0.002)

    def reset(self):
        with self.lock:
            self.worst = 0.0

    def read(self):
        """The longest answer since the last reset, that which is still waited for included."""
        with self.lock:
            return max(self.worst, time.perf_counter() - self.began if self.began else 0)


def length(data):
    for line in data.split(b"\r\n\r\n", 1)[0].split(b"\r\n")[1:]:
        if line.lower().startswith(b"content-length:"):
            return int(line.split(b":", 1)[1])
    return 0


def exchange(port, data, is_answered, patience=LIMIT):
    """Sends bytes in a thread and reads until there is an answer: milliseconds and its first bytes."""
    with socket.create_connection(("127.0.0.1", port), patience) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def send():
            try:
                connection.sendall(data)
            except OSError:
                pass

        began = time.perf_counter()
        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        answer = b""
        try:
            while not is_answered(answer):
                more = connection.recv(65536)
                if not more:
                    break
                answer += more
        except OSError as error:
            answer = answer or str(error).encode()
        return time.perf_counter() - began, answer


def http(port, token, method, target, body=b"", fields=()):
    fields = dict(fields)
    fields.setdefault("Authorization", "Bearer " + token)
    head = [f"{method} {target} HTTP/1.1", "Host: x"] + [f"{name}: {value}" for name, value in fields.items()]
    if body:
        head.append(f"Content-Length: {len(body)}")
    data = "\r\n".join(head).encode() + b"\r\n\r\n" + body
    seconds, answer = exchange(port, data, lambda answer: b"\r\n\r\n" in answer)
    return seconds, answer.split(b"\r\n")[0].decode(errors="replace")


def http2(port, token, body):
    with tempfile.NamedTemporaryFile() as file:
        file.write(body)
        file.flush()
        output = subprocess.run(
            ["curl", "--silent", "--insecure", "--http2", "--output", "/dev/null", "--max-time", str(LIMIT),
             "--header", "Authorization: Bearer " + token, "--header", "Expect:", "--data-binary", "@" + file.name,
             "--write-out", "%{time_starttransfer} %{time_appconnect} HTTP/%{http_version} %{http_code}",
             f"https://127.0.0.1:{port}/v1/changes"],
            capture_output=True, text=True).stdout.split(" ", 2)
    return float(output[0]) - float(output[1]), output[2]


def line(port, token, data):
    opening = hostile_inputs.request("session.open", {"token": token}) + b"\n"
    with socket.create_connection(("127.0.0.1", port), LIMIT) as connection:
        connection.sendall(opening)
        connection.recv(65536)
        # Lines without a message are not answered: one comes behind them.
        data += b"" if data.strip() else hostile_inputs.request("server.info") + b"\n"
        began = time.perf_counter()
        threading.Thread(target=lambda: quietly(connection.sendall, data), daemon=True).start()
        answer = quietly(connection.recv, 65536) or b""
        return time.perf_counter() - began, excerpt(answer)


def websocket(port, token, parts):
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = (f"GET /v1/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nUpgrade: websocket\r\n"
               f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode()
    with socket.create_connection(("127.0.0.1", port), LIMIT) as connection:
        connection.sendall(upgrade)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += connection.recv(65536)
        frames = bytearray()
        for index, part in enumerate(parts):
            frames.append((0x80 if index == len(parts) - 1 else 0) | (0 if index else 1))
            if len(part) < 126:
                frames.append(0x80 | len(part))
            elif len(part) < 1 << 16:
                frames += struct.pack("!BH", 0x80 | 126, len(part))
            else:
                frames += struct.pack("!BQ", 0x80 | 127, len(part))
            # A mask of zeros leaves the payload as it is.
            frames += bytes(4) + part
        began = time.perf_counter()
        threading.Thread(target=lambda: quietly(connection.sendall, bytes(frames)), daemon=True).start()
        answer = quietly(connection.recv, 65536) or b""
        return time.perf_counter() - began, excerpt(answer)


def quietly(body, *arguments):
    try:
        return body(*arguments)
    except OSError:
        return None


def excerpt(answer):
    text = answer[:160].decode(errors="replace")
    for mark in ['"code":', '"result":']:
        if mark in text:
            return text[text.index(mark):][:40].split("\n")[0]
    return repr(answer[:30])


def main(arguments):
    http_port, socket_port, token, process = int(arguments[0]), int(arguments[1]), arguments[2], int(arguments[3])
    options = dict(zip(arguments[4::2], arguments[5::2]))
    size, only = int(options.get("--size", hostile_inputs.MIB)), options.get("--only", "")
    attacks = []
    for name, body in hostile_inputs.bodies(size):
        attacks.append(("HTTP/1.1", name, len(body), lambda body=body: http(http_port, token, "POST", "/v1/changes", body)))
        if "--tls" in options:
            attacks.append(("HTTP/2", name, len(body), lambda body=body: http2(int(options["--tls"]), token, body)))
    for name, target in hostile_inputs.targets(size):
        attacks.append(("HTTP/1.1", name, len(target), lambda target=target: http(http_port, token, "GET", target)))
    for name, field, value in hostile_inputs.headers(size):
        attacks.append(("HTTP/1.1", name, len(value.encode()), lambda field=field, value=value: http(
            http_port, token, "GET", "/v1/subscriptions", fields={field: value})))
    for name, data in hostile_inputs.lines(size):
        attacks.append(("socket", name, len(data), lambda data=data: line(socket_port, token, data)))
    for name, parts in hostile_inputs.messages(size):
        attacks.append(("WebSocket", name, sum(map(len, parts)), lambda parts=parts: websocket(http_port, token, parts)))
    attacks = [attack for attack in attacks if only in attack[1] or only in attack[0]]
    neighbour = Neighbour(http_port)
    neighbour.start()
    time.sleep(0.5)
    for transport, name, bytes_sent, attack in attacks:
        neighbour.reset()
        try:
            seconds, answer = attack()
        except (OSError, ValueError, IndexError) as error:
            seconds, answer = LIMIT, f"{type(error).__name__}: {error}"
        # What goes on after the answer has begun counts as well.
        time.sleep(0.05)
        print(f"{transport}\t{name}\t{bytes_sent}\t{seconds * 1000:.1f}\t{neighbour.read() * 1000:.1f}\t{answer}", flush=True)
    neighbour.stopped = True
    for _, _, _, attack in attacks:
        threading.Thread(target=lambda attack=attack: quietly(attack), daemon=True).start()
    time.sleep(0.3)
    began = time.perf_counter()
    os.kill(process, signal.SIGTERM)
    while time.perf_counter() - began < LIMIT and is_running(process):
        time.sleep(0.02)
    print(f"SIGTERM\tall at once\t0\t{(time.perf_counter() - began) * 1000:.1f}\t0\t"
          + ("still running" if is_running(process) else "ended"), flush=True)
    os._exit(0)


def is_running(process):
    """Whether the process is there and has not ended: a child that nobody waits for stays as a zombie."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(sys.argv[1:])
