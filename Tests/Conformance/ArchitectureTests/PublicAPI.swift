import ApusTestSupport
import Foundation

/// The public API of the products' modules: all `public` declarations, the cases of public enums, and the requirements
/// of public protocols.
struct PublicAPI {
  struct Module {
    let name: String
    let path: String
    let files: [File]
  }
  struct File {
    /// The path from the checkout's root.
    let path: String
    let declarations: [SourceDeclaration]
  }

  let modules: [Module]
  /// The types of these modules, by path.
  private var types: [String: SourceDeclaration] = [:]
  /// The conformances of a type and its extensions, by the last component of its path.
  private var conformances: [String: Set<String>] = [:]
  /// The requirements of public protocols, by protocol name and member key.
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

  /// Whether applications can name a declaration.
  func isPublic(_ declaration: SourceDeclaration) -> Bool {
    if declaration.kind == "extension" {
      // Types that are not declared in these modules belong to the standard library or another visible module.
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

  /// Returns the public protocol requirement that a member fulfills. Its documentation applies to both.
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

  /// One line per declaration, sorted, by module.
  var listing: String {
    var text = """
      # Public API

      Every public declaration except type aliases, by module. A change of this page is a change of the interface that applications use. The page is
      generated from the sources: `APUS_WRITE_DOCS=1 APUS_TESTS=ArchitectureTests swift test --filter PublicAPITests`.

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
    guard isPublic(declaration), declaration.kind != "typealias" else { return nil }
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

  /// The names by which documentation may refer to declarations: `CacheStore`, `CachePolicy.cacheFirst`,
  /// `CacheStore.evict(_:cascading:)`.
  var names: Set<String> {
    var names: Set<String> = []
    for declaration in modules.flatMap(\.files).flatMap(\.declarations) where isPublic(declaration) {
      let owner = declaration.parent.map { "\($0.path)." } ?? ""
      names.formUnion([owner + declaration.key, owner + declaration.name])
    }
    return names
  }
}
