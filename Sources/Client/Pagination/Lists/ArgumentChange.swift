import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// The way in which an operation specifies an argument of a field.
public enum ArgumentBinding: Sendable, Hashable {
  /// A variable. Its value is changed for other pages.
  case variable(String)
  /// A literal. It is replaced for other pages.
  case literal
  /// The argument is missing. It is added for other pages.
  case absent
}

/// New values for arguments of a field, which request another page.
struct ArgumentChange {
  /// The path of the field in response keys.
  let path: [String]
  /// The arguments and their new values; `nil` removes the argument.
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
