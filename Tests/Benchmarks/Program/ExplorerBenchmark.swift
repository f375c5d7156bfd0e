import ApusClientCache
import ApusPlatform
import FoundationEssentials

/// Measures the explorer in a pseudoterminal by its input and output.
extension Benchmark {
  static let explorer = Benchmark(
    name: "explorer", summary: "start, keys, large responses, idleness and bytes",
    task: { _ in
      // Waits forever after running one task, as a baseline for idleness.
      await Task.detached {}.value
      print("waiting")
      while true { pause() }
    },
    run: {
      let bench = try ExplorerBench()
      defer { bench.removeFiles() }
      try bench.start()
      try bench.streaming()
      try bench.large()
      try await bench.inspector()
      try bench.idle()
      try bench.bytes()
    })
}

private struct ExplorerBench {
  private let apus: String
  /// A home folder without configuration.
  private let home: String

  init() throws {
    apus = try MeasuredProgram.path()
    var template = Array("/tmp/apus-benchmark-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchmarkError("no temporary folder") }
    home = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for (name, value) in [
      ("HOME", home), ("XDG_CONFIG_HOME", "\(home)/config"), ("XDG_CACHE_HOME", "\(home)/cache"),
      ("XDG_DATA_HOME", "\(home)/data"), ("XDG_STATE_HOME", "\(home)/state"), ("TERM", "xterm-256color"),
      ("COLORTERM", "truecolor"),
    ] {
      setenv(name, value, 1)
    }
    unsetenv("NO_COLOR")
    try file("schema.graphql", ListServer.schema)
    try file("query.graphql", ListServer.query)
  }

  func removeFiles() { try? FileManager.default.removeItem(atPath: home) }

  @discardableResult
  private func file(_ name: String, _ text: String) throws -> String {
    guard FileManager.default.createFile(atPath: "\(home)/\(name)", contents: Data(text.utf8)) else {
      throw BenchmarkError("\(home)/\(name) cannot be written")
    }
    return "\(home)/\(name)"
  }

  /// Starts the explorer with a local server and a schema file, and waits until its output settles.
  private func open(_ server: ListServer) throws -> TerminalProcess {
    let explorer = try TerminalProcess([
      apus, "http://127.0.0.1:\(server.port)/graphql", "--fresh", "--schema", "\(home)/schema.graphql", "--file",
      "\(home)/query.graphql",
    ])
    try explorer.wait(for: "types")
    explorer.settle(milliseconds: 300)
    return explorer
  }

  // MARK: Start

  /// Measures the time from the start of the program to the last byte of the first screen, with a stored schema. The
  /// yardstick is a C program that opens ncurses and draws one screen.
  func start() throws {
    let folder = try SharedFiles.folder("schemas/github")
    let server = try TerminalProcess([apus, "serve", "--schema", "\(folder)/schema.graphql"])
    defer { server.end() }
    try server.wait(for: "http://")
    let address = "http://" + (try server.line())
    let first = try TerminalProcess([apus, address])
    try first.wait(for: "types")
    first.settle(milliseconds: 1500)
    first.end()
    let yardstick = try compiledYardstick()
    var own: [Double] = []
    var others: [Double] = []
    for round in 0...30 {
      let other = try yardstick.map { try time(of: [$0], until: "commands") }
      let taken = try time(of: [apus, address], until: "commands")
      guard round > 0 else { continue }
      own.append(taken)
      if let other { others.append(other) }
    }
    var table = Table(["to the first screen, schema kept", "min ms", "median ms", "ratio"])
    if !others.isEmpty {
      table.add(["C and ncurses", Table.number(others.min() ?? .nan), Table.number(others.median), "1×"])
    }
    let ratio = others.isEmpty ? "–" : "\(Table.number(zip(own, others).map { $0 / $1 }.median))× its time"
    table.add(["apus, GitHub's schema", Table.number(own.min() ?? .nan), Table.number(own.median), ratio])
    table.print()
  }

  private func time(of words: [String], until text: String) throws -> Double {
    let start = Cost.now(CLOCK_MONOTONIC)
    let program = try TerminalProcess(words)
    let end = try program.wait(for: text)
    program.end()
    return end - start
  }

  /// Returns the path of the compiled yardstick; nil if there is no C compiler.
  private func compiledYardstick() throws -> String? {
    let source = try file(
      "screen.c",
      """
      #include <curses.h>
      #include <locale.h>
      int main(void) {
        setlocale(LC_ALL, "");
        initscr(); raw(); noecho(); start_color(); keypad(stdscr, TRUE); init_pair(1, COLOR_CYAN, COLOR_BLACK);
        for (int row = 0; row < LINES - 1; row++) {
          attrset(row % 2 ? COLOR_PAIR(1) : A_NORMAL);
          for (int column = 0; column + 1 < COLS; column++) mvaddch(row, column, 'a' + (row + column) % 26);
        }
        mvaddstr(LINES - 1, 0, "F5 run  Ctrl-P commands");
        refresh();
        getch();
        endwin();
        return 0;
      }
      """)
    do {
      _ = try ProcessMeasurement.run("cc", ["-O2", "-o", "\(home)/screen", source, "-lncursesw", "-ltinfo"])
    } catch {
      return nil
    }
    return "\(home)/screen"
  }

  // MARK: Keys

  private static func add(_ title: String, _ latencies: [Double], to table: inout Table) {
    table.add([
      title, String(latencies.count), Table.number(latencies.median), Table.number(latencies.percentile(99)),
      Table.number(latencies.max() ?? .nan),
    ])
  }

  /// Types into a comment of the query while a response of 50 MB arrives. No control sequence ends with these letters,
  /// so the benchmark can wait for them.
  func streaming() throws {
    let server = try ListServer(bytes: 50_000_000, seconds: 5)
    let explorer = try open(server)
    defer { explorer.end() }
    explorer.send("\u{1B}[1;5F\r# ")
    explorer.settle()
    var calm: [Double] = []
    for index in 0..<100 { calm.append(try type(index, explorer)) }
    explorer.send("\u{1B}[15~")
    var busy: [Double] = []
    for index in 0..<300 { busy.append(try type(index, explorer)) }
    var table = Table(["key to screen, ms", "keys", "median", "99th", "most"])
    Self.add("nothing runs", calm, to: &table)
    Self.add("50 MB stream in, are parsed and cached", busy, to: &table)
    table.print()
  }

  private func type(_ index: Int, _ explorer: TerminalProcess) throws -> Double {
    // Starts a new line regularly, so that no line becomes wider than the pane.
    if index % 30 == 29 {
      explorer.send("\r# ")
      usleep(30_000)  // a user pauses at the end of a line
    }
    explorer.settle(milliseconds: 0)
    let letter = String("YVWZ"["YVWZ".index("YVWZ".startIndex, offsetBy: index % 4)])
    let start = Cost.now(CLOCK_MONOTONIC)
    explorer.send(letter)
    let latency = try explorer.wait(for: letter) - start
    usleep(20_000)  // the pace of fast typing; queued keys would be a different measure
    return latency
  }

  /// Measures 200 MB in five million lines: the time from the last byte to the first screen, and the latency of keys
  /// after that.
  func large() throws {
    let server = try ListServer(bytes: 200_000_000, seconds: 0)
    let explorer = try open(server)
    defer { explorer.end() }
    explorer.send("\u{1B}[15~")
    let shown = try explorer.wait(for: "items", seconds: 120)
    print("200 MB, a million items: first screen \(Table.number(shown - server.lastByte)) ms after the last byte\n")
    explorer.send("\u{1B}3")
    explorer.settle()
    var table = Table(["key to screen in 200 MB, ms", "keys", "median", "99th", "most"])
    let steps: [(title: String, keys: [String])] = [
      ("down", Array(repeating: "j", count: 40)), ("page down", Array(repeating: "\u{1B}[6~", count: 10)),
      ("last, first", ["G", "g", "G", "g"]), ("fold, unfold", ["j", " ", " ", " ", " "]),
      ("wait until it is cached, down", ["k", "j", "k", "j", "k"]),
      ("as a table", ["t", "j", "j", "G", "g", "s", "t"]),
      ("as text", ["j", "j", "\u{1B}[6~", "G", "g", "j", "r"]),
    ]
    for step in steps {
      if step.title.hasPrefix("wait") { explorer.settle(milliseconds: 8000) }
      if step.title == "as text" {
        // A key pressed before the text is ready has no effect.
        let requested = Cost.now(CLOCK_MONOTONIC)
        explorer.send("r")
        print("laid out as text in \(Table.number(try explorer.wait(for: "line ") - requested)) ms\n")
        explorer.settle()
      }
      var latencies: [Double] = []
      for key in step.keys {
        explorer.settle(milliseconds: 20)
        latencies.append(try explorer.latency(of: key))
      }
      Self.add(step.title, latencies, to: &table)
      explorer.settle(milliseconds: 1500)
    }
    table.print()
  }

  // MARK: System load

  /// Measures the inspector on an external cache with a million records.
  func inspector() async throws {
    let path = "\(home)/million.sqlite"
    try await MillionRecords.write(into: CacheStore(cache: try SQLiteNormalizedCache(path: path)))
    let explorer = try TerminalProcess([apus, "--db", path, "--fresh"])
    defer { explorer.end() }
    let start = Cost.now(CLOCK_MONOTONIC)
    let listed = try explorer.wait(for: "1,000,001") - start
    explorer.settle(milliseconds: 1000)
    explorer.send("\u{1B}5")
    explorer.settle()
    var table = Table(["key to screen, a million records, ms", "keys", "median", "99th", "most"])
    for (title, keys) in [
      ("down", Array(repeating: "j", count: 40)), ("page down, last, first", ["\u{1B}[6~", "G", "g"]),
      ("filter by key", ["/", "4", "2", "4", "2", "\r"]), ("open a record", ["\r"]),
      ("down in it, who refers to it", ["j", "r"]), ("back", ["\u{1B}[D"]),
    ] {
      var latencies: [Double] = []
      for key in keys {
        latencies.append(try explorer.latency(of: key))
        explorer.settle(milliseconds: title == "down" ? 20 : 1500)
      }
      Self.add(title, latencies, to: &table)
    }
    table.print()
    print("listed \(Table.number(listed / 1000)) s after the start\n")
  }

  func idle() throws {
    let explorer = try open(try ListServer(bytes: 10_000, seconds: 0))
    let bare = try TerminalProcess([CommandLine.arguments[0], "--task", "explorer"])
    defer {
      explorer.end()
      bare.end()
    }
    try bare.wait(for: "waiting")
    var table = Table(["sleeps of all threads in 5 s", "count"])
    table.add(["a Swift program that has run one task", String(sleeps(of: bare))])
    table.add(["just opened", String(sleeps(of: explorer))])
    explorer.send("\u{1B}[15~")
    table.add(["after a run", String(sleeps(of: explorer))])
    table.print()
  }

  private func sleeps(of program: TerminalProcess) -> Int {
    program.settle(milliseconds: 2000)
    let before = program.voluntarySwitches()
    usleep(5_000_000)  // the measured period, in which nothing happens
    // A thread that has ended has no more context switches.
    return program.voluntarySwitches().reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
  }

  /// Types commas, which have no meaning in a query: they move the following text but cause neither a popup nor an
  /// error.
  func bytes() throws {
    let explorer = try open(try ListServer(bytes: 10_000, seconds: 0))
    defer { explorer.end() }
    var table = Table(["bytes to the terminal for", "bytes"])
    for (title, keys) in [
      ("a character before a coloured line", ["\u{1B}[B", ","]), ("one behind it", ["\u{1B}[F", ","]),
      ("a move of the cursor", ["\u{1B}[D"]),
    ] {
      for key in keys.dropLast() { explorer.send(key) }
      explorer.settle(milliseconds: 300)
      explorer.send(keys[keys.count - 1])
      table.add([title, String(explorer.settle(milliseconds: 300))])
    }
    table.print()
  }
}
