#!/usr/bin/env python3
"""Draws the contents of a terminal as an SVG: runs a program in tmux, types keys, and captures the screen.

    Docs/Pictures/picture.py OUTPUT.svg --size 120x36 --keys 'F5 WAIT:fulfilled' -- .build/release/apus demo

Keys are tmux key names; `WAIT:TEXT` waits until TEXT is on the screen, `WHILE:TEXT` until it is gone.
"""

import argparse
import html
import os
import re
import subprocess
import sys
import time
import unicodedata

CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, MARGIN = 8.4, 18, 14, 14
PALETTE = [
    "#282828", "#cc241d", "#98971a", "#d79921", "#458588", "#b16286", "#689d6a", "#a89984",
    "#928374", "#fb4934", "#b8bb26", "#fabd2f", "#83a598", "#d3869b", "#8ec07c", "#ebdbb2",
]


def indexed(number):
    """Returns the color of an entry in the 256-color palette."""
    if number < 16:
        return PALETTE[number]
    if number < 232:
        number -= 16
        steps = [0, 95, 135, 175, 215, 255]
        return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6], steps[number % 6])
    return "#%02x%02x%02x" % ((8 + (number - 232) * 10,) * 3)


class Style:
    def __init__(self):
        self.foreground = self.background = None
        self.bold = self.dim = self.italic = self.underline = self.reverse = False

    def apply(self, parameters):
        codes = [int(code.partition(":")[0] or 0) for code in parameters.split(";")]
        position = 0
        while position < len(codes):
            code = codes[position]
            if code == 0:
                self.__init__()
            elif code in (1, 2, 3, 4, 7):
                setattr(self, {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse"}[code], True)
            elif code == 22:
                self.bold = self.dim = False
            elif code in (23, 24, 27):
                setattr(self, {23: "italic", 24: "underline", 27: "reverse"}[code], False)
            elif code in (38, 48):
                if codes[position + 1] == 2:
                    colour = "#%02x%02x%02x" % tuple(codes[position + 2 : position + 5])
                    position += 4
                else:
                    colour = indexed(codes[position + 2])
                    position += 2
                setattr(self, "foreground" if code == 38 else "background", colour)
            elif code == 39:
                self.foreground = None
            elif code == 49:
                self.background = None
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.foreground = indexed(code - 30 if code < 90 else code - 82)
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.background = indexed(code - 40 if code < 100 else code - 92)
            position += 1

    def colours(self, default):
        foreground, background = self.foreground or default[0], self.background or default[1]
        return (background, foreground) if self.reverse else (foreground, background)


def width(text):
    if "\ufe0f" in text:
        return 2
    return max((2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1) for c in text)


def clusters(text):
    """Returns the grapheme clusters of a text, to the extent that a terminal screen needs them."""
    cluster = ""
    for character in text:
        if cluster and not (unicodedata.combining(character) or character in "\ufe0f\u200d" or cluster[-1] == "\u200d"):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def commonest_background(lines):
    """Returns the most frequent background of the screen, which the picture's margin uses."""
    style, counts = Style(), {}
    for line in lines:
        for part in re.split(r"(\x1b\[[0-9;:]*m)", line):
            if part.startswith("\x1b["):
                style.apply(part[2:-1])
            elif not style.reverse:
                counts[style.background] = counts.get(style.background, 0) + len(part)
    return max(counts, key=counts.get, default=None)


def head(columns, rows, background):
    """Returns the start of a picture: its size and background."""
    total_width = columns * CELL_WIDTH + 2 * MARGIN
    total_height = rows * CELL_HEIGHT + 2 * MARGIN
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total_width:.0f} {total_height:.0f}" '
        f'font-family="ui-monospace, \'DejaVu Sans Mono\', Menlo, Consolas, monospace" font-size="{FONT_SIZE}">',
        f'<rect width="100%" height="100%" rx="8" fill="{background}"/>',
    ]


def drawn_rows(lines, default):
    """Returns SVG elements for each line of a screen, at its position."""
    # tmux carries a style over the end of a line.
    style = Style()
    for row, line in enumerate(lines):
        output = []
        column = 0
        runs = []
        for part in re.split(r"(\x1b\[[0-9;:]*m)", line):
            if part.startswith("\x1b["):
                style.apply(part[2:-1])
                continue
            for cluster in clusters(re.sub(r"\x1b\].*?(\x07|\x1b\\)|[\x0e\x0f]", "", part)):
                cells = width(cluster)
                look = (style.colours(default), style.bold, style.dim, style.italic, style.underline)
                if runs and runs[-1][0] == look and cells == 1 and runs[-1][3]:
                    runs[-1][2] += cluster
                else:
                    runs.append([look, column, cluster, cells == 1])
                column += cells
        y = MARGIN + row * CELL_HEIGHT
        for (colours, bold, dim, italic, underline), start, text, single in runs:
            x = MARGIN + start * CELL_WIDTH
            cells = len(text) if single else 2
            if colours[1] != default[1]:
                output.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{cells * CELL_WIDTH + 0.3:.1f}" height="{CELL_HEIGHT}" fill="{colours[1]}"/>'
                )
            if not text.strip():
                continue
            attributes = f' fill="{colours[0]}"'
            attributes += ' font-weight="bold"' if bold else ""
            attributes += ' opacity="0.7"' if dim else ""
            attributes += ' font-style="italic"' if italic else ""
            attributes += ' text-decoration="underline"' if underline else ""
            output.append(
                f'<text x="{x:.1f}" y="{y + 13.5:.1f}" textLength="{cells * CELL_WIDTH:.1f}" '
                f'xml:space="preserve"{attributes}>{html.escape(text)}</text>'
            )
        yield "\n".join(output)


def draw(lines, columns, default):
    default = (default[0], commonest_background(lines) or default[1])
    rows = [row for row in drawn_rows(lines, default) if row]
    return "\n".join(head(columns, len(lines), default[1]) + rows + ["</svg>"]) + "\n"


class Screen:
    """A program in a terminal of tmux on a private socket."""

    def __init__(self, command, size):
        self.socket = f"apus-picture-{os.getpid()}"
        columns, rows = size.split("x")
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows, "-e", "COLORTERM=truecolor", "--", *command
        )
        self.tmux("set", "-g", "status", "off")

    def tmux(self, *words):
        result = subprocess.run(["tmux", "-L", self.socket, *words], capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"picture.py: tmux: {result.stderr.strip()}")
        return result.stdout

    def capture(self, colours=True):
        return self.tmux("capture-pane", "-p", *(["-e", "-N"] if colours else []))

    def until(self, condition):
        deadline = time.monotonic() + 20
        while not condition(self.capture(colours=False)):
            if time.monotonic() > deadline:
                sys.exit("picture.py: waited 20 s in vain; the screen is:\n" + self.capture(colours=False))
            time.sleep(0.05)

    def type(self, keys):
        for key in keys.split():
            if key.startswith("WAIT:"):
                self.until(lambda text: key[5:].replace("_", " ") in text)
            elif key.startswith("WHILE:"):
                self.until(lambda text: key[6:].replace("_", " ") not in text)
            else:
                self.tmux("send-keys", key)

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output")
    parser.add_argument("--size", default="120x36")
    parser.add_argument("--keys", default="")
    parser.add_argument("--foreground", default="#ebdbb2")
    parser.add_argument("--background", default="#1d2021")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    screen = Screen(arguments.command, arguments.size)
    try:
        screen.type(arguments.keys)
        lines = screen.capture().rstrip("\n").split("\n")
    finally:
        screen.close()
    columns, rows = map(int, arguments.size.split("x"))
    lines += [""] * (rows - len(lines))
    with open(arguments.output, "w", encoding="utf-8") as file:
        file.write(draw(lines, columns, (arguments.foreground, arguments.background)))


if __name__ == "__main__":
    main()
