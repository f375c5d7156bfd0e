"""A server that sends more than clients can process, to measure how much they keep. Uses only the standard library.

A subscription over HTTP gets 5,000 events of 1 KB a second as server-sent events, as long as the client reads. One over a
WebSocket gets pings without a pause, and the server does not read.

Prints its URL. Docs/Testing.md describes how to measure a client's memory with it.
"""

import base64
import hashlib
import http.server
import sys
import threading
import time

TEXT = "x" * 1000


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        query = self.rfile.read(int(self.headers["Content-Length"]))
        if b"subscription" not in query:
            self.answer("application/json", b'{"data":{}}')
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.close_connection = True
        begin, count = time.monotonic(), 0
        while True:
            due = int((time.monotonic() - begin) * 5000)
            events = "".join(
                f'event: next\ndata: {{"data":{{"s":"{number} {TEXT}"}}}}\n\n' for number in range(count, due)
            )
            self.wfile.write(events.encode())
            count = max(count, due)
            time.sleep(0.01)

    def do_GET(self):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.send_header("Sec-WebSocket-Protocol", "graphql-transport-ws")
        self.end_headers()
        acknowledged = b'{"type":"connection_ack"}'
        self.wfile.write(bytes([0x81, len(acknowledged)]) + acknowledged)
        pings = (bytes([0x89, 125]) + b"p" * 125) * 1000
        while True:
            self.wfile.write(pings)

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/graphql", flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
