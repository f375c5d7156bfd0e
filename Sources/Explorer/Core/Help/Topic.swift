/// A help topic, shown in the explorer and by `apus help NAME`. `<name>` in its text is replaced by the current key of
/// the command with that name.
package struct Topic: Equatable, Sendable {
  package let name: String
  package let title: String
  private let source: String

  init(_ name: String, _ title: String, _ source: String) {
    self.name = name
    self.title = title
    self.source = source
  }

  /// A number of lines that the text does not exceed at any usable width.
  var lineLimit: Int { 200 + source.utf8.count / 8 }

  /// Returns the first topic that mentions a command.
  package static func about(_ command: Command) -> Topic? { all.first { $0.commands.contains(command) } }

  func mentions(_ query: String) -> Bool { "\(name) \(title) \(source)".lowercased().contains(query) }

  /// Returns the text with keys filled in. Paragraphs and lists are separated by lines; a line that starts with two
  /// spaces must not be wrapped.
  package func text(key: (Command) -> String?) -> String {
    pieces.map { piece in
      switch piece {
      case .words(let words): String(words)
      case .command(let command): key(command) ?? "‘\(command.title)’ in the palette"
      }
    }.joined()
  }

  /// Commands that the topic mentions.
  package var commands: Set<Command> {
    Set(pieces.compactMap { piece in if case .command(let command) = piece { command } else { nil } })
  }

  private enum Piece {
    case words(Substring)
    case command(Command)
  }

  private var pieces: [Piece] {
    var pieces: [Piece] = []
    var rest = source[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      pieces.append(.words(rest[..<start]))
      let name = String(rest[rest.index(after: start)..<end])
      pieces.append(Command.named(name).map { .command($0) } ?? .words(rest[start...end]))
      rest = rest[rest.index(after: end)...]
    }
    pieces.append(.words(rest))
    return pieces
  }
}

extension Topic {
  package static let all = [
    firstSteps, deferred, cache, paging, comparing, errors, audits, requests, profiles, signIn, files, trust,
  ]

  static let firstSteps = Topic(
    "first-steps", "First steps",
    """
    Write a query in the query pane, or let Apus write it: <openFields> lists the fields to tick, and <openSchema> opens
    the schema. Completions appear as you type; Tab accepts one. <showHover> explains the name under the cursor.

    <runOperation> runs the operation under the cursor. <focusResponse> goes to the response and <nextPane> to the next pane.
    Enter opens the selected row, and Esc closes the topmost popup.

    <showPalette> finds every command by name and says why a command is unavailable. <showHelp> lists the keys of the
    focused pane. The footer shows the most useful ones.

    <pickEndpoint> opens another endpoint in this tab: a profile, a URL or the demo API. Other tabs keep theirs. Apus saves
    the session and restores it at the next start.
    """)

  static let deferred = Topic(
    "deferred", "Deferred fragments and streams",
    """
    With `... @defer(label: "name") { }` a server can send part of the response later, and with `@stream(initialCount: 2)` the
    remaining items of a list. The response shows a placeholder until the data arrives, and then marks the new rows.

    <focusDeferred> shows a timeline: one bar per fragment from its announcement to its arrival, with a tick for each payload.
    Enter goes to the data or the error, `s` sorts, `/` filters, `f` goes to the next failure, and `t` to the slowest one.

    <previousPayload> and <nextPayload> step through the payloads in the order of arrival: response, fragments and cache are shown as
    they were then. <showTraffic> shows the raw payloads. `s` in the response shows which payload brought each field.

    A server without @defer rejects the directive or sends everything in one response. Apus reads two incremental formats:
    20220824 and v0.2.
    """)

  static let cache = Topic(
    "cache", "The cache",
    """
    The cache splits each response into records, one for each object with a key (the type and its id). Queries for the same
    object share its record: a change by one updates the others.

    <focusCache> shows the records: Enter opens a record and follows its references, `r` lists the records that refer to it, `/`
    filters, `t` opens the history of writes, `d` evicts, `e` edits, and `u` undoes a change.

    <pickCachePolicy> selects the cache policy: network only, cache first, network first, cache and network, or cache only.
    <showCacheUse> shows the cache hits and misses of a run, with the reason of each miss.

    `cacheKeys` in config.yml selects other key fields. An object without a key is stored under its path.
    """)

  static let paging = Topic(
    "paging", "Lists with pages",
    """
    The response marks a list with more pages, and the title shows the number of items. <nextPage> loads the next page and
    appends it, <previousPage> loads the previous page, and <allPages> loads all pages; <copyOrCancel> stops.

    Apus supports connections (edges, pageInfo with endCursor) and lists with offset and limit. <offerPaging> adds missing
    fields and arguments to the query. If there are several lists, the keys apply to the one around the selected row;
    <choosePagedList> selects another.
    """)

  static let comparing = Topic(
    "comparing", "Comparing responses",
    """
    <comparePrevious> compares the response with that of the previous run: + is new, - is removed, ~ is changed, and > has moved
    in its list. Items are matched by id, so inserting one does not mark the rest as changed. <nextDifference> and
    <previousDifference> go to the next and the previous difference.

    <pinResponse> pins a response: later responses, from any tab or endpoint, appear next to it, with the differences marked in
    both.

    <runOnOtherEndpoint> also runs the operation on another endpoint, pins this response and shows the other one next to it. That
    run has a tab and the headers of the other endpoint; it does not send the headers of this tab.

    The history (<showHistory>) compares with any earlier run.
    """)

  static let errors = Topic(
    "errors", "When something is wrong",
    """
    In the editor, errors are underlined: <nextProblem> goes to the next one, <showActions> offers fixes, and <listProblems> lists
    all of them. You can run the operation anyway.

    In the response, errors appear next to the fields of their paths, and <showErrors> lists them. Data that arrived
    with an error is kept. An error with a path means that one field failed and is null. An error without a path and a response
    without data mean that nothing was executed: the document or its variables were refused.

    If the request fails, or the response is not GraphQL, the status line says why, and <showTraffic> shows the bytes that were
    sent and received. An invalid payload does not discard the payloads before it.
    """)

  static let audits = Topic(
    "audits", "Audits of a server",
    """
    <showAudits> checks the open server against the specifications: HTTP, errors, incremental delivery, subscriptions, uploads,
    persisted queries and paging. Apus asks first: it sends up to 500 requests, one at a time, and no mutations.

    Findings are at the top of the list: a failed MUST breaks a rule, a failed SHOULD a recommendation. Enter shows the rule
    with its source, the request, and the bytes of the response that violate it. `r` runs the audits again, Esc closes the list
    while they run, and <cancelAudit> cancels them.

    `apus audit URL` does the same in a shell, sends the mutations of a file that you name, and writes reports for CI.
    Docs/Audits.md describes the results.
    """)

  static let requests = Topic(
    "requests", "Requests of an application",
    """
    `apus tap URL` forwards the requests of an application to its server, byte for byte, and lists them as they arrive.
    Give the application the URL at the top of the list in place of the server's. <showRequests> shows the list at any time.

    Enter opens a request in a tab that follows its response: deferred fragments, the timeline and <showTraffic> work as for a request of
    your own. The cache pane has the cache that the application would have, and names the request of each write.

    <runOperation> in such a tab sends the request as your own. Apus asks before it sends headers of the application.

    <editRules> in the list sets rules that delay, fail or drop payloads of later requests, or hold them until you release them.

    Docs/HowTo/Tap.md has the settings of clients and all rules.
    """)

  static let profiles = Topic(
    "profiles", "Profiles and headers",
    """
    A profile in ~/.config/apus/config.yml gives an endpoint a name and settings:

      profiles:
        birds:
          url: https://birds.example/graphql
          production: true
          headers:
            Authorization: Bearer $BIRDS_TOKEN

    `apus birds` opens it in a shell, and <pickEndpoint> in the explorer. With `production: true` it is shown in red, and Apus
    asks before each mutation.

    If the server rejects the value of a $(command) of a profile, Apus runs the command once more; <renewCredentials> runs it at
    any time.

    The headers pane (<focusHeaders>) has the headers of this tab. $NAME and $(command) are resolved when a request is sent, and
    their values are never stored.
    """)

  static let signIn = Topic(
    "sign-in", "Sign in",
    """
    `auth` of a profile gets the credentials of each request, renews them before they expire, and keeps them out of every file:

      profiles:
        birds:
          url: https://birds.example/graphql
          auth:
            type: oauth2
            grant: device-code
            issuer: https://login.example
            client-id: apus

    grant is device-code (a code that you enter on any device), authorization-code (the browser of this machine) or
    client-credentials (no person). Other types are bearer, basic, api-key, command and operation (a login mutation).

    When the endpoint needs you, a dialog shows the page and the code. <signIn> opens it again, <signOut> removes the tokens, and
    <renewCredentials> renews them. In a shell: `apus login birds`, `apus logout birds`.

    Tokens are kept in the keyring of your session, or in memory if there is none. `extends: birds` lets other profiles share the
    sign-in. Docs/HowTo/SignIn.md has an example for each kind.
    """)

  static let files = Topic(
    "files", "Files",
    """
    <saveFile> saves the query and its variables as name.graphql and name.variables.json, and <openFile> opens a .graphql
    file of the current directory. If another program changes an open file, Apus tells you and never overwrites it silently.

    A graphql-config file (.graphqlrc.yml and others) in the directory or above names the schema, documents and endpoints. The
    query can use fragments of these documents.

    Apus saves a session for each endpoint and the history of runs, readable only by you. <importRequest> imports a curl command,
    and <editExternally> opens the text in your editor.
    """)

  static let trust = Topic(
    "trust", "Trust",
    """
    A project's own files may come from a stranger. Apus shows every request that they cause and asks once: scroll to the end
    of the list to answer. If a file changes, Apus asks again. `apus trust` does the same in a shell. Commands in such
    a file are never run.

    Control characters in a response never reach your terminal. Files are uploaded only from the directory of the document;
    for others, Apus asks. Secrets are not written to the history, recordings or exports.

    Docs/Security.md lists all promises.
    """)
}
