import ApusJSON

/// The `if` argument of a directive: a literal or a variable, as in `@include(if: $full)`.
package enum CompiledCondition: Sendable, Equatable {
  case always, never
  /// A variable. If it has no value, the condition is `absent`.
  case variable(String, absent: Bool)

  package func holds(variables: JSONValue) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .variable(let name, let absent): variables[name]?.bool ?? absent
    }
  }
}

/// The `@skip` and `@include` of a selection, which is included if every `@include` and no `@skip` holds.
package struct Conditions: Sendable, Equatable {
  package let include: [CompiledCondition]
  package let skip: [CompiledCondition]

  package static let none = Conditions(include: [], skip: [])

  package init(include: [CompiledCondition], skip: [CompiledCondition]) {
    self.include = include
    self.skip = skip
  }

  package var isEmpty: Bool { include.isEmpty && skip.isEmpty }

  package func hold(variables: JSONValue) -> Bool {
    isEmpty
      || (include.allSatisfy { $0.holds(variables: variables) } && !skip.contains { $0.holds(variables: variables) })
  }
}
