import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The schema elements used by the operations in documents, directly or through fragments. Elements that the schema
/// does not define are ignored.
package struct DocumentUsage: Sendable {
  package struct Operation: Sendable, Equatable {
    package let type: OperationType
    package let name: String?
    /// The name of the source.
    package let source: String
    package let line: Int

    /// The name of the operation, or its location.
    package var title: String { name ?? "\(source):\(line)" }
  }

  /// Operations in document order.
  package let operations: [Operation]
  private let uses: [UsedElement: [Int]]
  /// Names of the input object types.
  let inputTypes: Set<String>

  /// The maximum number of recorded uses. A hundred operations that share a fragment with a hundred fields have ten
  /// thousand.
  package static let limit = 10_000_000

  package init(of documents: [Document], in schema: Schema, limit: Int = limit) throws(TooManyUses) {
    var fragments: [String: UsageWalk] = [:]
    for fragment in documents.flatMap(\.fragments) where fragments[fragment.name.value] == nil {
      fragments[fragment.name.value] = UsageWalk(fragment, schema)
    }
    var operations: [Operation] = []
    var uses: [UsedElement: [Int]] = [:]
    var room = limit
    for operation in documents.flatMap(\.operations) {
      let index = operations.count
      let location = operation.location
      operations.append(
        Operation(
          type: operation.operation, name: operation.name?.value,
          source: operation.document.source.name(at: operation.range.lowerBound), line: location.line))
      let walk = UsageWalk(operation, schema)
      var elements = walk.elements
      let optional = operation.optionalVariables
      func addAbsent(in walk: UsageWalk) {
        for use in walk.variableUses where optional.contains(use.variable) { elements.insert(.absent(use.place)) }
      }
      addAbsent(in: walk)
      var pending = Array(walk.spreads)
      var seen = walk.spreads
      while let name = pending.popLast() {
        guard room > 0 else { throw TooManyUses(limit: limit) }
        guard let fragment = fragments[name] else { continue }
        room -= fragment.elements.count + fragment.variableUses.count + 1
        elements.formUnion(fragment.elements)
        addAbsent(in: fragment)
        for spread in fragment.spreads where seen.insert(spread).inserted { pending.append(spread) }
      }
      room -= walk.elements.count
      guard room > 0 else { throw TooManyUses(limit: limit) }
      for element in elements { uses[element, default: []].append(index) }
    }
    self.operations = operations
    self.uses = uses
    inputTypes = Set(schema.types.filter { $0.kind == .inputObject }.map(\.name))
  }

  /// Returns the operations that use an element, in order.
  package func operations(using coordinate: SchemaCoordinate) -> [Operation] {
    (uses[.coordinate(coordinate)] ?? []).map { operations[$0] }
  }

  func indices(_ element: UsedElement) -> Set<Int> { Set(uses[element] ?? []) }
}

extension OperationDefinitionNode {
  /// Variables that may have no value: nullable ones without a default value.
  fileprivate var optionalVariables: Set<String> {
    Set(variableDefinitions.filter { !$0.type.isNonNull && $0.defaultValue == nil }.map(\.variable.name.value))
  }
}

/// The operations have more uses than the limit.
package struct TooManyUses: Error, CustomStringConvertible {
  let limit: Int

  package var description: String {
    "the operations have more than \(limit) uses of the schema's elements; name fewer documents"
  }
}

/// An element that an operation uses.
enum UsedElement: Sendable, Hashable {
  /// An element that is written in the document, or the type of one.
  case coordinate(SchemaCoordinate)
  /// Any value of an input object or enum, because it is the type of a variable or field.
  case anyValue(String)
  /// An argument or input field without a value: omitted, or a variable that may have no value.
  case absent(SchemaCoordinate)
  /// An argument or input field with the value null.
  case null(SchemaCoordinate)
  case typeCondition(String)
  case directive(String, DirectiveLocation)
}
