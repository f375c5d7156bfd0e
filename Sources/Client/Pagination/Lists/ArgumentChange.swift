import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// How an operation gives an argument of a field.
public enum ArgumentBinding: Sendable, Hashable {
  /// By a variable, which is set for another page.
  case variable(String)
  /// By a literal, which is rewritten.
  case literal
  /// Not at all: the argument is added.
  case absent
}

/// Other values for some arguments of one field: what another page is asked for by.
struct ArgumentChange {
  /// The field's place, in response keys.
  let path: [String]
  /// `nil` takes the argument away.
  var values: [(name: String, value: JSONValue?)]
  let bindings: [String: ArgumentBinding]

  func apply(to operation: DynamicOperation) -> DynamicOperation {
    var variables = operation.variables
    var rewritten: [(name: String, value: JSONValue?)] = []
    for (name, value) in values {
      switch bindings[name] ?? .absent {
      case .variable(let variable): variables = variables.setting(variable, to: value ?? .null)
      case .literal: rewritten.append((name, value))
      case .absent: if value != nil { rewritten.append((name, value)) }
      }
    }
    guard !rewritten.isEmpty else { return DynamicOperation(compiled: operation.compiled, variables: variables) }
    let rewriter = ArgumentRewriter(path: path, values: rewritten)
    return DynamicOperation(compiled: rewriter.rewrite(operation.compiled), variables: variables)
  }
}

extension CompiledField {
  func binding(of argument: String) -> ArgumentBinding {
    switch arguments.first(where: { $0.name == argument })?.value {
    case .variable(let variable): .variable(variable)
    case .none: .absent
    default: .literal
    }
  }
}
