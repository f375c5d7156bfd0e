"""A TLS server on a free loopback port with self-made certificates, with only the standard library.

Prints one line of JSON: the URL, the authority's file, and a client's certificate and key. With --client-certificate it
requests one. Each response names the client's certificate, or null; with --redirect URL it is a 307 to that URL.
"""

import http.server
import json
import ssl
import subprocess
import sys
import tempfile
import threading


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def certificate(folder, name, *extensions):
    key, file = f"{folder}/{name}.key", f"{folder}/{name}.pem"
    options = [option for extension in extensions for option in ("-addext", extension)]
    openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", f"/CN={name}", "-keyout", key, "-out", file, *options,
    )
    return file, key


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if "--redirect" in sys.argv:
            self.redirect()
            return
        peer = self.connection.getpeercert()
        name = dict(pair for (pair,) in peer["subject"])["commonName"] if peer else None
        body = json.dumps({"client": name}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        if "--redirect" not in sys.argv:
            self.send_error(501)
            return
        self.rfile.read(int(self.headers["Content-Length"]))
        self.redirect()

    def redirect(self):
        self.send_response(307)
        self.send_header("Location", sys.argv[sys.argv.index("--redirect") + 1])
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    def get_request(self):
        connection, address = self.socket.accept()
        connection.settimeout(10)
        return context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address

    def handle_error(self, request, client_address):
        pass


with tempfile.TemporaryDirectory() as folder:
    server_file, server_key = certificate(folder, "localhost", "subjectAltName=DNS:localhost")
    client_file, client_key = certificate(folder, "traveller")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(server_file, server_key)
    if "--client-certificate" in sys.argv:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_file)
    server = Server(("127.0.0.1", 0), Handler)
    facts = {
        "port": str(server.server_port), "authority": server_file, "certificate": client_file, "key": client_key,
    }
    print(json.dumps(facts), flush=True)
    # The server ends with the test, which closes its input.
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
