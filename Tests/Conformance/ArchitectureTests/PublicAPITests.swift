import ApusTestSupport
import Foundation
import Testing

/// Public declarations are documented, and their changes are visible.
struct PublicAPITests {
  /// Members that are known from the standard library.
  private static let standardMembers: Set = [
    "description", "==(_:)", "<(_:)", "hash(into:)", "encode(to:)", "init(from:)", "rawValue", "init(rawValue:)",
    "makeIterator()", "makeAsyncIterator()", "Element", "startIndex", "endIndex",
  ]

  private func isKnown(_ declaration: SourceDeclaration) -> Bool {
    let isOperator = declaration.name == "==" || declaration.name == "<"
    let isLiteral = declaration.kind == "init" && declaration.key.hasSuffix("Literal:)")
    return isOperator || isLiteral || Self.standardMembers.contains(declaration.key)
  }

  /// Returns the location and the path of a declaration.
  private func place(_ declaration: SourceDeclaration, _ file: PublicAPI.File) -> String {
    "\(file.path):\(declaration.line): \(declaration.path)"
  }

  /// Declarations in a form that `SourceDeclaration` cannot read would be skipped silently.
  @Test func `every public declaration is read`() throws {
    var missed: [String] = []
    for file in try PublicAPI().modules.flatMap(\.files) {
      let read = Set(file.declarations.map(\.line))
      let text = try String(contentsOfFile: "\(Checkout.root)/\(file.path)", encoding: .utf8)
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
        guard words.contains("public"), words.first?.hasPrefix("//") == false, !words.contains("import") else {
          continue
        }
        let isDeclaration = words.prefix { $0 != "public" }.allSatisfy { $0.allSatisfy(\.isLetter) }
        if isDeclaration, !read.contains(index + 1) { missed.append("\(file.path):\(index + 1): \(line)") }
      }
    }
    #expect(missed.isEmpty, "not read:\n\(missed.joined(separator: "\n"))")
  }

  @Test func `every public declaration is documented`() throws {
    let api = try PublicAPI()
    var count = 0
    var silent: [String] = []
    for file in api.modules.flatMap(\.files) {
      for declaration in file.declarations where declaration.kind != "extension" && api.isPublic(declaration) {
        count += 1
        guard declaration.documentation.isEmpty, !isKnown(declaration) else { continue }
        if api.requirement(of: declaration)?.documentation.isEmpty ?? true { silent.append(place(declaration, file)) }
      }
    }
    #expect(count > 1000)
    #expect(silent.isEmpty, "without a comment:\n\(silent.joined(separator: "\n"))")
  }

  @Test func `every throwing public declaration documents its errors`() throws {
    let api = try PublicAPI()
    var count = 0
    var silent: [String] = []
    for file in api.modules.flatMap(\.files) {
      for declaration in file.declarations where api.isPublic(declaration) && declaration.throwsErrors {
        count += 1
        let own = declaration.documentation
        let comment = own.isEmpty ? api.requirement(of: declaration)?.documentation ?? "" : own
        // A type, a case or a function in backticks, or a sentence that it throws nothing or any error.
        let names = ["`", "rror", "Nothing"].contains(where: comment.contains)
        if !comment.contains("hrow") || !names { silent.append(place(declaration, file)) }
      }
    }
    #expect(count > 90)
    #expect(silent.isEmpty, "do not say what they throw:\n\(silent.joined(separator: "\n"))")
  }

  /// Run with APUS_WRITE_DOCS=1 to update it.
  @Test func `the public API document is current`() throws {
    let path = Checkout.root + "/Docs/PublicAPI.md"
    let listing = try PublicAPI().listing
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      try Data(listing.utf8).write(to: URL(filePath: path))
    }
    let written = try String(contentsOfFile: path, encoding: .utf8)
    let old = Set(written.split(separator: "\n"))
    let new = Set(listing.split(separator: "\n"))
    let isCurrent = listing == written
    #expect(
      isCurrent,
      """
      What is public has changed; look at it, and write Docs/PublicAPI.md anew \
      (APUS_WRITE_DOCS=1 APUS_TESTS=ArchitectureTests swift test --filter PublicAPITests):
      \(old.subtracting(new).sorted().map { "- \($0)" }.joined(separator: "\n"))
      \(new.subtracting(old).sorted().map { "+ \($0)" }.joined(separator: "\n"))
      """)
  }
}
