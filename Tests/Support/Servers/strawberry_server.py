"""strawberry-graphql with uvicorn, with @defer and @stream enabled.

Prints its URL on standard output and serves until standard input closes.
"""

import asyncio
import socket
import sys
import threading
from collections.abc import AsyncGenerator

import strawberry
import uvicorn
from strawberry.asgi import GraphQL
from strawberry import relay
from strawberry.schema.config import StrawberryConfig

from library import AUTHORS, BOOKS, REVIEWS, SHELF

PROTOCOLS = ("graphql-transport-ws", "graphql-ws", "multipart-subscription", "graphql-sse")


@strawberry.type
class Book:
    id: strawberry.ID
    title: str
    year: int

    @strawberry.field
    async def reviews(self) -> list[str]:
        await asyncio.sleep(0)
        return REVIEWS[self.id]


@strawberry.type
class Author:
    id: strawberry.ID
    name: str

    @strawberry.field
    def books(self) -> list[Book]:
        return [Book(**BOOKS[key]) for key in AUTHORS[self.id]["bookIds"]]

    @strawberry.field
    async def biography(self) -> str:
        await asyncio.sleep(0)
        return f"The life of {self.name}."

    @strawberry.field
    async def streamed(self) -> strawberry.Streamable[Book]:
        for key in AUTHORS[self.id]["bookIds"]:
            await asyncio.sleep(0)
            yield Book(**BOOKS[key])


@strawberry.type
class Volume(relay.Node):
    number: relay.NodeID[int]
    title: str

    @classmethod
    def resolve_nodes(cls, *, info, node_ids, required=False):
        return [volume(int(number)) for number in node_ids]


def volume(number: int) -> Volume:
    return Volume(number=number, title=SHELF[number - 1])


@strawberry.type
class VolumePage:
    items: list[Volume]
    total: int


@strawberry.type
class Query:
    @relay.connection(relay.ListConnection[Volume])
    def shelf(self) -> list[Volume]:
        return [volume(number) for number in range(1, len(SHELF) + 1)]

    @strawberry.field
    def volumes(self, offset: int = 0, limit: int = 5) -> list[Volume]:
        return [volume(number) for number in range(1, len(SHELF) + 1)][offset : offset + limit]

    @strawberry.field
    def taken(self, skip: int = 0, take: int = 5) -> list[Volume]:
        return [volume(number) for number in range(1, len(SHELF) + 1)][skip : skip + take]

    @strawberry.field
    def pages(self, page: int = 1, per_page: int = 5) -> VolumePage:
        start = (page - 1) * per_page
        all = [volume(number) for number in range(1, len(SHELF) + 1)]
        return VolumePage(items=all[start : start + per_page], total=len(all))

    @strawberry.field
    def author(self, id: strawberry.ID) -> Author | None:
        row = AUTHORS.get(id)
        return Author(id=row["id"], name=row["name"]) if row else None


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, to: int) -> AsyncGenerator[int, None]:
        for number in range(1, to + 1):
            yield number


def main():
    schema = strawberry.Schema(
        Query, subscription=Subscription, config=StrawberryConfig(enable_experimental_incremental_execution=True)
    )
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    application = GraphQL(schema, subscription_protocols=PROTOCOLS)
    server = uvicorn.Server(uvicorn.Config(application, log_level="critical", lifespan="off"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])), daemon=True)
    thread.start()
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/graphql", flush=True)
    sys.stdin.read()
    server.should_exit = True
    thread.join(5)


if __name__ == "__main__":
    main()
