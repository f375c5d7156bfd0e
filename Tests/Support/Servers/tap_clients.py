"""Compares what clients of other projects receive directly and through `apus tap`: status, header fields and bytes.

    tap_clients.py DIRECT TAPPED QUERY DEFERRED SUBSCRIPTION

Prints a line for each comparison, `same NAME` or `differs NAME: …`.
"""

import asyncio
import logging
import sys

import aiohttp
import httpx
import requests
from gql import Client, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.requests import RequestsHTTPTransport
from gql.transport.websockets import WebsocketsTransport
from urllib3.filepost import encode_multipart_formdata

DIRECT, TAPPED, QUERY, DEFERRED, SUBSCRIPTION = sys.argv[1:6]
logging.disable(logging.CRITICAL)

# Fields that differ from one response to the next, or belong to a connection.
VARIABLE = {"date", "connection", "keep-alive"}


def fields(headers):
    return sorted((name.lower(), value) for name, value in headers if name.lower() not in VARIABLE)


def raw(response):
    """The status, fields and undecoded bytes of a response of requests."""
    return response.status_code, fields(response.raw.headers.items()), response.raw.read(decode_content=False)


def post(session, url, **options):
    return raw(session.post(url, stream=True, timeout=20, **options))


def kept_connection(url):
    session = requests.Session()
    return [
        post(session, url, json={"query": QUERY}),
        raw(session.get(url, params={"query": QUERY}, stream=True, timeout=20)),
        raw(session.head(url, params={"query": QUERY}, stream=True, timeout=20)),
        raw(session.options(url, stream=True, timeout=20)),
        post(session, url, data=b"not json", headers={"Content-Type": "application/json"}),
        raw(session.get(url + "/nothing", stream=True, timeout=20)),
    ]


def chunked_upload(url):
    body = ('{"query": "%s"}' % QUERY.replace('"', '\\"')).encode()
    pieces = (body[start : start + 7] for start in range(0, len(body), 7))
    return post(requests.Session(), url, data=pieces, headers={"Content-Type": "application/json"})


def file_upload(url):
    parts = {
        "operations": '{"query":"%s","variables":{"file":null}}' % QUERY.replace('"', '\\"'),
        "map": '{"0":["variables.file"]}',
        "0": ("a.bin", bytes(range(256)) * 4000),
    }
    # A server may repeat the boundary in an error.
    body, form = encode_multipart_formdata(parts, boundary="boundary")
    return post(requests.Session(), url, data=body, headers={"GraphQL-Preflight": "1", "Content-Type": form})


def multipart(url):
    headers = {"Accept": "multipart/mixed;deferSpec=20220824, application/json"}
    with httpx.stream("POST", url, json={"query": DEFERRED}, headers=headers, timeout=20) as response:
        return response.status_code, fields(response.headers.multi_items()), b"".join(response.iter_raw())


def aiohttp_multipart(url):
    async def run():
        headers = {"Accept": "multipart/mixed;deferSpec=20220824, application/json"}
        async with aiohttp.ClientSession(auto_decompress=False) as session:
            async with session.post(url, json={"query": DEFERRED}, headers=headers) as response:
                return response.status, fields(response.headers.items()), await response.content.read()

    return asyncio.run(run())


def event_stream(url):
    headers = {"Accept": "text/event-stream"}
    with httpx.stream("POST", url, json={"query": SUBSCRIPTION}, headers=headers, timeout=20) as response:
        return response.status_code, fields(response.headers.multi_items()), b"".join(response.iter_raw())


def gql_sync(url):
    with Client(transport=RequestsHTTPTransport(url=url)) as session:
        return session.execute(gql(QUERY))


def gql_async(url):
    async def run():
        async with Client(transport=AIOHTTPTransport(url=url)) as session:
            return await asyncio.gather(*(session.execute(gql(QUERY)) for _ in range(20)))

    return asyncio.run(run())


def gql_socket(subprotocol):
    def subscribe(url):
        async def run():
            transport = WebsocketsTransport(url=url.replace("http", "ws", 1), subprotocols=[subprotocol])
            async with Client(transport=transport) as session:
                return [result async for result in session.subscribe(gql(SUBSCRIPTION))]

        return asyncio.run(run())

    subscribe.__name__ = f"gql over {subprotocol}"
    return subscribe


def outcome(client, url):
    try:
        return client(url)
    except Exception as error:  # A client's own error is compared, too.
        return f"{type(error).__name__}: {error}".replace(url, "URL")


for client in [
    kept_connection, chunked_upload, file_upload, multipart, aiohttp_multipart, event_stream, gql_sync, gql_async,
    gql_socket("graphql-transport-ws"), gql_socket("graphql-ws"),
]:
    direct, tapped = outcome(client, DIRECT), outcome(client, TAPPED)
    if direct == tapped:
        print("same", client.__name__)
    else:
        print(f"differs {client.__name__}: {direct!r:.2000}\n  {tapped!r:.2000}")
    if isinstance(direct, str) and "--strict" in sys.argv:
        print(f"differs {client.__name__}: it failed: {direct}")
