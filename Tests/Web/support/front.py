"""The app's files as the service serves them, but from the tree and in any number of builds, which one binary cannot show."""

import hashlib
import json
import mimetypes
import re

from support.door import FOLDERS, POLICY, Door

WEB = FOLDERS["/__web/"]
SERVED = {".html", ".css", ".js", ".json", ".webmanifest", ".svg", ".png", ".ico"}
PAGES = json.loads((WEB / "routes.json").read_text())["pages"]
PATTERNS = [re.compile("^" + re.sub(r"\{\w+\}", "[^/]+", page["path"]) + "$") for page in PAGES]


def tree():
    """All files of the app in the tree, by path."""
    paths = [path for path in sorted(WEB.rglob("*")) if path.is_file() and path.suffix in SERVED]
    return {str(path.relative_to(WEB)): path.read_bytes() for path in paths if "types" not in path.relative_to(WEB).parts}


class Front(Door):
    """A door that answers for the app's files itself. `deploy` replaces them as a new release does."""

    def __init__(self, target):
        super().__init__(target)
        self.is_off = False
        self.files = {}
        self.deploy()

    def deploy(self, changes=None, onName=None):
        """Puts a build in place: the tree's files with some replaced. Gives its name, also to `onName`, before anybody can ask for it."""
        files = tree() | {path: text.encode() for path, text in (changes or {}).items()}
        build = hashlib.sha256(b"".join(path.encode() + files[path] for path in sorted(files))).hexdigest()[:16]
        if onName:
            onName(build)
        self.files, self.build = files, build
        return build

    async def _one(self, reader, writer):
        # The head is looked at first and put back for the door where it is not for a file.
        head = await reader.readuntil(b"\r\n\r\n")
        method, path, _ = head.decode("latin-1").split("\r\n")[0].split(" ", 2)
        answer = self._file_of(path.split("?")[0]) if method in ("GET", "HEAD") else None
        if answer is None:
            reader._buffer[:0] = head
            return await super()._one(reader, writer)
        self.requests.append(f"{method} {path}")
        trap = self._caught(f"{method} {path}")
        if trap:
            trap.sprung.set()
            return False
        status, kind, body, caching = answer
        text = "; charset=utf-8" if kind.startswith(("text/", "application/json", "application/manifest", "image/svg")) else ""
        self._answer(writer, status, [("Content-Type", kind + text), ("Content-Security-Policy", POLICY), ("Cache-Control", caching),
                                      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer")], body)
        await writer.drain()
        return True

    def _file_of(self, path):
        base, tenant = "/", "default"
        if by_path := re.match(r"/t/([a-z0-9-]+)(?=/)", path):
            base, tenant, path = f"{by_path[0]}/", by_path[1], path[by_path.end():]
        if path == "/sw.js":
            return 200, "text/javascript", self._worker(base).encode(), "no-cache"
        if self.is_off:
            return (404, "text/plain", b"", "no-store") if any(one.match(path) for one in PATTERNS) else None
        if path.startswith("/app/"):
            _, _, build, name = path.split("/", 3)
            if build != self.build or name not in self.files:
                return 404, "text/plain", b"no such file", "no-store"
            return 200, mimetypes.guess_type(name)[0] or "application/octet-stream", self.files[name], "public, max-age=31536000, immutable"
        if path[1:] in self.files and (path.startswith("/icons/") or path == "/manifest.webmanifest"):
            return 200, mimetypes.guess_type(path)[0] or "image/png", self.files[path[1:]], "no-cache"
        if any(one.match(path) for one in PATTERNS):
            return 200, "text/html", self._shell(base, tenant).encode(), "no-cache"
        return None

    def _shell(self, base, tenant):
        page = self.files["index.html"].decode()
        page = re.sub(r'\b(href|src)="((?:js|css|icons)/[^"]+)"', rf'\1="app/{self.build}/\2"', page)
        page = re.sub(r'[ \t]*<(?:base|meta name="(?:tenant|build)")\b[^>]*>\n?', "", page)
        return page.replace("<head>", f'<head>\n<base href="{base}">\n<meta name="tenant" content="{tenant}">\n<meta name="build" content="{self.build}">')

    def _worker(self, base):
        if self.is_off:
            return """self.addEventListener("install", () => self.skipWaiting());
                self.addEventListener("activate", (event) => event.waitUntil((async () => {
                  for (const name of await caches.keys()) await caches.delete(name);
                  await self.registration.unregister();
                })()));"""
        names = [name for name in self.files if name not in ("index.html", "sw.js", "manifest.webmanifest")]
        told = {"build": self.build, "base": base, "files": [f"{base}app/{self.build}/{name}" for name in names]}
        return f"self.app = {json.dumps(told)};\n" + self.files["sw.js"].decode()
