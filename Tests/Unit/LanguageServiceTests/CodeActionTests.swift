import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusGraphQLValidation
import Testing

/// Code actions. The document contains `|` at the cursor or around the selection; the expectation is the edited document.
struct CodeActionTests {
  private func after(_ kind: CodeAction.Kind, _ marked: String, schema: Schema? = CompletionTests.schema) -> String? {
    let marked = Marked(marked)
    let action = marked.service(schema).codeActions(in: marked.range).first { $0.kind == kind }
    return action.map { String(decoding: $0.edits.applied(to: Array(marked.text.utf8)), as: UTF8.self) }
  }

  @Test func `filling a field selects its leaf fields`() {
    #expect(
      after(.fillLeafFields, "{\n  birds|\n}")
        == "{\n  birds {\n    id\n    name\n    wingSpan\n  }\n}")
    #expect(after(.fillLeafFields, "{ birds| { } }") == "{ birds {\n  id\n  name\n  wingSpan\n} }")
    #expect(after(.fillLeafFields, "{ search(text: \"a\")| }") == "{ search(text: \"a\") {\n  __typename\n} }")
  }

  @Test func `filling a selection set adds missing leaf fields`() {
    #expect(
      after(.fillLeafFields, "{\n  birds {\n    name|\n  }\n}")
        == "{\n  birds {\n    name\n    id\n    wingSpan\n  }\n}")
    #expect(after(.fillLeafFields, "{ birds { name| } }") == "{ birds { name id wingSpan } }")
    #expect(after(.fillLeafFields, "{ birds { nest { id eggs| } } }") == nil)
  }

  @Test func `missing required arguments are added`() {
    #expect(after(.addRequiredArguments, "{ bi|rd { id } }") == "{ bird(id: \"\") { id } }")
    #expect(
      after(.addRequiredArguments, "mutation { rename(id: 1|) { id } }")
        == "mutation { rename(id: 1, name: \"\") { id } }")
    #expect(after(.addRequiredArguments, "{ birds { name @sk|ip } }") == "{ birds { name @skip(if: false) } }")
    #expect(after(.addRequiredArguments, "{ bi|rd() { id } }") == "{ bird(id: \"\") { id } }")
    #expect(after(.addRequiredArguments, "{ bird(id: 1) { na|me } }") == nil)
  }

  @Test func `an undeclared variable is declared`() {
    #expect(
      after(.addMissingVariable, "query Q { birds(first: $n|) { id } }")
        == "query Q($n: Int) { birds(first: $n) { id } }")
    #expect(after(.addMissingVariable, "{ bird(id: $i|d) { id } }") == "query ($id: ID!) { bird(id: $id) { id } }")
    #expect(
      after(.addMissingVariable, "query Q($a: Int) { birds(first: $a, filter: { wingSpan: { least: $l| } }) { id } }")
        == "query Q($a: Int, $l: Float) { birds(first: $a, filter: { wingSpan: { least: $l } }) { id } }")
    #expect(
      after(.addMissingVariable, "query Q { ...F } fragment F on Query { birds(first: $n|) { id } }")
        == "query Q($n: Int) { ...F } fragment F on Query { birds(first: $n) { id } }")
    #expect(after(.addMissingVariable, "query ($n: Int) { birds(first: $n|) { id } }") == nil)
  }

  @Test func `selections are extracted to a fragment`() {
    let expected = """
      {
        birds {
          ...BirdFields
        }
      }

      fragment BirdFields on Bird {
        id
        nest {
          eggs
        }
      }

      """
    #expect(
      after(.extractFragment, "{\n  birds {\n    |id\n    nest {\n      eggs\n    }|\n  }\n}\n") == expected)
    #expect(
      after(.extractFragment, "{ birds { name nest { id| eggs } } }")
        == "{ birds { name nest { ...NestFields } } }\n\nfragment NestFields on Nest {\n  id eggs\n}\n")
    #expect(
      after(.extractFragment, "{ birds { |id| name } } fragment BirdFields on Bird { id }")?
        .hasPrefix("{ birds { ...BirdFields2 name } }") == true)
    #expect(after(.extractFragment, "{ birds { |...A| } } fragment A on Bird { id }") == nil)
  }

  @Test func `a fragment is inlined`() {
    #expect(
      after(.inlineFragment, "{\n  birds {\n    ...A|\n  }\n}\n\nfragment A on Bird {\n  id\n  name\n}\n")
        == "{\n  birds {\n    id\n    name\n  }\n}\n")
    #expect(
      after(.inlineFragment, "{ birds { ...A| @skip(if: true) } }\n\nfragment A on Bird { id }")
        == "{ birds { ... on Bird @skip(if: true) { id } } }")
    #expect(
      after(.inlineFragment, "{ search(text: \"\") { ...A| } node(id: 1) { ...A } }\n\nfragment A on Bird { id }")
        == "{ search(text: \"\") { ... on Bird { id } } node(id: 1) { ...A } }\n\nfragment A on Bird { id }")
    #expect(
      after(.inlineFragment, "{ a: birds { ...A } b: birds { ...A } }\n\nfragment A| on Bird { id }")
        == "{ a: birds { id } b: birds { id } }")
    #expect(after(.inlineFragment, "{ ...A| } fragment A on Query { ...A }") == nil)
  }

  @Test func `deferring adds a unique label`() {
    #expect(
      after(.wrapInDefer, "{\n  birds {\n    id\n    nest| {\n      eggs\n    }\n  }\n}")
        == "{\n  birds {\n    id\n    ... @defer(label: \"nest\") {\n      nest {\n        eggs\n      }\n    }\n  }\n}"
    )
    #expect(
      after(.wrapInDefer, "{ birds { ...A| } } fragment A on Bird { id }")
        == "{ birds { ...A @defer(label: \"A\") } } fragment A on Bird { id }")
    #expect(
      after(.wrapInDefer, "{ birds { ... @defer(label: \"name\") { id } na|me } }")?.contains("\"name2\"") == true)
    #expect(after(.wrapInDefer, "mutation { re|name(id: 1, name: \"\") { id } }") == nil)
    #expect(after(.wrapInDefer, "{ birds { ... on Bird @defer| { id } } }") == nil)
  }

  @Test func `unused variables and fragments are removed`() {
    #expect(
      after(.removeUnused, "query Q($a: Int, $b: Int) { birds(first: $b) { id } }|\n\nfragment F on Bird { id }")
        == "query Q($b: Int) { birds(first: $b) { id } }")
    #expect(
      after(.removeUnused, "query Q($a: Int, $b: Int) { birds(first: $a) { id } }|")
        == "query Q($a: Int) { birds(first: $a) { id } }")
    #expect(after(.removeUnused, "query Q($a: Int) { birds { id } }|") == "query Q { birds { id } }")
    #expect(after(.removeUnused, "query ($a: Int) { ...F } fragment F on Query { birds(first: $a) { id } }|") == nil)
  }

  @Test(arguments: [
    ("query Q($a: Int, $b: Int, $c: Int) { f(a: $a) }", "query Q($a: Int) { f(a: $a) }"),
    ("query Q($a: Int, $b: Int, $c: Int) { f(b: $b) }", "query Q($b: Int) { f(b: $b) }"),
    ("query Q($a: Int, $b: Int, $c: Int) { f(c: $c) }", "query Q($c: Int) { f(c: $c) }"),
    ("query Q($a: Int, $b: Int, $c: Int) { f(a: $a, c: $c) }", "query Q($a: Int, $c: Int) { f(a: $a, c: $c) }"),
    ("query Q($a: Int, $b: Int, $c: Int, $d: Int) { f(b: $b) }", "query Q($b: Int) { f(b: $b) }"),
    ("query Q($a: Int, $b: Int, $c: Int) { f }", "query Q { f }"),
    ("query Q($a: Int # of a\n  $b: Int # of b\n  $c: Int) { f(a: $a) }", "query Q($a: Int) { f(a: $a) }"),
    ("fragment A on Query { f }\n\nfragment B on Query { f }\n\nquery Q { f }\n", "query Q { f }"),
    ("query Q { f }\n\nfragment A on Query { f }\n\nfragment B on Query { f }\n", "query Q { f }"),
    ("fragment A on Query { f }\n\nquery Q { f }\n\nfragment B on Query { f }\n", "query Q { f }"),
    (
      "query A($a: Int) { f } query B($b: Int, $c: Int) { f(c: $c) } fragment F on Query { f }",
      "query A { f } query B($c: Int) { f(c: $c) }"
    ),
  ])
  func `edits that remove unused definitions do not overlap`(text: String, expected: String) throws {
    let document = Document(parsing: text)
    let service = LanguageService(document: document, schema: CompletionTests.schema)
    let action = try #require(service.codeActions(in: 0..<0).first { $0.kind == .removeUnused })
    let ranges = action.edits.map(\.range).sorted { $0.lowerBound < $1.lowerBound }
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }, "\(ranges)")
    let after = Document(parsing: action.edits.applied(to: document.source.bytes))
    #expect(after.diagnostics.isEmpty, "\(after.text)")
    #expect(after.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") == expected)
    let left = LanguageService(document: after, schema: CompletionTests.schema).codeActions(in: 0..<0)
    #expect(!left.contains { $0.kind == .removeUnused })
  }

  /// Returns the actions for the validation errors of a document, with the edited documents.
  private func offered(_ marked: String, schema: Schema? = CompletionTests.schema) -> [String] {
    let marked = Marked(marked)
    let service = marked.service(schema)
    let errors = Validator.validate(service.document, schema: schema)
    return service.codeActions(in: marked.range, fixing: errors).filter { $0.kind == .applySuggestion }.map {
      "\($0.title): " + String(decoding: $0.edits.applied(to: Array(marked.text.utf8)), as: UTF8.self)
    }
  }

  @Test func `suggestions of errors are offered`() {
    #expect(
      offered("{ brids| { id } }")
        == ["Change brids to birds: { birds { id } }", "Change brids to bird: { bird { id } }"])
    #expect(offered("{ a: brid|(id: 1) { id } }").first == "Change brid to bird: { a: bird(id: 1) { id } }")
    #expect(offered("{ birds(frist|: 1) { id } }") == ["Change frist to first: { birds(first: 1) { id } }"])
    #expect(
      offered("{ birds { id @skp|(if: true) } }") == ["Change skp to skip: { birds { id @skip(if: true) } }"])
    #expect(
      offered("{ birds { id @skip(fi|: true) } }") == ["Change fi to if: { birds { id @skip(if: true) } }"])
    #expect(
      offered("{ birds { ... on Brid| { id } } }").first == "Change Brid to Bird: { birds { ... on Bird { id } } }")
    #expect(
      offered("query ($n: Itn!|) { birds(first: $n) { id } }").first
        == "Change Itn to Int: query ($n: Int!) { birds(first: $n) { id } }")
    #expect(
      offered("{ bird(id: 1) { flights(order: OLDST|) { to } } }").first
        == "Change OLDST to OLDEST: { bird(id: 1) { flights(order: OLDEST) { to } } }")
    #expect(
      offered("{ bird(id: 1) { flights(order: \"OLDEST\"|) { to } } }").first
        == "Change \"OLDEST\" to OLDEST: { bird(id: 1) { flights(order: OLDEST) { to } } }")
    #expect(
      offered("{ birds(filter: { wingspan|: { least: 1 } }) { id } }").first
        == "Change wingspan to wingSpan: { birds(filter: { wingSpan: { least: 1 } }) { id } }")
    #expect(
      offered("query ($first: Int) { birds(first: $frist|) { id } }")
        == ["Change frist to first: query ($first: Int) { birds(first: $first) { id } }"])
    #expect(
      offered("{ birds { ...Nmaes| } } fragment Names on Bird { name }")
        == ["Change Nmaes to Names: { birds { ...Names } } fragment Names on Bird { name }"])
  }

  @Test func `inline fragments are offered for types that have the field`() {
    #expect(
      offered("{ search(text: \"\") { n: nest| { eggs } } }")
        == ["Wrap n: nest in ... on Bird: { search(text: \"\") { ... on Bird { n: nest { eggs } } } }"])
  }

  @Test func `without suggestions at the cursor those of the line are offered`() {
    #expect(
      offered("{\n  |birds(frist: 1) {\n    nmae\n  }\n}").map { $0.prefix { $0 != ":" } } == ["Change frist to first"])
    #expect(
      offered("{\n  birds(frist: 1) {\n    nmae|\n  }\n}").map { $0.prefix { $0 != ":" } } == ["Change nmae to name"])
    #expect(offered("{\n  birds(frist: 1) {\n    nmae\n  }|\n}").isEmpty)
    #expect(offered("{ birds { id } }|").isEmpty)
  }

  @Test func `lists are sorted by name`() {
    #expect(
      after(.sort, "{\n  birds {\n    name| # of it\n    # The key.\n    id\n    ...F\n    a: wingSpan\n  }\n}")
        == "{\n  birds {\n    a: wingSpan\n    # The key.\n    id\n    name # of it\n    ...F\n  }\n}")
    #expect(
      after(.sort, "{ birds(first: |1, filter: {}) { id } }") == "{ birds(filter: {}, first: 1) { id } }")
    #expect(after(.sort, "{ birds { id| name } }") == nil)
  }

  @Test func `multiline comments move with the item that they precede`() {
    let before = """
      {
        birds {
          # The name,
          # as it is sung.
          name| # behind it

          # The key.
          id
          nest { eggs } # of the nest
        }
      }
      """
    let expected = """
      {
        birds {
          # The key.
          id

          # The name,
          # as it is sung.
          name # behind it
          nest { eggs } # of the nest
        }
      }
      """
    #expect(after(.sort, before) == expected)
    #expect(
      after(.sort, "{\n  birds(\n    # How many.\n    first: |1\n    # Which.\n    filter: {}\n  ) { id }\n}")
        == "{\n  birds(\n    # Which.\n    filter: {}\n    # How many.\n    first: 1\n  ) { id }\n}")
  }

  /// Every action in a valid document results in valid syntax, and quick fixes result in a valid document.
  @Test func `every action at every position results in valid syntax`() {
    let text = """
      query Birds($first: Int = 3, $f: BirdFilter = { wingSpan: { least: 1.5 } }) {
        birds(first: $first, filter: $f) { ...Names @defer(label: "n") ... on Bird { nest { eggs } } }
        search(text: "a") { __typename ... on Nest { id } }
      } # done
      fragment Names on Bird { name flights(first: 2, order: OLDEST) { from, to } }
      mutation M { rename(id: "1", name: "b") { name nest { id } } }
      """
    let document = Document(parsing: text)
    let service = LanguageService(document: document, schema: CompletionTests.schema)
    var seen: Set<CodeAction.Kind> = []
    for lower in 0...text.utf8.count {
      for length in [0, 1, 12] where lower + length <= text.utf8.count {
        for action in service.codeActions(in: lower..<lower + length) {
          seen.insert(action.kind)
          let after = Document(parsing: action.edits.applied(to: document.source.bytes))
          #expect(after.diagnostics.isEmpty, "\(action.title) at \(lower)+\(length): \(after.text)")
          guard after.diagnostics.isEmpty, action.kind != .addRequiredArguments else { continue }
          let errors = Validator.validate(after, schema: CompletionTests.schema).map(\.message)
          #expect(errors.isEmpty, "\(action.title) at \(lower)+\(length): \(after.text)")
        }
      }
    }
    #expect(seen.isSuperset(of: [.fillLeafFields, .extractFragment, .inlineFragment, .wrapInDefer, .sort]))
  }
}
