"""Stands between a browser and the service on a port of its own, so that the network can go away for one browser alone, an answer
can be lost, and something can be done in the middle of a chosen exchange.

It gives two folders of its own: /__web/ is web/ as it is in the tree (modules can be tried one by one), /__test/ the tests' pages.
"""

import asyncio
import json
import mimetypes
import pathlib
import re
import threading

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = {"/__web/": ROOT / "web", "/__test/": ROOT / "Tests/Web/pages"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types templates worker")
COOKIE = "subtrack-test-session"
# A file of a build is the same for ever, and each browser of a test asks for all of them.
FILE_OF_BUILD = re.compile(r"(?:/t/[a-z0-9-]+)?/app/[0-9a-f]+/")
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("application/manifest+json", ".webmanifest")


class Cut(Exception):
    """The connection ends here."""


class Trap:
    def __init__(self, start, moment, times, action):
        self.start, self.moment, self.left, self.action = start, moment, times, action
        self.sprung = threading.Event()


class Door:
    """A proxy in a thread of its own."""

    # Files of builds as the services of this run have sent them.
    _files = {}

    def __init__(self, target):
        self.target = target
        self.requests = []
        self.traps = []
        self.is_shut = False
        self._writers = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait(60)

    def _run(self):
        asyncio.set_event_loop(self._loop)

        async def begin():
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
            self.port = self._server.sockets[0].getsockname()[1]
            self.url = f"http://127.0.0.1:{self.port}"
            self._ready.set()
        self._loop.run_until_complete(begin())
        self._loop.run_forever()

    def _do(self, body):
        done = threading.Event()

        def run():
            body()
            done.set()
        self._loop.call_soon_threadsafe(run)
        done.wait(60)

    # What tests do

    def shut(self):
        """The network is gone: open connections end, and nothing is answered. The door's own folders stay, as the files of an app do."""
        def body():
            self.is_shut = True
            for writer in list(self._writers):
                writer.transport.abort()
        self._do(body)

    def open(self):
        self._do(lambda: setattr(self, "is_shut", False))

    def trap(self, start, moment, times=1, action=None):
        """Does something in the middle of the next exchanges whose "METHOD /path" begins so; with a line's end, those that are it.

        moment: "request": it does not arrive; "answer": it is done, and none of the answer comes; "half": half of the answer comes;
        "last": half of the answer comes, and then the network is gone; "status": `action` is (status, problem) and given as the
        answer, the service is not asked; "hold": the answer comes. With "half", "last" and "hold" `action` is a threading.Event that the
        answer waits for.
        """
        trap = Trap(start, moment, times, action)
        self._do(lambda: self.traps.append(trap))
        return trap

    def clear(self):
        self._do(self.traps.clear)

    def close(self):
        self.shut()

        async def end():
            self._server.close()
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
        asyncio.run_coroutine_threadsafe(end(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)

    def count(self, start):
        return sum(1 for line in self.requests if f"{line}\n".startswith(start))

    # The proxy

    def _caught(self, line):
        for trap in self.traps:
            if trap.left > 0 and f"{line}\n".startswith(trap.start):
                trap.left -= 1
                return trap
        return None

    async def _serve(self, reader, writer):
        self._writers.add(writer)
        try:
            while await self._one(reader, writer):
                pass
        except (Cut, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError, OSError):
            pass
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _one(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head[:-4].split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = [tuple(line.split(": ", 1)) if ": " in line else (line.rstrip(":"), "") for line in lines]
        named = {name.lower(): value for name, value in headers}
        body = await reader.readexactly(int(named.get("content-length", "0")))
        line = f"{method} {path}"
        self.requests.append(line)
        for prefix, folder in FOLDERS.items():
            if path.startswith(prefix):
                self._file(writer, folder, path[len(prefix):].split("?")[0])
                await writer.drain()
                return True
        if self.is_shut:
            raise Cut
        trap = self._caught(line)
        if trap and trap.moment == "request":
            trap.sprung.set()
            raise Cut
        if trap and trap.moment == "status":
            status, problem = trap.action
            self._answer(writer, status, [("Content-Type", "application/problem+json")], json.dumps(problem).encode())
            await writer.drain()
            trap.sprung.set()
            return True
        token = re.search(rf"{COOKIE}=([^;]+)", named.get("cookie", ""))
        if token:
            headers.append(("Authorization", f"Bearer {token[1]}"))
        if "upgrade" in named:
            await self._pipe(reader, writer, first, headers)
            return False
        key = (self.target, line, named.get("accept-encoding")) if method == "GET" and FILE_OF_BUILD.match(path) and "if-none-match" not in named else None
        status, answered, content = self._files.get(key) or await self._forward(first, headers, body)
        if key and status == 200:
            self._files[key] = (status, answered, content)
        answered, content = self._session(answered, content)
        if trap and trap.moment == "answer":
            trap.sprung.set()
            raise Cut
        if trap and trap.action and trap.moment in ("half", "last", "hold"):
            trap.sprung.set()
            await asyncio.get_running_loop().run_in_executor(None, trap.action.wait, 300)
        if trap and trap.moment in ("half", "last"):
            writer.write(self._head(status, answered, len(content)) + content[: len(content) // 2])
            await writer.drain()
            if trap.moment == "last":
                self.is_shut = True
                for other in self._writers - {writer}:
                    other.transport.abort()
            trap.sprung.set()
            raise Cut
        if self.is_shut:
            raise Cut
        self._answer(writer, status, answered, b"" if method == "HEAD" else content, length=len(content))
        await writer.drain()
        return True

    async def _forward(self, first, headers, body):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.target)
        try:
            sent = [(name, value) for name, value in headers if name.lower() not in ("connection", "keep-alive")] + [("Connection", "close")]
            writer.write((first + "\r\n" + "".join(f"{name}: {value}\r\n" for name, value in sent) + "\r\n").encode("latin-1") + body)
            await writer.drain()
            answer = await reader.read(-1)
        finally:
            writer.transport.abort()
        head, _, content = answer.partition(b"\r\n\r\n")
        if not head:
            raise Cut
        status_line, *lines = head.decode("latin-1").split("\r\n")
        answered = [tuple(line.split(": ", 1)) for line in lines if ": " in line]
        if any(name.lower() == "transfer-encoding" for name, _ in answered):
            content = self._unchunked(content)
        status = int(status_line.split(" ")[1])
        return status, [(name, value) for name, value in answered
                        if name.lower() not in ("connection", "transfer-encoding", "content-length", "keep-alive")], content

    @staticmethod
    def _unchunked(content):
        whole = b""
        while content:
            size, _, rest = content.partition(b"\r\n")
            length = int(size.split(b";")[0] or b"0", 16)
            if length == 0:
                break
            whole, content = whole + rest[:length], rest[length + 2:]
        return whole

    @staticmethod
    def _session(headers, content):
        """A service that gives tokens in bodies alone: the cookie is made here."""
        if not any(value.startswith("application/json") for name, value in headers if name.lower() == "content-type"):
            return headers, content
        if b'"token"' not in content:
            return headers, content
        answer = json.loads(content)
        token = answer.pop("token", None) if isinstance(answer, dict) else None
        if not token:
            return headers, content
        return headers + [("Set-Cookie", f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000")], json.dumps(answer).encode()

    async def _pipe(self, reader, writer, first, headers):
        back_reader, back = await asyncio.open_connection("127.0.0.1", self.target)
        self._writers.add(back)
        back.write((first + "\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n").encode("latin-1"))

        async def copy(source, sink):
            try:
                while data := await source.read(65536):
                    sink.write(data)
                    await sink.drain()
            except (ConnectionError, OSError):
                pass
            finally:
                sink.transport.abort()
        try:
            await asyncio.gather(copy(reader, back), copy(back_reader, writer))
        finally:
            self._writers.discard(back)

    @staticmethod
    def _head(status, headers, length):
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        return f"HTTP/1.1 {status} x\r\n{lines}Content-Length: {length}\r\n\r\n".encode("latin-1")

    def _answer(self, writer, status, headers, content, length=None):
        writer.write(self._head(status, headers, len(content) if length is None else length) + content)

    def _file(self, writer, folder, name):
        path = (folder / name).resolve()
        if not path.is_relative_to(folder) or not path.is_file():
            return self._answer(writer, 404, [("Content-Type", "text/plain")], b"no such file")
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self._answer(writer, 200, [("Content-Type", kind), ("Cache-Control", "no-store"), ("Content-Security-Policy", POLICY)], path.read_bytes())
