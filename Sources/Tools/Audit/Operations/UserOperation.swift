import ApusGraphQLLanguage

/// An operation of a document from `--operation`, with its fragments.
struct UserOperation: Sendable {
  let kind: OperationType
  let name: String?
  /// A document with only this operation.
  let text: String
  let variables: [Variable]

  struct Variable: Sendable {
    let name: String
    let type: String
    let isRequired: Bool
  }

  /// Returns the operations of a document.
  static func all(in text: String) -> [UserOperation] {
    let document = Document(parsing: text)
    let fragments = document.fragments.map { (name: $0.name.value, text: $0.text) }
    return document.operations.map { operation in
      var parts = [operation.text]
      var names: Set<String> = []
      var index = 0
      while index < parts.count {
        for spread in parts[index].matches(of: /\.\.\.\s*([A-Za-z_][A-Za-z0-9_]*)/) {
          guard let fragment = fragments.first(where: { $0.name == spread.1 }), names.insert(fragment.name).inserted
          else {
            continue
          }
          parts.append(fragment.text)
        }
        index += 1
      }
      let variables = operation.variableDefinitions.map { definition in
        Variable(
          name: definition.variable.name.value, type: definition.type.text,
          isRequired: definition.type.text.hasSuffix("!") && definition.defaultValue == nil)
      }
      return UserOperation(
        kind: operation.operation, name: operation.name?.value, text: parts.joined(separator: " "), variables: variables
      )
    }
  }
}

extension AuditContext {
  /// Returns a document of the user with one operation of this kind that needs no variables.
  func userOperation(_ kind: OperationType) throws(AuditStop) -> String {
    let found = userOperations.first { operation in
      operation.kind == kind && !operation.variables.contains(where: \.isRequired)
    }
    guard let found else {
      throw AuditStop.notApplicable("no \(kind) without required variables is named by --operation")
    }
    return found.text
  }
}
