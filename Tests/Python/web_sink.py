#!/usr/bin/env python3
"""A web server for tests of requests that leave the service. It writes each request to a folder, as JSON with the body in base64.

    web_sink.py FOLDER [--tls CERTIFICATE KEY]

The port stands in FOLDER/port, a line for each connection in FOLDER/connections. The path of a request says how the server behaves: see
behave(). The server ends with its standard input.
"""

import argparse
import base64
import http.server
import itertools
import json
import os
import ssl
import sys
import threading
import time

ended = threading.Event()
numbers = itertools.count(1)
lock = threading.Lock()


def write(folder, name, text):
    part = os.path.join(folder, f"part-{name}")
    with open(part, "w") as file:
        file.write(text)
    os.rename(part, os.path.join(folder, name))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def setup(self):
        super().setup()
        self.note("connections", "connected")

    def note(self, name, line):
        with lock, open(os.path.join(self.server.folder, name), "a") as file:
            file.write(line + "\n")

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        write(self.server.folder, f"{next(numbers):06d}.request", json.dumps({
            "path": self.path, "body": base64.b64encode(body).decode(),
            "headers": {name.lower(): value for name, value in self.headers.items()}, "at": time.time(),
        }))
        try:
            self.behave(self.path.split("/")[1])
        except OSError:
            self.note("lost", self.path)
            self.close_connection = True

    def behave(self, name):
        if name.isdigit():
            return self.answer(int(name), b"as you say")
        if name == "redirect":
            return self.answer(307, Location=f"http://127.0.0.1:{self.server.server_port}/secret")
        if name == "later":
            return self.answer(429, Retry_After="3600")
        if name == "date":
            return self.answer(503, Retry_After=self.date_time_string(time.time() + 7200))
        if name == "never":
            ended.wait()
        if name == "gate":
            gate.arrive(lambda most: write(self.server.folder, "most", str(most)))
        if name == "huge":
            self.send_response(200)
            self.send_header("Content-Length", str(10**9))
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 65536)
        if name == "drip":
            self.send_response(200)
            self.end_headers()
            while not ended.wait(0.05):
                self.wfile.write(b"x")
        return self.answer(200, b"taken")


class Gate:
    """Counts the requests that are here at the same time. Each leaves after a moment."""

    def __init__(self):
        self.condition = threading.Condition()
        self.here = self.most = 0

    def arrive(self, tell):
        with self.condition:
            self.here += 1
            if self.here > self.most:
                self.most = self.here
                tell(self.most)
            self.condition.wait(0.3)
            self.here -= 1


gate = Gate()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--tls", nargs=2, metavar=("CERTIFICATE", "KEY"))
    options = parser.parse_args()
    server = Server(("127.0.0.1", 0), Handler)
    server.folder = options.folder
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        # The handshake is the thread's: a client that refuses the certificate holds up nobody.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    write(options.folder, "port", str(server.server_port))
    sys.stdin.read()
    ended.set()


if __name__ == "__main__":
    main()
