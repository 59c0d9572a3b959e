#!/usr/bin/env python3
"""A mail server of aiosmtpd for tests. It writes each mail to a folder, and beside it a description by Python's own parser.

    mail_sink.py FOLDER [--refuse N] [--tls CERTIFICATE KEY | --start-tls CERTIFICATE KEY] [--password PASSWORD] [--silent]
                 [--unfriendly]

The port stands in FOLDER/port, the commands of clients in FOLDER/commands. The server ends with its standard input.
"""

import argparse
import email
import email.policy
import json
import os
import socket
import ssl
import sys
import threading

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, SMTP

# The answers to recipients, by the part before the @.
REPLIES = {
    "nobody": "550 5.1.1 no such user", "full": "452 4.2.2 mailbox full", "relay": "554 5.7.1 relay access denied",
}


def write(folder, name, data):
    part = os.path.join(folder, f"part-{name}")
    with open(part, "wb") as file:
        file.write(data)
    os.rename(part, os.path.join(folder, name))


def parsed(data):
    mail = email.message_from_bytes(data, policy=email.policy.default)
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    parts = [mail, text, html] + [mail[name] for name in mail.keys()]
    return {
        "subject": mail["subject"], "from": mail["from"], "to": mail["to"], "text": text.get_content(),
        "html": html.get_content(), "defects": [str(defect) for part in parts for defect in part.defects],
    }


class Handler:
    def __init__(self, folder, refused, unfriendly):
        self.folder, self.refused, self.unfriendly = folder, refused, unfriendly
        self.connections = self.count = 0

    def note(self, line):
        with open(os.path.join(self.folder, "commands"), "a") as file:
            file.write(line + "\n")

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        # After STARTTLS a client greets once more, on the same connection.
        if not hasattr(server, "number"):
            self.connections += 1
            server.number = self.connections
        self.note(f"EHLO {server.number}")
        return ["550 5.7.1 strangers are not greeted"] if self.unfriendly else responses

    async def handle_HELO(self, server, session, envelope, hostname):
        session.host_name = hostname
        return "550 5.7.1 strangers are not greeted" if self.unfriendly else "250 mail.test"

    async def handle_RCPT(self, server, session, envelope, address, options):
        self.note(f"RCPT {address}")
        reply = REPLIES.get(address.split("@")[0])
        if not reply:
            envelope.rcpt_tos.append(address)
        return reply or "250 OK"

    async def handle_QUIT(self, server, session, envelope):
        self.note(f"QUIT {server.number}")
        return "221 Bye"

    async def handle_DATA(self, server, session, envelope):
        self.count += 1
        if self.count <= self.refused:
            return "451 4.3.0 come back later"
        name = f"{self.count:03}"
        said = parsed(envelope.content) | {
            "connection": server.number, "isEncrypted": server.transport.get_extra_info("ssl_object") is not None,
            "user": getattr(session, "user", None), "greeting": session.host_name,
        }
        write(self.folder, f"{name}.json", json.dumps(said).encode())
        line = f"{envelope.mail_from} {' '.join(envelope.rcpt_tos)}\n"
        write(self.folder, f"{name}.mail", line.encode() + envelope.content)
        return "250 OK"


def silent():
    """Takes connections and says nothing."""
    server = socket.create_server(("127.0.0.1", 0))
    kept = []

    def take():
        while True:
            kept.append(server.accept())

    threading.Thread(target=take, daemon=True).start()
    return server.getsockname()[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--refuse", type=int, default=0)
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--start-tls", nargs=2)
    parser.add_argument("--password")
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--unfriendly", action="store_true")
    options = parser.parse_args()
    if options.silent:
        write(options.folder, "port", str(silent()).encode())
        sys.stdin.read()
        return

    files, context = options.tls or options.start_tls, None
    if files:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*files)

    def authenticated(server, session, envelope, mechanism, data):
        session.user = data.login.decode()
        return AuthResult(success=data.password.decode() == options.password, handled=False)

    more = {"tls_context": context} if options.start_tls else {}
    if options.password:
        more |= {"authenticator": authenticated, "auth_required": True, "auth_require_tls": files is not None and not options.tls}

    class Sink(Controller):
        def factory(self):
            return SMTP(self.handler, hostname="mail.test", enable_SMTPUTF8=True, **more)

    handler = Handler(options.folder, options.refuse, options.unfriendly)
    controller = Sink(handler, hostname="127.0.0.1", port=0, ssl_context=context if options.tls else None)

    def port():
        return controller.server.sockets[0].getsockname()[1]

    # The controller greets its server to see that it lives, at port 0 unless told.
    controller._trigger_server = lambda: socket.create_connection(("127.0.0.1", port()), 5).close()
    controller.start()
    write(options.folder, "port", str(port()).encode())
    sys.stdin.read()
    controller.stop()


if __name__ == "__main__":
    main()
