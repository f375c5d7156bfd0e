"""A terminal with the Kitty keyboard protocol, focus events and synchronized output, which runs a program.

    terminal.py STEPS PROGRAM ARGUMENT...

STEPS is a JSON array of steps, done in order:
    {"wait": TEXT}     waits until the program has written TEXT (without control sequences)
    {"keys": TEXT}     sends input
    {"signal": NAME}   sends a signal to the program
    {"modes": true}    waits until the program has set its keyboard mode
    {"notified": 1}    waits until the program has sent this number of notifications
    {"stopped": true}  waits until the program has stopped itself, reports the modes that are set, and continues it
    {"ended": true}    waits until the program has ended
    {"typed": TEXT}    after the end: sends TEXT, and waits until the shell has read it
A terminal with "mute" in a step does not respond. One with "late" responds after that number of seconds; what its shell reads
after the end is reported. Prints a JSON object: the modes that are set at the end and at each stop,
the depth of the stack of keyboard flags, the notifications, and the exit code or signal.
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

SEQUENCE = re.compile(
    rb"\x1b\[([0-9:;<=>?]*)([ -/]*)([@-~])|\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1bP([^\x1b]*(?:\x1b[^\\][^\x1b]*)*)\x1b\\"
)


class Terminal:
    def __init__(self, words, answers, late):
        self.answers = answers
        self.late = late
        self.due = []
        self.modes = set()
        self.stack = []
        self.deepest = 0
        self.frames = 0
        self.notifications = []
        self.errors = []
        self.text = ""
        self.rest = b""
        self.facts = []
        leader, self.master = pty.fork()
        if leader == 0:
            self.lead(words)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))

    def lead(self, words):
        """A minimal shell: gives the terminal to the program, and reports when the program stops or ends.

        It reports through the terminal, after all output of the program, so that earlier output is complete by then."""
        def tell(fact):
            os.write(1, b"\x1b]leader;" + json.dumps(fact).encode() + b"\x07")

        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        program = os.fork()
        if program == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            time.sleep(0.05)
            os.execvp(words[0], words)
        tell({"program": program})
        while True:
            _, status = os.waitpid(program, os.WUNTRACED)
            if os.WIFSTOPPED(status):
                tell({"stopped": True})
                continue
            code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
            tell({"ended": code})
            os.tcsetpgrp(0, os.getpgrp())
            settings = termios.tcgetattr(0)
            settings[3] &= ~(termios.ICANON | termios.ECHO)
            termios.tcsetattr(0, termios.TCSANOW, settings)
            while True:
                tell({"typed": os.read(0, 4096).decode("utf-8", "replace")})

    def send(self, data):
        os.write(self.master, data)

    def step(self):
        """Reads the available output; returns the leader's reports."""
        ready, _, _ = select.select([self.master], [], [], 0.05)
        while self.due and self.due[0][0] <= time.monotonic():
            self.send(self.due.pop(0)[1])
        if ready:
            try:
                self.take(os.read(self.master, 65536))
            except OSError:
                pass
        facts, self.facts = self.facts, []
        return facts

    def take(self, data):
        data = self.rest + data
        place = 0
        for match in SEQUENCE.finditer(data):
            self.text += data[place : match.start()].decode("utf-8", "replace")
            place = match.end()
            self.obey(match)
        rest = data[place:]
        escape = rest.find(b"\x1b")
        if escape < 0:
            escape = len(rest)
        self.text += rest[:escape].decode("utf-8", "replace")
        self.rest = rest[escape:]

    def obey(self, match):
        parameters, between, final, command, string = match.groups()
        if command is not None:
            if command.startswith(b"leader;"):
                self.facts.append(json.loads(command.removeprefix(b"leader;")))
            elif command.startswith((b"9;", b"777;")):
                self.notifications.append(command.decode())
            return
        if string is not None:
            return
        text = parameters.decode()
        if final == b"u":
            if text == "?":
                self.answer(b"\x1b[?%du" % (self.stack[-1] if self.stack else 0))
            elif text.startswith(">"):
                self.stack.append(int(text[1:]))
                self.deepest = max(self.deepest, len(self.stack))
            elif text.startswith("<"):
                if not self.stack:
                    self.errors.append("taken from an empty stack")
                else:
                    self.stack.pop()
            elif text.startswith("=") and not self.stack:
                self.errors.append("set on an empty stack")
        elif final == b"p" and between == b"$":
            number = int(text[1:])
            known = number in (1004, 2026)
            state = (1 if number in self.modes else 2) if known else 0
            self.answer(b"\x1b[?%d;%d$y" % (number, state))
        elif final == b"c" and text == "":
            self.answer(b"\x1b[?62;22c")
        elif final in b"hl" and text.startswith("?"):
            for number in map(int, text[1:].split(";")):
                if final == b"h":
                    self.modes.add(number)
                    self.frames += number == 2026
                else:
                    self.modes.discard(number)

    def answer(self, data):
        if self.answers:
            self.due.append((time.monotonic() + self.late, data))

    @property
    def state(self):
        # Modes of the cursor, wrapping and the keypad are covered by another test.
        return {"stack": self.stack[:], "modes": sorted(self.modes - {1, 7, 12, 25})}


def main():
    steps, words = json.loads(sys.argv[1]), sys.argv[2:]
    terminal = Terminal(
        words, not any("mute" in step for step in steps), next((step["late"] for step in steps if "late" in step), 0)
    )
    program, stops, ended, typed = None, [], None, ""
    deadline = time.monotonic() + 60
    facts = []

    def wait(what, holds):
        nonlocal program, ended, typed
        while not holds():
            if time.monotonic() > deadline:
                sys.exit(f"waited in vain for {what}; the last of the screen: {terminal.text[-2000:]!r}")
            for fact in terminal.step():
                program = fact.get("program", program)
                ended = fact.get("ended", ended)
                typed += fact.get("typed", "")
                facts.append(fact)

    wait("the program", lambda: program)
    for step in steps:
        if "wait" in step:
            wait(step["wait"], lambda: step["wait"] in terminal.text)
            terminal.text = ""
        elif "keys" in step:
            terminal.send(step["keys"].encode())
        elif "signal" in step:
            os.kill(program, getattr(signal, "SIG" + step["signal"]))
        elif "modes" in step:
            wait("the keyboard mode", lambda: bool(terminal.stack))
        elif "notified" in step:
            wait("a notification", lambda: len(terminal.notifications) >= step["notified"])
        elif "stopped" in step:
            wait("a stop", lambda: {"stopped": True} in facts)
            facts.remove({"stopped": True})
            stops.append(terminal.state)
            os.killpg(program, signal.SIGCONT)
        elif "ended" in step:
            wait("the end", lambda: ended is not None)
        elif "typed" in step:
            wait("the late responses", lambda: not terminal.due)
            terminal.send(step["typed"].encode())
            wait("the shell", lambda: typed.endswith(step["typed"]))
    print(
        json.dumps(
            {
                "end": terminal.state, "stops": stops, "deepest": terminal.deepest, "frames": terminal.frames > 0,
                "notifications": terminal.notifications, "errors": terminal.errors, "exit": ended,
                "typed": typed,
            }
        )
    )


main()
