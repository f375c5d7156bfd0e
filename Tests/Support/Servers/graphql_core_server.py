"""graphql-core with a simple HTTP server: multipart/mixed if the client accepts it, JSON otherwise.

The incremental format is that of the installed graphql-core: 2022 for 3.3.0a6, v0.2 for 3.3.2.
Prints its URL on standard output and serves until standard input closes.
"""

import asyncio
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from graphql import GraphQLError, build_schema, parse, validate
from graphql.execution import experimental_execute_incrementally
from graphql import specified_directives

try:
    from graphql import GraphQLDeferDirective, GraphQLStreamDirective
except ImportError:
    from graphql.type import GraphQLDeferDirective, GraphQLStreamDirective

from library import AUTHORS, BOOKS, REVIEWS

SDL = """
interface Node { id: ID! }
type Author implements Node { id: ID! name: String! books: [Book!]! biography: String awards: String! }
type Book implements Node { id: ID! title: String! year: Int! reviews: [String!]! author: Author }
type Query { author(id: ID!): Author node(id: ID!): Node books: [Book!]! }
type Mutation { rename(id: ID!, name: String!): Author }
"""


class Author:
    def __init__(self, row):
        self.row = row
        self.id = row["id"]
        self.name = row["name"]

    def books(self, _info):
        return [Book(BOOKS[key]) for key in self.row["bookIds"]]

    async def biography(self, _info):
        await asyncio.sleep(0)
        return f"The life of {self.name}."

    async def awards(self, _info):
        await asyncio.sleep(0)
        raise GraphQLError("The archive of awards is closed.")


class Book:
    def __init__(self, row):
        self.row = row
        self.id = row["id"]
        self.title = row["title"]
        self.year = row["year"]

    async def reviews(self, _info):
        await asyncio.sleep(0)
        return REVIEWS[self.id]

    def author(self, _info):
        return next((Author(row) for row in AUTHORS.values() if self.id in row["bookIds"]), None)


class Root:
    def author(self, _info, id):
        return Author(AUTHORS[id]) if id in AUTHORS else None

    def node(self, _info, id):
        return Author(AUTHORS[id]) if id in AUTHORS else Book(BOOKS[id]) if id in BOOKS else None

    def books(self, _info):
        return [Book(row) for row in BOOKS.values()]

    def rename(self, _info, id, name):
        AUTHORS[id]["name"] = name
        return Author(AUTHORS[id])


def make_schema():
    schema = build_schema(SDL)
    schema.directives = (*specified_directives, GraphQLDeferDirective, GraphQLStreamDirective)
    for name in ("Author", "Book"):
        schema.type_map[name].is_type_of = lambda value, _info, name=name: type(value).__name__ == name
    return schema


SCHEMA = make_schema()


async def answer(body, emit, incremental):
    """Runs one request and passes each payload to `emit` as it becomes available."""
    document = parse(body["query"])
    errors = validate(SCHEMA, document)
    if errors:
        await emit({"errors": [error.formatted for error in errors]}, True)
        return
    result = experimental_execute_incrementally(
        SCHEMA,
        document,
        root_value=Root(),
        variable_values=body.get("variables"),
        operation_name=body.get("operationName"),
    )
    if asyncio.iscoroutine(result) or hasattr(result, "__await__"):
        result = await result
    if not hasattr(result, "initial_result"):
        await emit(result.formatted, True)
        return
    await emit(result.initial_result.formatted, False)
    async for later in result.subsequent_results:
        await emit(later.formatted, not later.has_next)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        incremental = "multipart/mixed" in self.headers.get("Accept", "")
        started = False

        async def emit(payload, last):
            nonlocal started
            text = json.dumps(payload).encode()
            if last and not started:
                self.send_response(200)
                self.send_header("Content-Type", "application/graphql-response+json; charset=utf-8")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
                return
            if not started:
                started = True
                self.send_response(200)
                self.send_header("Content-Type", 'multipart/mixed; boundary="-"')
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
            self.chunk(b"\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n" + text)
            if last:
                self.chunk(b"\r\n-----\r\n")
                self.wfile.write(b"0\r\n\r\n")

        asyncio.run(answer(body, emit, incremental))


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}/graphql", flush=True)
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    main()
