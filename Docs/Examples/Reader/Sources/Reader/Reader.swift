#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A reader of the demo API for the terminal. It lists birds page by page, shows a bird while its payloads arrive,
/// renames a bird optimistically with a rollback on errors, and starts without a network from its cache.
///
///     apus serve                                # prints its URL
///     swift run Reader URL [--cache FILE]       # `help` lists the commands
///
/// `Session.swift` makes the client, `FlockList.swift` pages, `BirdPage.swift` shows deferred fragments, and
/// `Renaming.swift` has the optimistic mutation.
@main
struct Reader {
  static func main() async {
    guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
      print("usage: Reader URL [--cache FILE]")
      exit(2)
    }
    do {
      try await Reader(session: Session(arguments)).run()
    } catch {
      print("Reader: \(error)")
      exit(1)
    }
  }

  private let session: Session
  private let flock: FlockList
  private let screen = Screen()

  private init(session: Session) {
    self.session = session
    flock = FlockList(session)
  }

  /// Runs commands line by line until the input ends.
  private func run() async {
    let traffic = Traffic(of: session.client)
    await reportingErrors { try await flock.open(on: screen) }
    while let line = prompted() {
      switch Command(line) {
      case .nothing: break
      case .help: screen.show(Command.explanation)
      case .list: flock.show(on: screen)
      case .more: await reportingErrors { try await flock.loadMore(on: screen) }
      case .open(let number):
        await reportingErrors { try await BirdPage(session).show(flock.bird(number), on: screen) }
      case .rename(let number, let name):
        await reportingErrors { try await Renaming(session).rename(flock.bird(number), to: name, on: screen) }
      case .traffic: screen.show(await traffic.summary)
      case .unknown(let word): screen.show("unknown command '\(word)'; type help")
      case .quit: return
      }
    }
  }

  private func prompted() -> String? {
    screen.prompt()
    // Reading blocks the main thread; the client continues on other threads.
    return readLine()
  }

  /// Runs the command of a line. Errors are printed, and the next line is read.
  private func reportingErrors(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      screen.show("\(Screen.Mark.failed) \(error)")
    }
  }
}

/// The arguments of the command line.
struct Arguments {
  let url: String
  /// The cache file; nil for a cache in memory.
  let cacheFile: String?

  init?(_ words: some Collection<String>) {
    var words = Array(words)
    var cacheFile: String?
    if let index = words.firstIndex(of: "--cache"), index + 1 < words.count {
      cacheFile = words[index + 1]
      words.removeSubrange(index...index + 1)
    }
    guard words.count == 1, let url = words.first else { return nil }
    self.url = url
    self.cacheFile = cacheFile
  }
}
