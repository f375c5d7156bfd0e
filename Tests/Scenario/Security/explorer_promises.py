"""Checks of the explorer: requests that move to another server, pasted text, and files of processes that ended."""

import base64
import os
import re
import signal
import time

from promises import promise
from sandbox import SECRET, expect

UPLOADING = "scalar Upload type Query { a: Int } type Mutation { add(file: Upload!): Int }\n"


def palette(screen, words):
    screen.keys("C-p")
    screen.wait("Commands")
    screen.type(words)
    screen.keys("Enter")


def go(screen, url):
    screen.keys("M-s")
    time.sleep(0.5)
    screen.type(url)
    screen.keys("Enter")
    screen.wait(url.removesuffix("/graphql").removeprefix("http://"))


def runs(canary):
    return [body for _, _, body in canary.requests if "__schema" not in body]


def import_request(screen, text):
    palette(screen, "import requests")
    time.sleep(0.5)
    screen.paste(text)
    screen.keys("Enter")


@promise
def documents_upload_no_file_from_elsewhere_without_a_question(s):
    canary = s.canary()
    schema = s.write(f"{s.outside}/schema.graphql", UPLOADING)
    key = s.write(f"{s.outside}/key", SECRET)
    s.write("add.graphql", "mutation Add($f: Upload!) { add(file: $f) }\n")
    s.write("add.json", f'{{"f": "{key}"}}\n')
    screen = s.screen(canary.url, "--schema", schema, "-f", "add.graphql")
    screen.wait("1 Query")
    screen.keys("M-2")
    screen.paste(f'{{"f": "{key}"}}')
    screen.keys("F5")
    screen.wait("Send this file to")
    expect(not runs(canary), "the file was sent without a question")
    screen.answer("n")
    time.sleep(0.5)
    expect(not runs(canary), "the file was sent after a no")
    screen.keys("F5")
    screen.wait("Send this file to")
    screen.answer("y")
    s.wait_for(lambda: runs(canary), "a yes sends nothing")


@promise
def request_extensions_go_to_their_origin_only(s):
    one, two = s.canary(), s.canary()
    s.write("q.graphql", "{ a }\n")
    screen = s.screen(one.url, "-f", "q.graphql")
    screen.wait("1 Query")
    palette(screen, "request extensions")
    time.sleep(0.5)
    screen.type('{"key":"planted-extension"}')
    screen.keys("Enter", "F5")
    s.wait_for(lambda: "planted-extension" in one.text(), "the extensions are not sent to their own server")
    go(screen, two.url)
    screen.wait("extensions withheld")
    screen.keys("F5")
    s.wait_for(lambda: runs(two), "nothing was sent")
    expect("planted-extension" not in two.text(), "the extensions followed to another server")


@promise
def pasted_request_runs_nothing_and_takes_nothing_of_the_environment(s):
    canary = s.canary()
    screen = s.screen(canary.url)
    screen.wait("1 Query")
    # Both headers are text: neither the command nor the variable means anything in it.
    import_request(
        screen, f"curl '{canary.url}' -H 'X-Command: {s.command}' -H 'X-Variable: ${{CANARY}} $CANARY'"
                """ -d '{"query":"{ pasted: a }"}'""")
    screen.wait("pasted")
    screen.keys("F5")
    s.wait_for(lambda: any("pasted" in body for body in runs(canary)), "the request was not sent")
    s.expect_harmless()
    expect(canary.header("X-Command")[-1] == s.command, f"the header changed: {canary.header('X-Command')}")


@promise
def copied_command_has_no_header_of_another_origin_and_is_safe_in_a_shell(s):
    one, two = s.canary(), s.canary()
    s.write("q.graphql", f"{{ a(x: \"'{s.command}`touch {s.canary_file}`'\") }}\n")
    s.environment["SSH_TTY"] = "/dev/pts/0"
    with s.keyboard(one.url, "-f", "q.graphql") as keyboard:
        keyboard.wait("1 Query")
        keyboard.send(f"\x1b6Authorization: Bearer {SECRET}")
        keyboard.send("\x1b[15~")
        s.wait_for(lambda: SECRET in one.text(), "the header was not sent to its own server")
        keyboard.send("\x1bs")
        time.sleep(0.7)
        keyboard.send(f"{two.url}\r")
        time.sleep(1.5)
        keyboard.send("\x10")
        time.sleep(0.5)
        keyboard.send("copy as a curl command")
        time.sleep(0.5)
        keyboard.send("\r")
        s.wait_for(lambda: keyboard.read() or re.search(rb"\x1b\]52;[^;]*;[^\x07\x1b]+", keyboard.shown), "nothing was copied")
    encoded = re.findall(rb"\x1b\]52;[^;]*;([^\x07\x1b]+)", keyboard.shown)[-1]
    command = base64.b64decode(encoded).decode()
    expect(SECRET not in command and "Authorization" not in command, f"a header of another server: {command}")
    before = len(two.requests)
    os.system(f"cd {s.project} && {{ {command}\n}} >/dev/null 2>&1")
    expect(len(two.requests) > before, f"the command sends nothing: {command}")
    expect(not os.path.exists(s.canary_file), f"the command runs another: {command}")


@promise
def notification_has_no_text_of_a_server(s):
    def answer(_):
        time.sleep(1.2)
        return {"data": None, "errors": [{"message": "from-the-server \x1b]9;title\x07"}]}

    canary = s.canary(answer=answer)
    s.config("notifyAfter: 1\n")
    schema = s.write("schema.graphql", "type Query { a: Int }\n")
    s.write("q.graphql", "query Named { a }\n")
    s.environment["TERM_PROGRAM"] = "iTerm.app"
    with s.keyboard(canary.url, "--schema", schema, "-f", "q.graphql") as keyboard:
        keyboard.wait("1 Query")
        keyboard.send("\x1b[15~")
        keyboard.send("\x1b[O")
        s.wait_for(lambda: keyboard.read() or b"\x1b]9;" in keyboard.shown or b"\x1b]777;" in keyboard.shown,
                   "no notification")
    for text in re.findall(rb"\x1b\](?:9|777);([^\x07\x1b]*)", keyboard.shown):
        expect(b"from-the-server" not in text, repr(text))


@promise
def files_of_processes_that_ended_are_removed(s):
    canary = s.canary()
    editor = s.write("editor", f"#!/bin/sh\ncp \"$1\" {s.root}/copy && sleep 600\n", 0o700)
    s.environment["EDITOR"] = editor
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        with s.keyboard(canary.url) as keyboard:
            keyboard.wait("1 Query")
            keyboard.send("{ planted-text }\x0f")
            s.wait_for(lambda: keyboard.read() or os.path.exists(s.path("copy")), "the editor was not started")
            os.kill(keyboard.process, number)
        os.remove(s.path("copy"))
        # The next start removes the file of a process that was killed.
        with s.keyboard(canary.url) as keyboard:
            keyboard.wait("1 Query")
            keyboard.send("\x11")
        left = [path for path, data in s.files() if b"planted-text" in data and "/editing/" in path]
        expect(not left, f"after signal {number}: {left}")
    # A command that is killed while it writes leaves half of a file, which the next one removes.
    text = "".join(f"query Q{n}{{a b c}}\n" for n in range(200_000))
    for _ in range(20):
        s.write("q.graphql", text)
        process = s.start("format", "q.graphql")
        while process.poll() is None and not any(".apus-" in name for name in os.listdir(s.project)):
            pass
        process.kill()
        process.wait()
        if any(".apus-" in name for name in os.listdir(s.project)):
            break
    expect(any(".apus-" in name for name in os.listdir(s.project)), "no write was interrupted")
    s.write("q.graphql", "{a}")
    s.run("format", ".")
    expect(not any(".apus-" in name for name in os.listdir(s.project)), f"half of a file is left: {os.listdir(s.project)}")
