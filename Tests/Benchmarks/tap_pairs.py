#!/usr/bin/env python3
"""Measures `apus tap` in pairs: each measurement directly, then through the tap, in turn.

    tap_pairs.py APUS pairs               latency of one and of 100 connections, throughput of 200 MB, and the first byte
    tap_pairs.py APUS soak MINUTES RATE   memory, descriptors and threads of the tap while RATE requests a second pass
    tap_pairs.py APUS keys COUNT          time from a key to its drawing, while an application sends as many requests as pass

The servers are `apus serve` and one with large bodies in this process.
"""

import fcntl
import http.client
import json
import os
import pty
import re
import select
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from urllib.parse import urlsplit

APUS = sys.argv[1]
QUERY = json.dumps({"query": "{ birds(first: 5) { edges { node { __typename id name } } } }"})
DEFERRED = json.dumps({"query": 'query Late { bird(id: "b1") { id ... @defer { species { id } } } }'})
SIZE = 200 << 20


def start(*words, stream="stdout"):
    process = subprocess.Popen(
        [APUS, *words], stdout=subprocess.PIPE if stream == "stdout" else subprocess.DEVNULL,
        stderr=subprocess.PIPE if stream == "stderr" else subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
    return process, getattr(process, stream).readline().strip()


def tap(url):
    return start("tap", url, stream="stderr")


class LargeBodies:
    """A server whose responses are 200 MB, or two bytes with a pause after the first one."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/"
        self.sent = 0.0
        self.received = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head, piece = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", bytes(1 << 20)
        received = b""
        while data := connection.recv(65536):
            received += data
            if not received.endswith(b"\r\n\r\n"):
                continue
            if received.startswith(b"GET /first"):
                connection.sendall(head % 2 + b"a")
                self.sent = time.perf_counter()
                self.received.wait()
                self.received.clear()
                connection.sendall(b"b")
            else:
                connection.sendall(head % SIZE)
                for _ in range(SIZE >> 20):
                    connection.sendall(piece)
            received = b""


def connection(url):
    parts = urlsplit(url)
    opened = http.client.HTTPConnection(parts.hostname, parts.port)
    opened.connect()
    opened.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return opened


def post(opened, body=QUERY, accept="application/json"):
    opened.request("POST", "/graphql", body, {"Content-Type": "application/json", "Accept": accept})
    response = opened.getresponse()
    assert response.status == 200 and response.read()


def latency(urls, rounds):
    """The seconds of each request, alternating between the URLs."""
    opened = [connection(url) for url in urls]
    times = [[] for _ in urls]
    for index in range(rounds + 100):
        for one, list_ in zip(opened, times):
            begin = time.perf_counter()
            post(one)
            if index >= 100:
                list_.append(time.perf_counter() - begin)
    return times


def together(url, count, rounds):
    """The seconds of each request of `count` connections at once, and of all of them."""
    opened = [connection(url) for _ in range(count)]
    times, barrier = [], threading.Barrier(count)

    def work(one):
        post(one)
        barrier.wait()
        for _ in range(rounds):
            begin = time.perf_counter()
            post(one)
            times.append(time.perf_counter() - begin)

    threads = [threading.Thread(target=work, args=(one,)) for one in opened]
    for thread in threads:
        thread.start()
    begin = time.perf_counter()
    for thread in threads:
        thread.join()
    return times, time.perf_counter() - begin


def download(url):
    parts = urlsplit(url)
    begin = time.perf_counter()
    subprocess.run(
        ["curl", "-s", "-o", "/dev/null", f"http://{parts.netloc}/large"], check=True)
    return time.perf_counter() - begin


def first_byte(url, server):
    opened = connection(url)
    opened.request("GET", "/first")
    response = opened.getresponse()
    assert response.read(1) == b"a"
    elapsed = time.perf_counter() - server.sent
    server.received.set()
    assert response.read() == b"b"
    return elapsed


def milliseconds(seconds):
    return f"{seconds * 1000:.2f} ms"


def pairs():
    api, direct = start("serve", "--delay-scale", "1e-6")
    relay, tapped = tap(direct)
    one = latency([direct, tapped], 2000)
    medians = [statistics.median(times) for times in one]
    print("one connection, median:", *map(milliseconds, medians), "added", milliseconds(medians[1] - medians[0]))
    many = [[], []]
    for _ in range(5):
        for index, url in enumerate([direct, tapped]):
            times, total = together(url, 100, 20)
            many[index].append((statistics.median(times), total))
    print("100 connections, median of a request:", *(milliseconds(statistics.median(m for m, _ in runs)) for runs in many))
    rates = [2000 / statistics.median(total for _, total in runs) for runs in many]
    print("100 connections, requests a second:", *(f"{rate:.0f}" for rate in rates))
    relay.terminate()
    server = LargeBodies()
    relay, tapped = tap(server.url)
    runs = [[], []]
    for _ in range(7):
        for index, url in enumerate([server.url, tapped]):
            runs[index].append(download(url))
    medians = [statistics.median(times) for times in runs]
    ratio = statistics.median(b / a for a, b in zip(*runs))
    print("200 MB:", *(f"{SIZE / 1e6 / median:.0f} MB/s" for median in medians), f"time {ratio:.3f} times that of direct")
    first = [statistics.median(first_byte(url, server) for _ in range(200)) for url in [server.url, tapped]]
    print("first byte, before the body is complete:", *map(milliseconds, first))
    relay.terminate()
    api.terminate()


def soak(minutes, rate):
    api, direct = start("serve", "--delay-scale", "0.001")
    relay, tapped = tap(direct)
    end, count, step = time.monotonic() + minutes * 60, 0, 1 / rate
    opened = connection(tapped)
    next_report = time.monotonic() + 60
    while time.monotonic() < end:
        begin = time.monotonic()
        if count % 10 == 9:
            opened.close()
            opened = connection(tapped)
        if count % 3 == 0:
            post(opened, DEFERRED, "multipart/mixed;deferSpec=20220824")
        else:
            post(opened)
        count += 1
        if time.monotonic() >= next_report:
            next_report += 60
            with open(f"/proc/{relay.pid}/status") as status:
                facts = dict(line.split(":", 1) for line in status)
            descriptors = len(os.listdir(f"/proc/{relay.pid}/fd"))
            print(
                f"{count} requests: {facts['VmRSS'].strip()} resident, {facts['VmHWM'].strip()} at most,",
                f"{descriptors} descriptors, {facts['Threads'].strip()} threads", flush=True)
        time.sleep(max(0, begin + step - time.monotonic()))
    relay.terminate()
    api.terminate()


class Screen:
    """The explorer of a tap on a pseudo-terminal."""

    def __init__(self, url):
        home = tempfile.mkdtemp()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(HOME=home, XDG_CONFIG_HOME=home, XDG_STATE_HOME=home, TERM="xterm-256color")
            os.execv(APUS, [APUS, "tap", url])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 130, 0, 0))
        self.drawn = b""

    def wait(self, pattern, seconds=20):
        """Reads what is drawn until it has the pattern; returns the match."""
        end = time.monotonic() + seconds
        while not (match := re.search(pattern, self.drawn)):
            assert select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0], f"{pattern}: {self.drawn[-2000:]}"
            self.drawn += os.read(self.terminal, 1 << 16)
        self.drawn = b""
        return match

    def drain(self, seconds):
        end = time.monotonic() + seconds
        while select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
            os.read(self.terminal, 1 << 16)
        self.drawn = b""

    def press(self, key):
        os.write(self.terminal, key)


def keys(count):
    """The seconds from a key to its drawing, at rest and while 50 connections send requests one after another."""
    api, direct = start("serve", "--delay-scale", "1e-6")
    screen = Screen(direct)
    tapped = screen.wait(rb"http://127\.0\.0\.1:(?!%d)\d+/graphql" % urlsplit(direct).port)[0].decode()
    sent, isOver = [0] * 50, threading.Event()

    def work(index):
        opened = connection(tapped)
        while not isOver.is_set():
            post(opened)
            sent[index] += 1

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(sent))]
    for name in ["at rest", "in a flood"]:
        screen.drain(2)
        begin, before = time.monotonic(), sum(sent)
        times = []
        for _ in range(count):
            pressed = time.perf_counter()
            screen.press(b"r")
            screen.wait(rb"One rule")
            times.append(time.perf_counter() - pressed)
            screen.press(b"\x1b")
            screen.drain(0.5)
        rate = (sum(sent) - before) / (time.monotonic() - begin)
        times.sort()
        print(
            f"{name}, {rate:.0f} requests a second: median", milliseconds(statistics.median(times)), "95 %",
            milliseconds(times[count * 95 // 100]), "at most", milliseconds(times[-1]), flush=True)
        if name == "at rest":
            for thread in threads:
                thread.start()
    isOver.set()
    for thread in threads:
        while thread.is_alive():
            screen.drain(0.1)
    os.kill(screen.pid, signal.SIGKILL)
    os.waitpid(screen.pid, 0)
    api.terminate()


if sys.argv[2] == "keys":
    keys(int(sys.argv[3]))
elif sys.argv[2] == "soak":
    soak(float(sys.argv[3]), float(sys.argv[4]))
else:
    pairs()
