#!/usr/bin/env python3
"""Servers for the tests of Outbound: web servers and mail servers that behave well, badly or not at all.

Prints one line of JSON with the ports, then one line for each event. Ends with its standard input.

    outbound_receivers.py [--certificate FILE --key FILE]
"""

import argparse
import http.server
import json
import socket
import ssl
import sys
import threading
import time

lock = threading.Lock()
ended = threading.Event()


def tell(**event):
    with lock:
        print(json.dumps(event), flush=True)


class Web(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def setup(self):
        super().setup()
        tell(event="connected", port=self.server.server_port)

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        tell(
            event="request", port=self.server.server_port, path=self.path, body=body.decode("latin-1"),
            headers=[[name, value] for name, value in self.headers.items()],
        )
        try:
            self.behave()
        except OSError:
            tell(event="lost", path=self.path)
            self.close_connection = True

    def behave(self):
        path = self.path
        if path == "/redirect":
            return self.answer(302, headers=[("Location", f"http://127.0.0.1:{self.server.server_port}/secret")])
        if path == "/later":
            return self.answer(429, headers=[("Retry-After", "3600")])
        if path == "/date":
            return self.answer(503, headers=[("Retry-After", self.date_time_string(time.time() + 7200))])
        if path == "/cookie":
            return self.answer(200, headers=[("Set-Cookie", "a=b; Path=/")])
        if path == "/never":
            ended.wait()
        if path == "/gate":
            gate.arrive()
            return self.answer(204)
        if path == "/huge":
            self.send_response(200)
            self.send_header("Content-Length", str(10**9))
            self.end_headers()
            piece, sent = b"x" * 65536, 0
            try:
                while sent < 10**9:
                    sent += self.wfile.write(piece)
            finally:
                tell(event="sent", path=path, bytes=sent)
            return None
        if path in ("/drip", "/stall"):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"x")
            if path == "/stall":
                ended.wait()
            while not ended.wait(0.3):
                self.wfile.write(b"x")
        return self.answer(200, b"taken")


class Gate:
    """Requests that wait for each other: as many as have come are counted, and leave after a moment without another."""

    def __init__(self):
        self.condition = threading.Condition()
        self.here = 0
        self.most = 0

    def arrive(self):
        with self.condition:
            self.here += 1
            if self.here > self.most:
                self.most = self.here
                tell(event="gate", most=self.most)
            self.condition.wait(0.2)
            self.here -= 1


gate = Gate()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


def web(context=None):
    server = Server(("127.0.0.1", 0), Web)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def silent():
    """Accepts connections and says nothing."""
    server = socket.create_server(("127.0.0.1", 0), backlog=64)
    kept = []

    def accept():
        while True:
            kept.append(server.accept()[0])
            tell(event="connected", port=server.getsockname()[1])

    threading.Thread(target=accept, daemon=True).start()
    return server.getsockname()[1]


def mail(context=None, **options):
    """A mail server of aiosmtpd that keeps each connection in mind."""
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult, SMTP

    class Handler:
        connections = 0

        async def handle_EHLO(self, server, session, envelope, hostname, responses):
            session.host_name = hostname
            Handler.connections += 1
            session.number = Handler.connections
            return responses

        async def handle_MAIL(self, server, session, envelope, address, mail_options):
            if "sender-refused" in address:
                return "550 5.1.8 bad sender"
            envelope.mail_from = address
            return "250 OK"

        async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
            name = address.split("@")[0]
            replies = {
                "nobody": "550 5.1.1 no such user", "full": "452 4.2.2 mailbox full",
                "relay": "554 5.7.1 relay access denied", "gone": "550 gone",
            }
            if name in replies:
                return replies[name]
            envelope.rcpt_tos.append(address)
            return "250 OK"

        async def handle_DATA(self, server, session, envelope):
            if b"spam" in envelope.content:
                return "554 5.7.1 spam"
            tell(
                event="mail", sender=envelope.mail_from, recipients=envelope.rcpt_tos, connection=session.number,
                isEncrypted=session.ssl is not None, user=getattr(session, "user", None),
                content=envelope.content.decode("latin-1"),
            )
            return "250 OK"

    def authenticate(server, session, envelope, mechanism, data):
        session.user = data.login.decode()
        return AuthResult(success=data.password == b"right", handled=False)

    class Mail(Controller):
        def factory(self):
            return SMTP(
                self.handler, hostname="mail.test", authenticator=authenticate, auth_require_tls=False,
                enable_SMTPUTF8=True, **options)

    controller = Mail(Handler(), hostname="127.0.0.1", port=0, ssl_context=context)
    def port():
        return controller.server.sockets[0].getsockname()[1]

    # The controller greets its server to see that it lives, at port 0 unless told.
    controller._trigger_server = lambda: socket.create_connection(("127.0.0.1", port()), 5).close()
    controller.start()
    return port()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    options = parser.parse_args()
    ports = {"http": web(), "other": web(), "silent": silent()}
    context = None
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
        ports["https"] = web(context)
    try:
        ports["smtp"] = mail()
        ports["impatient"] = mail(timeout=1)
        if context:
            ports["smtps"] = mail(context)
            ports["startTLS"] = mail(tls_context=context)
    except ImportError:
        pass
    tell(**ports)
    sys.stdin.read()
    ended.set()


if __name__ == "__main__":
    main()
