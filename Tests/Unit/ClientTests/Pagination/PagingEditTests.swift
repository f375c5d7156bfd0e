import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

@testable import ApusClientPagination

/// Every row of the table of `PagingEdit`, and the layout of its additions.
@Suite(.timeLimit(.minutes(1))) struct PagingEditTests {
  private static let schema = """
    type Query { birds(first: Int, after: String, last: Int, before: String): Birds, must(after: ID!): Birds
      fixed: Birds, list: List }
    type Birds { nodes: [Bird] edges: [Edge] pageInfo: Info } type Edge { node: Bird } type Bird { id: ID }
    type Info { hasNextPage: Boolean endCursor: String hasPreviousPage: Boolean startCursor: String }
    type List { nodes: [Bird] }
    """

  private func edits(_ query: String, schema: String? = schema) throws -> [PagingEdit] {
    let document = Document(parsing: query)
    return PagingEdit.edits(of: try #require(document.operations.first), schema: schema.map { Schema.load(sdl: $0) })
  }

  @Test(
    arguments: [
      // Complete.
      ("{ birds(after: \"\") { nodes { id } pageInfo { hasNextPage endCursor } } }", nil),
      ("{ birds(before: \"\") { nodes { id } pageInfo { hasPreviousPage startCursor } } }", nil),
      // Forward.
      (
        "{ birds { nodes { id } } }",
        "query ($after: String) { birds(after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }"
      ),
      (
        "{ birds(first: 2) { nodes { id } } }",
        "query ($after: String) { birds(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }"
      ),
      (
        "{ birds(after: \"\") { nodes { id } } }",
        "{ birds(after: \"\") { nodes { id } pageInfo { hasNextPage endCursor } } }"
      ),
      (
        "{ must { nodes { id } pageInfo { hasNextPage endCursor } } }",
        "query ($after: ID) { must(after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }"
      ),
      // Backward.
      (
        "{ birds(last: 2) { nodes { id } } }",
        "query ($before: String) { birds(last: 2, before: $before) { nodes { id } pageInfo { hasPreviousPage startCursor } } }"
      ),
      (
        "{ birds(before: \"\") { nodes { id } } }",
        "{ birds(before: \"\") { nodes { id } pageInfo { hasPreviousPage startCursor } } }"
      ),
      // Page info with some of the fields, also in fragments.
      (
        "{ birds(after: \"\") { nodes { id } pageInfo { endCursor } } }",
        "{ birds(after: \"\") { nodes { id } pageInfo { endCursor hasNextPage } } }"
      ),
      (
        "{ birds(after: \"\") { nodes { id } pageInfo { hasNextPage startCursor } } }",
        "{ birds(after: \"\") { nodes { id } pageInfo { hasNextPage startCursor endCursor } } }"
      ),
      (
        "{ birds(last: 2, before: \"\") { nodes { id } pageInfo { hasNextPage } } }",
        "{ birds(last: 2, before: \"\") { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor } } }"
      ),
      (
        "{ birds(after: \"\") { nodes { id } ...F } } fragment F on Birds { pageInfo { hasNextPage ... { endCursor } } }",
        nil
      ),
      // No such argument or page info.
      ("{ fixed { nodes { id } } }", "{ fixed { nodes { id } pageInfo { hasNextPage endCursor } } }"),
      ("{ list { nodes { id } } }", nil),
    ] as [(String, String?)])
  func `a connection gets the page info and the cursor argument that it lacks`(query: String, edited: String?) throws {
    #expect(try edits(query).map(\.text) == (edited.map { [$0] } ?? []))
    if let edited { #expect(try edits(edited).isEmpty) }
  }

  @Test(
    arguments: [
      (
        "{ a { edges { id } } }",
        "query ($after: String) { a(after: $after) { edges { id } pageInfo { hasNextPage endCursor } } }"
      ),
      ("{ a { nodes { id } } }", nil),
      (
        "{ a { nodes { id } pageInfo { endCursor } } }",
        "query ($after: String) { a(after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } }"
      ),
    ] as [(String, String?)])
  func `without a schema edges or page info make a connection`(query: String, edited: String?) throws {
    #expect(try edits(query, schema: nil).map(\.text) == (edited.map { [$0] } ?? []))
  }

  @Test(arguments: ["  ", "\t", "\t ", ""])
  func `page info is on a line of its own after a selection on its own line`(indentation: String) throws {
    let edited = try edits("{ birds(after: \"\") {\n\(indentation)nodes { id }\n} }").map(\.text)
    #expect(
      edited == [
        "{ birds(after: \"\") {\n\(indentation)nodes { id }\n\(indentation)pageInfo { hasNextPage endCursor }\n} }"
      ])
  }

  @Test func `page info is on the line of a selection that follows others`() throws {
    let edited = try edits("{\n  birds(after: \"\") { edges { node { id } }\n  a: nodes { id } nodes { id } }\n}").map(
      \.text)
    #expect(
      edited == [
        "{\n  birds(after: \"\") { edges { node { id } }\n  a: nodes { id } nodes { id } pageInfo { hasNextPage endCursor } }\n}"
      ])
  }

  @Test(arguments: [(["after"], "after2"), (["after", "after2"], "after3"), (["before", "after2"], "after")])
  func `a cursor has a variable name of its own`(taken: [String], name: String) throws {
    let list = taken.map { "$\($0): String" }.joined(separator: ", ")
    let edited = try #require(try edits("query (\(list)) { birds { nodes { id } } }").first?.text)
    #expect(edited.hasPrefix("query (\(list), $\(name): String) { birds(after: $\(name)) {"))
  }

  @Test func `each connection has an edit of its own`() throws {
    let found = try edits("{ a: birds { nodes { id } } ...F } fragment F on Query { b: birds { nodes { id } } ...F }")
    #expect(found.map(\.path) == [["a"], ["b"]])
  }
}
