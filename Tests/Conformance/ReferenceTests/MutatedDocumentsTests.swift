import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// Real documents with some tokens moved. This implementation and the reference must report the same errors.
@Suite(
  .enabled(if: ReferenceRecord.isThere && Corpus.folder != nil, Comment(rawValue: ReferenceRecord.absence)),
  .timeLimit(.minutes(30)))
struct MutatedDocumentsTests {
  private static let python = "\(Checkout.root)/.test-servers/reference/bin/python"

  @Test(arguments: ["animals", "starwars", "swapi"])
  func `mutated documents have the errors of the reference`(folder: String) async throws {
    var random = SplitMix(seed: 20_250_903)
    let documents = try Corpus.files(".graphql").filter {
      $0.hasPrefix("\(folder)/") && !$0.hasSuffix("schema.graphql")
    }
    .map { Document(parsing: try Corpus.bytes($0), name: $0) }
    let texts = documents.flatMap { document in
      document.definitions.map { document.source.text($0.range) } + [document.text]
    }.filter { $0.utf8.count < 8_000 }
    let mutants = (0..<700).map { _ in mutate(texts.randomElement(using: &random) ?? "", &random) }

    let sdl = "\(Corpus.folder ?? "")/schemas/\(folder)/schema.graphql"
    // The reference knows no dialects.
    let schema = Schema.load(
      sdl: [Document(parsing: try Corpus.bytes("\(folder)/schema.graphql"))], dialects: DialectSelection(detects: false)
    )
    let process = try ChildProcess(Self.python, ["\(Checkout.servers)/reference_answers.py", sdl])
    var differences: [String] = []
    var compared = 0
    for text in mutants {
      process.write(JSONWriter.compact(["text": JSONValue(text)]) + "\n")
      let answer = try JSONDocument(parsing: await process.nextLine() ?? "null").root
      let document = Document(parsing: text, limits: ParserLimits(allowsFragmentVariables: false))
      if hasEmptySelectionSet(document) { continue }
      let theirs = (answer["errors"] ?? .null).elements.map(Complaint.init)
      let isSyntax = answer["syntax"]?.bool == true
      let own =
        document.hasErrors
        ? document.diagnostics.prefix(1).map {
          Complaint($0.message, [document.source.location(at: $0.range.lowerBound)])
        }
        : Validator.validate(document, schema: schema).map { Complaint($0.message, $0.locations) }
      compared += 1
      if isSyntax != document.hasErrors || places(own) != places(theirs) {
        differences.append("\(text)\n  reference: \(theirs.sorted())\n  ours:      \(own.sorted())\n")
      }
    }
    print("\(folder): \(compared) mutants compared, \(differences.count) differ")
    #expect(differences.joined(separator: "\n") == "")
  }

  /// The reference allows `{ }`, as does a draft later than the supported edition.
  private func hasEmptySelectionSet(_ document: Document) -> Bool {
    let tokens = document.tokens.filter { $0.kind != .comment }
    return zip(tokens, tokens.dropFirst()).contains { $0.kind == .braceLeft && $1.kind == .braceRight }
  }

  private func places(_ complaints: [Complaint]) -> [[String]] {
    complaints.map(\.places).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func mutate(_ text: String, _ random: inout SplitMix) -> String {
    let document = Document(parsing: text)
    var words = document.tokens.filter { $0.kind != .comment }.map { document.source.text($0.range) }
    for _ in 0..<Int.random(in: 1...2, using: &random) where words.count > 2 {
      let place = Int.random(in: words.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: words.remove(at: place)
      case 1: words.insert(words[place], at: place)
      case 2: words.swapAt(place, Int.random(in: words.indices, using: &random))
      default: words[place] = words.randomElement(using: &random) ?? "x"
      }
    }
    return words.joined(separator: " ")
  }
}
