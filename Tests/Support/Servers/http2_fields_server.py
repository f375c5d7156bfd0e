"""GraphQL over HTTP/2 without TLS. Every response has the header fields given as arguments; over HTTP/1.1 it has none of them.

HTTP/2 forbids connection-specific fields such as `transfer-encoding` (RFC 9113, section 8.2.2). Prints the port and serves
until standard input closes.
"""

import socket
import sys
import threading

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived

fields = [tuple(field.split(":", 1)) for field in sys.argv[1:]]
body = b'{"data":{"__typename":"Query"}}'


def serve(client):
    if client.recv(3, socket.MSG_PEEK) != b"PRI":
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        client.recv(65536)
        client.sendall(head.encode() + body)
        client.close()
        return
    config = H2Configuration(client_side=False, validate_outbound_headers=False, normalize_outbound_headers=False)
    connection = H2Connection(config=config)
    connection.initiate_connection()
    client.sendall(connection.data_to_send())
    while data := client.recv(65536):
        for event in connection.receive_data(data):
            if isinstance(event, RequestReceived):
                head = [(":status", "200"), ("content-type", "application/json; charset=utf-8")] + fields
                connection.send_headers(event.stream_id, head)
                connection.send_data(event.stream_id, body, end_stream=True)
        client.sendall(connection.data_to_send())


def accept(listener):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client,), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=accept, args=(listener,), daemon=True).start()
sys.stdin.read()
