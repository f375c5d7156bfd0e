import ApusTestSupport
import Foundation

/// What the modules of the products offer to applications: every `public` declaration, the cases of public enums, and what
/// public protocols require.
struct PublicAPI {
  struct Module {
    let name: String
    let path: String
    let files: [File]
  }
  struct File {
    /// From the checkout's root.
    let path: String
    let declarations: [SourceDeclaration]
  }

  let modules: [Module]
  /// The types of these modules by their paths.
  private var types: [String: SourceDeclaration] = [:]
  /// What a type, or an extension of it, conforms to, by the last word of its path.
  private var conformances: [String: Set<String>] = [:]
  /// What the public protocols require, by their names and the members' keys.
  private var requirements: [String: [String: SourceDeclaration]] = [:]

  init() throws {
    let manifest = try String(contentsOfFile: Checkout.root + "/Package.swift", encoding: .utf8)
    let products =
      /module\(\s*"(\w+)", "((?:Client|GraphQL\/(?:Language|Schema|Tools)|System\/JSON|Tools\/CodeGeneration)\b[\w\/]*)"/
    modules = try manifest.matches(of: products).map { match in
      let folder = "Sources/\(match.output.2)"
      return Module(name: String(match.output.1), path: folder, files: try Self.files(in: folder))
    }
    for declaration in modules.flatMap(\.files).flatMap(\.declarations) {
      if declaration.isType { types[declaration.path] = declaration }
      if declaration.isType || declaration.kind == "extension" {
        conformances[Self.lastWord(declaration.path), default: []].formUnion(declaration.inheritedTypes)
      }
      if let owner = declaration.parent, owner.kind == "protocol", owner.modifiers.contains("public") {
        requirements[owner.name, default: [:]][declaration.key] = declaration
      }
    }
  }

  private static func files(in folder: String) throws -> [File] {
    let names = FileManager.default.enumerator(atPath: "\(Checkout.root)/\(folder)")?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let text = try String(contentsOfFile: "\(Checkout.root)/\(folder)/\(name)", encoding: .utf8)
      return File(path: "\(folder)/\(name)", declarations: SourceDeclaration.all(in: text))
    }
  }

  private static func lastWord(_ path: String) -> String { path.split(separator: ".").last.map(String.init) ?? path }

  /// Whether an application can name it.
  func isPublic(_ declaration: SourceDeclaration) -> Bool {
    if declaration.kind == "extension" {
      // What is not declared in these modules is the standard library's, or another module's that is in sight.
      let type = types[declaration.name] ?? types[Self.lastWord(declaration.name)]
      return type.map(isPublic) ?? true
    }
    guard declaration.parent.map(isPublic) ?? true else { return false }
    if declaration.modifiers.contains("public") { return true }
    switch declaration.parent?.kind {
    case "protocol": return true
    case "enum": return declaration.kind == "case"
    default: return false
    }
  }

  /// The requirement of a public protocol that a member fulfils: documentation is written there, and shown for both.
  func requirement(of declaration: SourceDeclaration) -> SourceDeclaration? {
    guard let owner = declaration.parent else { return nil }
    var waiting = [Self.lastWord(owner.path)]
    var seen: Set<String> = []
    while let name = waiting.popLast() {
      guard seen.insert(name).inserted else { continue }
      waiting += conformances[name] ?? []
      if let found = requirements[name]?[declaration.key], found !== declaration { return found }
    }
    return nil
  }

  /// A line for each declaration, by modules, sorted.
  var listing: String {
    var text = """
      # Public API

      Every public declaration, by module. A change of this page is a change of the interface that applications use. The page is
      generated from the sources: `APUS_WRITE_DOCS=1 APUS_TESTS=HouseTests swift test --filter PublicAPITests`.

      """
    for module in modules {
      let lines = Set(module.files.flatMap(\.declarations).compactMap(line)).sorted()
      guard !lines.isEmpty else { continue }
      text += "\n## \(module.name)\n\n" + lines.map { "    \($0)\n" }.joined()
    }
    return text
  }

  /// `CacheStore: func clear() async throws -> ChangedKeys`
  private func line(of declaration: SourceDeclaration) -> String? {
    guard isPublic(declaration) else { return nil }
    if declaration.kind == "extension" {
      let protocols = declaration.inheritedTypes.filter { name in types[name].map(isPublic) ?? true }.sorted()
      guard !protocols.isEmpty else { return nil }
      return "\(declaration.name): extension: \(protocols.joined(separator: ", "))\(condition(of: declaration))"
    }
    var words = declaration.modifiers.filter { !["public", "final"].contains($0) && !$0.hasSuffix("(set)") }
    words.append(declaration.signature)
    if ["var", "subscript"].contains(declaration.kind) {
      words.append(declaration.isSettable ? "{ get set }" : "{ get }")
    }
    let owner = declaration.isType ? nil : declaration.parent
    let place = owner.map { $0.path + ($0.kind == "extension" ? condition(of: $0) : "") } ?? declaration.path
    return "\(place): \(words.joined(separator: " "))"
  }

  private func condition(of declaration: SourceDeclaration) -> String {
    declaration.condition.map { " where \($0)" } ?? ""
  }

  /// What a page may call a declaration by: `CacheStore`, `CachePolicy.cacheFirst`, `CacheStore.evict(_:cascading:)`.
  var names: Set<String> {
    var names: Set<String> = []
    for declaration in modules.flatMap(\.files).flatMap(\.declarations) where isPublic(declaration) {
      let owner = declaration.parent.map { "\($0.path)." } ?? ""
      names.formUnion([owner + declaration.key, owner + declaration.name])
    }
    return names
  }
}
