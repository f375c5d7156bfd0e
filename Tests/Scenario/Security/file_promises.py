"""The promises about files that Apus replaces: cookies, recordings, reports, and temporary files."""

import http.server
import os
import resource
import socket
import subprocess
import threading
import time

from promises import promise
from sandbox import PROGRAM, SECRET, expect


def with_cookie(s):
    return s.canary(answer=lambda _: (200, [("Set-Cookie", "fresh=1; Path=/; Max-Age=9999")], b'{"data":{"a":1}}'))


@promise
def full_disk_keeps_the_cookies(s):
    canary = with_cookie(s)
    code, _, errors = s.run("query", canary.url, "-q", "{ a }", "--cookie-jar", "jar")
    expect(code == 0 and "fresh" in s.read("jar"), f"{code}: {errors}")
    expect(os.stat(f"{s.project}/jar").st_mode & 0o777 == 0o600, "the cookies are not private")
    before = s.read("jar")
    # A file of no bytes at all, as on a full disk.
    result = subprocess.run(
        [PROGRAM, "query", canary.url, "-q", "{ a }", "--cookie-jar", "jar"], cwd=s.project, env=s.environment,
        capture_output=True, timeout=30, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    expect(s.read("jar") == before, "the cookies are lost")
    expect(result.returncode == 5 and b"cookies" in result.stderr, f"{result.returncode}: {result.stderr}")
    expect(not [name for name in os.listdir(s.project) if ".apus-" in name], f"left: {os.listdir(s.project)}")


@promise
def cookies_go_through_a_link_to_a_file_only(s):
    canary = with_cookie(s)
    for kind in ("file", "dangling", "device", "pipe", "folder"):
        jar = f"{s.project}/{kind}"
        if kind == "pipe":
            os.mkfifo(jar)
        elif kind == "folder":
            os.makedirs(jar)
        else:
            os.symlink({"file": f"{s.outside}/jar", "dangling": f"{s.outside}/absent", "device": "/dev/zero"}[kind], jar)
        if kind == "file":
            s.write(f"{s.outside}/jar", "", 0o600)
        code, _, errors = s.run("query", canary.url, "-q", "{ a }", "--cookie-jar", kind, timeout=10)
        expect(code == (0 if kind == "file" else 5), f"{kind}: {code}: {errors}")
        expect(os.path.lexists(jar) and not os.path.exists(f"{s.outside}/absent"), f"{kind} was replaced")
    with open(f"{s.outside}/jar", encoding="utf-8") as file:
        expect("fresh" in file.read() and os.path.islink(f"{s.project}/file"), "the link is not followed")


@promise
def files_that_resemble_temporary_files_stay(s):
    canary = s.canary(answer=lambda _: (200, [("Content-Type", "text/plain")], b"no response"))
    ended = s.start("--version")
    ended.wait()
    s.write("r.http", "###\nPOST http://127.0.0.1/\n\n{\"query\":\"{ a }\"}\n")
    names = [f"{place}{name}.apus-{number}" for place in ("", "out/", "report/") for number in (ended.pid, 4194303, 1)
             for name in ("q.graphql", "notes", "report.json", "r.graphql")]
    for name in names:
        s.write(name, "theirs")
    s.write("q.graphql", "{a}")
    s.run("format", ".")
    s.run("format", "q.graphql")
    s.run("import", "r.http", "--to", "out")
    s.run("audit", canary.url, "--report", "report", timeout=120)
    expect(os.path.exists(f"{s.project}/report/report.json"), "no report")
    for name in names:
        expect(os.path.exists(f"{s.project}/{name}"), f"{name} was deleted")


@promise
def report_is_not_written_through_a_link(s):
    canary = s.canary(answer={"data": {"a": SECRET}})
    victim = s.write(f"{s.outside}/victim", "theirs")
    os.makedirs(f"{s.project}/report", 0o755)
    os.symlink(victim, f"{s.project}/report/report.json")
    code, _, errors = s.run("audit", canary.url, "--report", "report", timeout=120)
    expect(code == 5 and "symbolic link" in errors, f"{code}: {errors}")
    with open(victim, encoding="utf-8") as file:
        expect(file.read() == "theirs", "a file outside was replaced")
    expect(os.stat(f"{s.project}/report").st_mode & 0o777 == 0o755, "the mode of the folder changed")


@promise
def pipes_and_devices_are_refused_at_once(s):
    canary = s.canary()
    query = ["query", canary.url, "-q", "{ a }"]
    s.write("export.json", '{"format":"apus-cache","version":1,"records":{"Bird:1":{"a":1}}}')
    os.mkfifo(f"{s.project}/pipe")
    os.symlink("/dev/zero", f"{s.project}/device")
    os.makedirs(f"{s.project}/folder")
    with socket.socket(socket.AF_UNIX) as listener:
        os.chdir(s.project)
        listener.bind("socket")
        os.chdir("/")
    for kind in ("pipe", "device", "socket", "folder"):
        for words in (query + ["--db", kind], query + ["--record", kind], query + ["--cookie-jar", kind],
                      ["cache", "keys", "--db", kind], ["cache", "import", "export.json", "--db", kind]):
            begin = time.monotonic()
            code, _, errors = s.run(*words, timeout=10)
            expect(code == 5, f"{' '.join(words)}: {code}: {errors}")
            expect(time.monotonic() - begin < 3, f"{' '.join(words)} waited")
        os.makedirs(f"{s.project}/report-{kind}")
        os.rename(f"{s.project}/{kind}", f"{s.project}/report-{kind}/report.json")
        code, _, errors = s.run("audit", canary.url, "--report", f"report-{kind}", timeout=120)
        expect(code == 5, f"audit --report with a {kind}: {code}: {errors}")
        expect(not os.path.isfile(f"{s.project}/report-{kind}/report.json"), f"the {kind} was replaced")


@promise
def pipe_that_the_user_named_is_read(s):
    canary = s.canary()
    command = f'{PROGRAM} query {canary.url} -f <(echo "{{ a }}") && {PROGRAM} validate --schema <(echo "{{}}") 2>&1 | cat'
    result = subprocess.run(["bash", "-c", command], cwd=s.project, env=s.environment, capture_output=True, timeout=30)
    expect(result.returncode == 0 and len(canary.requests) == 1, f"{result.returncode}: {result.stderr}")


@promise
def two_programs_write_no_recording_together(s):
    answers = threading.Event()

    def answer(_):
        answers.wait(30)
        return {"data": {"a": 1}}

    canary = s.canary(answer=answer)
    first = s.start("query", canary.url, "-q", "{ a }", "--record", "r.ndjson")
    s.wait_for(lambda: canary.requests, "the first request was not sent")
    code, _, errors = s.run("query", canary.url, "-q", "{ a }", "--record", "r.ndjson")
    expect(code == 5 and "r.ndjson" in errors, f"{code}: {errors}")
    expect(len(canary.requests) == 1, "a request was sent that could not be recorded")
    answers.set()
    first.communicate(timeout=30)
    code, output, errors = s.run("replay", "r.ndjson", "--speed", "1000")
    expect(code == 0 and '"a":1' in output, f"{code}: {output}{errors}")


@promise
def recording_is_written_over_no_other_file(s):
    canary = s.canary()
    query = ["query", canary.url, "-q", "{ a }", "--record"]
    expect(s.run(*query, "kept.ndjson")[0] == 0, "no recording")
    notes = s.write(f"{s.outside}/notes", "theirs")
    os.symlink(notes, f"{s.project}/link")
    os.symlink(f"{s.outside}/absent", f"{s.project}/dangling")
    os.symlink("kept.ndjson", f"{s.project}/again")
    s.write("notes", "theirs")
    for name in ("link", "dangling", "notes"):
        code, _, errors = s.run(*query, name)
        expect(code == 5 and name in errors, f"{name}: {code}: {errors}")
    with open(notes, encoding="utf-8") as file:
        expect(file.read() == "theirs" and s.read("notes") == "theirs", "another file was overwritten")
    expect(os.listdir(s.outside) == ["notes"], "a file was created outside")
    expect(s.run(*query, "again")[0] == 0 and os.path.islink(f"{s.project}/again"), "a link to a recording is refused")
    if os.geteuid() == 0:
        os.chown(f"{s.project}/kept.ndjson", 65534, 65534)
        expect(s.run(*query, "kept.ndjson")[0] == 5, "the recording of another user is overwritten")


def pieces(*parts):
    """A server that sends the pieces of a body one by one."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(200)
            self.send_header("Content-Type", parts[0])
            self.end_headers()
            for part in parts[1:]:
                self.wfile.write(part)
                self.wfile.flush()
                time.sleep(0.02)

        do_GET = do_POST

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/graphql"


@promise
def recordings_of_reports_can_be_replayed(s):
    multipart = 'multipart/mixed; boundary="-"'
    responses = {
        "json": ("application/json", b'{"data":{"__type', b'name":"Que', b'ry"},"errors":[{"mess', b'age":"m"}]}'),
        "multipart": (multipart, b'\r\n---\r\nContent-Type: application/json\r\n\r\n{"data":{"__type',
                      b'name":"Query"},"hasNext":true}\r\n---\r\nContent-Type: application/json\r\n\r\n',
                      b'{"incremental":[],"hasNext":false}\r\n-----\r\n'),
        "events": ("text/event-stream", b'event: next\ndata: {"data":{"__typena', b'me":"Query"}}\n\nevent: comp',
                   b'lete\ndata:\n\n'),
    }
    for name, response in responses.items():
        server, url = pieces(*response)
        s.run("audit", url, "--report", name, timeout=300)
        server.shutdown()
        found = [file for file in os.listdir(f"{s.project}/{name}") if file.endswith(".ndjson")]
        expect(found, f"{name}: no recording")
        arrived = 0
        for file in found:
            code, output, errors = s.run("replay", f"{name}/{file}", "--speed", "100000")
            expect(code != 5 and "not a recording" not in errors, f"{name}/{file}: {code}: {errors}")
            expect("not JSON" not in errors, f"{name}/{file}: {code}: {errors}")
            arrived += '"__typename":"Query"' in output
        expect(arrived, f"{name}: no recording has the data of the response")
