"""hypercorn with HTTP/2 without TLS, and on a Unix socket: `/stream` sends "one", and "two" after a request for `/release`.

Prints the port and the socket's path on one line and serves until standard input closes.
"""

import asyncio
import sys
import tempfile
import threading

from hypercorn.asyncio import serve
from hypercorn.config import Config

released = asyncio.Event()


async def application(scope, receive, send):
    if scope["type"] != "http":
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-version", scope["http_version"].encode())]})
    if scope["path"] == "/stream":
        await send({"type": "http.response.body", "body": b"one", "more_body": True})
        await released.wait()
        await send({"type": "http.response.body", "body": b"two"})
    else:
        if scope["path"] == "/release":
            released.set()
        await send({"type": "http.response.body", "body": b"done"})


async def main():
    path = tempfile.mkdtemp() + "/socket"
    config = Config()
    config.bind = ["127.0.0.1:0", f"unix:{path}"]
    config.loglevel = "CRITICAL"
    sockets = config.create_sockets()
    config.create_sockets = lambda: sockets
    for listener in sockets.insecure_sockets:
        listener.listen(64)
    port = next(s.getsockname()[1] for s in sockets.insecure_sockets if isinstance(s.getsockname(), tuple))
    end, loop = asyncio.Event(), asyncio.get_running_loop()
    print(port, path, flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), loop.call_soon_threadsafe(end.set)), daemon=True).start()
    await serve(application, config, shutdown_trigger=end.wait)


asyncio.run(main())
