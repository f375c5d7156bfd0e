#!/usr/bin/env python3
"""Records what a terminal shows while a program is used, as a picture that moves and as an asciicast (version 2).

    Docs/Pictures/story.py OUTPUT --size 100x30 --keys 'HOLD:1 F5 WAIT:complete' -- .build/release/apus demo

writes OUTPUT.svg and OUTPUT.cast. Keys are those of picture.py, and `HOLD:SECONDS` lets the screen be looked at,
`TYPE:TEXT` types letter by letter.
"""

import argparse
import json
import re
import time

import picture


class Recorder(picture.Screen):
    """A screen whose looks are kept with their times, each once while it lasts."""

    def __init__(self, command, size):
        super().__init__(command, size)
        self.rows = int(size.split("x")[1])
        self.frames = []
        self.start = None

    def note(self):
        lines = self.capture().rstrip("\n").split("\n")
        lines += [""] * (self.rows - len(lines))
        now = time.monotonic()
        self.start = self.start or now
        if not self.frames or self.frames[-1][1] != lines:
            self.frames.append((now - self.start, lines))

    def hold(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.note()
            time.sleep(0.04)

    def until(self, condition):
        def noted(text):
            if self.start:
                self.note()
            return condition(text)

        super().until(noted)

    def type(self, keys):
        for key in keys.split():
            if key.startswith("HOLD:"):
                self.hold(float(key[5:]))
            elif key.startswith("TYPE:"):
                for letter in key[5:].replace("_", " "):
                    self.tmux("send-keys", "-l", letter)
                    self.hold(0.12)
            else:
                super().type(key)
                if self.start:
                    self.hold(0.05)


def moving_picture(frames, end, columns, default):
    """Each row is drawn once for each look that it has, and shown while it has it."""
    background = picture.commonest_background(frames[-1][1]) or default[1]
    default = (default[0], background)
    looks = {}
    for index, (begin, lines) in enumerate(frames):
        until = frames[index + 1][0] if index + 1 < len(frames) else end
        for row, drawn in enumerate(picture.drawn_rows(lines, default)):
            if not drawn:
                continue
            spans = looks.setdefault((row, drawn), [])
            if spans and spans[-1][1] == begin:
                spans[-1][1] = until
            else:
                spans.append([begin, until])
    output = picture.head(columns, len(frames[0][1]), background)
    for (_, drawn), spans in looks.items():
        if spans == [[0, end]]:
            output.append(drawn)
            continue
        times, values = [0.0], ["hidden"]
        for begin, until in spans:
            for moment, value in ((begin, "visible"), (until, "hidden")):
                if moment / end <= times[-1]:
                    values[-1] = value
                elif moment < end:
                    times.append(moment / end)
                    values.append(value)
        output.append(
            f'<g visibility="hidden"><animate attributeName="visibility" calcMode="discrete" dur="{end:.2f}s" '
            f'repeatCount="indefinite" values="{";".join(values)}" keyTimes="{";".join(f"{t:.4f}" for t in times)}"/>'
        )
        output += [drawn, "</g>"]
    return "\n".join(output + ["</svg>"]) + "\n"


def sequence(style):
    """The escape sequence that gives this style and no other."""
    codes = ["0"]
    codes += [code for code, name in (("1", "bold"), ("2", "dim"), ("3", "italic"), ("4", "underline"), ("7", "reverse")) if getattr(style, name)]
    for code, colour in (("38", style.foreground), ("48", style.background)):
        if colour:
            codes.append(f"{code};2;{int(colour[1:3], 16)};{int(colour[3:5], 16)};{int(colour[5:7], 16)}")
    return f"\x1b[{';'.join(codes)}m"


def styled(lines):
    """Each line behind the style that tmux carries over the end of the one before."""
    style = picture.Style()
    for line in lines:
        yield sequence(style) + line.rstrip(" ")
        for parameters in re.findall(r"\x1b\[([0-9;:]*)m", line):
            style.apply(parameters)


def asciicast(frames, columns, rows):
    """asciicast, version 2: a line that says what it is, then for each moment a line with the rows that changed."""
    lines = [json.dumps({"version": 2, "width": columns, "height": rows, "title": "Apus in half a minute"})]
    shown = [None] * rows
    for moment, frame in frames:
        changed = "\x1b[?25l"
        for row, line in enumerate(styled(frame)):
            if line != shown[row]:
                shown[row] = line
                changed += f"\x1b[{row + 1};1H{line}\x1b[K"
        lines.append(json.dumps([round(moment, 3), "o", changed]))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output")
    parser.add_argument("--size", default="100x30")
    parser.add_argument("--keys", default="")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    recorder = Recorder(arguments.command, arguments.size)
    try:
        recorder.type(arguments.keys)
    finally:
        recorder.close()
    columns, rows = map(int, arguments.size.split("x"))
    frames = recorder.frames
    end = frames[-1][0] + 2.5
    with open(f"{arguments.output}.svg", "w", encoding="utf-8") as file:
        file.write(moving_picture(frames, end, columns, ("#ebdbb2", "#1d2021")))
    with open(f"{arguments.output}.cast", "w", encoding="utf-8") as file:
        file.write(asciicast(frames, columns, rows))


if __name__ == "__main__":
    main()
