"""ariadne with uvicorn: queries over HTTP, subscriptions over both WebSocket subprotocols.

Prints its URL on standard output and serves until standard input closes.
"""

import asyncio
import socket
import sys
import threading

import uvicorn
from ariadne import MutationType, QueryType, SubscriptionType, make_executable_schema, upload_scalar
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLTransportWSHandler, GraphQLWSHandler

SCHEMA = """
    scalar Upload
    type Query { hello: String! }
    type Mutation { store(file: Upload!, note: String): String! storeAll(files: [Upload!]!): [String!]! }
    type Subscription { count(to: Int!): Int! greeting: String! }
"""

query = QueryType()
mutation = MutationType()
subscription = SubscriptionType()


@query.field("hello")
def hello(*_):
    return "hello"


async def described(file):
    return f"{file.filename} {file.content_type} {len(await file.read())}"


@mutation.field("store")
async def store(_, info, file, note=None):
    return await described(file) + (f" {note}" if note else "")


@mutation.field("storeAll")
async def store_all(_, info, files):
    return [await described(file) for file in files]


@subscription.source("count")
async def count_source(_, info, to):
    for number in range(1, to + 1):
        yield number


@subscription.field("count")
def count(number, info, to):
    return number


@subscription.source("greeting")
async def greeting_source(_, info):
    params = info.context.get("connection_params") or {}
    yield f"hello {params.get('name', 'stranger')}"


@subscription.field("greeting")
def greeting(text, info):
    return text


def main():
    legacy = "--legacy" in sys.argv

    def connected(socket, params):
        socket.scope["connection_params"] = params

    def context(request, data=None):
        return {"request": request, "connection_params": request.scope.get("connection_params")}

    handler = (GraphQLWSHandler if legacy else GraphQLTransportWSHandler)(on_connect=connected)
    schema = make_executable_schema(SCHEMA, query, mutation, subscription, upload_scalar)
    application = GraphQL(schema, websocket_handler=handler, context_value=context)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    server = uvicorn.Server(uvicorn.Config(application, log_level="critical", lifespan="off"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])), daemon=True)
    thread.start()
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/graphql", flush=True)
    sys.stdin.read()
    server.should_exit = True
    thread.join(5)


if __name__ == "__main__":
    main()
