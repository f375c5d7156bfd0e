import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusGraphQLValidation
import Testing

/// Editor features around a document: signatures, type hints, links. The cursor is `|`.
struct EditorTests {
  /// Returns the label with the active parameter in brackets.
  private func signature(_ marked: String) -> String? {
    let marked = Marked(marked)
    guard let found = marked.service().signature(at: marked.offset) else { return nil }
    let active = found.active.map { " [\(found.parameters[$0].label)]" } ?? ""
    return found.label + active
  }

  @Test func `a signature contains the arguments and marks the active one`() {
    let label = signature("{ birds(|) { id } }")
    #expect(label?.hasPrefix("birds(") == true && label?.contains("first: Int") == true)
    #expect(signature("{ birds(first: |") == "\(label ?? "") [first: Int]")
    #expect(signature("{ birds(first: 1|0") == "\(label ?? "") [first: Int]")
    #expect(signature("{ birds(first: 10, filter: { wingSpan: { least: |1 } }) { id } }")?.hasSuffix("]") == true)
    #expect(
      signature("{ birds(first: 10, filter: { wingSpan: { least: |1 } }) { id } }")
        == signature("{ birds(first: 10, filter: |"))
    #expect(signature("{ birds(filter: {} |first: 3) { id } }") == label)
    #expect(signature("{ birds { id @include(if: |") == "@include(if: Boolean!) [if: Boolean!]")
    #expect(signature("{ birds { flights(order: |OLDEST) { to } } }")?.contains("order: FlightOrder") == true)
  }

  @Test func `there is no signature outside of arguments`() {
    for marked in [
      "{ birds| }", "{ birds(first: 1) |{ id } }", "{ birds(first: 1) { | } }", "query ($a: |Int) { birds { id } }",
      "{ birds { nothing(|) } }", "|", "(|", "{ birds(first: 1", "{ birds { id } } # (|",
    ] where marked.contains("|") {
      #expect(signature(marked) == nil, "\(marked)")
    }
  }

  @Test func `type hints follow fields and variables`() {
    let text = "query ($n: Int = 3) { all: birds(first: $n) { wingSpan } }"
    let service = Marked(text).service()
    func shown(_ range: Range<Int>) -> String {
      var shown = Array(text.utf8)
      for hint in service.typeHints(in: range).reversed() {
        shown.insert(contentsOf: "<\(hint.type)>".utf8, at: hint.offset)
      }
      return String(decoding: shown, as: UTF8.self)
    }
    #expect(
      shown(0..<text.utf8.count) == "query ($n: Int = 3) { all: birds<[Bird!]!>(first: $n<Int>) { wingSpan<Float> } }")
    #expect(shown(46..<56) == "query ($n: Int = 3) { all: birds(first: $n) { wingSpan<Float> } }")
    #expect(Marked("{ a b }").service(nil).typeHints(in: 0..<7) == [])
  }

  @Test func `imports and specifications are links`() {
    let text = """
      #import "./bird.graphql"
      # import Nest, Egg from '../nest.graphql'
      # important: "no link"
      # import "
      scalar Date @specifiedBy(url: "https://x.example/d") @other(url: "https://y.example")
      scalar Odd @specifiedBy(url: "file:///etc/passwd")
      """
    let service = LanguageService(document: Document(parsing: text), schema: nil)
    let ranges = service.links().map(\.range)
    #expect(
      ranges.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } == [
        "./bird.graphql", "../nest.graphql", "https://x.example/d",
      ])
    #expect(service.links().first?.target == .file("./bird.graphql"))
    #expect(service.links().last?.target == .url("https://x.example/d"))
  }

  /// The element of a coordinate has that coordinate.
  @Test(arguments: [
    "Bird", "Bird.wingSpan", "Query.birds(first:)", "FlightOrder.OLDEST", "SpanRange.least", "@skip", "@skip(if:)",
  ])
  func `an element has the coordinate that names it`(text: String) throws {
    #expect(try CompletionTests.schema.element(at: SchemaCoordinate(text)).coordinate == text)
  }

  @Test func `a fragment that other documents spread is not removed`() {
    let marked = Marked("{ birds { i|d } } fragment F on Bird { id } fragment G on Bird { id }")
    var service = marked.service()
    func titles() -> [String] { service.codeActions(in: marked.range).map(\.title).filter { $0.contains("unused") } }
    #expect(titles() == ["Remove unused F, G"])
    service.fragmentsSpreadElsewhere = ["F"]
    #expect(titles() == ["Remove unused G"])
  }

  @Test func `an error marks the head of its node`() {
    func head(_ marked: String) -> String {
      let bytes = Array(marked.utf8)
      return String(decoding: bytes[EditingDiagnostics.head(of: 0..<bytes.count, in: bytes)], as: UTF8.self)
    }
    #expect(head("birds(first: 1) { id }") == "birds")
    #expect(head("a: birds { id }") == "a: birds")
    #expect(head("{ id }") == "{ id }")
    #expect(head("name") == "name")
  }
}
