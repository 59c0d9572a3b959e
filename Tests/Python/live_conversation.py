"""Holds a conversation with a running service by a public WebSocket client.

usage: live_conversation.py ws://127.0.0.1:8080 TOKEN [CERTIFICATE]
"""

import asyncio
import json
import ssl
import sys

import websockets


async def receive(socket):
    """The next answer. What is told unasked meanwhile is of no interest."""
    while "method" in (message := json.loads(await socket.recv())):
        pass
    return message


async def told(socket):
    """The next thing that is told unasked."""
    while "method" not in (message := json.loads(await asyncio.wait_for(socket.recv(), 10))):
        pass
    return message


async def call(socket, method, number, **params):
    await socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
    answer = await receive(socket)
    assert answer["id"] == number, answer
    return answer


async def main(url, token, certificate=None):
    options = {"additional_headers": {"Authorization": f"Bearer {token}"}, "max_size": 2 << 20}
    if certificate:
        options["ssl"] = ssl.create_default_context(cafile=certificate)
    live = f"{url}/v1/live"

    async with websockets.connect(live, **options) as socket:
        assert (await call(socket, "server.info", 1))["result"]["name"] == "SubTrackIt"
        # Compression was offered by the client, and is not used.
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
        user = (await call(socket, "me.update", 2, userName="Ada"))["result"]
        assert user["userName"] == "Ada"
        assert (await call(socket, "nonsense", 3))["error"]["code"] == -32601
        # A ping is answered by a pong.
        await asyncio.wait_for(await socket.ping(), 10)
        # In fragments.
        text = json.dumps({"jsonrpc": "2.0", "id": 4, "method": "me.get"})
        await socket.send([text[:10], text[10:20], text[20:]])
        assert (await receive(socket))["result"]["userName"] == "Ada"
        # Without waiting, each answer once.
        for number in range(100, 200):
            await socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": "countries.list"}))
        answers = [await receive(socket) for _ in range(100)]
        assert sorted(answer["id"] for answer in answers) == list(range(100, 200))
        # A batch.
        await socket.send(json.dumps([{"jsonrpc": "2.0", "id": n, "method": "me.get"} for n in range(3)]))
        assert [answer["id"] for answer in json.loads(await socket.recv())] == [0, 1, 2]
        # What is changed on one socket is told on another.
        async with websockets.connect(live, **options) as other:
            version = (await call(other, "me.update", 5, userName="Eve"))["result"]["version"]
            news = await told(socket)
            assert news == {"jsonrpc": "2.0", "method": "changes", "params": {"scope": "user", "version": version}}, news
    assert socket.close_code == 1000, socket.close_code

    async with websockets.connect(live, **options) as socket:
        await socket.send(b"binary")
        try:
            await socket.recv()
            raise AssertionError("binary messages are taken")
        except websockets.ConnectionClosed as closed:
            assert closed.rcvd.code == 1003, closed

    options["additional_headers"] = {"Authorization": "Bearer nonsense"}
    try:
        await websockets.connect(live, **options)
        raise AssertionError("anybody is let in")
    except websockets.InvalidStatus as refused:
        assert refused.response.status_code == 401
        assert json.loads(refused.response.body)["code"] == "token_invalid"


asyncio.run(main(*sys.argv[1:]))
print("ok")
