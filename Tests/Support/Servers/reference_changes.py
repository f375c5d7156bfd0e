"""Finds changes between two schemas with the reference implementation, with one pair per line of JSON on standard input:
{"old": SDL, "new": SDL} results in {"changes": [[type, description], ...]} with breaking and dangerous changes.
"""

import json
import sys


def main():
    from graphql import build_schema
    from graphql.utilities import find_breaking_changes, find_dangerous_changes

    known = {}

    def schema(text):
        if text not in known:
            known[text] = build_schema(text, assume_valid=True, assume_valid_sdl=True)
        return known[text]

    for line in sys.stdin:
        pair = json.loads(line)
        old, new = schema(pair["old"]), schema(pair["new"])
        changes = [*find_breaking_changes(old, new), *find_dangerous_changes(old, new)]
        print(json.dumps({"changes": [[change.type.name, change.description] for change in changes]}), flush=True)


if __name__ == "__main__":
    main()
