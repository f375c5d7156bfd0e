"""Checks that the number of instructions grows in proportion to the input. See Tests/Stress/Steps/run.

Valgrind counts the executed instructions, which depend neither on other programs nor on the machine's speed. Eight times
the input may need sixteen times the instructions; a quadratic reader needs 64 times.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

from cases import CASES

SIZE = 500
GROWTH = 8
LIMIT = 16
# An input that is refused costs no more work.
REFUSALS = ("the patterns have too many alternatives", "the profiles take more than")


def instructions(words, files):
    """Returns the number of instructions that the program executes for some files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = os.path.join(folder, "project", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        count = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--log-fd=2",
             os.path.realpath(os.environ["APUS_PROGRAM"]), *words],
            cwd=os.path.join(folder, "project"), env={"HOME": folder, "PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        total = re.search(r"I\s+refs:\s+([\d,]+)", count.stderr)
        is_refused = any(text in count.stderr for text in REFUSALS)
        if not total or count.returncode not in (0, 1) and not is_refused:
            sys.exit(f"apus {' '.join(words)} ended with {count.returncode}:\n{count.stderr[-2000:]}")
        return int(total[1].replace(",", ""))


def growth(name):
    """Returns the growth of the work for the input, without that for an empty one."""
    words, files = CASES[name]
    start, small, large = (instructions(words, files(n)) for n in (2, SIZE, SIZE * GROWTH))
    return (large - start) / max(small - start, 1)


def main(words):
    if words == ["--list"]:
        return print("\n".join(CASES))
    unknown = set(words) - set(CASES)
    if unknown:
        sys.exit(f"unknown cases: {', '.join(sorted(unknown))}; --list prints all")
    failed = 0
    chosen = words or list(CASES)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, times in zip(chosen, pool.map(growth, chosen)):
            failed += times > LIMIT
            print(f"{'FAILED' if times > LIMIT else 'ok':6} {times:5.1f} {name}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main(sys.argv[1:])
