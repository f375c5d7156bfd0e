import ApusTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct InstallScriptTests {
  private let sandbox: InstallSandbox
  private var folder: TemporaryFolder { sandbox.folder }

  init() async throws { sandbox = try await InstallSandbox() }

  private func install(_ words: String..., environment: [String: String] = [:]) async throws -> ChildProcess.Outcome {
    try await sandbox.run("install.sh", words, environment: environment)
  }

  @Test func `uninstall removes all files and folders`() async throws {
    let prefix = folder.path("new/prefix")
    for _ in 0..<2 {
      let outcome = try await install("--prefix", prefix)
      #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }
    #expect(try folder.read("new/prefix/share/doc/apus/LICENSE").contains("MIT"))
    #expect(try folder.read("new/prefix/share/zsh/site-functions/_apus") == "for zsh\n")
    #expect(try folder.files(in: "new/prefix/share/apus/themes").count > 10)
    #expect(try await install("uninstall", "--prefix", prefix).exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test func `a prefix that cannot be written is found before the build`() async throws {
    try folder.write("file", "")
    let outcome = try await install("--prefix", folder.path("file/prefix"))
    #expect(outcome.exitCode == 1 && outcome.errors.contains("is not a folder"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("Building Apus"), "\(outcome.errors)")
  }

  @Test func `the line that zsh needs is printed`() async throws {
    let prefix = folder.path("prefix")
    try await sandbox.program("bin/zsh", "echo /elsewhere")
    let line = "fpath=('\(prefix)/share/zsh/site-functions' $fpath)\n"
    #expect(try await install("--prefix", prefix).errors.contains(line))
    try await sandbox.program("bin/zsh", "echo /elsewhere \(prefix)/share/zsh/site-functions")
    #expect(try await !install("--prefix", prefix).errors.contains(line))
  }

  @Test func `uninstall keeps files of others`() async throws {
    let prefix = folder.path("prefix")
    try folder.write("prefix/bin/other", "")
    _ = try await install("--prefix", prefix)
    try folder.write("prefix/share/man/man1/other.1", "")
    _ = try await install("uninstall", "--prefix", prefix)
    let files = try folder.files(in: "prefix").filter { !FilePath.isFolder(folder.path("prefix/\($0)")) }
    #expect(files == ["bin/other", "share/man/man1/other.1"])
  }

  @Test func `uninstall of a moved folder removes nothing and keeps its list`() async throws {
    let prefix = folder.path("old")
    _ = try await install("--prefix", prefix + "/")
    try FileManager.default.moveItem(atPath: prefix, toPath: folder.path("new"))
    let moved = try await install("uninstall", "--prefix", folder.path("new"))
    #expect(moved.exitCode == 1 && moved.errors.contains("removed nothing: "), "\(moved)")
    #expect(moved.errors.contains("\(prefix)/bin/apus"), "\(moved)")
    #expect(FileManager.default.fileExists(atPath: folder.path("new/bin/apus")))
    try FileManager.default.moveItem(atPath: folder.path("new"), toPath: prefix)
    #expect(try await install("uninstall", "--prefix", prefix).exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: prefix))
  }

  @Test func `every page that help names is installed`() async throws {
    let prefix = folder.path("prefix")
    #expect(try await install("--prefix", prefix).exitCode == 0)
    var named: Set<String> = []
    for folder in ["Sources/Tools/CommandLine", "Sources/Explorer/Core/Help"] {
      for file in try FileManager.default.contentsOfDirectory(atPath: "\(Checkout.root)/\(folder)") {
        let text = try String(contentsOfFile: "\(Checkout.root)/\(folder)/\(file)", encoding: .utf8)
        named.formUnion(text.matches(of: /Docs\/[A-Za-z\/]+\.md/).map { String($0.output) })
      }
    }
    #expect(named.count > 4)
    for page in named {
      #expect(FileManager.default.fileExists(atPath: "\(prefix)/share/doc/apus/\(page)"), "\(page) is not installed")
    }
  }

  @Test func `DESTDIR is prepended to every path`() async throws {
    let stage = folder.path("stage")
    let outcome = try await install("--prefix", "/usr/apus-of-tests", environment: ["DESTDIR": stage])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: "/usr/apus-of-tests"))
    let noted = try folder.read("stage/usr/apus-of-tests/share/apus/installed-files")
    #expect(noted.contains("/usr/apus-of-tests/bin/apus\n") && !noted.contains(stage))
    _ = try await install("uninstall", "--prefix", "/usr/apus-of-tests", environment: ["DESTDIR": stage])
    #expect(try folder.files(in: "stage").filter { !FilePath.isFolder("\(stage)/\($0)") } == [])
  }

  @Test func `missing system packages are listed and not installed without root`() async throws {
    try await sandbox.program("bin/pkg-config", "[ \"$2\" != simdjson ]")
    try await sandbox.program("bin/id", "echo 1000")
    let refused = try await install("--prefix", folder.path("prefix"))
    #expect(refused.exitCode == 1)
    #expect(refused.errors.contains("Missing: simdjson"))
    #expect(refused.errors.contains("  env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq pkg-config "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("apt-get-calls")))
    // With --yes, sudo installs them.
    try await sandbox.program("bin/sudo", "exec \"$@\"")
    let byOther = try await install("--prefix", folder.path("prefix"), "--yes")
    #expect(byOther.errors.contains("  sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq pkg-config "))
    #expect(FileManager.default.fileExists(atPath: folder.path("apt-get-calls")))
    try FileManager.default.removeItem(atPath: folder.path("apt-get-calls"))
    try await sandbox.program("bin/id", "echo 0")
    let allowed = try await install("--prefix", folder.path("prefix"))
    #expect(allowed.errors.contains("  env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq pkg-config "))
    #expect(try folder.read("apt-get-calls").hasPrefix("update -qq\ninstall -y -qq pkg-config libcurl4-openssl-dev "))
  }
}

private enum FilePath {
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
