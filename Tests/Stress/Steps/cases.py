"""Inputs of any size for which a quadratic reader existed or is easily written."""

import json

CASES = {}
SCHEMA = "type Query { a(x: Int, y: String): Query b: Int } type Subscription { b: Int }"


def case(name, words, files):
    """Adds a case: the arguments of the program, and a function from a size to texts by file name."""
    assert name not in CASES
    CASES[name] = (words, files)


def each(n, text):
    return " ".join(text(i) for i in range(n))


# Documents


def document(name, text, schema=lambda n: SCHEMA):
    case(name, ["validate", "--schema", "schema.graphql", "query.graphql"],
         lambda n: {"schema.graphql": schema(n), "query.graphql": text(n)})


document("variables of an anonymous operation that nothing uses",
         lambda n: f"query ({each(n, lambda i: f'$v{i}: Int')}) {{ b }}")
document("one variable declared many times", lambda n: f"query ({each(n, lambda i: '$v: Int')}) {{ b }}")
document("variables that are not declared",
         lambda n: f"query ({each(n, lambda i: f'$w{i}: Int')})"
                   f" {{ {each(n, lambda i: f'a{i}: a(x: $v{i}) {{ b }}')} }}")
document("fields with names close to those of the type",
         lambda n: f"{{ {each(n, lambda i: f'fielx{i}')} }}",
         lambda n: f"type Query {{ {each(n, lambda i: f'field{i}: Int')} }}")
document("arguments of one field", lambda n: f"{{ a({each(n, lambda i: f'x{i}: 1')}) }}",
         lambda n: f"type Query {{ a({each(n, lambda i: f'x{i}: Int!')}): Int }}")
document("a field with many arguments beside fields without any",
         lambda n: f"{{ a({each(n, lambda i: f'x{i}: 1')}) {{ b }} {each(n, lambda i: 'a { b }')} }}")
document("a field with many directives beside fields without any",
         lambda n: f"{{ a {each(n, lambda i: f'@d{i}')} {{ b }} {each(n, lambda i: 'a { b }')} }}")
document("directives", lambda n: f"{{ {each(n, lambda i: f'f{i}: b @d{i} @e{i}')} }}",
         lambda n: f"{SCHEMA} {each(n, lambda i: f'directive @d{i} on FIELD')}")
document("fragments that lead to one another in many circles",
         lambda n: "{ ...F0 } " + each(n, lambda i: f"fragment F{i} on Query {{ b ...F{(i + 1) % n} ...F0 }}"))
document("a deferred fragment at the end of each way of a subscription",
         lambda n: "subscription { ...F0 } "
                   + each(n, lambda i: f"fragment F{i} on Subscription {{ ... @defer {{ b }} ...F{i + 1} }}")
                   + f" fragment F{n} on Subscription {{ b }}")
document("types that are not known", lambda n: "{ b } " + each(n, lambda i: f"fragment F{i} on Typx{i} {{ a }}"),
         lambda n: f"{SCHEMA} {each(n, lambda i: f'type Type{i} {{ a: Int }}')}")
document("fields of an input object", lambda n: f"{{ a(x: {{ {each(n, lambda i: f'f{i}: 1')} }}) }}",
         lambda n: f"type Query {{ a(x: I): Int }} input I {{ {each(n, lambda i: f'f{i}: Int')} }}")
document("unknown fields of an input object", lambda n: f"{{ a(x: {{ {each(n, lambda i: f'f{i}: 1')} }}) }}",
         lambda n: "type Query { a(x: I): Int } input I { a: Int }")
document("empty objects for an input object of many fields",
         lambda n: f"{{ a(x: [{each(n, lambda i: '{}')}]) }}",
         lambda n: f"type Query {{ a(x: [I]): Int }} input I {{ {each(n, lambda i: f'f{i}: Int')} }}")
document("values of an enum", lambda n: f"{{ a(x: [{each(n, lambda i: f'E{i} X{i}')}]) }}",
         lambda n: f"type Query {{ a(x: [E]): Int }} enum E {{ {each(n, lambda i: f'E{i}')} }}")
document("variables of a one-of input object",
         lambda n: f"query ({each(n, lambda i: f'$v{i}: Int')})"
                   f" {{ {each(n, lambda i: f'k{i}: a(x: {{ a: $v{i} }})')} }}",
         lambda n: f"type Query {{ a(x: I): Int }} {each(n, lambda i: f'type T{i} {{ a: Int }}')}"
                   " input I @oneOf { a: Int }")
document("one long name beside another", lambda n: f"{{ {'a' * n * 8} }}",
         lambda n: f"type Query {{ {'b' * n * 8}: Int }}")
document("spreads that can never apply",
         lambda n: f"{{ u {{ {each(n, lambda i: '...F')} }} }} fragment F on I {{ a }}",
         lambda n: f"type Query {{ u: U i: I }} interface I {{ a: Int }} union U = {each(n, lambda i: f'| T{i}')} "
                   + each(n, lambda i: f"type T{i} {{ a: Int }} type S{i} implements I {{ a: Int }}"))


# Schemas


def schema(name, text):
    case(name, ["validate", "schema.graphql"], lambda n: {"schema.graphql": text(n)})


schema("directives and their uses",
       lambda n: f"type Query {{ a: Int {each(n, lambda i: f'@d{i}')} }}"
                 f" {each(n, lambda i: f'directive @d{i} on FIELD_DEFINITION')}")
schema("arguments of a directive",
       lambda n: f"type Query {{ a: Int @d({each(n, lambda i: f'x{i}: 1')}) }}"
                 f" directive @d({each(n, lambda i: f'x{i}: Int!')}) on FIELD_DEFINITION")
schema("one interface implemented many times",
       lambda n: f"type Query implements {each(n, lambda i: '& I')} {{ a: Int }} interface I {{ a: Int }}")
schema("fields whose type implements many interfaces",
       lambda n: f"type Query implements J {{ {each(n, lambda i: f'f{i}: T')} }}"
                 f" interface J {{ {each(n, lambda i: f'f{i}: I{n - 1}')} }}"
                 f" type T implements {each(n, lambda i: f'& I{i}')} {{ a: Int }}"
                 f" {each(n, lambda i: f'interface I{i} {{ a: Int }}')}")
schema("one member of a union many times",
       lambda n: f"type Query {{ a: U }} union U = {each(n, lambda i: '| T')} type T {{ a: Int }}")
schema("input objects in many circles",
       lambda n: f"type Query {{ a(x: I0): Int }} "
                 + each(n, lambda i: f"input I{i} {{ f: I{(i + 1) % n}! g: I0! }}"))
schema("unknown types beside types with names close to them",
       lambda n: f"type Query {{ {each(n, lambda i: f'f{i}: Typx{i}')} }} {each(n, lambda i: f'type Type{i} {{ a: Int }}')}")
schema("extensions of unknown types",
       lambda n: "type Query { a: Int } "
                 + each(n, lambda i: f"extend type Typx{i} {{ a: Int }} type Type{i} {{ a: Int }}"))


# Configuration


def toml(name, line):
    case(name, ["completions", "profiles"],
         lambda n: {"graphql.config.toml": "".join(line.replace("#", str(i)) for i in range(n * 4))})


toml("tables of an array", "[[x]]\n")
toml("tables of an array in a table", "[[x.y]]\na = 1\n")
toml("dotted keys", "a.#.b = 1\n")
toml("tables in tables", "[t#]\n[t#.u]\n")
toml("arrays and tables on one line", "k# = [[1], {a = 1}]\n")


def patterns(name, pattern):
    """Adds a list of patterns, and one pattern with alternatives: fewer, because their total length is limited."""
    files = {f"d{i}/e/f{i}.graphql": "{ b }" for i in range(20)} | {"schema.graphql": SCHEMA}
    case(name, ["validate"], lambda n: files | {
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments:\n"
        + "".join(f"  - '{pattern.replace('#', str(i))}'\n" for i in range(n // 4)) + "  - d1/e/f1.graphql\n"})
    case(f"{name}, as alternatives", ["validate"], lambda n: files | {
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments: '{"
        + ",".join(pattern.replace("#", str(i)) for i in range(n // 4)) + ",d1/e/f1.graphql}'\n"})


patterns("names with wildcards in any folder", "**/x#*.graphql")
patterns("folders with any files", "d#x/**/*.graphql")
patterns("parts of a name", "**/*#?")
patterns("names", "n#")


# Products of two inputs: both grow, so that work for each pair is quadratic.


def beside(name, settings, pattern, words=("validate",), file="x#-and-a-long-name-of-a-file.graphql"):
    """A list of patterns beside as many files; only the last pattern matches one of them."""
    case(name, list(words), lambda n: {"schema.graphql": SCHEMA, "documents/first.graphql": "{ b }"} | {
        f"documents/{file.replace('#', str(i))}": f"query Q{i} {{ b }}" for i in range(n // 8)} | settings(
            [pattern.replace("#", str(i)) for i in range(n // 8)]))


def config(documents, key):
    more = ["documents/first.graphql"] if key == "documents" else []
    return lambda patterns: {".graphqlrc.yml": "schema: schema.graphql\n" + documents + f"{key}:\n"
                             + "".join(f"  - '{text}'\n" for text in patterns + more)}


def generate(key):
    return lambda patterns: {"apus-generate.yml": "schema: schema.graphql\noutput: Models\nskipInvalid: true\n"
                             f"documents:\n  - documents/**/*.graphql\n"
                             + "".join(f"  - '{key}{text}'\n" for text in patterns)}


ALL = "documents: documents/**/*.graphql\n"
for words, pattern in (("with wildcards in names", "**/*y#*.graphql"), ("in any folder", "**/y#/**"),
                       ("of many parts", "documents/*a*y#*o*.graphql"), ("of characters", "documents/?#?y*")):
    beside(f"files beside exclude patterns {words}", config(ALL, "exclude"), pattern)
    beside(f"files beside documents patterns {words}", config("", "documents"), pattern.replace("y#", "x#"))
    beside(f"files beside ! patterns {words}", config("", "documents"), f"!{pattern}")
    beside(f"files of models beside ! patterns {words}", generate("!"), pattern, ("generate",))
case("patterns of folders beside folders", ["validate"], lambda n: {"schema.graphql": SCHEMA} | {
    f"d{i}/e/first.graphql": f"query Q{i} {{ b }}" for i in range(1 + n // 8)} | {
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments:\n"
        + "".join(f"  - 'd{i}/*/*.graphql'\n" for i in range(1 + n // 8))})



def profiles(name, text):
    """Adds a configuration of the user, whose profiles are listed."""
    case(name, ["completions", "profiles"], lambda n: {"../.config/apus/config.yml": text(n)})


profiles("profiles beside rules of cache keys", lambda n:
         "cacheKeys:\n  types:\n" + "".join(f"    T{i}: [id, a{i}]\n" for i in range(n)) + "profiles:\n"
         + "".join(f"  p{i}:\n    url: http://h/{i}\n    cacheKeys: {{types: {{T{i}: [b]}}}}\n" for i in range(n)))
profiles("a chain of profiles", lambda n:
         "profiles:\n  p0: http://h/\n" + "".join(f"  p{i + 1}: {{extends: p{i}}}\n" for i in range(n // 8)))


# Products of definitions


document("operations beside fragments that each of them spreads",
         lambda n: each(n, lambda i: f"query Q{i} {{ ...F{i} ...G }}") + " fragment G on Query { b } "
                   + each(n, lambda i: f"fragment F{i} on Query {{ b }}"))
document("operations beside a chain of fragments",
         lambda n: each(n, lambda i: f"query Q{i} {{ ...F0 }}")
                   + each(n, lambda i: f"fragment F{i} on Query {{ b ...F{i + 1} }}") + f" fragment F{n} on Query {{ b }}")
document("operations beside a chain of fragments with a variable at its end",
         lambda n: each(n, lambda i: f"query Q{i}($v: Int) {{ ...F0 }}")
                   + each(n, lambda i: f"fragment F{i} on Query {{ b ...F{i + 1} }}")
                   + f" fragment F{n} on Query {{ a(x: $v) {{ b }} }}")
document("a chain of fragments, the last one first",
         lambda n: f"fragment F{n} on Query {{ b }} "
                   + each(n, lambda i: f"fragment F{n - 1 - i} on Query {{ b ...F{n - i} }}") + " { ...F0 }")
document("directives beside fields that have all of them",
         lambda n: f"{{ b {each(n, lambda i: f'@d{i}')} {each(n, lambda i: f'a{i}: b')} }}",
         lambda n: f"{SCHEMA} {each(n, lambda i: f'directive @d{i} on FIELD')}")


# Payloads of one response


def replayed(name, query, payloads):
    """Adds a recording: its first payload, and those that follow."""
    def recording(n):
        events = [{"event": "request", "atMs": 0, "url": "http://h/", "operationName": None, "query": query, "variables": {}},
                  {"event": "head", "atMs": 1, "status": 200, "contentType": "multipart/mixed; boundary=-; deferSpec=20220824"}]
        texts = payloads(n)
        for number, payload in enumerate(texts):
            events.append({"event": "part", "atMs": 2, "payload": payload | {"hasNext": number + 1 < len(texts)}})
        return {"r.ndjson": "".join(json.dumps(event) + "\n" for event in events + [{"event": "end", "atMs": 3, "exitCode": 0}])}
    case(name, ["replay", "r.ndjson", "--speed", "0", "--output", "json"], recording)


def item(path, label=None, errors=None, **data):
    return {"path": path, "data": data} | ({"label": label} if label else {}) | ({"errors": errors} if errors else {})


DEFERRED = '{ l { id ... @defer(label: "x") { x } } ... @defer(label: "n") { l { id n } } }'
replayed("elements that a payload moves, with fragments in them", DEFERRED, lambda n: [
    {"data": {"l": [{"id": i} for i in range(n)]}},
    {"incremental": [item([], "n", l=[{"id": i, "n": i} for i in reversed(range(n))])]},
    {"incremental": [item(["l", i], "x", x=i) for i in range(n)]}])
replayed("payloads that each move the elements of a list of their own",
         '{ o { l { id ... @defer(label: "x") { x } } ... @defer(label: "n") { l { id n } } } }', lambda n: [
             {"data": {"o": [{"l": [{"id": 1}, {"id": 2}]} for _ in range(n // 8)]}}] + [
             {"incremental": [item(["o", i], "n", l=[{"id": 2, "n": 2}, {"id": 1, "n": 1}])]} for i in range(n // 8)])
replayed("payloads that each bring a fragment", DEFERRED, lambda n: [
    {"data": {"l": [{"id": i} for i in range(n)]}}] + [{"incremental": [item(["l", i], "x", x=i)]} for i in range(n)])
replayed("payloads that each remove an element of a list of their own",
         '{ o { l { id ... @defer(label: "x") { x } } ... @defer(label: "n") { l { id n } } } }', lambda n: [
             {"data": {"o": [{"l": [{"id": 1}, {"id": 2}]} for _ in range(n // 8)]}}] + [
             {"incremental": [item(["o", i], "n", l=[{"id": 2, "n": 2}])]} for i in range(n // 8)])
replayed("items of streamed lists", "{ l { id s @stream(initialCount: 1) } }", lambda n: [
    {"data": {"l": [{"id": i, "s": [i]} for i in range(n)]}},
    {"incremental": [{"path": ["l", i, "s", 1], "items": [i + 1]} for i in range(n)]}])
replayed("errors of deferred fields", DEFERRED, lambda n: [
    {"data": {"l": [{"id": i} for i in range(n)]}},
    {"incremental": [item(["l", i], "x", [{"message": "no", "path": ["l", i, "x"]}], x=None) for i in range(n)]}])
replayed("nulls of fields that may still come", DEFERRED, lambda n: [
    {"data": {"l": [{"id": i, "x": None} for i in range(n)]}}, {"incremental": []}])
replayed("elements that two payloads contradict", DEFERRED, lambda n: [
    {"data": {"l": [{"id": i} for i in range(n)]}},
    {"incremental": [item(["l", i], "x", x=i) for i in range(n)]},
    {"incremental": [item([], "n", l=[{"id": n + i, "n": i} for i in range(n)])]}])
replayed("errors at the paths of contradictions", DEFERRED, lambda n: [
    {"data": {"l": [{"id": i} for i in range(n)]}},
    {"incremental": [item(["l", i], "x", x=i) for i in range(n)]},
    {"incremental": [item([], "n", [{"message": "no", "path": ["l", i, "y"]} for i in range(n)],
                          l=[{"id": n + i, "n": i} for i in range(n)])]}])


# Generated models


def generated(name, text):
    settings = "schema: schema.graphql\ndocuments: query.graphql\noutput: Models\nskipInvalid: true\n"
    case(name, ["generate"],
         lambda n: {"apus-generate.yml": settings, "schema.graphql": SCHEMA, "query.graphql": text(n)})


generated("fragments that one fragment spreads",
          lambda n: f"fragment F on Query {{ {each(n, lambda i: f'...F{i}')} }} "
                    + each(n, lambda i: f"fragment F{i} on Query {{ b }}"))
generated("one object selected many times",
          lambda n: f"query Q {{ {each(n, lambda i: 'a { b }')} }}")
generated("invalid fragments, each with one that spreads it",
          lambda n: each(n, lambda i: f"fragment F{i} on Query {{ x }} fragment G{i} on Query {{ ...F{i} }}"))


# Imports


def postman(items, more=""):
    return ('{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, '
            + more + '"item": [' + ",".join(items) + "]}")


def request(name, url="http://h/", headers="", query="{ a }"):
    return (f'{{"name": "{name}", "request": {{"method": "POST", "url": "{url}", "header": [{headers}],'
            f' "body": {{"mode": "graphql", "graphql": {{"query": "{query}"}}}}}}}}')


def imported(name, file, text):
    case(name, ["import", file, "--to", "out"], lambda n: {file: text(n)})


imported("requests with secrets of their own", "x.json", lambda n: postman(
    request(f"r{i}", f"http://h/{i}", f'{{"key": "Authorization", "value": "Bearer abcdefgh{i}"}}') for i in range(n)))
imported("requests with the same name", "x.json", lambda n: postman(request("r") for _ in range(n)))
imported("variables and their values", "x.json", lambda n: postman(
    [request("r", query="{ a } #" + each(n, lambda i: f"{{{{k{i}}}}}"))],
    '"variable": [' + ",".join(f'{{"key": "k{i}", "value": "v{i}"}}' for i in range(n)) + "],"))
imported("beginnings of variables", "x.json", lambda n: postman([request("r", query="{ a } #" + "{{!" * n + "}}")]))
imported("a long word of a shell", "x.sh", lambda n: f"curl http://h/ -d '{{\"query\":\"{{a}}\"}}' -A {'x' * n * 8}\n")
imported("a word of many quoted parts", "x.sh",
         lambda n: "curl http://h/ -d '{\"query\":\"{a}\"}' -A " + "'x'y" * n + "\n")
imported("commands of a shell", "x.sh", lambda n: "curl http://h/ -d '{\"query\":\"{a}\"}' && " * n + "true\n")
imported("substitutions within one another", "x.sh",
         lambda n: "curl http://h/ -d '{\"query\":\"{a}\"}' " + "$(a " * n + ")" * n + "\n")
imported("substitutions that are not closed", "x.sh",
         lambda n: "curl http://h/ -d '{\"query\":\"{a}\"}' " + "${a" * n + "$(" * n + "\n")
imported("here-documents", "x.sh",
         lambda n: "curl http://h/ -d @- <<E\n{\"query\":\"{a}\"}\nE\n" * n)
imported("a here-document of many lines", "x.sh",
         lambda n: "curl http://h/ -d @- <<E\n{\"query\":\n" + "\n" * n + "\"{a}\"}\nE\n")
imported("carets", "x.cmd", lambda n: "curl ^\"http://h/^\" ^\n -d ^\"^{^\\^\"query^\\^\":^\\^\"^{a^}^\\^\"^}^\" -A "
         + "^\\" * n + "^\"^&" * n + "\n")
imported("commands of a PowerShell script", "x.ps1", lambda n: "irm " * n + "\n" + "irm;" * n + "\nirm http://h/\n")
imported("a PowerShell string that is not closed", "x.ps1", lambda n: "curl x\n\"" + "`\"" * n + "\n")
imported("members of an object in JavaScript", "x.js",
         lambda n: "fetch('http://h/', {method: 'POST', body: JSON.stringify({query: `{a}`, variables: {"
                   + each(n, lambda i: f"m{i}: [{i}, 'x'],") + "}})})\n")
imported("constants in JavaScript", "x.js",
         lambda n: each(n, lambda i: f"const c{i} = `${{c0}}x`;")
                   + "fetch('http://h/', {method: 'POST', body: JSON.stringify({query: `{a}`})})\n")
imported("open constants in JavaScript", "x.js",
         lambda n: "fetch('http://h/', {method: 'POST', body: JSON.stringify({query: `{a}`})})\n" + "const a=(" * n)
imported("blocks of Markdown", "x.md", lambda n: "```\ncurl http://h/ -d '{\"query\":\"{a}\"}'\n```\n" * n)
imported("requests of Insomnia 5", "x.yaml", lambda n: "type: collection.insomnia.rest/5.0\ncollection:\n"
         + each(1 + n // 4, lambda i: f"\n  - {{name: r{i}, url: 'http://h/', body: {{text: '{{\"query\":\"{{a}}\"}}'}}}}") + "\n")
imported("variables outside of strings of JSON", "x.http",
         lambda n: "POST http://h/\n\n{\"query\":\"{a}\",\"variables\":{\"l\":[" + "{{a}},\"{{b}}\"," * n + "1]}}\n")
imported("variables after a document", "x.http", lambda n: "GRAPHQL http://h/\n\n{a}\n\n{\"l\":[" + "{},\n\n" * n + "1]}\n")
imported("headers of an Insomnia request", "x.json", lambda n: json.dumps({"_type": "export", "resources": [
    {"_id": "r", "_type": "request", "name": "r", "url": "http://h/", "body": {"text": '{"query": "{ a }"}'},
     "headers": [{"name": f"h{i}", "value": "v"} for i in range(n)]}]}))
imported("headers of a Bruno request", "x.bru",
         lambda n: "meta {\n  name: a\n}\npost {\n  url: http://h/\n}\nbody:graphql {\n  { a }\n}\nheaders {\n"
                   + "".join(f"  h{i}: v\n" for i in range(n)) + "}\n")
