"""Cache files of an attacker, made from a real one. Each case changes the files of a folder that has `cache.db`."""

import functools
import os
import random
import socket
import sqlite3
import struct

PAGE = 4096
CASES = {}


def case(*arguments):
    """Registers a builder, once for each argument."""
    def register(build):
        for argument in arguments or (None,):
            word = argument[0] if isinstance(argument, tuple) else argument
            name = build.__name__ + ("" if argument is None else f"_{word}")
            extra = () if argument is None else (argument,)
            CASES[name] = functools.partial(lambda extra, folder, outside: build(folder, outside, *extra), extra)
        return build
    return register


def read(path):
    with open(path, "rb") as file:
        return bytearray(file.read())


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


# Files beside the cache


def super_journal(victim, pages):
    """A rollback journal that names a file; SQLite deletes it after playing the journal back."""
    name = victim.encode()
    magic = bytes.fromhex("d9d505f920a163d7")
    head = magic + struct.pack(">IIIII", 0, 1, pages, 512, PAGE)
    return head.ljust(512, b"\0") + struct.pack(">I", 1) + name + struct.pack(">II", len(name), sum(name)) + magic


@case("cache", "missing", "empty", "linked")
def journal_names_a_file(folder, outside, kind):
    cache = f"{folder}/cache.db"
    pages = os.path.getsize(cache) // PAGE
    if kind == "missing":
        os.remove(cache)
    if kind == "empty":
        write(cache, b"")
    if kind == "linked":
        os.makedirs(f"{folder}/elsewhere")
        os.rename(cache, f"{folder}/elsewhere/target.db")
        os.symlink("elsewhere/target.db", cache)
        cache = f"{folder}/elsewhere/target.db"
    write(f"{cache}-journal", super_journal(f"{outside}/victim", pages))


def put(kind, path, outside):
    """Puts something else than a regular file at a path."""
    if os.path.lexists(path):
        os.remove(path)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            here = os.getcwd()
            os.chdir(os.path.dirname(path))
            listener.bind(os.path.basename(path))
            os.chdir(here)
    elif kind == "device":
        os.symlink("/dev/zero", path)
    elif kind == "folder":
        os.makedirs(path)
    elif kind == "link":
        os.symlink(f"{outside}/victim", path)
    elif kind == "dangling":
        os.symlink(f"{outside}/absent", path)
    elif kind == "emptied":
        os.symlink(f"{outside}/empty", path)
    elif kind == "hardlink":
        os.link(f"{outside}/victim", path)


KINDS = ("pipe", "socket", "device", "folder", "link", "dangling", "emptied", "hardlink")


@case(*KINDS)
def database_is_a(folder, outside, kind):
    put(kind, f"{folder}/cache.db", outside)


@case(*KINDS)
def journal_is_a(folder, outside, kind):
    put(kind, f"{folder}/cache.db-journal", outside)


@case(*KINDS)
def log_is_a(folder, outside, kind):
    put(kind, f"{folder}/cache.db-wal", outside)


@case(*KINDS)
def shared_memory_is_a(folder, outside, kind):
    put(kind, f"{folder}/cache.db-shm", outside)


@case("text", "zeros", "sparse", "header")
def log_has(folder, _, kind):
    path = f"{folder}/cache.db-wal"
    header = struct.pack(">IIIIII", 0x377F0682, 3007000, PAGE, 0, 1, 1).ljust(32, b"\0")
    write(path, {"text": b"a text of the user", "zeros": bytes(1 << 16), "sparse": b"", "header": header}[kind])
    if kind == "sparse":
        os.truncate(path, 1 << 40)


@case("text", "zeros")
def shared_memory_has(folder, _, kind):
    write(f"{folder}/cache.db-shm", {"text": b"a text", "zeros": bytes(1 << 16)}[kind])


# Bytes of the cache


@case(*range(16))
def flipped_bytes(folder, _, seed):
    choice = random.Random(seed)
    data = read(f"{folder}/cache.db")
    for _ in range(choice.choice((1, 4, 40, 400))):
        place = choice.randrange(16, len(data))
        # The application id stays, so that the file still counts as a cache.
        if not 68 <= place < 72:
            data[place] = choice.randrange(256)
    write(f"{folder}/cache.db", data)


@case("half", "one_byte", "one_page", "odd")
def truncated_to(folder, _, kind):
    path = f"{folder}/cache.db"
    size = os.path.getsize(path)
    os.truncate(path, {"half": size // 2, "one_byte": 1, "one_page": PAGE, "odd": size - 100}[kind])


@case()
def file_of_a_terabyte(folder, _):
    os.truncate(f"{folder}/cache.db", 1 << 40)
    data = open(f"{folder}/cache.db", "r+b")
    data.seek(28)
    data.write(struct.pack(">I", (1 << 40) // PAGE))
    data.close()


@case(("page_size", 16, b"\x00\x01"), ("page_size_one", 16, b"\x02\x00"), ("reserved", 20, b"\xff"),
      ("pages", 28, b"\xff\xff\xff\xfe"), ("free_list", 32, b"\0\0\0\x02\0\0\0\xff"), ("format", 44, b"\xff\xff\xff\xff"),
      ("encoding", 56, b"\0\0\0\x03"), ("vacuum", 52, b"\0\0\0\x05"), ("version", 60, b"\x7f\xff\xff\xff"),
      ("no_version", 60, b"\0\0\0\0"), ("no_log", 18, b"\x01\x01"), ("later_log", 18, b"\x09\x09"))
def header_with(folder, _, change):
    _, place, value = change
    data = read(f"{folder}/cache.db")
    data[place:place + len(value)] = value
    write(f"{folder}/cache.db", data)


# Trees whose pages are shared


def cells(data, page):
    """The cells of a leaf page, each with the bytes up to the next one."""
    start, offset = (page - 1) * PAGE, 100 if page == 1 else 0
    count = struct.unpack_from(">H", data, start + offset + 3)[0]
    pointers = struct.unpack_from(f">{count}H", data, start + offset + 8)
    ends = sorted(pointers) + [PAGE]
    return [bytes(data[start + p:start + ends[ends.index(p) + 1]]) for p in pointers]


def tree_page(kind, content, last=None, offset=0):
    page, end, pointer = bytearray(PAGE), PAGE, offset + (8 if last is None else 12)
    for cell in content:
        end -= len(cell)
        page[end:end + len(cell)] = cell
        struct.pack_into(">H", page, pointer, end)
        pointer += 2
    struct.pack_into(">BHHH", page, offset, kind, 0, len(content), end)
    if last is not None:
        struct.pack_into(">I", page, offset + 8, last)
    return page


def share(data, root, breadth=200, levels=6, leaf=None, rows=None, cycle=False):
    """Replaces a table by pages that all refer to the next one, so that a leaf is reached `breadth ** levels` times."""
    first = len(data) // PAGE + 1
    content = cells(data, root)
    offset = 100 if root == 1 else 0

    def interior(child, before=(), offset=0):
        children = list(before) + [child] * breadth
        return tree_page(0x05, [struct.pack(">IB", number, 1) for number in children], child, offset)

    data += tree_page(0x0D, rows or content)
    for level in range(levels):
        data += interior(first if cycle and level == levels - 1 else first + 2 + level)
    data += tree_page(0x0D, leaf or content)
    start = (root - 1) * PAGE
    data[start + offset:start + PAGE] = interior(first + 1, [first] if rows else [], offset)[offset:]
    struct.pack_into(">I", data, 28, len(data) // PAGE)


def roots(folder):
    with sqlite3.connect(f"{folder}/cache.db") as database:
        rows = database.execute("SELECT name, rootpage FROM sqlite_schema").fetchall()
    database.close()
    return dict(rows)


@case("ends", "cycles")
def schema_of_shared_pages(folder, _, kind):
    data = read(f"{folder}/cache.db")
    rows = cells(data, 1)
    index = [row for row in rows if b"sqlite_autoindex" in row]
    share(data, 1, leaf=index, rows=rows, cycle=kind == "cycles")
    write(f"{folder}/cache.db", data)


@case("records", "names", "changes", "state")
def table_of_shared_pages(folder, _, table):
    root = roots(folder)[table]
    data = read(f"{folder}/cache.db")
    share(data, root)
    write(f"{folder}/cache.db", data)


@case("records", "state")
def shared_pages_in_a_terabyte(folder, outside, table):
    table_of_shared_pages(folder, outside, table)
    file_of_a_terabyte(folder, outside)


@case()
def index_is_its_table(folder, _):
    places = roots(folder)
    data = read(f"{folder}/cache.db")
    index, table = places["sqlite_autoindex_records_1"], places["records"]
    data[(index - 1) * PAGE:index * PAGE] = data[(table - 1) * PAGE:table * PAGE]
    write(f"{folder}/cache.db", data)


# Schemas


@case("views", "triggers", "wide", "many", "foreign", "none", "long")
def schema_with(folder, _, kind):
    database = sqlite3.connect(f"{folder}/cache.db", isolation_level=None)
    database.execute("PRAGMA trusted_schema = ON")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n"
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    if kind == "views":
        database.execute("DROP TABLE names")
        database.execute(f"CREATE VIEW names(number, name) AS {endless}")
    if kind == "triggers":
        database.execute("CREATE TRIGGER t AFTER INSERT ON changes BEGIN INSERT INTO names "
                         "SELECT NULL, hex(randomblob(1000000)); END")
    if kind == "wide":
        database.execute("ALTER TABLE state ADD COLUMN w TEXT GENERATED ALWAYS AS (hex(zeroblob(100000000))) VIRTUAL")
    if kind == "many":
        database.execute("BEGIN")
        for number in range(5000):
            database.execute(f"CREATE TABLE t{number}(a)")
        database.execute("COMMIT")
    if kind in ("foreign", "none"):
        for table in tables:
            database.execute(f"DROP TABLE {table}")
    if kind == "foreign":
        database.execute("CREATE TABLE theirs(a)")
    if kind == "long":
        database.execute(f"CREATE TABLE l({', '.join('c' * 100 + str(n) for n in range(1500))})")
    database.close()
