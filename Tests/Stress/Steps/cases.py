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
imported("characters of a PowerShell string", "x.ps1",
         lambda n: "Invoke-WebRequest http://h/ -Body \"{`\"query`\":`\"{a}`\"}" + "$([char]10)`n" * n + "\"\n")
imported("parentheses of PowerShell", "x.ps1", lambda n: "Invoke-WebRequest http://h/ -Body '{\"query\":\"{a}\"}'\n$x = "
         + "(" * n + "$(" * n + "[" * n + "\n")
imported("additions in PowerShell", "x.ps1", lambda n: "Invoke-WebRequest http://h/ -Body ('{\"query\":\"{a}\"}'"
         + " + ' '" * n + ")\n")
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
