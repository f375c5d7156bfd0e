/// A short text to read in the explorer and by `apus help NAME`. `<name>` stands for the key of the command with that name,
/// so that it is the key that does it here.
package struct Topic: Equatable, Sendable {
  package let name: String
  package let title: String
  private let source: String

  init(_ name: String, _ title: String, _ source: String) {
    self.name = name
    self.title = title
    self.source = source
  }

  package static func named(_ name: String) -> Topic? { all.first { $0.name == name } }

  /// The first one that speaks of a command.
  package static func about(_ command: Command) -> Topic? { all.first { $0.commands.contains(command) } }

  func mentions(_ wanted: String) -> Bool { "\(name) \(title) \(source)".lowercased().contains(wanted) }

  /// The text with keys in it, paragraphs and lists by lines; what is not to be broken begins with two blanks.
  package func text(key: (Command) -> String?) -> String {
    pieces.map { piece in
      switch piece {
      case .words(let words): String(words)
      case .command(let command): key(command) ?? "‘\(command.title)’ in the palette"
      }
    }.joined()
  }

  /// The commands that it speaks of.
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
    firstSteps, deferred, cache, paging, comparing, errors, audits, profiles, files, trust,
  ]

  static let firstSteps = Topic(
    "first-steps", "First steps",
    """
    Write a query at the top left, or take one that is made for you: <openFields> opens the fields to tick, <openSchema> the
    schema. Names are proposed as you type; Tab takes one. <showHover> tells what is at the cursor.

    <runOperation> runs the operation under the cursor. <focusResponse> goes to the response, <nextPane> through all panes,
    Enter opens what is selected, Esc leaves what lies on top.

    <showPalette> finds every command by its name and says why one cannot be done now; <showHelp> shows the keys of the
    place that you are in. What a key does is at the foot of the screen.

    <pickEndpoint> opens another endpoint: a profile, a URL, or the demo to try everything with. All that is open is there
    again the next time.
    """)

  static let deferred = Topic(
    "deferred", "Deferred fragments and streams",
    """
    `... @defer(label: "name") { }` lets the server send a part of the response later, `@stream(initialCount: 2)` the rest of a
    list. What is still on its way has a place in the response; when it lands, it is marked.

    <focusDeferred> shows all of them on one axis of time: a bar from the request to the arrival, a tick for each part. Enter
    goes to the content or the error.

    <previousPart> and <nextPart> step through the parts as they came: response, fragments and cache are then what they were.
    <showTraffic> has the raw parts. `s` in the response marks which part brought a field.

    A server that does not know @defer refuses it, or sends all at once. Two wire formats are understood: 20220824 and v0.2.
    """)

  static let cache = Topic(
    "cache", "The cache",
    """
    Every response is taken apart into records, one for each object that has a key (its type with its id). Two queries that
    ask for the same object share its record: a change of one is seen in the other.

    <focusCache> shows the records: Enter opens one and follows its references, `r` tells who refers to it, `/` filters, `t`
    is the time line of what was written, `d` evicts, `e` edits, `u` takes a change back.

    <pickCachePolicy> chooses where queries look: network only, cache first, network first, cache and network, cache only.
    <showCacheUse> tells what a run took from the cache, and what was missing in it and why.

    Which fields make the key is set in config.yml (cacheKeys). Without an id an object has a place in its parent's record.
    """)

  static let paging = Topic(
    "paging", "Lists with pages",
    """
    A list that can be paged has a sign in the response, and the title says how many items there are. <nextPage> loads the next
    page and puts it behind those that are there, <previousPage> the one before, <allPages> all of them; <copyOrCancel> stops.

    Connections (edges, pageInfo with endCursor) and lists with offset and limit are known. Where the query does not ask for
    what paging needs, <offerPaging> adds it. With several lists the one around the selected row is meant; <choosePagedList>
    chooses.
    """)

  static let comparing = Topic(
    "comparing", "Comparing responses",
    """
    <comparePrevious> compares the response with that of the run before: + is new, - is gone, ~ has changed, > stood elsewhere in
    its list. Items are told by their id, so that one more at the top does not change all behind it. <nextDifference> and
    <previousDifference> go from one to the next.

    <pinResponse> keeps a response: what comes next, from another run, another tab or another endpoint, stands beside it with
    the differences marked in both.

    <runElsewhereToo> runs the operation on another endpoint too: this one's response is kept, the other's is shown beside it.
    It runs in a tab of its own with that endpoint's headers; those written in this tab are not sent there.

    The history (<showHistory>) compares with any run that it keeps.
    """)

  static let errors = Topic(
    "errors", "When something is wrong",
    """
    In the text: what is wrong is underlined; <nextProblem> goes to the next problem, <showActions> offers what mends it,
    <listProblems> lists all. Nothing keeps you from running it all the same.

    In the response: errors of the server stand where their path points, and <showErrors> lists them whole. What
    arrived beside them is kept. With a path, one field failed and is null; without one, nothing was executed.

    Of the request: no answer, or one that is no GraphQL response. The line at the bottom says which, <showTraffic> shows what
    went over the wire. A part that breaks the protocol leaves the parts before it.
    """)

  static let audits = Topic(
    "audits", "Audits of a server",
    """
    <showAudits> checks the server that is open against the specifications: HTTP, errors, incremental delivery, subscriptions,
    uploads, persisted queries and paging. It asks first: up to 500 requests are sent, one at a time, and never a mutation.

    The findings come first as the audits run: a failed MUST breaks a rule, a failed SHOULD a recommendation. Enter on a row shows
    the rule with its source, the request, and the bytes of the response that decide. `r` audits again, Esc leaves the audits
    running, and <cancelAudit> cancels them.

    `apus audit URL` does the same in a shell, sends mutations that a file names, and writes reports for CI. Docs/Audits.md lists
    the audits.
    """)

  static let profiles = Topic(
    "profiles", "Profiles and headers",
    """
    A profile in ~/.config/apus/config.yml is a name for an endpoint with all that belongs to it:

      profiles:
        birds:
          url: https://birds.example/graphql
          production: true
          headers:
            Authorization: Bearer $BIRDS_TOKEN

    `apus birds` opens it, <pickEndpoint> goes there from here. `production: true` shows it in red and asks before a mutation.

    A $(command) in a profile runs again once when the server rejects the value; <renewCredentials> runs it at any time.

    <focusHeaders> holds header lines for the requests of this tab alone. $NAME and $(command) are filled in when they are sent,
    and kept nowhere.
    """)

  static let files = Topic(
    "files", "Files",
    """
    <saveFile> saves the query and its variables beside one another (name.graphql, name.json), <openFile> opens a .graphql file of
    this folder. A file that others change meanwhile is told of, and never written over silently.

    A graphql-config file (.graphqlrc.yml and its kin) here or above names schema, documents and endpoints; fragments of the
    other documents are known.

    What is open is kept for each endpoint, the history of runs beside it, both readable by you alone. <importRequest> takes over
    a curl command; <editExternally> opens a text in your editor.
    """)

  static let trust = Topic(
    "trust", "Trust",
    """
    A project's own file may be the work of a stranger. Everything it would send, and where to, is shown and asked once: scroll to the
    end of the list to answer. A changed file is asked about again. `apus trust` does the same in a shell. Commands in such a file are never run.

    Text of a server cannot reach your terminal as control characters. Files are only uploaded from the document's folder, others
    are asked about. Secrets are not written to the history, recordings or exports.

    Docs/Security.md has all of it.
    """)
}
