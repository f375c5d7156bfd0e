import ApusTestSupport
import Foundation
import Testing

/// Rules for dependencies between modules, and for their documentation.
@Suite(.timeLimit(.minutes(5))) struct ArchitectureTests {
  private struct Package: Decodable {
    struct Target: Decodable {
      let name: String
      let type: String
      let path: String?
      let dependencies: [Dependency]
    }
    struct Dependency: Decodable {
      let byName: [String?]?
    }
    struct Outside: Decodable {}
    struct Product: Decodable {
      let name: String
      let type: Kind
      let targets: [String]

      struct Kind: Decodable { let library: [String]? }
    }
    let targets: [Target]
    let products: [Product]
    let dependencies: [Outside]
  }

  private static let layers = ["System", "GraphQL", "Client", "Explorer", "Tools"]

  private func package(
    at path: String = Checkout.root, environment: [String: String] = [:]
  ) async throws -> Package {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let outcome = try await ChildProcess.run(
      "/usr/bin/env",
      ["swift", "package", "--package-path", path, "--scratch-path", scratch, "dump-package"],
      environment: environment)
    return try JSONDecoder().decode(Package.self, from: Data(outcome.output.utf8))
  }

  private func sources(of package: Package) -> [Package.Target] {
    package.targets.filter { $0.path?.hasPrefix("Sources/") == true }
  }

  private func layer(of target: Package.Target) -> Int? {
    target.path.flatMap { path in Self.layers.firstIndex(of: String(path.split(separator: "/")[1])) }
  }

  @Test func `modules import only from their layer and lower ones`() async throws {
    let sources = sources(of: try await package())
    let layers = Dictionary(uniqueKeysWithValues: try sources.map { ($0.name, try #require(layer(of: $0))) })
    #expect(sources.count > 20)
    for target in sources {
      let own = try #require(layers[target.name])
      for name in target.dependencies.compactMap({ $0.byName?.first ?? nil }) {
        let other = try #require(layers[name], "\(target.name) depends on \(name), which is not in Sources")
        #expect(other <= own, "\(target.name) must not import \(name)")
      }
    }
  }

  @Test func `every declared dependency is imported`() async throws {
    // A plugin depends on a program instead of importing it.
    let targets = try await package(environment: ["APUS_BENCHMARKS": "1"]).targets
    for target in targets where !["system", "plugin"].contains(target.type) {
      guard let path = target.path else { continue }
      let imports = try imports(in: "\(Checkout.root)/\(path)")
      for name in target.dependencies.compactMap({ $0.byName?.first ?? nil }) {
        let headers = targets.first { $0.name == name }.map { offeredHeaders(of: $0) } ?? []
        let isImported = imports.contains(name) || !imports.isDisjoint(with: headers)
        #expect(isImported, "\(target.name) declares \(name) and never imports it")
      }
    }
  }

  /// Returns the public headers of a C module, without file extension.
  private func offeredHeaders(of target: Package.Target) -> [String] {
    guard let path = target.path, target.name.hasPrefix("CApus") else { return [] }
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(Checkout.root)/\(path)/include")
    return (names ?? []).filter { $0.hasSuffix(".h") }.map { String($0.dropLast(2)) }
  }

  /// Returns the imports of the Swift files in a folder, and the headers of other modules that its C files include.
  private func imports(in folder: String) throws -> Set<String> {
    let files = try #require(
      FileManager.default.enumerator(at: URL(fileURLWithPath: folder), includingPropertiesForKeys: nil))
    var names: Set<String> = []
    for case let file as URL in files where ["swift", "h", "cpp"].contains(file.pathExtension) {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let isInclude = ["#include <", "#include \""].contains(where: line.hasPrefix)
        if isInclude { names.insert(String(line.dropFirst(10).prefix { $0 != "." && $0 != ">" && $0 != "\"" })) }
        let words = line.split(separator: " ")
        if let index = words.firstIndex(of: "import"), index + 1 < words.count {
          names.insert(String(words[index + 1]))
        }
      }
    }
    return names
  }

  /// A module that a product does not name could change without its users being recompiled.
  @Test func `products name all their modules`() async throws {
    let package = try await package()
    let names = Dictionary(
      uniqueKeysWithValues: package.targets.map { ($0.name, $0.dependencies.compactMap { $0.byName?.first ?? nil }) })
    let libraries = package.products.filter { $0.type.library != nil }
    #expect(libraries.count == 5)
    for library in libraries {
      #expect(library.targets.contains(library.name))
      for target in library.targets {
        let missing = (names[target] ?? []).filter { $0.hasPrefix("Apus") && !library.targets.contains($0) }
        #expect(missing.isEmpty, "\(library.name): \(missing)")
      }
    }
  }

  /// SwiftPM requires target names to be unique among all packages of an application.
  @Test func `target names have the packages prefix`() async throws {
    for target in try await package().targets where target.type != "test" {
      #expect(target.name.hasPrefix("Apus") || target.name.hasPrefix("CApus"), "\(target.name)")
    }
  }

  /// The fuzzers build the main package's sources with their own manifest, because they need other compiler flags.
  @Test func `the fuzzers' manifest has the modules' paths and dependencies of the main one`() async throws {
    let sources = Dictionary(uniqueKeysWithValues: sources(of: try await package()).map { ($0.name, $0) })
    let modules = try await package(at: "\(Checkout.root)/Tests/Fuzzing").targets
      .filter { $0.path?.hasPrefix("Modules/") == true }
    #expect(modules.count > 20)
    for module in modules {
      let source = try #require(sources[module.name], "\(module.name) is not a module of the package")
      #expect(Self.dependencies(of: module) == Self.dependencies(of: source), "\(module.name)")
      #expect(module.path?.replacing("Modules/", with: "Sources/") == source.path, "\(module.name)")
      for name in Self.dependencies(of: module) {
        #expect(modules.contains { $0.name == name }, "\(module.name) depends on \(name), which is not declared")
      }
    }
  }

  private static func dependencies(of target: Package.Target) -> Set<String> {
    Set(target.dependencies.compactMap { $0.byName?.first ?? nil })
  }

  @Test(arguments: [nil, "0", "1"])
  func `the benchmarks are in the manifest only if they are requested`(_ value: String?) async throws {
    let package = try await package(environment: value.map { ["APUS_BENCHMARKS": $0] } ?? [:])
    let benchmarks = package.targets.filter { $0.path?.hasPrefix("Tests/Benchmarks/") == true }.map(\.name)
    #expect(Set(benchmarks) == (value == "1" ? ["ApusBenchmarks", "CApusBaselines"] : []))
    #expect(package.products.contains { $0.name == "apus-benchmarks" } == (value == "1"))
  }

  @Test func `the package is built with standard flags`() throws {
    let manifest = try String(contentsOfFile: Checkout.root + "/Package.swift", encoding: .utf8)
    #expect(!manifest.contains("unsafeFlags"))
  }

  @Test func `there are no package dependencies`() async throws {
    #expect(try await package().dependencies.isEmpty)
  }

  @Test func `every module is listed in the modules document`() async throws {
    let document = try String(contentsOfFile: Checkout.root + "/Docs/Modules.md", encoding: .utf8)
    for target in sources(of: try await package()) {
      #expect(document.contains("| `\(target.name)` |"), "Docs/Modules.md has no line for \(target.name)")
    }
  }

  /// Products do not link C libraries that they do not need.
  @Test(arguments: [
    (
      "Apus", ["CApusCrypto", "CApusCurl", "CApusLazyLoad", "CApusSQLite", "CApusSimdjson", "CApusWSLay"]
    ),
    (
      "ApusTesting",
      ["CApusCrypto", "CApusCurl", "CApusLazyLoad", "CApusSQLite", "CApusSimdjson", "CApusWSLay"]
    ),
    ("ApusGraphQLTools", ["CApusSimdjson"]),
  ])
  func `products link only required libraries`(_ product: String, _ libraries: [String]) async throws {
    let targets = try await package().targets
    var waiting = [product]
    var linked: Set<String> = []
    while let name = waiting.popLast() {
      guard linked.insert(name).inserted else { continue }
      waiting += targets.first { $0.name == name }?.dependencies.compactMap { $0.byName?.first ?? nil } ?? []
    }
    #expect(linked.count > 5)
    #expect(linked.filter { $0.hasPrefix("CApus") } == Set(libraries))
    let isWithoutAClient = !linked.contains { $0.hasPrefix("ApusClient") }
    #expect(isWithoutAClient == (product == "ApusGraphQLTools"))
  }

  @Test func `only the ncurses module imports ncurses`() throws {
    #expect(try importers(of: "CApusNCurses") == ["Sources/Explorer/NCurses"])
  }

  /// Differences between the systems' C libraries are in one module, so that porting changes one module. The programs
  /// in Docs/Examples are separate packages.
  @Test func `only one module imports the system library`() throws {
    let names = /\b(Glibc|Darwin|Musl|Bionic)\b/
    let this = "Tests/Conformance/ArchitectureTests/ArchitectureTests.swift"
    let files = try ["Sources", "Tests"].flatMap(swiftFiles)
    #expect(files.count > 500)
    let naming = try files.filter { file in
      let isOurs = file != this && !file.contains("/.build/")
      return try isOurs && String(contentsOfFile: "\(Checkout.root)/\(file)", encoding: .utf8).contains(names)
    }
    #expect(naming.contains("Sources/System/Platform/SystemLibrary.swift"))
    for file in naming { #expect(file.hasPrefix("Sources/System/Platform/"), "\(file) is to import ApusPlatform") }
  }

  /// Foundation would be a sixth of the installed program (Docs/Decisions/0209). Plugins run in SwiftPM.
  @Test func `the program does not use foundation`() throws {
    let mayHaveIt: Set = ["Sources/Tools/Plugins"]
    for module in ["Foundation", "FoundationEssentials"] {
      #expect(try Set(importers(of: module)).isSubset(of: mayHaveIt), "\(module)")
    }
  }

  /// The screen depends only on actions: files with state and updates have no access to the outside.
  @Test func `explorer core depends only on value modules`() async throws {
    let core = try #require(try await package().targets.first { $0.name == "ApusExplorerCore" })
    #expect(
      Set(core.dependencies.compactMap { $0.byName?.first ?? nil }) == [
        "ApusASCII", "ApusAlgorithms", "ApusClientAPI", "ApusClientRequests", "ApusExplorerText", "ApusFormatting",
        "ApusGraphQLLanguageService", "ApusGraphQLMediaTypes", "ApusJSON", "ApusSecrets",
      ])
    for module in ["ApusPlatform", "Dispatch", "Foundation", "FoundationEssentials"] {
      #expect(try !importers(of: module).contains("Sources/Explorer/Core"), "\(module)")
    }
  }

  /// If a switch names all cases, the compiler finds a forgotten one. Switches with a default are over numbers,
  /// characters and types of others, or over commands, which a popup passes on if they are not its own.
  @Test func `switches of the explorer are exhaustive without default`() throws {
    let open: Set = [
      "command", "byte", "bytes[index]", "(word, pending)", "first", "seconds",
      "named?.name ?? type.filter({ $0 != \"!\" })", "try keymap.string(\"keymap\")", "json[\"state\"]?.string",
      "word[..<colon]",
    ]
    var found: Set<String> = []
    for folder in ["Core", "Environment", "Persistence", "Screen", "Text"] {
      for file in try swiftFiles(in: "Sources/Explorer/\(folder)") {
        let lines = try String(contentsOfFile: "\(Checkout.root)/\(file)", encoding: .utf8).split(
          separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.drop(while: { $0 == " " }).hasPrefix("default:") {
          let indentation = line.prefix { $0 == " " }
          let head = lines[..<index].last {
            $0.hasPrefix(indentation + "switch ") || $0.hasPrefix(indentation + "let ")
          }
          let subject = head?.split(separator: "switch ").last?.dropLast(2) ?? ""
          found.insert(String(subject))
          #expect(open.contains(String(subject)), "\(file):\(index + 1) is over \(subject)")
        }
      }
    }
    #expect(found == open)
  }

  /// Outside the explorer, a switch with a default is over strings, numbers, pairs, or the kinds that a grammar fixes: syntax
  /// nodes, tokens and JSON values. Switches over other enums of the project name all cases.
  @Test func `switches over the enums of the project are exhaustive without default`() throws {
    let files = try swiftFiles(in: "Sources").map { file in
      (file, try String(contentsOfFile: "\(Checkout.root)/\(file)", encoding: .utf8))
    }
    var enums: [(name: String, cases: Set<String>)] = []
    for (file, text) in files {
      enums += SwitchSearch.enums(in: text).map {
        (file.hasPrefix("Sources/System/JSON/") ? "JSON" : $0.name, $0.cases)
      }
    }
    let ofGrammars = enums.filter { ["SyntaxKind", "TokenKind", "JSON"].contains($0.name) }
    #expect(ofGrammars.count > 3 && enums.count > 200)
    // The test above is stricter for these folders.
    let strict = ["Core", "Environment", "Persistence", "Screen", "Text"].map { "Sources/Explorer/\($0)/" }
    for (file, text) in files where !strict.contains(where: file.hasPrefix) {
      for (line, cases) in SwitchSearch.switchesWithDefault(in: text) {
        if ofGrammars.contains(where: { cases.isSubset(of: $0.cases) }) { continue }
        let names = enums.filter { cases.isSubset(of: $0.cases) }.map(\.name)
        #expect(names.isEmpty, "\(file):\(line) is over \(names.first ?? "")")
      }
    }
  }

  @Test func `a switch with a default is found with the cases that it names`() {
    let text = """
      enum Level: Int { case low, high }
      enum Event {
        /// An end.
        case ended(code: Int, (String, Int)), `default`
        case began
        func f() {
          switch self {
          case .began: break
          case .ended(let code, _) where code == 1,
            .ended(2, _):
            print(1)
          default: break
          }
          switch word {
          case "began": .began
          default: nil
          }
        }
      }
      """
    let enums = SwitchSearch.enums(in: text)
    #expect(enums.map(\.name) == ["Level", "Event"])
    #expect(enums.map(\.cases) == [["low", "high"], ["ended", "default", "began"]])
    let found = SwitchSearch.switchesWithDefault(in: text)
    #expect(found.map(\.line) == [12])
    #expect(found.map(\.cases) == [["began", "ended"]])
  }

  private func swiftFiles(in folder: String) throws -> [String] {
    let root = "\(Checkout.root)/\(folder)"
    let files = try #require(FileManager.default.enumerator(atPath: root))
    return files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
  }

  @Test func `features of the explorer access only their state`() throws {
    for feature in ["Cache", "Connection", "Presentation", "Response", "Tabs", "Typing"] {
      let files = try swiftFiles(in: "Sources/Explorer/Core/\(feature)")
      #expect(!files.isEmpty, "\(feature)")
      for file in files {
        let text = try String(contentsOfFile: "\(Checkout.root)/\(file)", encoding: .utf8)
        #expect(!text.contains("ExplorerState"), "\(file): updates of several features are in Core/Coordination")
      }
    }
  }

  /// A popup can read the state, and returns its effects on other features as values.
  @Test func `popups change only their state and have a view`() throws {
    let screens = try swiftFiles(in: "Sources/Explorer/Screen/Popups").map {
      try String(contentsOfFile: "\(Checkout.root)/\($0)", encoding: .utf8)
    }
    for file in try swiftFiles(in: "Sources/Explorer/Core/Popups") {
      let text = try String(contentsOfFile: "\(Checkout.root)/\(file)", encoding: .utf8)
      #expect(!text.contains("inout ExplorerState"), "\(file)")
      for popup in text.matches(of: /struct (\w+): (?:List)?PopupContent/).map(\.output.1) {
        #expect(screens.contains { $0.contains("extension \(popup): PopupView") }, "\(popup) is not drawn")
      }
    }
  }

  @Test func `explorer core does not draw`() throws {
    #expect(try !importers(of: "ApusExplorerTerminal").contains("Sources/Explorer/Core"))
  }

  /// Returns the module folders with a file that imports `module`.
  private func importers(of module: String) throws -> [String] {
    let sources = URL(fileURLWithPath: Checkout.root + "/Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var folders: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard text.split(separator: "\n").contains(where: { $0.hasSuffix("import \(module)") }) else { continue }
      let path = file.path.dropFirst(Checkout.root.count + 1)
      folders.insert(path.split(separator: "/").prefix(3).joined(separator: "/"))
    }
    return folders.sorted()
  }

  /// `exit` runs the cleanup of C libraries while other threads may still use them, which crashed about one process in
  /// 200. The program ends with `_exit` instead.
  @Test func `the program ends without library cleanup`() throws {
    try expectNone(/(^|[^_A-Za-z0-9.])exit\(/)
  }

  /// Variables of an environment file only resolve configuration. Libraries and child processes must not see them.
  @Test func `the program never changes its environment`() throws {
    try expectNone(/(^|[^_A-Za-z0-9.])(setenv|putenv|unsetenv|clearenv)\(/)
  }

  private func expectNone(_ pattern: some RegexComponent) throws {
    for layer in Self.layers {
      let files = try #require(
        FileManager.default.enumerator(
          at: URL(fileURLWithPath: "\(Checkout.root)/Sources/\(layer)"), includingPropertiesForKeys: nil))
      for case let file as URL in files where ["swift", "c", "cpp"].contains(file.pathExtension) {
        // The generator for build plugins has a single thread.
        if file.path.contains("/Tools/Generate/") { continue }
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
          let code = line.trimmingCharacters(in: .whitespaces)
          guard !code.hasPrefix("//") else { continue }
          #expect(!code.contains(pattern), "\(file.path): \(code)")
        }
      }
    }
  }

  /// A function stored directly in a generic type is wrapped again each time it is accessed, so that a call overflows
  /// the stack after some ten thousand accesses. In a struct it is not wrapped.
  @Test func `no mutex contains a bare function`() throws {
    let sources = URL(fileURLWithPath: Checkout.root + "/Sources")
    let texts = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
    let functions = Set(texts.flatMap { $0.matches(of: /typealias (\w+)[^=\n]*=[^\n]*->/).map { String($0.output.1) } })
    #expect(functions.contains("Send"))
    for text in texts {
      for held in text.matches(of: /Mutex<([^\n]*?)>\(/).map(\.output.1) {
        let words = held.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        #expect(!held.contains("->") && functions.isDisjoint(with: words), "Mutex<\(held)>")
      }
    }
  }

  /// In builds without optimization, a large value yielded by a coroutine is read again after the coroutine has ended
  /// (Docs/Decisions/0207). Only the generic box yields values, from its own memory.
  @Test func `no accessor yields a large value`() throws {
    let sources = URL(fileURLWithPath: Checkout.root + "/Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    let lending = try files.filter { try String(contentsOf: $0, encoding: .utf8).contains("_read {") }
    #expect(lending.map(\.lastPathComponent) == ["CopyOnWrite.swift"])
  }
}
