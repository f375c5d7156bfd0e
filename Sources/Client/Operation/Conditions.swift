import ApusJSON

/// The `if` argument of a directive: a literal, or a variable that is asked when the operation runs.
package enum CompiledCondition: Sendable, Equatable {
  case always, never
  /// A variable that has no value counts as `absent`.
  case variable(String, absent: Bool)

  package func holds(variables: JSONValue) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .variable(let name, let absent): variables[name]?.bool ?? absent
    }
  }
}

/// What `@skip` and `@include` ask of one selection: included when every `@include` holds and no `@skip` does.
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
