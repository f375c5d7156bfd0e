"""Random documents with @defer and @stream, executed by graphql-core.

Prints one JSON object per line: the document, the variables, the payloads, the data merged from the payloads in a simple
way, the data of the same document without the directives (null if null propagation ends at another field there), and the
labels and paths of failures. Arguments: the number of cases and the seed.
"""

import asyncio
import copy
import json
import random
import re
import sys

from graphql import GraphQLError, build_schema, parse, specified_directives, validate
from graphql.execution import experimental_execute_incrementally

try:
    from graphql import GraphQLDeferDirective, GraphQLStreamDirective
except ImportError:
    from graphql.type import GraphQLDeferDirective, GraphQLStreamDirective

SDL = """
interface Node { id: ID! name: String }
type Tree implements Node {
  id: ID! name: String value: Int child: Tree firm: Tree! kids: [Tree] many: [Tree!]! leaf: Leaf tags: [String!]
  node: Node kin: [Node] broken: String fatal: String! grid: [[Int]]
}
type Leaf implements Node { id: ID! name: String size: Int tree: Tree broken: String fatal: String! }
type Query { tree: Tree leaf: Leaf node: Node kin: [Node] many: [Tree!]! }
"""

TREE = ["child", "firm", "kids", "many", "leaf", "node", "kin"]
SCALARS = {
    "Tree": ["id", "name", "value", "tags", "grid", "__typename"],
    "Leaf": ["id", "name", "size", "__typename"],
    "Node": ["id", "name", "__typename"],
    "Query": ["__typename"],
}
OBJECTS = {
    "Tree": {"child": "Tree", "firm": "Tree", "kids": "Tree", "many": "Tree", "leaf": "Leaf", "node": "Node", "kin": "Node"},
    "Leaf": {"tree": "Tree"},
    "Node": {},
    "Query": {"tree": "Tree", "leaf": "Leaf", "node": "Node", "kin": "Node", "many": "Tree"},
}
LISTS = {"kids", "many", "kin"}


class Value:
    """An object of the data. Its field values are determined by its id."""

    def __init__(self, kind, key, depth):
        self.kind, self.key, self.depth = kind, key, depth
        self.id = key

    def pick(self, field, bound):
        # FNV-1a, so that the tests of the project's executor return the same values.
        hash = 0xCBF29CE484222325
        for byte in f"{self.key}/{field}".encode():
            hash = (hash ^ byte) * 0x100000001B3 % 2**64
        return (hash >> 20) % bound

    def make(self, field, index=0):
        kind = {"leaf": "Leaf", "tree": "Tree", "child": "Tree", "firm": "Tree", "kids": "Tree", "many": "Tree"}.get(field)
        if kind is None:
            kind = "Tree" if self.pick(f"{field}{index}", 2) else "Leaf"
        return Value(kind, f"{self.key}.{field}{index}", self.depth + 1)


async def resolve(value, info):
    field = info.field_name
    if value is None:
        value = Value("Query", "r", 0)
    for _ in range(value.pick(field + "wait", 4)):
        await asyncio.sleep(0)
    if field == "id":
        return value.id
    if field == "name":
        return None if value.pick("name", 5) == 0 else f"name of {value.id}"
    if field in ("value", "size"):
        return value.pick(field, 1000)
    if field == "tags":
        return [f"tag{i}" for i in range(value.pick("tags", 4))]
    if field == "grid":
        return [[i, None] for i in range(value.pick("grid", 3))]
    if field in ("broken", "fatal"):
        if value.pick(field, 3) == 0:
            return "whole"
        raise GraphQLError(f"{field} at {value.id}")
    if field in LISTS:
        return [
            None if field != "many" and value.pick(f"{field}{i}null", 6) == 0 else value.make(field, i)
            for i in range(value.pick(field, 4))
        ]
    if field not in ("firm",) and value.pick(field, 6) == 0:
        return None
    return value.make(field)


SCHEMA = build_schema(SDL)
SCHEMA.directives = (*specified_directives, GraphQLDeferDirective, GraphQLStreamDirective)
for name in ("Tree", "Leaf", "Query"):
    for field in SCHEMA.type_map[name].fields.values():
        field.resolve = resolve
SCHEMA.type_map["Node"].resolve_type = lambda value, *_: value.kind


class Writer:
    def __init__(self, generator):
        self.random = generator
        self.labels = 0
        self.aliases = 0
        self.fragments = []

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def defer(self):
        choice = self.random.randrange(6)
        if choice == 0:
            return f'@defer(if: false, label: "{self.label()}")'
        if choice == 1:
            return f'@defer(if: $on, label: "{self.label()}")'
        return f'@defer(label: "{self.label()}")'

    def selections(self, kind, depth):
        parts = []
        for _ in range(self.random.randrange(1, 5)):
            roll = self.random.randrange(10)
            objects = OBJECTS[kind]
            if roll < 3 or (depth == 0 and roll < 7):
                parts.append(self.random.choice(SCALARS[kind]))
            elif roll < 7 and objects and depth > 0:
                name = self.random.choice(list(objects))
                inner = self.selections(objects[name], depth - 1)
                if name in LISTS and self.random.randrange(2):
                    self.aliases += 1
                    stream = f'@stream(initialCount: {self.random.randrange(3)}, label: "{self.label()}")'
                    parts.append(f"s{self.aliases}: {name} {stream} {{ {inner} }}")
                else:
                    parts.append(f"{name} {{ {inner} }}")
            elif roll == 7 and kind in ("Tree", "Leaf"):
                parts.append(self.random.choice(["broken", "broken", "fatal"]))
            elif depth > 0:
                on = self.random.choice([kind, kind, "Tree", "Leaf", "Node"]) if kind == "Node" else kind
                directive = self.defer() if self.random.randrange(4) else ""
                body = self.selections(on, depth - 1)
                if self.random.randrange(3) == 0:
                    name = f"F{len(self.fragments)}"
                    self.fragments.append(f"fragment {name} on {on} {{ {body} }}")
                    parts.append(f"...{name} {directive}")
                else:
                    condition = f"on {on} " if on != kind or self.random.randrange(2) else ""
                    parts.append(f"... {condition}{directive} {{ {body} }}")
        return " ".join(parts) if parts else "__typename"

    def document(self):
        body = self.selections("Query", 5)
        return " ".join([f"query ($on: Boolean = true) {{ {body} }}", *self.fragments])


def merge(target, source):
    for key, value in source.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            merge(target[key], value)
        elif isinstance(value, list) and isinstance(target.get(key), list):
            for index, item in enumerate(value):
                if index >= len(target[key]):
                    target[key].append(item)
                elif isinstance(item, dict) and isinstance(target[key][index], dict):
                    merge(target[key][index], item)
                elif not is_taken_away(target[key][index], item):
                    target[key][index] = item
        elif not is_taken_away(target.get(key), value):
            target[key] = value


def is_taken_away(present, value):
    """In the 2022 format payloads are independent: a null from an error in one does not remove data of another."""
    return value is None and isinstance(present, (dict, list))


def at(data, path):
    for key in path:
        data = data[key]
    return data


def plain_merge(payloads):
    """The payloads merged in place, and the failures as [path, label]."""
    data = copy.deepcopy(payloads[0]["data"])
    pending = {}
    failed = []
    for payload in payloads:
        for entry in payload.get("pending", []):
            pending[entry["id"]] = entry
        for item in payload.get("incremental", []):
            item = copy.deepcopy(item)
            if "id" in item:
                path = pending[item["id"]]["path"] + item.get("subPath", [])
                if "items" in item:
                    at(data, path).extend(item["items"])
                else:
                    merge(at(data, path), item["data"])
            elif "items" in item:
                if item["items"] is None:
                    continue
                at(data, item["path"][:-1]).extend(item["items"])
            elif item.get("data") is None:
                failed.append([item["path"], item.get("label")])
            else:
                merge(at(data, item["path"]), item["data"])
        for entry in payload.get("completed", []):
            known = pending[entry["id"]]
            if "errors" in entry and not isinstance(at(data, known["path"]), list):
                failed.append([known["path"], known.get("label")])
    return data, failed


async def run(text):
    document = parse(text)
    if validate(SCHEMA, document):
        return None
    result = experimental_execute_incrementally(SCHEMA, document)
    if hasattr(result, "__await__"):
        result = await result
    if hasattr(result, "initial_result"):
        payloads = [result.initial_result.formatted]
        async for later in result.subsequent_results:
            payloads.append(later.formatted)
    else:
        payloads = [result.formatted]
    plain = re.sub(r'@(defer|stream)\([^)]*\)', "", text).replace("($on: Boolean = true)", "")
    reference = experimental_execute_incrementally(SCHEMA, parse(plain))
    if hasattr(reference, "__await__"):
        reference = await reference
    if payloads[0]["data"] is None:
        merged, failed = None, []
    else:
        merged, failed = plain_merge(payloads)
    fatal = any(error.message.startswith("fatal") for error in reference.errors or [])
    return {
        "document": text,
        "payloads": payloads,
        "merged": merged,
        "failed": failed,
        "reference": None if fatal else reference.data,
    }


async def main(count, seed):
    generator = random.Random(seed)
    done = 0
    while done < count:
        try:
            case = await run(Writer(generator).document())
        except Exception:
            # The pre-release that sends the 2022 format fails on some documents.
            continue
        if case is None:
            continue
        print(json.dumps(case), flush=True)
        done += 1


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
