import ApusGraphQLLanguage
import ApusGraphQLSchema

/// What the operations of some documents use of a schema: their own selections, and those of every fragment that they
/// come by. What the schema does not know is passed over.
package struct DocumentUsage: Sendable {
  package struct Operation: Sendable, Equatable {
    package let type: OperationType
    package let name: String?
    /// The name of the text that it stands in.
    package let source: String
    package let line: Int

    /// Its name, or where it stands.
    package var title: String { name ?? "\(source):\(line)" }
  }

  /// In the order of the documents.
  package let operations: [Operation]
  private let uses: [UsedElement: [Int]]
  /// The names of the schema's input objects.
  let inputTypes: Set<String>

  /// Uses of one element by one operation that are kept. Operations that share fragments can have the square of what their
  /// documents have.
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

  /// The operations that use what a coordinate names, in their order.
  package func operations(using coordinate: SchemaCoordinate) -> [Operation] {
    (uses[.coordinate(coordinate)] ?? []).map { operations[$0] }
  }

  func indices(_ element: UsedElement) -> Set<Int> { Set(uses[element] ?? []) }
}

extension OperationDefinitionNode {
  /// The variables that may have no value: nullable ones without a default value.
  fileprivate var optionalVariables: Set<String> {
    Set(variableDefinitions.filter { !$0.type.isNonNull && $0.defaultValue == nil }.map(\.variable.name.value))
  }
}

/// The operations of some documents use more of a schema than a report can hold.
package struct TooManyUses: Error, CustomStringConvertible {
  let limit: Int

  package var description: String {
    "the operations have more than \(limit) uses of the schema's elements; name fewer documents"
  }
}

/// One thing that an operation uses.
enum UsedElement: Sendable, Hashable {
  /// It is written, or it is the type of something that is.
  case coordinate(SchemaCoordinate)
  /// Any value of an input object or enum: it comes in by a variable, or out by a field.
  case anyValue(String)
  /// An argument or input field without a value: not given, or given as a variable that may have none.
  case absent(SchemaCoordinate)
  /// An argument or input field that is given as null.
  case null(SchemaCoordinate)
  /// A fragment asks whether a value is of the type.
  case typeCondition(String)
  case directive(String, DirectiveLocation)
}
