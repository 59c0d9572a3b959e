#!/usr/bin/env python3
"""Debian's Firefox for playwright, which speaks WebDriver BiDi with it (channel `moz-firefox`).

playwright sends with each new page which colours and motion are wanted. Firefox ESR does not know that command yet, and playwright
then gives no page. This program stands in for Firefox: it starts it, passes on what both say, and answers that one command itself.
Pages have the colours and the motion of the machine.
"""

import asyncio
import json
import os
import re
import shutil
import signal
import sys

PROGRAM = next((path for name in ("firefox-esr", "firefox") if (path := shutil.which(name))), None)
LISTENS = re.compile(r"WebDriver BiDi listening on ws://([^:]+):(\d+)")
# Commands that are answered here.
UNKNOWN = {"emulation.setMediaFeaturesOverride"}


async def frame(reader):
    """A frame (RFC 6455 §5.2): its bytes, its kind, and what it says."""
    head = await reader.readexactly(2)
    size, whole = head[1] & 0x7F, head
    if size > 125:
        more = await reader.readexactly(2 if size == 126 else 8)
        size, whole = int.from_bytes(more, "big"), whole + more
    mask = await reader.readexactly(4) if head[1] & 0x80 else b""
    content = await reader.readexactly(size)
    text = bytes(byte ^ mask[i % 4] for i, byte in enumerate(content)) if mask and size < 4096 else content
    return whole + mask + content, head[0] & 0x0F, text


def text_frame(text):
    return bytes([0x81, len(text)]) + text if len(text) < 126 else bytes([0x81, 126]) + len(text).to_bytes(2, "big") + text


async def commands(reader, firefox, writer):
    """What playwright says."""
    while True:
        whole, kind, text = await frame(reader)
        if kind == 1 and any(name.encode() in text for name in UNKNOWN):
            command = json.loads(text)
            if command["method"] in UNKNOWN:
                writer.write(text_frame(json.dumps({"type": "success", "id": command["id"], "result": {}}).encode()))
                continue
        firefox.write(whole)
        await firefox.drain()


async def answers(firefox, writer):
    """What Firefox says, as it comes: a frame of one's own between two of its frames is in its place."""
    while True:
        whole, _, _ = await frame(firefox)
        writer.write(whole)
        await writer.drain()


async def relay(host, port, reader, writer):
    back_reader, back = await asyncio.open_connection(host, port)
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        # Compressed frames could not be read here. Firefox compares the host with its own.
        head = re.sub(r"(?im)^Sec-WebSocket-Extensions:.*\r\n", "", head)
        head = re.sub(r"(?im)^Host:.*\r\n", f"Host: {host}:{port}\r\n", head)
        back.write(head.encode("latin-1"))
        writer.write(await back_reader.readuntil(b"\r\n\r\n"))
        done = [asyncio.ensure_future(commands(reader, back, writer)), asyncio.ensure_future(answers(back_reader, writer))]
        _, left = await asyncio.wait(done, return_when=asyncio.FIRST_COMPLETED)
        for task in left:
            task.cancel()
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        back.close()
        writer.close()


async def main():
    process = await asyncio.create_subprocess_exec(PROGRAM, *sys.argv[1:], stderr=asyncio.subprocess.PIPE)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, process.terminate)
    server = None
    async for line in process.stderr:
        line = line.decode(errors="replace")
        if found := LISTENS.search(line):
            host, port = found[1], int(found[2])
            server = await asyncio.start_server(lambda reader, writer: relay(host, port, reader, writer), "127.0.0.1", 0, limit=2**26)
            line = line.replace(f"{host}:{port}", "127.0.0.1:%d" % server.sockets[0].getsockname()[1])
        sys.stderr.write(line)
        sys.stderr.flush()
    code = await process.wait()
    if server:
        server.close()
    os._exit(max(code, 0))


if __name__ == "__main__":
    asyncio.run(main())
