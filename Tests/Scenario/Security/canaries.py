"""Canaries: secrets in every position of a request, which a server repeats in every position of a response.

The positions, encodings and writers are those of the table in Docs/Development/Security.md. One response repeats every
canary in every encoding, so that a run fills a whole column of the table.
"""

import base64
import hashlib
import html
import json
import re
import socket
import threading
import time
import urllib.parse

from promises import promise
from explorer_promises import palette
from sandbox import expect

# Characters that the encodings treat specially, and a tag. Type names and other names have letters and digits alone.
MARKS = "/Z+&xq=~<b>k9"


def secret(name):
    return f"cnry-{name}-7f3a{MARKS}"


CANARIES = {name: secret(name) for name in (
    "url-user", "url-password", "url-parameter", "typed-header", "bearer", "cookie", "environment", "cookie-file",
    "variable", "nested-variable", "listed-variable", "extension", "payload", "literal", "netrc", "user-option")}
NUMBER = "8471109352"
SHORT = "q7Zp"
# libcurl sends the credentials of the URL in this form.
BASIC = base64.b64encode(f"{CANARIES['url-user']}:{CANARIES['url-password']}".encode()).decode()


def letters(form):
    return lambda text: "".join(form(ord(c)) for c in text)


def quoted(text, times=1):
    for _ in range(times):
        text = urllib.parse.quote(text, safe="")
    return text


ENCODINGS = {
    "plain": lambda text: text,
    "JSON": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "JSON, all letters": letters(lambda c: f"\\u{c:04x}"),
    "HTML, named": html.escape,
    "HTML, named without a semicolon": lambda text: text.replace("&", "&amp"),
    "HTML, decimal": letters(lambda c: f"&#{c};"),
    "HTML, decimal without a semicolon": letters(lambda c: f"&#{c}"),
    "HTML, leading zeros": letters(lambda c: f"&#0000000{c};"),
    "HTML, hexadecimal": letters(lambda c: f"&#x{c:x};"),
    "HTML, uppercase": letters(lambda c: f"&#X00{c:X};"),
    "URL": quoted,
    "URL, all letters": letters(lambda c: f"%{c:02x}"),
    **{f"URL × {n}": lambda text, n=n: quoted(text, n) for n in range(2, 9)},
    "JSON of HTML": lambda text: ENCODINGS["JSON, all letters"](html.escape(text)),
    "HTML of URL": lambda text: ENCODINGS["HTML, decimal"](quoted(text)),
    "URL of JSON": lambda text: quoted(ENCODINGS["JSON"](text)),
}


def repetitions(names):
    """Some canaries in every encoding, with a number for each."""
    texts = [*(CANARIES[name] for name in names), *([BASIC] if "url-user" in names else [])]
    return [(index, encode(text)) for index, (text, encode) in
            enumerate((text, encode) for text in texts for encode in ENCODINGS.values())]


def payload(names, step=1):
    """A response with every repetition, or one of `step`, in every position of JSON."""
    data = {"__typename": "Query"}
    if "environment" in names:
        data |= {"short": SHORT, "sentence": f"({SHORT})"}
    if "variable" in names:
        data |= {"number": int(NUMBER), "real": float(NUMBER)}
    errors, extensions = [], {}
    for index, text in list(repetitions(names))[::step]:
        data[f"v{index}"] = text
        data[f"w{index}"] = [f"is {text} wrong", {f"k{index} {text}": index}]
        data[text] = {"__typename": text, "inner": {"__typename": {f"{text}": text}}}
        errors.append({"message": f"no {text}", "path": ["a", text], "extensions": {"code": text, text: [text]}})
        extensions[f"{index} {text}"] = text
    return {"data": {"a": data}, "errors": errors, "extensions": extensions}


POSITIONS = ("value", "part of a value", "member", "member of an object", "__typename", "member of __typename",
             "below __typename", "message", "path", "code", "member of error extensions", "list of error extensions",
             "member of extensions", "extensions")


def decoded(text):
    """The text with all escapes decoded, by other means than the program."""
    for _ in range(12):
        before = text
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text)
        text = text.replace("\\/", "/").replace('\\"', '"').replace("\\\\", "\\")
        text = html.unescape(text)
        text = urllib.parse.unquote(text, errors="replace")
        if text == before:
            break
    return text


def expect_absent(s, ignored=()):
    """No file but those of the user has a canary. A part of a canary that identifies it counts, too."""
    found = []
    for folder in (s.home, s.project):
        for path, data in s.files(folder):
            if path in ignored or "/caches/" in path or path.endswith(".db"):
                continue
            text = decoded(data.decode("utf-8", "replace"))
            found += [f"{name} in {path}: {text[max(0, text.index(f'cnry-{name}-7f3a') - 40):][:90]!r}"
                      for name in CANARIES if f"cnry-{name}-7f3a" in text]
            if BASIC[:30] in text:
                found.append(f"the basic credentials in {path}")
            if re.search(rf"(?<![0-9.]){NUMBER}|8\.471109352e", text):
                found.append(f"the number in {path}")
            if re.search(rf"\b{SHORT}\b", text):
                found.append(f"the short value in {path}")
    expect(not found, "\n".join(found[:10]))


class RepeatingServer:
    """Answers with raw bytes: JSON, HTML, multipart or events, with canaries in the head and trailers; WebSockets too."""

    def __init__(self, introspection):
        document = json.loads(introspection)
        self.introspection = json.dumps(document if "data" in document else {"data": document}).encode()
        self.requests = []
        # The canaries of the request, which are all that a server can repeat.
        self.names = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.form = "json"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with connection:
            try:
                while self.exchange(connection):
                    pass
            except OSError:
                pass

    def exchange(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return False
            data += more
        head, body = data.split(b"\r\n\r\n", 1)
        size = re.search(rb"(?i)content-length: (\d+)", head)
        while size and len(body) < int(size[1]):
            body += connection.recv(65536)
        self.requests.append((head + b"\r\n\r\n" + body).decode("utf-8", "replace"))
        if b"sec-websocket-key" in head.lower():
            return self.subscribe(connection, head)
        if b"__schema" in body:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                               % (len(self.introspection), self.introspection))
            return True
        self.respond(connection)
        return True

    def respond(self, connection):
        # A cut canary is none: the last word of the header is complete.
        echo = " ".join(text for _, text in repetitions(self.names) if len(text) < 200)[:6000].rpartition(" ")[0]
        texts = [CANARIES[name] for name in self.names]
        kind = {"json": "application/json", "html": "text/html", "split": "application/json", "audit": "application/json",
                "multipart": 'multipart/mixed; boundary="-"; deferSpec=20220824'}[self.form]
        head = (f"HTTP/1.1 200 {texts[0]}\r\nContent-Type: {kind}; echo=\"{texts[-1]}\"\r\n"
                f"X-Echo: {echo}\r\nSet-Cookie: echo={texts[0]}; Path=/{texts[-1]}\r\n"
                "Trailer: X-Last\r\nTransfer-Encoding: chunked\r\n\r\n")
        connection.sendall(head.encode())
        text = json.dumps(payload(self.names, 11 if self.form == "audit" else 1), ensure_ascii=False)
        if self.form == "html":
            text = "<p>" + " ".join(text for _, text in repetitions(self.names)) + "</p>"
        if self.form == "multipart":
            last = {"incremental": [{"path": ["a"], "label": text, "data": {f"d{index}": text}}
                                    for index, text in repetitions(self.names)], "hasNext": False}
            first = {**payload(self.names), "hasNext": True}
            text = "".join(f"\r\n---\r\nContent-Type: application/json\r\nX-Part: {texts[0]}\r\n\r\n"
                           f"{json.dumps(part)}" for part in (first, last)) + "\r\n-----\r\n"
        data = text.encode()
        # Every canary is cut at another byte.
        step = 7 if self.form == "split" else 4093
        pieces = [data[start:start + step] for start in range(0, len(data), step)]
        connection.sendall(b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces))
        # libcurl accepts 4 KB of trailers.
        last = echo[:3000].rpartition(" ")[0]
        connection.sendall(f"0\r\nX-Last: {last}\r\n\r\n".encode())

    def subscribe(self, connection, head):
        key = re.search(rb"(?i)sec-websocket-key: (\S+)", head)[1]
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           b"Sec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Accept: %s\r\n\r\n" % accept)
        connection.recv(65536)
        self.frame(connection, 1, json.dumps({"type": "connection_ack", "payload": payload(self.names)}).encode())
        self.requests.append(connection.recv(65536).decode("utf-8", "replace"))
        number = 1
        self.frame(connection, 1, json.dumps({"id": str(number), "type": "next", "payload": payload(self.names)}).encode())
        time.sleep(0.3)
        reason = " ".join(CANARIES[name] for name in self.names[:4]).encode()[:120]
        self.frame(connection, 8, (4403).to_bytes(2, "big") + reason)
        connection.recv(65536)
        return False

    @staticmethod
    def frame(connection, kind, data):
        size = len(data)
        length = bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2, "big") if size < 65536 \
            else b"\x7f" + size.to_bytes(8, "big")
        connection.sendall(bytes([0x80 | kind]) + length + data)


SCHEMA = ("scalar JSON\ntype Query { a(token: String, pin: Int): JSON }\ntype Subscription { a(token: String): JSON }\n"
          "directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT\n")


class Request:
    """A request with a canary in every position, for the command line and the explorer."""

    def __init__(self, s):
        path = s.write(s.path("canaries.graphql"), SCHEMA)
        introspection = s.run("schema", path, "--output", "json", cwd=s.root)[1].encode()
        self.server = RepeatingServer(introspection)
        user, password, key = (quoted(CANARIES[name]) for name in ("url-user", "url-password", "url-parameter"))
        self.url = f"http://{user}:{password}@127.0.0.1:{self.server.port}/graphql?api_key={key}"
        s.environment.update(LIVE=CANARIES["environment"], PIN=SHORT)
        self.jar = s.write(f"{s.home}/jar", f"127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t{CANARIES['cookie-file']}\n", 0o600)
        self.headers = ["-H", f"X-Api-Key: {CANARIES['typed-header']}", "-H", f"X-Auth: Bearer {CANARIES['bearer']}",
                        "-H", f"Cookie: sid={CANARIES['cookie']}", "-H", "X-Live: $LIVE", "-H", "X-Pin: $PIN",
                        "--cookie-jar", self.jar,
                        "--connection-payload", json.dumps({"authToken": CANARIES["payload"]})]
        self.variables = {"password": CANARIES["variable"], "in": {"secret": {"deep": CANARIES["nested-variable"]}},
                          "tokens": [CANARIES["listed-variable"]], "pin": int(NUMBER)}
        self.document = f'{{ a(token: "{CANARIES["literal"]}") }}'
        self.extensions = {"accessToken": CANARIES["extension"]}


@promise
def canaries_are_in_no_recording_or_report(s):
    request = Request(s)
    words = [request.url, *request.headers, "--extensions", json.dumps(request.extensions),
             "--variables", json.dumps(request.variables)]
    runs = 0
    everything = [name for name in CANARIES if name not in ("netrc", "user-option", "payload")]
    request.server.names = everything
    for form in ("json", "split", "html", "multipart"):
        request.server.form = form
        code, _, errors = s.run("query", *words, "-q", request.document, "--record", f"{form}.ndjson", timeout=180)
        parts = s.read(f"{form}.ndjson").count('"event":"part"')
        expect(parts == {"multipart": 2, "html": 0}.get(form, 1), f"{form}: {parts} parts, {code} {errors}")
        expect("cnry-" not in decoded(errors), f"a canary on standard error: {decoded(errors)[:300]}")
        runs += 1
    request.server.form = "json"
    request.server.names = ["payload", *(name for name in everything if name != "literal")]
    s.run("query", *words, "-q", "subscription { a }", "--subscription-transport", "ws",
          "--max-reconnects", "1", "--record", "events.ndjson", timeout=180)
    expect("8" in s.read("events.ndjson"), "no subscription was recorded")
    netrc = s.write(f"{s.home}/netrc", f"machine 127.0.0.1 login ada password \"{CANARIES['netrc']}\"\n", 0o600)
    bare = f"http://127.0.0.1:{request.server.port}/graphql"
    for more in (["--netrc-file", netrc], ["--user", f"ada:{CANARIES['user-option']}"]):
        request.server.names = ["netrc" if "netrc" in more[0] else "user-option"]
        s.run("query", bare, *more, "-q", "{ a }", "--record", f"{more[0].strip('-')}.ndjson")
    # An audit sends many requests, each of which is answered with all canaries and one of eleven repetitions.
    request.server.form = "audit"
    request.server.names = ["url-user", "url-password", "url-parameter", "typed-header", "bearer", "cookie", "environment"]
    s.run("audit", *words[:1], *request.headers[:10], "--only", "http", "--limit", "25", "--report", "report", timeout=180)
    names = [path for path, _ in s.files(s.project)]
    expect(any("report" in name and name.endswith(".ndjson") for name in names), f"no finding was written: {names}")
    sent = "".join(request.server.requests)
    missing = [name for name, text in CANARIES.items() if name not in ("netrc", "user-option", "url-user", "url-password", "payload")
               and text not in decoded(sent)]
    expect(not missing, f"not sent: {missing}")
    expect_absent(s, ignored=(request.jar, netrc))
    print(f"       {(len(CANARIES) + 3) * len(POSITIONS) * len(ENCODINGS) * (runs + 4)} cells: {len(CANARIES) + 3} positions of a"
          f" request, {len(POSITIONS)} of a response, {len(ENCODINGS)} encodings, {runs + 4} kinds of responses and files")


@promise
def canaries_of_the_explorer_are_in_no_file(s):
    request = Request(s)
    s.write("q.graphql", f'query Q($pin: Int) {{ a(token: "{CANARIES["literal"]}", pin: $pin) }}\n')
    # Everything that the explorer writes: history, session, schema, log, recording, saved run and traffic.
    words = [request.url, *request.headers, "-f", "q.graphql", "--log", "log"]
    request.server.names = [name for name in CANARIES if name not in ("netrc", "user-option", "payload")]
    screen = s.screen(*words, columns=140)
    screen.wait("1 Query")
    screen.wait(" types")
    palette(screen, "record incoming")
    time.sleep(0.5)
    screen.keys("C-u")
    screen.type(f"{s.project}/session.ndjson")
    screen.keys("Enter", "M-2")
    screen.paste(json.dumps(request.variables))
    palette(screen, "request extensions")
    time.sleep(0.5)
    screen.type(json.dumps(request.extensions))
    screen.keys("Enter")
    for form in ("html", "split", "multipart", "json"):
        request.server.form = form
        # F5 does nothing while the previous response is still processed.
        before = len(request.server.requests)
        for _ in range(20):
            screen.keys("F5")
            time.sleep(3)
            if len(request.server.requests) > before:
                break
        expect(len(request.server.requests) > before, f"{form} was not requested:\n{screen.text()}")
        screen.wait("● complete", "◐ partial", "✗ failed", "✗ 200", timeout=90)
        time.sleep(1)
        palette(screen, "save the run")
        time.sleep(0.5)
        screen.keys("C-u")
        screen.type(f"{s.project}/run-{form}.ndjson")
        screen.keys("Enter")
        time.sleep(1)
        screen.keys("F9")
        time.sleep(1)
        screen.keys("s")
        time.sleep(0.5)
        screen.keys("C-u")
        screen.type(f"{s.project}/traffic-{form}.txt")
        screen.keys("Enter")
        time.sleep(1)
        for _ in range(2):
            screen.keys("Escape")
            time.sleep(0.5)
        screen.keys("M-1")
    time.sleep(1)
    screen.keys("C-q")
    s.wait_for(lambda: any("response-1.json" in path for path, _ in s.files()), "the response was not saved", 60)
    time.sleep(2)
    written = [path for folder in (s.home, s.project) for path, _ in s.files(folder)]
    for name in ("history.sqlite", "workspace.json", "response-1.json", "/schemas/", "log", "session.ndjson",
                 "run-json.ndjson", "run-multipart.ndjson", "traffic-json.txt"):
        expect(any(name in path for path in written), f"{name} was not written: {written}")
    own = f"{s.project}/q.graphql"
    expect_absent(s, ignored=(request.jar, own))
    saved = [data.decode() for path, data in s.files() if "response-1" in path]
    expect('"Query"' in saved[0] or "__typename" not in saved[0], "a true type name was replaced")


@promise
def schema_with_a_secret_as_a_name_is_not_saved(s):
    token = "cnry_name_7f3a"
    places = ("type Query { a: Int } type %s { a: Int }", "type Query { %s: Int }", "type Query { a(%s: Int): Int }",
              "enum E { %s } type Query { a: E }", "input I { %s: Int } type Query { a(b: I): Int }",
              "directive @%s on FIELD type Query { a: Int }", "scalar x%sx type Query { a: Int }",
              "type Query { a: Int } interface %s { a: Int }", "type Query { a: U } union U = %s type %s { a: Int }",
              'type Query { a(b: String = "%s"): Int }', '"in %s" type Query { a: Int }')
    for number, place in enumerate(places):
        path = s.write(s.path("named.graphql"), place.replace("%s", token))
        introspection = s.run("schema", path, "--output", "json", cwd=s.root)[1].encode()
        server = RepeatingServer(introspection)
        screen = s.screen(f"http://127.0.0.1:{server.port}/graphql", "-H", f"X-Api-Key: {token}", columns=140)
        screen.wait(" types")
        is_name = number < len(places) - 2
        if is_name:
            screen.wait("was not saved")
        time.sleep(0.5)
        screen.keys("C-q")
        time.sleep(0.5)
        saved = [name for name, _ in s.files() if name.endswith(".graphql") and f"_{server.port}_" in name]
        expect(bool(saved) != is_name, f"{place}: {saved}")
    for path, data in s.files():
        expect(token.encode() not in data, f"{token} is in {path}")
