import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// The way in which an operation specifies an argument of a field.
public enum ArgumentBinding: Sendable, Hashable {
  /// A variable. Its value is changed for other pages, or the argument becomes a literal if something else uses the
  /// variable, which would change with it.
  case variable(String)
  /// A literal. It is replaced for other pages.
  case literal
  /// The argument is missing. It is added for other pages.
  case absent
}

/// New values for arguments of a field, which request another page: `after: "c10"` and `first: 10`.
struct ArgumentChange {
  /// The path of the field in response keys.
  let path: [String]
  /// Arguments and their new values; `nil` removes the argument.
  var values: [(name: String, value: JSONValue?)]
  let bindings: [String: ArgumentBinding]

  func apply(to operation: DynamicOperation) -> DynamicOperation {
    var variables = operation.variables
    var rewritten: [(name: String, value: JSONValue?)] = []
    let uses = VariableUses(in: operation.compiled)
    for (name, value) in values {
      switch bindings[name] ?? .absent {
      case .variable(let variable) where uses.isShared(variable, besides: name, at: path):
        rewritten.append((name, value))
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

/// The uses of variables in the arguments of an operation.
struct VariableUses {
  private let operation: CompiledOperation
  private var arguments: [Use] = []
  private var visited: Set<ObjectIdentifier> = []

  private struct Use {
    let field: CompiledField
    /// The argument's name; `nil` for the initial count of `@stream`.
    let argument: String?
    let value: CompiledValue
  }

  init(in operation: CompiledOperation) {
    self.operation = operation
    collect(operation.selections)
  }

  private mutating func collect(_ set: CompiledSelectionSet) {
    guard visited.insert(ObjectIdentifier(set)).inserted else { return }
    for selection in set.selections {
      switch selection {
      case .fragment(let fragment): collect(fragment.selectionSet)
      case .field(let field):
        arguments += field.arguments.map { Use(field: field, argument: $0.name, value: $0.value) }
        if let stream = field.stream { arguments.append(Use(field: field, argument: nil, value: stream.initialCount)) }
        field.selectionSet.map { collect($0) }
      }
    }
  }

  /// Returns whether a variable of an argument has another use than this argument of the field at a path.
  func isShared(_ variable: String, besides argument: String, at path: [String]) -> Bool {
    let fields = Set(operation.selections.fields(at: path).map { ObjectIdentifier($0) })
    return arguments.contains {
      $0.value.contains(variable) && !($0.argument == argument && fields.contains(ObjectIdentifier($0.field)))
    }
  }

  /// Returns the first variable that is a paging argument and has another use as well; `nil` if there is none.
  func sharedPagingVariable(_ pagingArguments: [String]) -> String? {
    for use in arguments {
      guard let argument = use.argument, pagingArguments.contains(argument), case .variable(let name) = use.value else {
        continue
      }
      let isShared = arguments.contains {
        $0.value.contains(name) && !($0.field === use.field && $0.argument == argument)
      }
      if isShared { return name }
    }
    return nil
  }
}

extension CompiledValue {
  fileprivate func contains(_ variable: String) -> Bool {
    switch self {
    case .constant: false
    case .variable(let name): name == variable
    case .list(let values): values.contains { $0.contains(variable) }
    case .object(let fields): fields.contains { $0.value.contains(variable) }
    }
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
