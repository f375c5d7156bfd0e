import ApusTestSupport
import Foundation
import Testing

/// `Docs/Packaging`: recipes for packages.
@Suite(.timeLimit(.minutes(5))) struct PackagingTests {
  /// The version is defined once in the program. Recipes that repeat it must match.
  @Test func `recipes have the current version`() throws {
    let source = try Self.text("Sources/Client/Network/ApusVersion.swift")
    let version = try #require(source.firstMatch(of: /number = "([0-9.]+)"/)).output.1
    let lines = [
      "rpm/apus.spec": "Version:        \(version)\n",
      "homebrew/apus.rb": "/apus-\(version).tar.gz\"\n",
      "aur/PKGBUILD": "pkgver=\(version)\n",
      "nix/flake.nix": "version = \"\(version)\";\n",
      "docker/Dockerfile": "-t apus:\(version) .\n",
    ]
    for (recipe, line) in lines {
      #expect(try Self.text("Docs/Packaging/\(recipe)").contains(line), "\(recipe) makes another version")
    }
    #expect(try Self.text("Docs/Packaging/rpm/apus.spec").contains("> - \(version)-1\n"))
  }

  /// Tools cannot find libraries that the program loads on demand, so the recipes name them.
  @Test func `recipes name libraries loaded on demand`() throws {
    let modules = ["CCurl", "CJQ", "CMicrohttpd", "CSecretService"]
    let sonames = try modules.map { module in
      let source = try Self.text("Sources/System/\(module)/\(module).c")
      return String(try #require(source.firstMatch(of: /APUS_LAZY_LIBRARY\("([^"]+)"/)).output.1)
    }
    let spec = try Self.text("Docs/Packaging/rpm/apus.spec")
    for soname in sonames { #expect(spec.contains("\(soname)()(64bit)")) }
    for recipe in ["homebrew/apus.rb", "aur/PKGBUILD", "nix/flake.nix"] {
      let text = try Self.text("Docs/Packaging/\(recipe)")
      for name in ["curl", "jq", "libmicrohttpd"] { #expect(text.contains(name), "\(recipe) lacks \(name)") }
    }
  }

  @Test(.enabled(if: DebianTools.areHere, "needs dpkg-deb, dpkg-shlibdeps, objdump and a C compiler"))
  func `the Debian package contains all installed files`() async throws {
    let sandbox = try await InstallSandbox()
    let stage = sandbox.folder.path("stage")
    let installed = try await sandbox.run("install.sh", ["--prefix", "/usr"], environment: ["DESTDIR": stage])
    try #require(installed.exitCode == 0, "\(installed.errors)")
    // Any linked program.
    _ = try await ChildProcess.run("/bin/cp", ["/bin/ls", "\(stage)/usr/bin/apus"])
    try FileManager.default.removeItem(atPath: sandbox.folder.path("bin/clang"))
    let built = try await sandbox.run(
      "Docs/Packaging/deb/build", ["--from-install", stage, "--output", sandbox.folder.path("out")],
      environment: ["APUS_NO_LINTIAN": "1", "SOURCE_DATE_EPOCH": "1700000000"])
    try #require(built.exitCode == 0, "\(built.errors)")
    let package = built.output.trimmingCharacters(in: .newlines)

    let contents = try await ChildProcess.run("/usr/bin/dpkg-deb", ["--contents", package]).output
    let names = contents.split(separator: "\n").compactMap { line in
      line.hasSuffix("/") ? nil : line.split(separator: " ").last?.dropFirst(2).description
    }
    let noted = try sandbox.folder.read("stage/usr/share/apus/installed-files").split(separator: "\n")
    // Debian uses other paths for some files.
    let moved = [
      "usr/share/doc/apus/LICENSE": "usr/share/doc/apus/copyright",
      "usr/share/doc/apus/CHANGELOG.md": "usr/share/doc/apus/changelog.gz",
      "usr/share/man/man1/apus.1": "usr/share/man/man1/apus.1.gz",
      "usr/share/zsh/site-functions/_apus": "usr/share/zsh/vendor-completions/_apus",
    ]
    let expected = noted.filter { !$0.hasSuffix("/") }.map { path in
      let name = String(path.dropFirst())
      return moved[name] ?? name
    }
    #expect(expected.count > 15)
    #expect(
      Set(names)
        == Set(expected + ["usr/share/doc/apus/changelog.gz", "usr/share/doc/apus/changelog.Debian.gz"]))

    let control = try await ChildProcess.run("/usr/bin/dpkg-deb", ["--field", package]).output
    #expect(control.contains(/Depends: .*libc6.*libcurl/), "\(control)")
    #expect(control.contains(/Recommends: .*libjq.*libmicrohttpd/), "\(control)")
    let script = "dpkg-deb --fsys-tarfile \"$1\" | tar -xO ./usr/share/doc/apus/copyright"
    let copyright = try await ChildProcess.run("/bin/sh", ["-c", script, "sh", package]).output
    for file in try FileManager.default.contentsOfDirectory(atPath: "\(Checkout.root)/Themes") {
      #expect(copyright.contains("Files: usr/share/apus/themes/\(file)\nCopyright: "))
    }
    #expect(copyright.contains("THE SOFTWARE IS PROVIDED"))
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(Checkout.root)/\(path)", encoding: .utf8)
  }
}

private enum DebianTools {
  static let areHere = ["dpkg-deb", "dpkg-shlibdeps", "objdump", "cc"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }
}
