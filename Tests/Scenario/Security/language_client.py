"""A client of `apus lsp`, as far as a check needs it."""

import json
import queue
import subprocess
import threading

from sandbox import PROGRAM, Failed


class LanguageClient:
    def __init__(self, sandbox, *words):
        self.process = subprocess.Popen(
            [PROGRAM, "lsp", *words], cwd=sandbox.project, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=sandbox.environment)
        sandbox.processes.append(self.process)
        self.messages, self.identifier = queue.Queue(), 0
        threading.Thread(target=self.read, daemon=True).start()
        self.request("initialize", {
            "processId": None, "rootUri": f"file://{sandbox.project}", "capabilities": {},
            "workspaceFolders": [{"uri": f"file://{sandbox.project}", "name": "project"}]})
        self.notify("initialized", {})

    def read(self):
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self.messages.put(json.loads(self.process.stdout.read(length)))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def request(self, method, parameters, timeout=20):
        """The answer's result, or its error."""
        self.identifier += 1
        self.send({"id": self.identifier, "method": method, "params": parameters})
        return self.wait(lambda message: message.get("id") == self.identifier and "method" not in message, timeout)

    def wait(self, accepts, timeout=20):
        while True:
            try:
                message = self.messages.get(timeout=timeout)
            except queue.Empty:
                raise Failed(f"the language server did not answer within {timeout} s") from None
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            if accepts(message):
                return message.get("result", message.get("error", message))

    def open(self, path, text):
        """Opens a file and waits for its diagnostics."""
        self.notify("textDocument/didOpen", {
            "textDocument": {"uri": f"file://{path}", "languageId": "graphql", "version": 1, "text": text}})
        return self.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics"
                         and message["params"]["uri"] == f"file://{path}")
