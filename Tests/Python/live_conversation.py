"""Holds conversations with a running service by a public WebSocket client.

usage: live_conversation.py URL TOKEN [CERTIFICATE]      URL: ws://127.0.0.1:8080 or wss://127.0.0.1:8443

The last line counts the conversations: N passed, N failed.
"""

import asyncio
import json
import ssl
import sys
import traceback

import websockets

url, token = sys.argv[1:3]
options = {"additional_headers": {"Authorization": f"Bearer {token}"}, "max_size": 2 << 20}
if len(sys.argv) > 3:
    options["ssl"] = ssl.create_default_context(cafile=sys.argv[3])


def connect(**more):
    return websockets.connect(f"{url}/v1/live", **(options | more))


async def receive(socket):
    """The next answer. What is told unasked meanwhile is of no interest."""
    while "method" in (message := json.loads(await asyncio.wait_for(socket.recv(), 60))):
        pass
    return message


async def told(socket):
    """The next thing that is told unasked."""
    while "method" not in (message := json.loads(await asyncio.wait_for(socket.recv(), 60))):
        pass
    return message


async def call(socket, method, number, **params):
    await socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
    answer = await receive(socket)
    assert answer["id"] == number, answer
    return answer


async def operations():
    async with connect() as socket:
        assert (await call(socket, "server.info", 1))["result"]["name"] == "SubTrackIt"
        # Compression was offered by the client, and is not used.
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
        assert (await call(socket, "me.update", 2, userName="Ada"))["result"]["userName"] == "Ada"
        assert (await call(socket, "nonsense", 3))["error"]["code"] == -32601
    assert socket.close_code == 1000, socket.close_code


async def pings():
    async with connect() as socket:
        await asyncio.wait_for(await socket.ping(), 60)


async def fragments():
    async with connect() as socket:
        text = json.dumps({"jsonrpc": "2.0", "id": 4, "method": "server.info"})
        await socket.send([text[:10], text[10:20], text[20:]])
        assert (await receive(socket))["result"]["name"] == "SubTrackIt"


async def requests_without_waiting():
    async with connect() as socket:
        for number in range(100, 200):
            await socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": "countries.list"}))
        answers = [await receive(socket) for _ in range(100)]
        assert sorted(answer["id"] for answer in answers) == list(range(100, 200))


async def batches():
    async with connect() as socket:
        await socket.send(json.dumps([{"jsonrpc": "2.0", "id": n, "method": "me.get"} for n in range(3)]))
        assert [answer["id"] for answer in await receive(socket)] == [0, 1, 2]


async def changes_on_another_socket():
    async with connect() as socket, connect() as other:
        version = (await call(other, "me.update", 5, userName="Eve"))["result"]["version"]
        news = await told(socket)
        assert news == {"jsonrpc": "2.0", "method": "changes", "params": {"scope": "user", "version": version}}, news


async def binary_messages():
    async with connect() as socket:
        await socket.send(b"binary")
        try:
            await socket.recv()
            raise AssertionError("binary messages are taken")
        except websockets.ConnectionClosed as closed:
            assert closed.rcvd.code == 1003, closed


async def somebody_else():
    try:
        await connect(additional_headers={"Authorization": "Bearer nonsense"})
        raise AssertionError("anybody is let in")
    except websockets.InvalidStatus as refused:
        assert refused.response.status_code == 401
        assert json.loads(refused.response.body)["code"] == "token_invalid"


async def main():
    conversations = [
        operations, pings, fragments, requests_without_waiting, batches, changes_on_another_socket, binary_messages,
        somebody_else,
    ]
    failed = 0
    for conversation in conversations:
        try:
            await asyncio.wait_for(conversation(), 300)
        except Exception:
            failed += 1
            print(f"{url}, {conversation.__name__}:", file=sys.stderr)
            traceback.print_exc()
    print(f"{len(conversations) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


asyncio.run(main())
