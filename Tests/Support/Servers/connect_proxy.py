"""A tunneling (CONNECT) proxy on a free loopback port, with only the standard library.

Prints its port on standard output, then each tunnel's target and credentials, and serves until standard input closes.
"""

import asyncio
import sys
import threading


def say(text):
    print(text, flush=True)


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def handle(reader, writer):
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    method, target, _ = head.split("\r\n")[0].split(" ")
    fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
    say(f"{method} {target} {fields.get('Proxy-Authorization')} {fields.get('Authorization')}")
    host, port = target.rsplit(":", 1)
    there_reader, there_writer = await asyncio.open_connection(host, int(port))
    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    await asyncio.gather(copy(reader, there_writer), copy(there_reader, writer))


async def main():
    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    say(str(server.sockets[0].getsockname()[1]))
    loop, end = asyncio.get_running_loop(), asyncio.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), loop.call_soon_threadsafe(end.set)), daemon=True).start()
    await end.wait()


asyncio.run(main())
