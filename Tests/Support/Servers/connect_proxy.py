"""A tunneling (CONNECT) proxy on a free loopback port, with only the standard library.

Prints its port on standard output, then each tunnel's target and credentials, and serves until standard input closes. With
--tls FOLDER it speaks TLS, as an https proxy does, with a certificate for localhost that it writes to proxy.pem in the folder.
Other requests than CONNECT are answered with an empty object.
"""

import asyncio
import ssl
import subprocess
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
    try:
        first = await reader.readexactly(1)
        if first == b"\x16":  # TLS, which this proxy does not speak
            writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            writer.close()
            return
        head = (first + await reader.readuntil(b"\r\n\r\n")).decode()
    except (asyncio.IncompleteReadError, OSError):
        return
    method, target, _ = head.split("\r\n")[0].split(" ")
    fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
    say(f"{method} {target} {fields.get('Proxy-Authorization')} {fields.get('Authorization')}")
    if method != "CONNECT":
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
        await writer.drain()
        writer.close()
        return
    host, port = target.rsplit(":", 1)
    there_reader, there_writer = await asyncio.open_connection(host, int(port))
    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    await asyncio.gather(copy(reader, there_writer), copy(there_reader, writer))


def context():
    if "--tls" not in sys.argv:
        return None
    folder = sys.argv[sys.argv.index("--tls") + 1]
    file, key = f"{folder}/proxy.pem", f"{folder}/proxy.key"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=proxy", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", file,
        ],
        check=True, capture_output=True,
    )
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(file, key)
    return tls


async def main():
    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=context())
    say(str(server.sockets[0].getsockname()[1]))
    loop, end = asyncio.get_running_loop(), asyncio.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), loop.call_soon_threadsafe(end.set)), daemon=True).start()
    await end.wait()


asyncio.run(main())
