import ApusClientOperation
import ApusJSON

/// The collected fields of a selection on one object. They determine the operation and the decoding of a response.
final class CollectedSelection: Sendable {
  let typeName: String
  let possibleTypes: [String]
  let keyFields: [String]
  let isAbstract: Bool
  let items: [CollectedItem]
  let fields: [CollectedField]
  let fragments: [CollectedFragment]

  init(_ scope: any TypeScope.Type, _ items: [CollectedItem]) {
    typeName = scope.typeName
    possibleTypes = scope.possibleTypes
    keyFields = scope.keyFields
    isAbstract = !(scope is any ObjectScope.Type)
    self.items = items
    fields = items.compactMap { if case .field(let field) = $0 { field } else { nil } }
    fragments = items.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
  }
}

enum CollectedItem: Sendable {
  case field(CollectedField)
  case fragment(CollectedFragment)
}

struct CollectedField: Sendable {
  let name: String
  let responseKey: String
  let type: String
  let kind: NamedTypeKind
  let arguments: [CollectedArgument]
  let selection: CollectedSelection?

  func isSame(_ name: String, _ other: [Argument]) -> Bool {
    guard self.name == name else { return false }
    if other.isEmpty { return arguments.isEmpty }
    return Argument.areSame(arguments.map(\.argument), other)
  }
}

struct CollectedArgument: Sendable {
  let argument: Argument
  let variable: String
}

/// A branch of `on`, or a `defer`.
struct CollectedFragment: Sendable {
  /// The label in the closure; nil for a branch.
  let label: String?
  /// The label to send, which is unique in the operation.
  let sentLabel: String
  /// The variable of `@defer(if:)`.
  let conditionVariable: String?
  let selection: CollectedSelection
}

/// A variable of the operation, with its value.
struct CollectedVariable: Sendable {
  let name: String
  let type: String
  let value: JSONValue
}

/// Runs a selection with mock values and names its variables (after their arguments) and labels, with a number if a
/// name is already used. Names depend only on the order, so a selection always produces the same text.
struct SelectionCollecting {
  private(set) var variables: [CollectedVariable] = []
  private var variableNames: Set<String> = []
  private var labels: Set<String> = []

  static func collect<Value, Root: TypeScope>(
    _ selection: Selection<Value, Root>
  ) throws(SelectionError) -> (CollectedSelection, [CollectedVariable]) {
    let first = SelectionCollector(Root.self, variant: .first)
    do {
      _ = try selection.run(.collecting(first))
    } catch let error as SelectionError {
      throw error
    } catch {
      throw .failedOnMocks(reason: "\(error)")
    }
    // Other values must lead to the same fields, although the closure may throw for them.
    let second = SelectionCollector(Root.self, variant: .second)
    let isWhole = (try? selection.run(.collecting(second))) != nil
    try compare(first, second)
    if isWhole { try compare(second, first) }
    var collecting = SelectionCollecting()
    return (try collecting.freeze(first), collecting.variables)
  }

  private static func compare(
    _ first: SelectionCollector, _ second: SelectionCollector
  ) throws(SelectionError) {
    for item in second.items {
      switch item {
      case .field(let field):
        var match: SelectionCollector.Field?
        for case .field(let other) in first.items
        where other.name == field.name && Argument.areSame(other.arguments, field.arguments) {
          match = other
        }
        guard let match else { throw .dependsOnData(type: second.scope.typeName, field: field.name) }
        if let left = match.inner, let right = field.inner { try compare(left, right) }
      case .fragment(let fragment):
        var match: SelectionCollector?
        for case .fragment(let other) in first.items
        where other.label == fragment.label && other.inner.scope == fragment.inner.scope {
          match = other.inner
        }
        guard let match else {
          throw .dependsOnData(type: second.scope.typeName, field: "... on \(fragment.inner.scope.typeName)")
        }
        try compare(match, fragment.inner)
      }
    }
  }

  private mutating func freeze(_ collector: SelectionCollector) throws(SelectionError) -> CollectedSelection {
    guard !collector.items.isEmpty else { throw .empty(type: collector.scope.typeName) }
    var items: [CollectedItem] = []
    for item in collector.items {
      switch item {
      case .field(let field):
        let arguments = field.arguments.map { argument in
          CollectedArgument(
            argument: argument, variable: variable(argument.name, argument.type, argument.value ?? .null))
        }
        var inner: CollectedSelection?
        if let collector = field.inner { inner = try freeze(collector) }
        items.append(
          .field(
            CollectedField(
              name: field.name, responseKey: field.responseKey, type: field.type, kind: field.kind,
              arguments: arguments, selection: inner)))
      case .fragment(let fragment):
        let sentLabel = fragment.label.map { unique($0, &labels) } ?? ""
        let condition = fragment.condition.map { variable("defer", "Boolean!", JSONValue($0)) }
        items.append(
          .fragment(
            CollectedFragment(
              label: fragment.label, sentLabel: sentLabel, conditionVariable: condition,
              selection: try freeze(fragment.inner))))
      }
    }
    return CollectedSelection(collector.scope, items)
  }

  private mutating func variable(_ name: String, _ type: String, _ value: JSONValue) -> String {
    let name = unique(name, &variableNames)
    variables.append(CollectedVariable(name: name, type: type, value: value))
    return name
  }

  private func unique(_ name: String, _ taken: inout Set<String>) -> String {
    var candidate = name
    var number = 1
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = "\(name)_\(number)"
    }
    return candidate
  }
}
