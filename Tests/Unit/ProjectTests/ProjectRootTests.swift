import ApusTestSupport
import Foundation
import Testing

@testable import ApusGraphQLProjects

/// The region that the paths of a configuration file may reach, and reading and writing files there.
@Suite(.timeLimit(.minutes(1))) struct ProjectRootTests {
  private let place: TemporaryFolder

  init() throws { place = try TemporaryFolder() }

  private func link(_ name: String, to target: String) throws {
    try place.make("\(FilePath(name).folder)")
    try FileManager.default.createSymbolicLink(atPath: place.path(name), withDestinationPath: target)
  }

  private func root(_ folder: String, home: String = "/nowhere") throws -> ProjectRoot {
    .project(in: try place.make(folder), home: home)
  }

  private func region(_ folder: String, home: String = "/nowhere") throws -> FilePath {
    try root(folder, home: home).region
  }

  private func real(_ folder: String) throws -> FilePath { try #require(FilePath(real: place.path(folder))) }

  /// Returns why a file is rejected; `nil` if it is read.
  private func refusal(_ name: String, in root: ProjectRoot, limit: Int = 100) -> FileRefusal.Reason? {
    do throws(FileRefusal) {
      _ = try root.read(place.path(name), limit: limit)
      return nil
    } catch {
      return error.reason
    }
  }

  // MARK: The region

  @Test func `the region is the nearest repository or else the folder`() throws {
    #expect(try region("a/b") == real("a/b"))
    try place.make("a/.git")
    #expect(try region("a/b/c") == real("a"))
    try place.write("a/b/.git", "gitdir: elsewhere\n")
    #expect(try region("a/b/c") == real("a/b"))
  }

  @Test func `the home directory and folders above it are not repositories`() throws {
    try place.make("home/.git")
    #expect(try region("home/p/q", home: place.path("home")) == real("home/p/q"))
    #expect(try region("home", home: place.path("home")) == real("home"))
    try place.make(".git")
    #expect(try region("home/p/q", home: place.path("home")) == real("home/p/q"))
    #expect(try region("other", home: place.path("home")) == real(""))
  }

  @Test func `a repository in a world-writable folder is ignored`() throws {
    try place.make("open/.git")
    chmod(place.path("open"), 0o777)
    #expect(try region("open/p") == real("open/p"))
    try place.make(".git")
    #expect(try region("open/p") == real("open/p"))
  }

  // MARK: Reading

  @Test func `files inside the region are read`() throws {
    try place.write("r/api/s.graphql", "s")
    try link("r/web/near.graphql", to: "../api/s.graphql")
    try link("r/api2", to: "api")
    try place.make("r/.git")
    let root = try root("r/web")
    for name in ["r/api/s.graphql", "r/web/near.graphql", "r/web/../api/s.graphql", "r/api2/s.graphql"] {
      #expect(refusal(name, in: root) == nil, "\(name)")
    }
  }

  @Test func `files outside the region are rejected by any path`() throws {
    try place.write("out/s.graphql", "s")
    try place.make("r/.git")
    try link("r/web/far.graphql", to: "../../out/s.graphql")
    try link("r/folder", to: "../out")
    try link("r/twice.graphql", to: "web/far.graphql")
    try link("r/loop.graphql", to: "loop.graphql")
    let root = try root("r/web")
    for name in ["out/s.graphql", "r/web/far.graphql", "r/folder/s.graphql", "r/twice.graphql", "r/../out/s.graphql"] {
      #expect(refusal(name, in: root) == .outside("\(root.region)"), "\(name)")
    }
    #expect(refusal("r/loop.graphql", in: root) == .unreadable(code: ELOOP))
    #expect(refusal("r/none.graphql", in: root) == .missing)
    #expect(refusal("r/web/far.graphql/x", in: root) == .missing)
  }

  @Test func `a sibling that differs only in Unicode normalization is outside`() throws {
    try place.write("caf\u{E9}/s.graphql", "s")
    try place.write("cafe\u{301}/s.graphql", "s")
    let root = try root("caf\u{E9}")
    #expect(refusal("caf\u{E9}/s.graphql", in: root) == nil)
    #expect(refusal("cafe\u{301}/s.graphql", in: root) == .outside("\(root.region)"))
    #expect(throws: FileRefusal.self) { try root.replace(place.path("cafe\u{301}/new.graphql"), with: [], over: nil) }
  }

  @Test func `only regular files are read, without blocking`() async throws {
    let root = try root("r")
    mkfifo(place.path("r/pipe"), 0o600)
    try place.make("r/folder")
    let server = try ChildProcess(
      "/usr/bin/env",
      [
        "python3", "-c", "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", place.path("r/socket"),
      ])
    #expect(await server.outcome().exitCode == 0)
    for name in ["r/pipe", "r/folder", "r/socket", "r"] { #expect(refusal(name, in: root) == .notRegular, "\(name)") }
    #expect(refusal("r/device", in: root) == .missing)
    try link("r/device", to: "/dev/zero")
    #expect(refusal("r/device", in: root) == .outside("\(root.region)"))
  }

  @Test func `a file that is too large is rejected before reading`() throws {
    let root = try root("r")
    try place.writeZeros("r/sparse", count: 3 << 30)
    #expect(refusal("r/sparse", in: root, limit: 1 << 20) == .tooLarge(limit: 1 << 20))
    try place.write("r/exact", String(repeating: "x", count: 100))
    #expect(refusal("r/exact", in: root) == nil)
    #expect(refusal("r/exact", in: root, limit: 99) == .tooLarge(limit: 99))
  }

  @Test func `files that other users can write are rejected`() throws {
    var root = try root("r")
    try place.write("r/open.graphql", "s")
    chmod(place.path("r/open.graphql"), 0o666)
    #expect(refusal("r/open.graphql", in: root) == .writableByEveryone)
    #expect(throws: FileRefusal.self) {
      try root.replace(place.path("r/open.graphql"), with: [], over: Array("s".utf8))
    }
    // A folder that the user named may contain files of other users.
    root.refusesOthers = false
    #expect(refusal("r/open.graphql", in: root) == nil)
    // Only root can change the owner of a file.
    guard geteuid() == 0 else { return }
    try place.write("r/theirs.graphql", "s")
    chown(place.path("r/theirs.graphql"), 1, 1)
    #expect(refusal("r/theirs.graphql", in: root) == nil)
    root.refusesOthers = true
    #expect(refusal("r/theirs.graphql", in: root) == .ofAnotherUser)
  }

  // MARK: Writing

  @Test func `a file is replaced inside the region, also through a link`() throws {
    let root = try root("r")
    try place.write("r/a.graphql", "old")
    chmod(place.path("r/a.graphql"), 0o640)
    try link("r/link.graphql", to: "a.graphql")
    try root.replace(place.path("r/link.graphql"), with: Array("new".utf8), over: Array("old".utf8))
    #expect(try place.read("r/a.graphql") == "new" && place.mode(of: "r/a.graphql") == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place.path("r/link.graphql")) == "a.graphql")
    try root.replace(place.path("r/deep/er/b.graphql"), with: Array("b".utf8), over: nil)
    #expect(try place.read("r/deep/er/b.graphql") == "b")
  }

  @Test func `a file that changed since reading is not replaced`() throws {
    let root = try root("r")
    let refusal = FileRefusal.Reason.unwritable("another program changed the file; it was not overwritten")
    func reason(_ name: String, over earlier: String?) -> FileRefusal.Reason? {
      do throws(FileRefusal) {
        try root.replace(place.path(name), with: Array("new".utf8), over: earlier.map { Array($0.utf8) })
        return nil
      } catch {
        return error.reason
      }
    }
    try place.write("r/a.graphql", "theirs")
    for earlier in [nil, "", "their", "theirs!", "mine.."] {
      #expect(reason("r/a.graphql", over: earlier) == refusal, "\(earlier ?? "nil")")
    }
    #expect(reason("r/b.graphql", over: "was there") == refusal)
    #expect(try place.files(in: "r") == ["a.graphql"] && place.read("r/a.graphql") == "theirs")
    #expect(reason("r/a.graphql", over: "theirs") == nil && reason("r/b.graphql", over: nil) == nil)
    #expect(try place.read("r/a.graphql") == "new" && place.read("r/b.graphql") == "new")
  }

  @Test func `nothing is written outside the region`() throws {
    let root = try root("r")
    try place.write("out/s.graphql", "s")
    try link("r/far.graphql", to: "../out/s.graphql")
    try link("r/folder", to: "../out")
    try link("r/nowhere.graphql", to: "../out/new.graphql")
    mkfifo(place.path("r/pipe"), 0o600)
    for name in [
      "out/s.graphql", "r/far.graphql", "r/folder/s.graphql", "r/folder/new.graphql", "r/nowhere.graphql", "r/../out/x",
      "r/none/../../out/x", "r/pipe",
    ] {
      let reason = name == "r/pipe" ? FileRefusal.Reason.notRegular : .outside("\(root.region)")
      #expect(throws: FileRefusal(place.path(name), reason)) {
        try root.replace(place.path(name), with: Array("x".utf8), over: nil)
      }
    }
    #expect(try place.read("out/s.graphql") == "s" && place.files(in: "out") == ["s.graphql"])
  }

  @Test func `an error is one line with advice`() {
    let reasons: [FileRefusal.Reason] = [
      .missing, .outside("/p\n"), .linkToFolder, .notRegular, .tooLarge(limit: 1 << 20), .ofAnotherUser,
      .writableByEveryone, .nameNotUTF8, .tooMany(limit: 9), .unreadable(code: EACCES), .unwritable("it is full"),
    ]
    for reason in reasons {
      let line = "\(FileRefusal("a\u{1B}[31m\nb", reason))"
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
    }
    #expect("\(FileRefusal("a", .tooLarge(limit: 1 << 20)))" == "a: it is larger than 1 MiB: name a smaller file")
  }
}
