"""A home, a project, servers that record what they receive, and terminals, for one check."""

import fcntl
import http.server
import json
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import time

PROGRAM = os.environ["APUS_PROGRAM"]
SECRET = "canary-0123456789abcdef"
SDL = "type Query { a: Int b: String viewer: User users: [User] } type User { id: ID! name: String token: String }\n"


class Failed(Exception):
    """A promise that does not hold."""


def expect(condition, message):
    if not condition:
        raise Failed(message)


class Canary:
    """A server on a loopback port that records each request."""

    def __init__(self, sandbox, answer=None, headers=()):
        canary = self
        self.requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                size = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(size).decode("utf-8", "replace")
                canary.requests.append((self.path, dict(self.headers.items()), body))
                status, extra, payload = canary.respond(body)
                self.send_response(status)
                for name, value in [("Content-Type", "application/json"), *headers, *extra]:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.sandbox, self.answer = sandbox, answer
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # A client that leaves early is no fault of the server.
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/graphql"

    def respond(self, body):
        if self.answer is not None:
            answer = self.answer(body) if callable(self.answer) else self.answer
            return answer if isinstance(answer, tuple) else (200, [], json.dumps(answer).encode())
        if "__schema" in body:
            return 200, [], self.sandbox.introspection()
        return 200, [], b'{"data":{"a":1,"__typename":"Query"}}'

    def text(self):
        return "\n".join(f"{path} {headers} {body}" for path, headers, body in self.requests)

    def header(self, name):
        """The values of a header, one for each request; None where it is absent."""
        return [{k.lower(): v for k, v in headers.items()}.get(name.lower()) for _, headers, _ in self.requests]


class Sandbox:
    """Folders of one check: `home` is the user's, `project` is untrusted."""

    def __init__(self):
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="apus-security-"))
        self.home, self.project, self.outside = (self.path(n) for n in ("home", "project", "outside"))
        for folder in (self.home, self.project, self.outside):
            os.makedirs(folder)
        self.canary_file = self.path("PWNED")
        self.command = f"$(touch {self.canary_file})"
        self.canaries, self.screens, self.processes = [], [], []
        self.environment = {
            "HOME": self.home, "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
            "CANARY": SECRET, "TMPDIR": self.make("tmp"), "XDG_CONFIG_HOME": f"{self.home}/.config",
            "XDG_DATA_HOME": f"{self.home}/.local/share", "XDG_STATE_HOME": f"{self.home}/.local/state",
            "XDG_CACHE_HOME": f"{self.home}/.cache", "SHELL": "/bin/bash",
        }

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def make(self, *parts):
        os.makedirs(self.path(*parts), exist_ok=True)
        return self.path(*parts)

    def write(self, name, text, mode=0o644):
        """A file in the project, or anywhere by its whole path."""
        path = os.path.join(self.project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(path, mode)
        return path

    def read(self, name):
        with open(os.path.join(self.project, name), "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")

    def config(self, text, mode=0o600):
        return self.write(f"{self.home}/.config/apus/config.yml", text, mode)

    def canary(self, **options):
        self.canaries.append(Canary(self, **options))
        return self.canaries[-1]

    def run(self, *words, cwd=None, stdin="", timeout=30, **environment):
        """Exit code, standard output and standard error of the program; a run that does not end fails the check."""
        try:
            result = subprocess.run(
                [PROGRAM, *words], cwd=cwd or self.project, input=stdin.encode(), capture_output=True, timeout=timeout,
                env={**self.environment, **environment})
        except subprocess.TimeoutExpired:
            raise Failed(f"apus {' '.join(words)} did not end within {timeout} s") from None
        return result.returncode, result.stdout.decode("utf-8", "replace"), result.stderr.decode("utf-8", "replace")

    def start(self, *words, cwd=None, **environment):
        process = subprocess.Popen(
            [PROGRAM, *words], cwd=cwd or self.project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**self.environment, **environment})
        self.processes.append(process)
        return process

    def terminal(self, *words, typed=b"", after="", delay=0.0, later=b"", timeout=20, **environment):
        """Exit code and everything that a pseudo-terminal showed.

        The keys are typed `delay` seconds after a word was shown, by default with the first output, and those of `later`
        another second later.
        """
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.project)
            os.execve(PROGRAM, [PROGRAM, *words], {**self.environment, **environment})
        shown, end, sent = b"", time.monotonic() + timeout, False
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    more = os.read(terminal, 65536)
                except OSError:
                    break
                if not more:
                    break
                shown += more
                if not sent and typed and after.encode() in shown:
                    time.sleep(delay)
                    os.write(terminal, typed)
                    if later:
                        time.sleep(1)
                        os.write(terminal, later)
                    sent = True
        else:
            os.kill(pid, 9)
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode("utf-8", "replace")

    def keyboard(self, *words):
        """The explorer in a terminal whose output is kept as it is."""
        return Keyboard(self, words)

    @staticmethod
    def wait_for(condition, message, timeout=10):
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end:
                raise Failed(message)
            time.sleep(0.05)

    def screen(self, *words, columns=110, rows=32):
        self.screens.append(Screen(self, words, columns, rows))
        return self.screens[-1]

    def introspection(self):
        if not hasattr(self, "kept"):
            path = self.write(self.path("introspected.graphql"), SDL)
            _, output, _ = self.run("schema", path, "--output", "json", cwd=self.root)
            document = json.loads(output)
            self.kept = json.dumps(document if "data" in document else {"data": document}).encode()
        return self.kept

    def introspection_with_mutation(self):
        path = self.write(self.path("mutating.graphql"), "type Query { a: String } type Mutation { removeAll: Int }\n")
        return self.run("schema", path, "--output", "json", cwd=self.root)[1].encode()

    def files(self, folder=None):
        """Every file below a folder (the home) with its bytes."""
        for place, _, names in os.walk(folder or self.home):
            for name in names:
                path = os.path.join(place, name)
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        yield path, file.read()

    def expect_harmless(self):
        """No command ran, and no server received the secret."""
        expect(not os.path.exists(self.canary_file), "a command ran")
        for canary in self.canaries:
            expect(SECRET not in canary.text(), f"the secret was sent: {canary.text()[:300]}")

    def expect_silence(self):
        for canary in self.canaries:
            expect(not canary.requests, f"a request was sent: {canary.text()[:300]}")

    def close(self):
        for screen in self.screens:
            screen.close()
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.communicate()
        for canary in self.canaries:
            canary.server.shutdown()
        shutil.rmtree(self.root, ignore_errors=True)


class Keyboard:
    """The explorer in a pseudo-terminal. `shown` has every byte that it wrote."""

    def __init__(self, sandbox, words):
        self.shown = b""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(sandbox.project)
            os.execve(PROGRAM, [PROGRAM, *words], sandbox.environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 32, 110, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Waits for the program, which is stopped if it does not end by itself."""
        end = time.monotonic() + 5
        while os.waitpid(self.process, os.WNOHANG)[0] == 0:
            self.read()
            if time.monotonic() > end:
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
                break
        os.close(self.terminal)

    def send(self, text):
        self.read()
        os.write(self.terminal, text.encode())

    def read(self):
        """Takes what was written meanwhile."""
        while select.select([self.terminal], [], [], 0.05)[0]:
            try:
                more = os.read(self.terminal, 65536)
            except OSError:
                return
            if not more:
                return
            self.shown += more

    def wait(self, word):
        Sandbox.wait_for(lambda: self.read() or word.encode() in self.shown, f"the terminal never showed {word}")


class Screen:
    """The explorer in tmux."""

    def __init__(self, sandbox, words, columns, rows):
        self.socket = f"apus-security-{os.getpid()}-{len(sandbox.screens)}"
        self.sandbox = sandbox
        environment = [word for item in sandbox.environment.items() for word in ("-e", "=".join(item))]
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", sandbox.project,
            *environment, *self.quiet(words))

    @staticmethod
    def quiet(words):
        return ["env", "-u", "TMUX", PROGRAM, *words]

    def tmux(self, *words):
        return subprocess.run(["tmux", "-L", self.socket, *words], capture_output=True, text=True).stdout

    def keys(self, *names):
        for name in names:
            self.tmux("send-keys", name)

    def answer(self, key):
        """Answers a question, once it has been visible for long enough to count."""
        time.sleep(0.6)
        self.keys(key)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def paste(self, text):
        self.tmux("set-buffer", text)
        self.tmux("paste-buffer", "-p")

    def text(self):
        return self.tmux("capture-pane", "-p")

    def wait(self, *words, timeout=20):
        """The screen once it shows one of some words."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            text = self.text()
            if any(word in text for word in words):
                return text
            time.sleep(0.05)
        raise Failed(f"the screen never showed {' or '.join(words)}:\n{self.text()}")

    def close(self):
        self.tmux("kill-server")
