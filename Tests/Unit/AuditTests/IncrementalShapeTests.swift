import ApusClientAPI
import ApusClientNetwork
import Testing

@testable import ApusAudit

/// The documents with `@stream` that the audits send for a list of three elements.
@Suite struct IncrementalShapeTests {
  private func list() throws -> ProbedField {
    let schema = AuditSubject.schema("type Query { birds: [Bird] } type Bird { id: ID! }")
    let id = DerivedField(
      name: "id", arguments: "", type: try #require(schema.type(named: "Bird")?.field(named: "id")?.type),
      parent: "Bird", selections: [])
    let birds = DerivedField(
      name: "birds", arguments: "", type: try #require(schema.queryType?.field(named: "birds")?.type), parent: "Query",
      selections: [.field(id)])
    var exchange = Exchange(HTTPRequest(method: "POST", url: "http://birds.example"))
    let body = #"{"data":{"birds":[{"id":"1"},{"id":"2"},{"id":"3"}]}}"#
    exchange.reads = [Exchange.Read(bytes: Array(body.utf8), elapsed: .zero)]
    return ProbedField(field: birds, exchange: exchange)
  }

  @Test(arguments: [
    ("stream", "@stream"), ("stream, initialCount 0", "@stream(initialCount: 0)"),
    ("stream, initialCount 1", "@stream(initialCount: 1)"),
    ("stream, initialCount over the length", "@stream(initialCount: 8)"),
    ("stream, if: false", "@stream(initialCount: 0, if: false)"),
  ])
  func `a streamed list has the arguments of its shape's name`(name: String, directive: String) throws {
    let shapes = IncrementalShapes.all(for: try list(), defers: false, streams: true)
    #expect(shapes.count == 5)
    let shape = try #require(shapes.first { $0.name == name })
    #expect(shape.document == "{ birds \(directive) { id } }")
    #expect(shape.plain == "{ birds  { id } }")
    let count: Int? =
      switch name {
      case "stream", "stream, initialCount 0": 0
      case "stream, initialCount 1": 1
      default: nil
      }
    for other in 0...8 { #expect(shape.traits.contains(.streamCount(other)) == (other == count)) }
  }

  @Test func `an empty list is streamed with an initial element`() throws {
    #expect(IncrementalShapes.empty(try list()).document == "{ birds @stream(initialCount: 1) { id } }")
  }
}
