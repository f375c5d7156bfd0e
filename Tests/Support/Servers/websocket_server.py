"""Subscriptions with the `websockets` package, with correct or faulty behavior depending on the path of the URL.

Prints its URL on standard output, then a line for each action of a client, and serves until standard input closes.

    /legacy     the subprotocol of subscriptions-transport-ws, with its keep-alive
    /silent     never acknowledges
    /deaf       acknowledges, and then does not respond, not even to pings
    /early/N    closes with code N instead of acknowledging
    /guarded    closes with 4403 unless the token of connection_init is "1"
    /close/N    acknowledges, sends one event, and closes with code N
    /cut        closes the first connection abnormally after one event; the next ones continue the events
    /later/N    like /cut, with a close frame of code N
    /garbage    acknowledges, and sends an invalid message
    /big        one event of 4 MB, in frames of 64 KB
    /flood      200 events of 256 KB as fast as possible; prints after how many the client throttled it
    /huge       one event larger than 64 MB
    /other      selects a subprotocol that was not offered
    /expire     accepts each token of connection_init once, and otherwise closes with 4403; closes abnormally after one event,
                up to the tenth token
    /errors     one event with a list as its data and an error, one of data, and the end
    /list       one event with a list as its data and no error
    /token      prints the payload of connection_init and closes abnormally, twice, and then completes
"""

import asyncio
import json
import sys
import threading

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

connections = {}
used = []


def say(text):
    print(text, flush=True)


def choose(connection, offered):
    if connection.request.path == "/other":
        return "chess"
    wanted = "graphql-ws" if connection.request.path.startswith("/legacy") else "graphql-transport-ws"
    return wanted if wanted in offered else None


async def handle(socket):
    path = socket.request.path
    number = connections[path] = connections.get(path, 0) + 1
    say(f"{path} open")
    try:
        await converse(socket, path, number)
    except ConnectionClosed:
        pass
    finally:
        say(f"{path} gone {socket.close_code}")


async def converse(socket, path, number):
    legacy = socket.subprotocol == "graphql-ws"
    result = "data" if legacy else "next"

    async def send(kind, **rest):
        await socket.send(json.dumps({"type": kind, **rest}))

    payload = None
    floods = {}
    async for text in socket:
        message = json.loads(text)
        kind, id = message["type"], message.get("id")
        say(f"{path} {kind}" + (f" {id}" if id else ""))
        if kind == "connection_init":
            payload = message.get("payload")
            if path == "/silent":
                continue
            if path.startswith("/early/"):
                await socket.close(int(path.split("/")[2]), "not now")
                return
            if path == "/guarded" and (payload or {}).get("token") != "1":
                await socket.close(4403, "Forbidden")
                return
            if path == "/expire":
                if payload["token"] in used:
                    await socket.close(4403, "Forbidden")
                    return
                used.append(payload["token"])
            await send("connection_ack")
            if legacy:
                await send("ka")
        elif kind == "ping" and path != "/deaf":
            await send("pong")
        elif kind in ("subscribe", "start"):
            event = {"data": {"connection": number, "payload": payload}}
            if path == "/garbage":
                await socket.send("not a message")
            elif path == "/big":
                whole = json.dumps({"type": result, "id": id, "payload": {"data": {"text": "x" * (4 << 20)}}})
                await socket.send(whole[start : start + 65536] for start in range(0, len(whole), 65536))
                await send("complete", id=id)
            elif path.endswith("/errors"):
                await send(result, id=id, payload={"data": [], "errors": [{"message": "no"}]})
                await send(result, id=id, payload=event)
                await send("complete", id=id)
            elif path.endswith("/list"):
                await send(result, id=id, payload={"data": []})
            elif path == "/huge":
                await send(result, id=id, payload={"data": {"text": "x" * (64 << 20)}})
            elif path == "/flood":
                floods[id] = asyncio.create_task(flood(send, result, id))
            elif path.startswith("/close/"):
                await send(result, id=id, payload=event)
                await socket.close(int(path.split("/")[2]), "as asked")
            elif path in ("/cut", "/token", "/expire") or path.startswith("/later/"):
                await send(result, id=id, payload=event)
                if len(used) < 10 if path == "/expire" else number < 3:
                    if path.startswith("/later/"):
                        await socket.close(int(path.split("/")[2]), "back soon")
                    else:
                        socket.transport.abort()
                    return
                await send("complete", id=id)
            else:
                await send(result, id=id, payload=event)
        elif kind == "complete" and id in floods:
            floods.pop(id).cancel()
        elif kind == "connection_terminate":
            await socket.close()


async def flood(send, result, id):
    payload = {"data": {"text": "x" * (256 << 10)}}
    for number in range(200):
        sending = asyncio.create_task(send(result, id=id, payload=payload))
        done, _ = await asyncio.wait([sending], timeout=0.5)
        if not done and number > 0:
            say(f"held back {number}")
        await sending
    await send("complete", id=id)


async def main():
    async with serve(handle, "127.0.0.1", 0, subprotocols=["graphql-transport-ws"], select_subprotocol=choose,
                     ping_interval=None, max_size=None) as server:
        say(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        loop, end = asyncio.get_running_loop(), asyncio.Event()
        threading.Thread(target=lambda: (sys.stdin.read(), loop.call_soon_threadsafe(end.set)), daemon=True).start()
        await end.wait()


asyncio.run(main())
