"""Tries the promises of Docs/Development/Security.md with the installed program. See Tests/Scenario/Security/run."""

import json
import os
import resource
import signal
import sys
import time
import traceback
import urllib.error
import urllib.request

import cache_promises  # noqa: F401 (registers its checks)
import canaries  # noqa: F401 (registers its checks)
import explorer_promises  # noqa: F401 (registers its checks)
import file_promises  # noqa: F401 (registers its checks)
from language_client import LanguageClient
from promises import CHECKS, promise
from sandbox import SDL, SECRET, Failed, Sandbox, expect

EVERY_COMMAND = [
    ["query", "default", "-q", "{ a }"], ["schema", "default"], ["validate", "--schema", "default", "query.graphql"],
    ["validate", "query.graphql"], ["coverage"], ["bundle"], ["generate"], ["complete", "--at", "1:1", "query.graphql"],
    ["hover", "--at", "1:1", "query.graphql"], ["format", "--check"], ["schema", "lint", "default"], ["doctor"],
    ["completions", "profiles"], ["trust", "--show"], ["schema", "diff", "default", "schema.graphql"],
]


def hostile_project(s, canary):
    """A project whose files ask for everything that they may not have."""
    s.write(".graphqlrc.yml", f"""
projects:
  default: {{ schema: [{{ "{canary.url}": {{ headers: {{ Authorization: "Bearer ${{CANARY}}" }} }} }}] }}
  command: {{ schema: "{canary.url}?{s.command}" }}
  header: {{ schema: [{{ "{canary.url}": {{ headers: {{ X: "{s.command}" }} }} }}] }}
  "{s.command}": {{ schema: "{canary.url}?`touch {s.canary_file}`" }}
documents: "{s.command}"
""")
    s.write("schema.graphql", SDL)
    s.write("query.graphql", "query Q { a }\n")
    s.write("apus-generate.yml", f"""
schema:
  - "{canary.url}":
      headers: {{ Authorization: "${{CANARY}}", X: "{s.command}" }}
documents: 'query.graphql'
output: out
""")


# A folder that someone else filled


@promise
def project_files_run_no_command(s):
    hostile_project(s, s.canary())
    for words in EVERY_COMMAND + [["query", name, "-q", "{ a }"] for name in ("command", "header")]:
        s.run(*words)
        s.expect_harmless()
    s.run("trust", "--yes")
    for name in ("command", "header"):
        code, _, errors = s.run("query", name, "-q", "{ a }")
        expect(code == 5 and "command" in errors, f"{name}: {errors}")
    expect(not os.path.exists(s.canary_file), "a command ran")


@promise
def untrusted_project_sends_nothing(s):
    hostile_project(s, s.canary())
    for words in EVERY_COMMAND:
        s.run(*words)
        s.expect_silence()
    LanguageClient(s).open(f"{s.project}/query.graphql", "query Q { a }\n")
    s.expect_silence()


@promise
def environment_file_sets_nothing_of_the_program(s):
    canary = s.canary()
    s.write("conf/config.yml", f"profiles: {{ p: {{ url: \"{canary.url}\", headers: {{ X: \"{s.command}\" }} }} }}\n", 0o600)
    s.write("conf/apus/config.yml", s.read("conf/config.yml"), 0o600)
    s.write("shell.sh", f"touch {s.canary_file}\n")
    s.write("schema.graphql", SDL)
    s.write("query.graphql", "{ a }\n")
    s.write("local.env", "\n".join(f"{name}={s.project}/conf" for name in (
        "APUS_CONFIG_HOME", "XDG_CONFIG_HOME", "APUS_DATA_HOME", "XDG_DATA_HOME", "HOME")) + "\n" + "\n".join(
        f"{name}={canary.url}" for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")) + "\n" + "\n".join(
        f"{name}={s.project}/shell.sh" for name in ("ENV", "BASH_ENV", "EDITOR", "PAGER", "SHELLOPTS", "PS4")) + "\n")
    target = s.canary()
    for words in (["query", "p", "-q", "{ a }"], ["schema", "p"], ["query", target.url, "-q", "{ a }"],
                  ["validate", "--schema", "p", "query.graphql"], ["schema", "lint", "p"], ["coverage", "--schema", "p", "."],
                  ["generate", "p"], ["complete", "--schema", "p", "--at", "1:1", "query.graphql"]):
        s.run(*words, "--env-file", "local.env")
        expect(not os.path.exists(s.canary_file), f"{' '.join(words)} ran a command")
        expect(not canary.requests, f"{' '.join(words)} sent {canary.text()[:200]}")


@promise
def environment_file_resolves_what_the_user_typed(s):
    target = s.canary()
    s.write("local.env", "TOKEN=from-the-file\n")
    s.run("query", target.url, "-q", "{ a }", "--env-file", "local.env", "-H", "X-One: $TOKEN")
    expect(target.header("X-One") == ["from-the-file"], str(target.header("X-One")))


@promise
def environment_file_is_not_seen_by_commands_of_the_user(s):
    target = s.canary()
    s.config(f"profiles: {{ p: {{ url: \"{target.url}\", headers: {{ X-Env: \"$(echo [$TOKEN])\" }} }} }}\n")
    s.write("local.env", "TOKEN=from-the-file\n")
    s.run("query", "p", "-q", "{ a }", "--env-file", "local.env")
    expect(target.header("X-Env") == ["[]"], str(target.header("X-Env")))


@promise
def trust_shows_every_request(s):
    schema, one, two = s.canary(), s.canary(), s.canary()
    s.write(".graphqlrc.yml", f"""
schema: [{{ "{schema.url}": {{ headers: {{ X-Schema: "${{CANARY}}" }} }} }}]
extensions:
  endpoints:
    default: {{ url: "{one.url}", headers: {{ X-One: "{'a' * 400}-end" }} }}
    other: {{ url: "{two.url}" }}
""")
    _, shown, _ = s.run("trust", "--show")
    for word in (schema.url, one.url, two.url, "X-Schema", "CANARY", "a" * 400 + "-end"):
        expect(word in shown, f"{word[:60]} is not shown:\n{shown}")
    s.expect_silence()


@promise
def trust_needs_a_typed_yes_on_a_terminal(s):
    hostile_project(s, s.canary())
    for stdin in ("n\n", "", "y\n", "yes\n" * 9):
        s.run("trust", stdin=stdin)
        code, _, _ = s.run("query", "default", "-q", "{ a }")
        expect(code == 5, f"'{stdin.strip()}' on standard input was trusted")
        s.expect_silence()
    # Typed before the question, or before it can have been read.
    for typed, after, delay in ((b"y\r", "", 0.0), (b"y\r", "[y/N]", 0.0), (b"y\r", "[y/N]", 0.2)):
        s.terminal("trust", typed=typed, after=after, delay=delay, timeout=2)
        expect(s.run("query", "default", "-q", "{ a }")[0] == 5, f"an early yes counts, {delay} s after '{after}'")
    s.terminal("trust", typed=b"y", after="[y/N]", later=b"\r")
    expect(s.run("query", "default", "-q", "{ a }")[0] == 5, "an early y and a late Enter count")
    _, shown = s.terminal("trust", typed=b"n\r", after="[y/N]", delay=0.8)
    expect(s.run("query", "default", "-q", "{ a }")[0] == 5, f"'n' was trusted: {shown}")
    s.terminal("trust", typed=b"y\r", after="[y/N]", delay=0.8)
    expect(s.run("query", "default", "-q", "{ a }")[0] == 0, "a typed y is not taken")


@promise
def trusted_project_sends_only_what_was_shown(s):
    canary = s.canary()
    s.write("query.graphql", "{ a }\n")
    s.write(".graphqlrc.yml", f'schema: [{{ "{canary.url}": {{ headers: {{ X-Key: "${{CANARY}}" }} }} }}]\n')
    s.run("trust", "--yes")
    expect(s.run("validate", "query.graphql")[0] == 0 and canary.requests, "the trusted schema is not requested")
    before = len(canary.requests)
    s.write(".graphqlrc.yml", s.read(".graphqlrc.yml").replace("X-Key", "X-Kez"))
    s.run("validate", "query.graphql")
    expect(len(canary.requests) == before, "a changed file is still trusted")


@promise
def nested_default_sends_no_variable_that_was_not_shown(s):
    canary = s.canary()
    s.write("query.graphql", "{ a }\n")
    for text in ("${NONE:$CANARY}", "${NONE:${CANARY}}", "${NONE:$${CANARY}}", "${NONE:\"$\"CANARY}", "$${CANARY}",
                 "$${NONE:{CAN\"\"ARY}}", "${NONE:$}{CAN\"\"ARY}", "${NO${NONE:NE:}CANARY}"):
        s.write(".graphqlrc.yml", f"schema: [{{ \"{canary.url}\": {{ headers: {{ X-Key: '{text}' }} }} }}]\n")
        _, shown, _ = s.run("trust", "--yes")
        s.run("validate", "query.graphql")
        for value in canary.header("X-Key"):
            # The line that is shown names each variable that is sent.
            expect(value is None or SECRET not in value or "CANARY" in shown, f"{text} sent {value}:\n{shown}")
        if "${CANARY}" not in text:
            expect(all(SECRET not in (value or "") for value in canary.header("X-Key")), f"{text} was resolved twice")
        canary.requests.clear()


@promise
def question_of_the_explorer_shows_everything_before_a_yes(s):
    canary = s.canary()
    headers = ", ".join(f'X-{n:03}: "${{CANARY}}"' for n in range(60))
    s.write(".graphqlrc.yml", f"extensions:\n  endpoints:\n    default: {{ url: \"{canary.url}\", headers: {{ {headers} }} }}\n")
    screen = s.screen()
    screen.wait("Trust")
    screen.keys("y")
    screen.type("y")
    time.sleep(0.5)
    s.expect_silence()
    seen = ""
    for _ in range(80):
        seen += screen.text()
        screen.keys("Down")
        time.sleep(0.02)
    seen += screen.text()
    for n in range(60):
        expect(f"X-{n:03}" in seen, f"X-{n:03} cannot be scrolled to")
    screen.answer("y")
    s.wait_for(lambda: canary.requests, "a yes after the end was shown is not taken")


@promise
def declined_project_does_not_refuse_another_url(s):
    canary, other = s.canary(), s.canary()
    s.write(".graphqlrc.yml", f"extensions: {{ endpoints: {{ default: {{ url: '{canary.url}', headers: {{ X: '${{CANARY}}' }} }} }} }}\n")
    screen = s.screen()
    screen.wait("Trust")
    screen.keys("n", "M-s")
    screen.type(other.url)
    screen.keys("Enter")
    s.wait_for(lambda: other.requests, "the URL is refused after a no to the project")
    expect(not canary.requests, "a declined project was sent a request")


@promise
def generate_keeps_the_headers_of_a_url_to_it(s):
    one, two, third = s.canary(), s.canary(), s.canary()
    s.write("query.graphql", "query Q { a }\n")
    s.write("apus-generate.yml", f"""
schema:
  - "{one.url}":
      headers: {{ X-One: "${{CANARY}}" }}
  - "{two.url}"
documents: query.graphql
output: out
""")
    s.run("generate")
    s.expect_silence()
    s.run("trust", "--yes", "apus-generate.yml")
    s.run("generate")
    s.run("generate", third.url)
    expect(all(v is None for v in two.header("X-One") + third.header("X-One")), "a header went to another URL")


@promise
def generate_reads_nothing_of_other_users(s):
    canary = s.canary()
    shared = s.make("shared")
    s.write(f"{shared}/apus-generate.yml", f"schema: '{canary.url}'\ndocuments: q.graphql\noutput: out\n")
    s.write(f"{shared}/q.graphql", "query Q { a }\n")
    os.chmod(shared, 0o777)
    code, _, errors = s.run("generate", cwd=shared)
    expect(code not in (0, 1) and not os.path.exists(f"{shared}/out"), f"{code}: {errors}")
    s.expect_silence()


@promise
def links_do_not_lead_out_of_the_project(s):
    outside = s.write(f"{s.outside}/a.graphql", "{a}")
    s.write(".graphqlrc.yml", "schema: schema.graphql\ndocuments: '**/*.graphql'\n")
    s.write("schema.graphql", SDL)
    s.write("q.graphql", "query   Q{a}")
    os.symlink(s.outside, f"{s.project}/folder")
    os.symlink(outside, f"{s.project}/file.graphql")
    for words in (["format", "."], ["format"], ["format", "**/*.graphql"]):
        s.run(*words)
        expect(open(outside).read() == "{a}", f"{' '.join(words)} rewrote a file outside the project")
    expect(s.read("q.graphql") == "query Q {\n  a\n}\n", "the project's own file is not formatted")
    os.remove(f"{s.project}/.graphqlrc.yml")
    s.run("format", ".")
    expect(open(outside).read() == "{a}", "without a configuration file: rewritten")


@promise
def file_that_changes_is_not_replaced(s):
    path = s.write("big.graphql", "".join(f"query Q{n}{{a b c}}\n" for n in range(400_000)))
    process = s.start("format", "big.graphql")
    size = os.path.getsize(path)

    def has_read():
        with open(f"/proc/{process.pid}/io", encoding="ascii") as counts:
            return int(counts.readline().split()[1]) > size

    s.wait_for(has_read, "the file was not read", timeout=60)
    os.replace(s.write("other.graphql", "{ theirs }\n"), path)
    _, errors = process.communicate(timeout=120)
    expect(process.returncode == 5 and b"another program changed" in errors, f"{process.returncode}: {errors}")
    expect(s.read("big.graphql") == "{ theirs }\n", "the change of another program was lost")
    expect(os.listdir(s.project) == ["big.graphql"], f"left: {os.listdir(s.project)}")


@promise
def language_server_stays_in_the_project(s):
    s.write("schema.graphql", SDL)
    secret = s.write(f"{s.outside}/f.graphql", "fragment Shared on Query { a }\n")
    os.symlink(s.outside, f"{s.project}/folder")
    os.symlink("/", f"{s.project}/everything")
    text = "fragment Shared on Query { a }\nquery Q { ...Shared }\n"
    path = s.write("q.graphql", text)
    client = LanguageClient(s)
    begin = time.monotonic()
    client.open(path, text)
    expect(time.monotonic() - begin < 5, "a link to / is walked through")
    edit = client.request("textDocument/rename", {
        "textDocument": {"uri": f"file://{path}"}, "position": {"line": 0, "character": 11}, "newName": "Other"})
    expect("/folder/" not in json.dumps(edit) and s.outside not in json.dumps(edit), f"an edit outside: {edit}")
    expect(secret and "Other" in json.dumps(edit), f"no rename: {edit}")


@promise
def sibling_with_another_normalization_is_outside(s):
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    os.makedirs(s.path(composed))
    os.makedirs(s.path(decomposed))
    s.write(s.path(composed, "schema.graphql"), SDL)
    s.write(s.path(composed, "q.graphql"), "query Q { a }\n")
    for output in (f"../{decomposed}/out", f"{s.path(decomposed)}/out"):
        s.write(s.path(composed, "apus-generate.yml"), f"schema: schema.graphql\ndocuments: q.graphql\noutput: '{output}'\n")
        s.run("generate", cwd=s.path(composed))
        expect(not os.listdir(s.path(decomposed)), "a sibling folder was written to")
    victim = s.write(s.path(decomposed, "v.graphql"), "{a}")
    s.write(s.path(composed, ".graphqlrc.yml"), f"schema: schema.graphql\ndocuments: ['../{decomposed}/*.graphql']\n")
    s.run("format", cwd=s.path(composed))
    expect(open(victim).read() == "{a}", "a document of a sibling folder was rewritten")


@promise
def pipes_and_huge_files_block_no_command(s):
    s.write("schema.graphql", SDL)
    s.write("q.graphql", "query Q { a }\n")
    os.mkfifo(f"{s.project}/pipe.graphql")
    os.symlink("/dev/zero", f"{s.project}/zero.graphql")
    with open(f"{s.project}/huge.graphql", "wb") as huge:
        huge.truncate(3 << 30)
    s.write(".graphqlrc.yml", "schema: schema.graphql\ndocuments: [q.graphql, pipe.graphql, zero.graphql, huge.graphql]\n")
    for words in (["validate"], ["bundle"], ["format", "--check"], ["coverage"], ["validate", "q.graphql"],
                  ["complete", "--at", "1:1", "q.graphql"], ["generate"]):
        begin = time.monotonic()
        s.run(*words, timeout=20)
        expect(time.monotonic() - begin < 5, f"{' '.join(words)} took {time.monotonic() - begin:.1f} s")


@promise
def configuration_that_others_may_write_is_refused(s):
    canary = s.canary()
    path = s.config(f"profiles: {{ p: {{ url: \"{canary.url}\" }} }}\n", 0o666)
    code, _, errors = s.run("query", "p", "-q", "{ a }")
    expect(code != 0 and "chmod" in errors, f"{code}: {errors}")
    _, output, errors = s.run("doctor")
    expect("chmod" in output + errors, "doctor approves it")
    s.expect_silence()
    os.chmod(path, 0o600)
    expect(s.run("query", "p", "-q", "{ a }")[0] == 0, "a private file is refused")
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)
        expect(s.run("query", "p", "-q", "{ a }")[0] != 0, "another user's file is used")


@promise
def names_in_a_folder_reach_the_terminal_without_control_characters(s):
    s.write("a\x1b]0;title\x07\x1b[31m.graphql", "{ ")
    _, shown = s.terminal("validate", ".")
    expect("\x1b]0;" not in shown and "\x1b[31m" not in shown, repr(shown))
    _, output, errors = s.run("validate", ".")
    expect("\x1b" not in output + errors, repr(output + errors))


@promise
def repository_with_a_configuration_of_its_own_runs_nothing(s):
    git = f"cd {s.project} && git init -q . && git config user.email a@b.c && git config user.name n"
    s.write("schema.graphql", SDL)
    os.system(f"{git} && git add . && git commit -qm one")
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "filter.x.smudge"):
        os.system(f"cd {s.project} && git config {name} 'touch {s.canary_file}'")
    s.run("schema", "diff", "HEAD:schema.graphql", "schema.graphql")
    s.expect_harmless()


# A server


@promise
def response_reaches_the_terminal_without_control_characters(s):
    canary = s.canary(answer={"data": {"a": "\x1b]0;title\x07\x1b[2J"}, "errors": [{"message": "\x1b[2J\x9b2J"}]})
    for output in ("json", "ndjson", "yaml", "table", "csv"):
        _, shown = s.terminal("query", canary.url, "-q", "{ a }", "--output", output)
        expect("\x1b]0;" not in shown and "\x1b[2J" not in shown and "\x9b" not in shown, f"{output}: {shown!r}")


@promise
def redirect_to_another_origin_gets_no_header(s):
    other = s.canary()
    first = s.canary(answer=lambda _: (307, [("Location", other.url)], b""))
    s.run("query", first.url, "-q", "{ a }", "-H", f"Authorization: Bearer {SECRET}", "-H", f"X-Key: {SECRET}")
    expect(first.requests and SECRET not in other.text(), "a header followed the redirect")


@promise
def echoed_secret_is_in_no_file(s):
    variable = "variable-9876543210fedcba"
    canary = s.canary(answer=lambda body: {"data": {
        "a": body, "b": SECRET + "\\/", "viewer": {"name": f"Bearer {variable}", "token": SECRET}}})
    s.config(f"profiles: {{ p: {{ url: \"{canary.url}\", headers: {{ X-Plain: \"$CANARY\" }} }} }}\n")
    s.write("q.graphql", "query ($token: String) { a b viewer { name token } }\n")
    screen = s.screen("p", "-f", "q.graphql")
    screen.wait("1 Query")
    screen.keys("M-2")
    screen.type(f'{{"token": "{variable}')
    screen.keys("F5")
    s.wait_for(lambda: variable in canary.text(), "the request was not sent")
    screen.wait("Bearer variable")
    time.sleep(1.5)
    screen.keys("C-q")
    time.sleep(1)
    for path, data in s.files():
        for secret in (SECRET, variable):
            expect(secret.encode() not in data, f"{secret} is in {path}")
    expect(any("apus" in path for path, _ in s.files()), "nothing was saved")


@promise
def headers_stay_with_the_origin_they_were_typed_for(s):
    one, two = s.canary(), s.canary()
    s.config(f"profiles: {{ one: {{ url: \"{one.url}\" }}, two: {{ url: \"{two.url}\" }} }}\n")
    s.write("q.graphql", "{ a }\n")
    screen = s.screen("one", "-f", "q.graphql")
    screen.wait("1 Query")
    screen.keys("M-6")
    screen.type(f"Authorization: Bearer {SECRET}")
    screen.keys("F5")
    s.wait_for(lambda: SECRET in one.text(), "the header was not sent to its own server")
    screen.keys("M-s")
    time.sleep(0.5)
    screen.type("two")
    time.sleep(0.3)
    screen.keys("Enter")
    time.sleep(0.7)
    screen.answer("n")
    screen.keys("F5")
    time.sleep(1.5)
    expect(SECRET not in two.text(), "the header followed to another server")


@promise
def saved_schema_holds_no_secret(s):
    def answer(body):
        if "__schema" not in body:
            return {"data": {"a": 1}}
        document = json.loads(s.introspection())
        document["data"]["__schema"]["types"][0]["description"] = f"Sent with {SECRET}"
        return document
    canary = s.canary(answer=answer)
    s.config(f"profiles: {{ p: {{ url: \"{canary.url}\", headers: {{ X-Plain: \"$CANARY\" }} }} }}\n")
    screen = s.screen("p")
    screen.wait("1 Query")
    s.wait_for(lambda: "__schema" in canary.text(), "the schema was not requested")
    time.sleep(1.5)
    screen.keys("C-q")
    time.sleep(1)
    for path, data in s.files():
        expect(SECRET.encode() not in data, f"the secret is in {path}")


@promise
def import_writes_no_credential(s):
    target = s.make("taken")
    collection = {
        "info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
        "item": [{"name": f"r{n}", "request": {
            "method": "POST", "url": "https://a.example/graphql", "auth": auth,
            "body": {"mode": "graphql", "graphql": {"query": "{ a }"}}}} for n, auth in enumerate([
                {"type": "apikey", "apikey": [{"key": "key", "value": "X-Unheard-Of"}, {"key": "value", "value": SECRET}]},
                {"type": "apikey", "apikey": [{"key": "key", "value": "q"}, {"key": "value", "value": SECRET},
                                              {"key": "in", "value": "query"}]},
                {"type": "bearer", "bearer": [{"key": "token", "value": SECRET}]},
                {"type": "basic", "basic": [{"key": "username", "value": "u"}, {"key": "password", "value": SECRET}]},
            ])]}
    s.write("c.json", json.dumps(collection))
    s.run("import", "c.json", "--to", target)
    for path, data in s.files(target):
        expect(SECRET.encode() not in data, f"the secret is in {path}: {data[:400]}")
    expect(any(True for _ in s.files(target)), "nothing was imported")


@promise
def text_of_a_project_ends_no_line_of_a_report(s):
    planted = "\n::error file=x::planted\n"
    s.write("schema.graphql", SDL + 'extend type Query { old: Int @deprecated(reason: "a\\n::error file=x::planted") }\n')
    s.write(f"q/a{planted}.graphql", "query Q { missing old }\n")
    s.write(f"broken/b{planted}.graphql", "{ a ")
    s.write(f"long/c{planted}.graphql", "{a}")
    forms = [["--output", form] for form in ("text", "github", "junit")]
    for words in [["validate", "--schema", "schema.graphql", *form, "q"] for form in forms] + [
            ["validate", "--schema", "schema.graphql", "broken"], ["validate", "--schema", "schema.graphql", planted],
            ["format", "--check", "long"], ["format", "broken"], ["coverage", "--schema", "schema.graphql", "q"],
            ["schema", "lint", "schema.graphql", "--output", "github"], ["schema", "lint", "."], ["import", planted]]:
        code, output, errors = s.run(*words)
        expect(code != 0 or words[0] == "coverage", f"{' '.join(words)} found nothing")
        lines = (output + errors).splitlines()
        expect(not any(line.startswith("::error file=x") for line in lines), f"{' '.join(words)}: {output}{errors}")
    s.write(".graphqlrc.yml", "projects: { \"a\\n::error file=x::planted\": { schema: schema.graphql, documents: 'q/*' },"
                              " b: { schema: schema.graphql, documents: [] } }\n")
    for words in (["validate"], ["coverage"], ["bundle"], ["doctor"], ["trust", "--show"]):
        _, output, errors = s.run(*words)
        lines = (output + errors).splitlines()
        expect(not any(line.startswith("::error file=x") for line in lines), f"{' '.join(words)}: {output}{errors}")


@promise
def audit_report_has_no_secret_and_no_mutation_is_sent(s):
    def answer(body):
        return (200, [], s.introspection_with_mutation()) if "__schema" in body else {"data": {"a": SECRET}}

    canary = s.canary(answer=answer)
    code, output, errors = s.run(
        "audit", canary.url, "-H", "Authorization: Bearer $CANARY", "--output", "json", "--report", "report", timeout=120)
    expect(canary.requests and SECRET in canary.text(), f"{code}: {errors}")
    expect(SECRET not in output + errors, "the secret is in the output")
    for path, data in s.files(s.project):
        expect(SECRET.encode() not in data, f"the secret is in {path}")
    for _, _, body in canary.requests:
        expect("removeAll" not in body or "__schema" in body, f"a mutation was sent: {body[:300]}")


@promise
def import_takes_time_in_proportion_to_its_files(s):
    s.write("r.http", "###\nPOST http://127.0.0.1/\n\n{\"query\":\"{ a }\"}\n" * 20_000)
    before = processor_time()
    code, _, errors = s.run("import", "r.http", "--to", "out", timeout=300)
    expect(code == 0 and processor_time() - before < 30, f"{code}, {processor_time() - before:.1f} s: {errors[:300]}")


@promise
def generated_models_have_a_limit(s):
    s.write("schema.graphql", SDL)
    s.write("apus-generate.yml", "schema: schema.graphql\ndocuments: q.graphql\noutput: out\n")
    fragments = [f"fragment F{n} on Query {{ a ...F{n + 1} }}\n" for n in range(20_000)]
    s.write("q.graphql", "".join(fragments) + "fragment F20000 on Query { a }\n")
    before = processor_time()
    code, _, errors = s.run("generate", timeout=300)
    expect(code == 1 and "too large" in errors, f"{code}: {errors[:300]}")
    expect(processor_time() - before < 60, f"it computed for {processor_time() - before:.1f} s")
    expect(not os.path.exists(f"{s.project}/out"), "files were written")


# Other users and other programs on this machine


@promise
def file_that_is_no_cache_is_left_alone(s):
    for name, data in (("notes.txt", b"notes"), ("other.sqlite", b"SQLite format 3\0" + bytes(4080)), ("empty", b"")):
        path = s.write(name, data)
        for words in (["cache", "keys"], ["cache", "gc"], ["query", "http://127.0.0.1:9/", "-q", "{ a }"]):
            s.run(*words, "--db", path)
            with open(path, "rb") as file:
                expect(not data or file.read() == data, f"{' '.join(words)} changed {name}")


@promise
def files_of_the_user_are_private(s):
    canary = s.canary()
    s.run("query", canary.url, "-q", "{ a }", "--db", f"{s.home}/c.sqlite", "--record", f"{s.home}/r.ndjson")
    screen = s.screen(canary.url)
    screen.wait("1 Query")
    screen.keys("C-q")
    time.sleep(1)
    for path, _ in s.files():
        expect(os.stat(path).st_mode & 0o077 == 0, f"{path} is {oct(os.stat(path).st_mode)}")


def ask(url, **headers):
    request = urllib.request.Request(url, b'{"query":"{ __typename }"}', {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, dict(answer.headers.items())
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers.items())


@promise
def mock_server_answers_no_web_page(s):
    schema = s.write("schema.graphql", SDL)
    process = s.start("serve", "--schema", schema)
    url = process.stdout.readline().decode().strip().split()[-1]
    expect(ask(url)[0] == 200, "a plain request is refused")
    expect(ask(url, Host="localhost:80")[0] == 200, "localhost is refused")
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example"):
        expect(ask(url, Host=host)[0] in (403, 421), f"Host {host} is answered")
    status, headers = ask(url, Origin="https://evil.example")
    expect("access-control-allow-origin" not in {n.lower() for n in headers}, f"CORS headers: {headers}")
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol": "graphql-transport-ws"}
    import http.client
    from urllib.parse import urlparse
    for origin, accepted in (("https://evil.example", False), ("null", False), (None, True)):
        connection = http.client.HTTPConnection(urlparse(url).netloc, timeout=10)
        connection.request("GET", urlparse(url).path, headers={**upgrade, **({"Origin": origin} if origin else {})})
        expect((connection.getresponse().status == 101) == accepted, f"Origin {origin} on an upgrade")
        connection.close()


def processor_time():
    """The seconds that the processes that ended have computed."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@promise
def signal_stops_a_command_that_computes(s):
    s.write("schema.graphql", SDL)
    variables = ", ".join(f"$v{n}: Int" for n in range(1_000_000))
    s.write("big.graphql", f"query Q({variables}) {{ a }}\n")
    before = processor_time()
    process = s.start("validate", "--schema", "schema.graphql", "big.graphql")
    time.sleep(0.7)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    expect(process.returncode == 143, f"it ended with {process.returncode}")
    # A busy machine lets it compute later, but no longer.
    used = processor_time() - before
    expect(used < 2, f"it computed for {used:.1f} s")


@promise
def readers_take_time_in_proportion_to_their_input(s):
    s.write("schema.graphql", SDL)
    s.write("q.graphql", "{ a }\n")
    tables = "".join(f"[[projects.x]]\nschema = \"s{n}\"\n" for n in range(24000))
    s.write("toml/graphql.config.toml", tables)
    s.write("toml/q.graphql", "{ a }\n")
    choices = ",".join(f"f{n}" for n in range(20000))
    s.write("pattern/.graphqlrc.yml", f"schema: schema.graphql\ndocuments: ['{{{choices}}}.graphql']\n")
    s.write("pattern/schema.graphql", SDL)
    s.write("pattern/f1.graphql", "{ a }\n")
    variables = ", ".join(f"$v{n}: Int" for n in range(40000))
    s.write("big.graphql", f"query Q({variables}) {{ a }}\n")
    for folder, words in (("toml", ["validate", "q.graphql"]), ("toml", ["completions", "profiles"]),
                          ("pattern", ["validate"]), ("", ["validate", "--schema", "schema.graphql", "big.graphql"])):
        before = processor_time()
        s.run(*words, cwd=os.path.join(s.project, folder), timeout=60)
        expect(processor_time() - before < 3, f"{folder} {' '.join(words)} took {processor_time() - before:.1f} s")


def main(words):
    if words == ["--list"]:
        return print("\n".join(check.__name__ for check in CHECKS))
    unknown = set(words) - {check.__name__ for check in CHECKS}
    if unknown:
        sys.exit(f"unknown checks: {', '.join(sorted(unknown))}; --list prints all")
    failed = 0
    chosen = [check for check in CHECKS if not words or check.__name__ in words]
    for check in chosen:
        sandbox, begin, problem = Sandbox(), time.monotonic(), None
        try:
            check(sandbox)
        except Failed as error:
            problem = str(error)
        except Exception:  # A check that breaks is a failure that names its line.
            problem = traceback.format_exc()
        finally:
            sandbox.close()
        failed += problem is not None
        print(f"{'FAILED' if problem else 'ok':6} {check.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
        if problem:
            print("       " + problem.replace("\n", "\n       "), flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main(sys.argv[1:])
