"""The browser that tests share, which is ended where a test takes too long."""

import contextlib
import os
import pathlib
import shutil
import signal
import threading
import uuid

PROGRAM = next((path for name in ("chromium-headless-shell", "chromium", "google-chrome") if (path := shutil.which(name))), None)


class Chromium:
    def __init__(self, playwright):
        self._playwright = playwright
        # The program does not know this switch. It is how its process is found.
        self._mark = f"--of-test-run={uuid.uuid4()}"
        self._browser = None

    def browser(self):
        """The running browser, or a new one where it has ended."""
        if not self._browser or not self._browser.is_connected():
            unboxed = ["--no-sandbox"] if os.geteuid() == 0 else []
            self._browser = self._playwright.chromium.launch(executable_path=PROGRAM, args=[self._mark, *unboxed])
        return self._browser

    @contextlib.contextmanager
    def ends_after(self, seconds):
        """Kills the browser where the body takes longer. Each call that waits for a page fails then."""
        watch = threading.Timer(seconds, self._kill)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    def close(self):
        if self._browser and self._browser.is_connected():
            self._browser.close()

    def _kill(self):
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if self._mark.encode() in (process / "cmdline").read_bytes().split(b"\0"):
                    os.kill(int(process.name), signal.SIGKILL)
