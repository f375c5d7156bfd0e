import ApusClientOperation
import ApusGraphQLLanguage
import ApusJSON

/// All values that one deferred fragment can send for a field, for each selection of its subfields.
struct PayloadAlphabet: Sendable {
  typealias Cell = PayloadModel.Cell

  /// The data of a fragment's payload with the selection that led to it.
  struct Payload: Sendable {
    let selection: String
    let selected: PayloadModel.Selection
    let field: String
    let value: Cell

    var json: JSONValue { .object([(field, value.json)]) }

    /// The number of list elements; `nil` for null.
    var elementCount: Int? { if case .list(let cells) = value.content { cells.count } else { nil } }
  }

  private(set) var payloads: [Payload]
  let shape: PayloadModel.Shape

  /// Builds the values of an object's fields. `leaves` are JSON texts; `objects` have the possible values of their `id`.
  init(
    field: String, leaves: [(name: String, values: [String])], objects: [(name: String, ids: [String])] = [],
    isList: Bool, isMatrix: Bool = false
  ) {
    var shapes: [String: PayloadModel.Shape] = [:]
    for leaf in leaves { shapes[leaf.name] = PayloadModel.Shape() }
    for object in objects { shapes[object.name] = PayloadModel.Shape(["id": PayloadModel.Shape()]) }
    shape = PayloadModel.Shape([field: PayloadModel.Shape(shapes)])

    let choices: [(name: String, text: String, values: [Cell])] =
      leaves.map { leaf in
        (leaf.name, leaf.name, leaf.values.map { $0 == "null" ? .null : Cell(content: .leaf($0)) })
      }
      + objects.map { object in
        (
          object.name, "\(object.name) { id }",
          [.null] + object.ids.map { Cell(content: .object(["id": Cell(content: .leaf($0))])) }
        )
      }
    var payloads: [Payload] = []
    for mask in 1..<(1 << choices.count) {
      let selected = choices.indices.filter { mask >> $0 & 1 == 1 }.map { choices[$0] }
      var objects: [[String: Cell]] = [[:]]
      for choice in selected {
        objects = objects.flatMap { object in choice.values.map { object.merging([choice.name: $0]) { $1 } } }
      }
      let elements = [Cell.null] + objects.map { Cell(content: .object($0)) }
      var values = elements
      if isList {
        let lists = [[]] + elements.map { [$0] } + elements.flatMap { first in elements.map { [first, $0] } }
        values =
          [.null]
          + lists.map { list in
            Cell(content: .list(isMatrix ? [Cell(content: .list(list))] : list))
          }
      }
      var inner = PayloadModel.Selection()
      for choice in selected {
        inner.fields[choice.name] = choice.text == choice.name ? .init() : .init(fields: ["id": .init()])
      }
      let text = "\(field) { \(selected.map(\.text).joined(separator: " ")) }"
      for value in values {
        payloads.append(
          Payload(selection: text, selected: .init(fields: [field: inner]), field: field, value: value))
      }
    }
    self.payloads = payloads
  }

  func filtered(_ isIncluded: (Payload) -> Bool) -> PayloadAlphabet {
    var alphabet = self
    alphabet.payloads = payloads.filter(isIncluded)
    return alphabet
  }

  /// Returns the operation that defers these selections, labeled by their number.
  static func operation(_ selections: [String]) throws -> CompiledOperation {
    let fragments = selections.enumerated().map { "... @defer(label: \"\($0)\") { \($1) }" }
    return try .compile(Document(parsing: "{ now \(fragments.joined(separator: " ")) }"))
  }
}
