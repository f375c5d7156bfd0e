import ApusClientCache
import ApusClientFormats
import ApusClientNetwork
import ApusConfiguration
import ApusJSON
import ApusPlatform
import ApusSQLite

/// `apus cache`: inspects and edits a cache file, even while another program has it open.
struct CacheCommand: Sendable {
  enum Form: String, CaseIterable {
    case text, json
  }

  enum Action: String, CaseIterable {
    case keys, show, refs, evict, gc, stats, export, `import`

    /// The number of operands after the action.
    var operands: ClosedRange<Int> {
      switch self {
      case .keys, .gc, .stats, .export: 0...0
      case .show, .refs: 1...1
      case .evict: 1...Int.max
      case .import: 0...1
      }
    }

    var isWriting: Bool { [.evict, .gc, .import].contains(self) }
  }

  private let action: Action
  private let words: [String]
  private let file: String
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(CommandError) {
    let names = Action.allCases.map(\.rawValue)
    guard let action = Action(rawValue: arguments.operands[0]) else {
      let place = MisplacedArgument.owningOption(of: arguments.operands[0], in: arguments.command)
      let word = MisplacedArgument.shown(arguments.operands[0])
      throw .usage(
        place ?? "unknown action '\(word)'; the actions are \(names.joined(separator: ", "))", command: "cache")
    }
    words = Array(arguments.operands.dropFirst())
    guard action.operands.contains(words.count) else {
      let place = words.last.flatMap { MisplacedArgument.owningOption(of: $0, in: arguments.command) }
      throw .usage(
        action.operands.lowerBound > words.count
          ? "'cache \(action.rawValue)' needs a KEY"
          : place ?? "'cache \(action.rawValue)' takes fewer arguments", command: "cache")
    }
    guard let file = arguments.value("db") else {
      throw .usage("--db FILE is missing", command: "cache")
    }
    self.action = action
    self.file = file
    isJSON = arguments.choice("output", default: Form.text) == .json
  }

  func run() async throws(CommandError) -> ExitCode {
    let store = try await CacheFile.open(file, mode: action == .import ? .write : action.isWriting ? .change : .read)
    do {
      switch action {
      case .keys: return keys(try await store.snapshot())
      case .show: return show(try await store.snapshot())
      case .refs: return references(try await store.snapshot())
      case .stats: return statistics(try await store.snapshot())
      case .export:
        StandardStreams.output(JSONWriter.pretty(CacheExport.json(try await store.snapshot())) + "\n")
        return .success
      case .evict: return try await evict(store)
      case .gc: return try await collect(store)
      case .import: return try await importRecords(store)
      }
    } catch let failure as CommandError {
      throw failure
    } catch {
      throw .file("\(error)")
    }
  }

  // MARK: Looking

  private func keys(_ snapshot: CacheSnapshot) -> ExitCode {
    let keys = snapshot.summaries().map(\.key.text)
    print(lines: keys, json: { .object([("keys", .array(keys.map { JSONValue($0) }))]) })
    return .success
  }

  private func show(_ snapshot: CacheSnapshot) -> ExitCode {
    let key = CacheKey(words[0])
    guard let record = CacheExport.json(key, in: snapshot) else { return absent(key) }
    let replaced = snapshot.replacedFields(in: key).map { ("\($0.key).\($0.field)", "\($0.replacement)") }
    if isJSON {
      var members = [("key", JSONValue(key.text)), ("record", record)]
      if !replaced.isEmpty { members.append(("replaced", .object(replaced.map { ($0.0, JSONValue($0.1)) }))) }
      StandardStreams.output(JSONWriter.compact(.object(members)) + "\n")
    } else {
      let fields =
        record.members.map { name, value in "  \(name): \(value.description)" }
        + replaced.map { "  \($0.0): \($0.1)" }
      StandardStreams.show(lines: [key.text] + fields)
    }
    return .success
  }

  private func references(_ snapshot: CacheSnapshot) -> ExitCode {
    let key = CacheKey(words[0])
    let referrers = snapshot.referrers(of: key)
    if referrers.isEmpty, snapshot.summary(of: key) == nil { return absent(key) }
    print(lines: referrers.map { "\($0.key.text).\($0.field)" }) {
      .object([
        ("key", JSONValue(key.text)),
        (
          "referrers",
          .array(
            referrers.map { .object([("key", JSONValue($0.key.text)), ("field", JSONValue($0.field))]) })
        ),
      ])
    }
    return .success
  }

  private func statistics(_ snapshot: CacheSnapshot) -> ExitCode {
    let dangling = snapshot.danglingReferences().count
    let reachable = snapshot.reachableCount
    let types = snapshot.typenames
    print(
      lines: [
        "records       \(snapshot.count)", "bytes         \(snapshot.byteCount)",
        "unreachable   \(snapshot.count - reachable)", "dangling      \(dangling)",
      ] + types.map { "  \($0.name)  \($0.count)" }
    ) {
      .object([
        ("records", JSONValue(snapshot.count)), ("bytes", JSONValue(snapshot.byteCount)),
        ("unreachable", JSONValue(snapshot.count - reachable)), ("dangling", JSONValue(dangling)),
        ("types", .object(types.map { ($0.name, JSONValue($0.count)) })),
      ])
    }
    return .success
  }

  private func absent(_ key: CacheKey) -> ExitCode {
    StandardStreams.narrate(
      "apus: there is no record \(SingleLineText.line(key.text)) in \(file); 'apus cache keys' lists all")
    return .resultErrors
  }

  // MARK: Changing

  private func evict(_ store: CacheStore) async throws -> ExitCode {
    let snapshot = try await store.snapshot()
    let isThere = words.map { word in
      snapshot.summary(of: CacheKey(word)) != nil || snapshot.summaries(matching: RecordPattern(key: word)).first != nil
    }
    let changed = try await store.apply(
      words.map { word in
        // A key may contain a wildcard character. If such a record exists, the word is not a pattern.
        word.contains(where: { $0 == "*" || $0 == "?" }) && snapshot.summary(of: CacheKey(word)) == nil
          ? .removeRecords(RecordPattern(key: word)) : .removeRecord(CacheKey(word))
      })
    let missing = zip(words, isThere).filter { !$0.1 }.map(\.0)
    let keys = changed.recordKeys.map(\.text).filter { !missing.contains($0) }
    print(lines: keys) {
      .object([
        ("evicted", .array(keys.map { JSONValue($0) })),
        ("changedKeys", .array(changed.descriptions.sorted().map { JSONValue($0) })),
      ])
    }
    for word in missing { _ = absent(CacheKey(word)) }
    return missing.isEmpty ? .success : .resultErrors
  }

  private func collect(_ store: CacheStore) async throws -> ExitCode {
    let removed = try await store.collectGarbage().recordKeys.map(\.text)
    let dangling = try await store.snapshot().danglingReferences()
    print(
      lines: removed.map { "removed \($0)" }
        + dangling.map { "dangling \($0.referrer.key.text).\($0.referrer.field) -> \($0.target.text)" }
    ) {
      .object([
        ("removed", .array(removed.map { JSONValue($0) })),
        (
          "dangling",
          .array(
            dangling.map {
              .object([
                ("key", JSONValue($0.referrer.key.text)), ("field", JSONValue($0.referrer.field)),
                ("target", JSONValue($0.target.text)),
              ])
            })
        ),
      ])
    }
    return .success
  }

  private func importRecords(_ store: CacheStore) async throws -> ExitCode {
    let source = words.first ?? "-"
    let bytes = try LocalFile.read(source)
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONDocument(parsing: bytes).root
    } catch {
      throw CommandError.file("\(source) is not JSON: \(error)")
    }
    do {
      let changed = try await store.importRecords(json)
      let count = changed.recordKeys.count
      print(lines: ["\(count) \(count == 1 ? "record" : "records")"]) { .object([("imported", JSONValue(count))]) }
    } catch let error as CacheImportError {
      throw CommandError.file("\(source): \(error)")
    }
    return .success
  }

  private func print(lines: [String], json: () -> JSONValue) {
    if isJSON {
      StandardStreams.output(JSONWriter.compact(json()) + "\n")
    } else {
      StandardStreams.show(lines: lines)
    }
  }
}

/// The cache files that a command line names.
enum CacheFile {
  enum Mode {
    case read
    /// Changes an existing file.
    case change
    /// Creates the file if it does not exist.
    case write
  }

  /// Throws if the file is not a cache, because a damaged cache is replaced: this protects a file that was named by mistake.
  /// Call it before the command does anything else.
  static func check(_ path: String, isWriting: Bool = true) throws(CommandError) {
    let file: DatabaseFile
    do throws(SQLiteError) {
      file = try DatabaseFile(path)
    } catch {
      throw .file("cannot use \(path) as a cache: \(error.message)")
    }
    guard isWriting else { return }
    // The data of the user would be readable for the owner of the file.
    guard file.owner == geteuid() else {
      throw .file("\(path) belongs to another user (\(file.owner)); use another file with --db")
    }
    // A cache has this program's application ID, even if the rest of it is damaged (SQLite, "Database File Format", 1.3).
    guard file.contents == .some, let head = UserFile.head(of: path, count: 100) else { return }
    guard head.count == 100, head.starts(with: Array("SQLite format 3\u{0}".utf8)) else {
      throw .file("\(path) is not a cache file; use another file with --db")
    }
    guard head[68..<72].elementsEqual("Apus".utf8) else {
      throw .file("\(path) is a database but not an Apus cache; use another file with --db")
    }
  }

  static func open(
    _ path: String, mode: Mode, rules: CacheConfiguration = CacheConfiguration()
  ) async throws(CommandError) -> CacheStore {
    if mode != .write, access(path, F_OK) != 0 {
      throw .file("cannot read \(path): No such file or directory")
    }
    try check(path, isWriting: mode != .read)
    do {
      let cache = try SQLiteNormalizedCache(path: path, isReadOnly: mode == .read)
      for notice in await cache.notices { StandardStreams.narrate("apus: \(notice)") }
      return CacheStore(cache: cache, resolver: rules.resolver, policies: rules.policies)
    } catch {
      throw .file("\(error)")
    }
  }
}
