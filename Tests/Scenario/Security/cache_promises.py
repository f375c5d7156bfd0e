"""The promises about cache files, and about the files beside them."""

import json
import os
import random
import resource
import shutil
import signal
import time

from hostile_caches import CASES
from promises import promise
from sandbox import expect

WRITERS = [["query", "http://127.0.0.1:9/", "-q", "{ a }"], ["cache", "gc"], ["cache", "evict", "Bird:1"], ["cache", "import"]]
EXPORT = json.dumps({"format": "apus-cache", "version": 1, "records": {
    f"Bird:{n}": {"name": f"bird {n}", f"field{n % 50}": n} for n in range(400)}})


def snapshot(folder):
    """Every file below a folder with its kind, time and bytes."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in names + folders:
            path = os.path.join(place, name)
            status = os.lstat(path)
            data = b""
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    data = file.read()
            found[path] = (status.st_mode, status.st_mtime_ns, data)
    return found


def cache(s, name="base.db"):
    code, _, errors = s.run("cache", "import", "--db", name, stdin=EXPORT)
    expect(code == 0, errors)
    return os.path.join(s.project, name)


def prepared(s, base, build):
    """A folder with a cache that a case changed, and the victims outside."""
    folder, outside = s.path("case"), s.path("victims")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(outside, ignore_errors=True)
    os.makedirs(folder)
    os.makedirs(outside)
    s.write(f"{outside}/victim", "theirs")
    s.write(f"{outside}/empty", "")
    shutil.copy(base, f"{folder}/cache.db")
    build(folder, outside)
    return folder, outside


@promise
def hostile_caches_end_and_touch_nothing_outside(s):
    base = cache(s)
    expect(len(CASES) >= 50, "too few cases")
    for name, build in CASES.items():
        for words in [["cache", "keys"]] + WRITERS:
            folder, outside = prepared(s, base, build)
            before, used = snapshot(outside), resource.getrusage(resource.RUSAGE_CHILDREN)
            code, _, errors = s.run(*words, "--db", "cache.db", cwd=folder, timeout=20)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = f"{name}: {' '.join(words[:2])}"
            expect(code in (0, 1, 3, 5), f"{command} ended with {code}: {errors}")
            expect(snapshot(outside) == before, f"{command} changed a file outside: {errors}")
            seconds = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
            expect(seconds < 10, f"{command} computed for {seconds:.1f} s")


@promise
def journal_beside_a_cache_is_refused_and_stays(s):
    base = cache(s)
    for kind in ("cache", "missing", "empty", "linked"):
        for words in WRITERS:
            folder, outside = prepared(s, base, CASES[f"journal_names_a_file_{kind}"])
            code, _, errors = s.run(*words, "--db", "cache.db", cwd=folder)
            expect(os.path.exists(f"{outside}/victim"), f"{kind}: {' '.join(words)} deleted a file: {errors}")
            place = f"{folder}/elsewhere/target.db" if kind == "linked" else f"{folder}/cache.db"
            if kind == "missing" and words[1] in ("gc", "evict"):
                continue
            expect(code == 5 and "-journal" in errors, f"{kind}: {' '.join(words)}: {code}: {errors}")
            expect(os.path.exists(f"{place}-journal"), f"{kind}: {' '.join(words)} removed the journal")


@promise
def explorer_does_not_wait_for_a_hostile_cache(s):
    base = cache(s)
    for name in ("schema_of_shared_pages_ends", "database_is_a_pipe", "journal_is_a_pipe"):
        for words in ([], ["http://127.0.0.1:9/"]):
            folder, _ = prepared(s, base, CASES[name])
            with s.keyboard(*words, "--db", f"{folder}/cache.db") as keyboard:
                s.wait_for(lambda: keyboard.read() or keyboard.shown, f"{name}: nothing is shown")
                # It ends with an error, or shows a screen that takes keys.
                if b"\x1b[" in keyboard.shown:
                    keyboard.wait("1 Query")
                    keyboard.send("\x11")
                begin = time.monotonic()
            expect(time.monotonic() - begin < 4, f"{name}: it did not end")


@promise
def several_programs_create_one_cache(s):
    for kind in ("missing", "empty"):
        for attempt in range(5):
            path = f"{s.project}/{kind}{attempt}.db"
            if kind == "empty":
                s.write(path, "")
            s.write("export.json", EXPORT)
            running = [s.start("cache", "import", "export.json", "--db", path) for _ in range(6)]
            for process in running:
                _, errors = process.communicate(timeout=60)
                expect(process.returncode == 0, f"{kind}: {process.returncode}: {errors}")
            code, output, errors = s.run("cache", "keys", "--db", path)
            expect(code == 0 and len(output.split()) == 400, f"{kind}: {code}: {errors}")
    expect(not [name for name in os.listdir(s.project) if ".apus-" in name], f"left: {os.listdir(s.project)}")


@promise
def kill_while_a_cache_is_created_leaves_nothing_that_is_refused(s):
    choice = random.Random(1)
    s.write("export.json", EXPORT)
    for attempt in range(60):
        path = f"{s.project}/{attempt % 12}.db"
        process = s.start("cache", "import", "export.json", "--db", path)
        time.sleep(choice.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    for number in range(12):
        path = f"{s.project}/{number}.db"
        code, output, errors = s.run("cache", "import", "export.json", "--db", path)
        expect(code == 0 and "damaged" not in errors, f"{code}: {errors}")
    expect(not [name for name in os.listdir(s.project) if ".apus-" in name], f"left: {os.listdir(s.project)}")


@promise
def database_of_another_program_stays(s):
    import sqlite3
    for statements in ("", "CREATE TABLE theirs(a);"):
        path = f"{s.project}/theirs.db"
        if os.path.exists(path):
            os.remove(path)
        database = sqlite3.connect(path)
        database.executescript(f"{statements} PRAGMA application_id = {0x41707573}; PRAGMA user_version = 3;")
        database.close()
        with open(path, "rb") as file:
            before = file.read()
        for words in [["cache", "keys"]] + WRITERS:
            code, _, errors = s.run(*words, "--db", path)
            expect(code == 5, f"{' '.join(words)}: {code}: {errors}")
            with open(path, "rb") as file:
                expect(file.read() == before, f"{' '.join(words)} changed the file")
    expect(os.listdir(s.project) == ["theirs.db"], f"{os.listdir(s.project)}")


@promise
def cache_of_another_user_is_not_written(s):
    if os.geteuid() != 0:
        return
    path = cache(s)
    os.chmod(path, 0o666)
    os.chown(path, 65534, 65534)
    with open(path, "rb") as file:
        before = file.read()
    expect(s.run("cache", "keys", "--db", path)[0] == 0, "it cannot be read")
    for words in WRITERS:
        code, _, errors = s.run(*words, "--db", path)
        expect(code == 5 and "another user" in errors, f"{' '.join(words)}: {code}: {errors}")
    with open(path, "rb") as file:
        expect(file.read() == before, "it was changed")
