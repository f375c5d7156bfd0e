import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A problem in the values of an operation's variables.
package struct VariablesDiagnostic: Sendable, Equatable {
  package let message: String
  /// The byte range in the variables.
  package let range: Range<Int>
  /// Whether the request can be sent anyway.
  package let isWarning: Bool
  /// The changes that solve the problem, best first.
  package var fixes: [CodeAction] = []
}

extension VariablesService {
  /// Returns the problems in the order of the text: JSON syntax errors, missing required variables, unknown variables, and
  /// values of the wrong type.
  package func diagnostics() -> [VariablesDiagnostic] {
    var found = text.problems.map { VariablesDiagnostic(message: $0.message, range: $0.range, isWarning: false) }
    guard let operation else { return found }
    var check = VariablesCheck(schema: schema)
    guard let root = text.root else { return [] }
    guard case .object(let members) = root.content else {
      return found
        + [VariablesDiagnostic(message: "Variables must be a JSON object", range: root.range, isWarning: false)]
    }
    check.duplicates(members)
    for member in members {
      guard let definition = definition(named: member.name) else {
        let title = operation.name.map { "\"\($0.value)\"" } ?? "The operation"
        check.report(
          "\(title) has no variable \"$\(member.name)\"", member.nameRange, isWarning: true,
          fixes: VariablesFix.changing(member.nameRange, from: member.name, to: definitions.map(\.variable.name.value)))
        continue
      }
      guard let value = member.value else { continue }
      check.value(value, of: NodeTypeResolver.reference(definition.type, schema), nonNull: definition.type.isNonNull)
    }
    let opening = root.range.lowerBound..<root.range.lowerBound + 1
    for definition in definitions where definition.type.kind == .nonNull && definition.defaultValue == nil {
      let name = definition.variable.name.value
      if !members.contains(where: { $0.name == name }) {
        check.report(
          "\"$\(name)\" of type \(definition.type) has no value", opening,
          fixes: [
            VariablesFix.adding(
              name, of: NodeTypeResolver.reference(definition.type, schema), toObjectAt: root.range.lowerBound,
              isEmpty: members.isEmpty)
          ])
      }
    }
    found += check.found
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

/// Checks values against their types.
private struct VariablesCheck {
  let schema: Schema?
  private(set) var found: [VariablesDiagnostic] = []

  init(schema: Schema?) { self.schema = schema }

  mutating func report(_ message: String, _ range: Range<Int>, isWarning: Bool = false, fixes: [CodeAction] = []) {
    found.append(VariablesDiagnostic(message: message, range: range, isWarning: isWarning, fixes: fixes))
  }

  mutating func duplicates(_ members: [VariablesNode.Member]) {
    var seen: Set<String> = []
    for member in members where !seen.insert(member.name).inserted {
      report("\"\(member.name)\" appears twice", member.nameRange)
    }
  }

  mutating func value(_ node: VariablesNode, of type: TypeReference?, nonNull: Bool = false) {
    if case .word(let text) = node.content {
      let isEnum = type?.definition?.kind == .enum
      return report(
        isEnum ? "Enum values must be in quotes" : "\"\(text)\" is not JSON", node.range,
        fixes: isEnum ? [VariablesFix.quoting(text, at: node.range)] : [])
    }
    if node.content == .null {
      let name = type?.description ?? "this type"
      if nonNull || type?.isNonNull ?? false { report("A value of type \(name) cannot be null", node.range) }
      return
    }
    guard let type else { return }
    if let element = type.elementType {
      // A single value is coerced to a list.
      guard case .array(let elements) = node.content else { return value(node, of: element) }
      for node in elements { value(node, of: element) }
      return
    }
    if case .array = node.content { return mismatch(node, type) }
    guard let definition = type.definition else { return }
    switch definition.kind {
    case .enum: enumValue(node, definition)
    case .inputObject: object(node, definition, type)
    case .scalar, .object, .interface, .union: scalar(node, type)
    }
  }

  private mutating func mismatch(_ node: VariablesNode, _ type: TypeReference) {
    report("A value of type \(type) is expected", node.range)
  }

  private mutating func enumValue(_ node: VariablesNode, _ type: TypeDefinition) {
    guard case .string(let name) = node.content else {
      return report("A value of \(type.name) is expected", node.range)
    }
    guard type.enumValue(named: name) == nil else { return }
    let names = type.enumValues.map(\.name)
    let near = names.filter { CompletionRanking.distance(of: $0, from: Array(name.utf8)) != nil }
    let proposals = (near.isEmpty ? names : near).prefix(5).joined(separator: ", ")
    report(
      "\"\(name)\" is not a value of \(type.name): \(proposals)", node.range,
      fixes: (near.isEmpty ? names : near).prefix(5).map { VariablesFix.changing(node.range, from: name, to: $0) })
  }

  private mutating func object(_ node: VariablesNode, _ type: TypeDefinition, _ reference: TypeReference) {
    guard case .object(let members) = node.content else { return mismatch(node, reference) }
    duplicates(members)
    for member in members {
      guard let field = type.inputField(named: member.name) else {
        report(
          "\(type.name) has no field \"\(member.name)\"", member.nameRange,
          fixes: VariablesFix.changing(member.nameRange, from: member.name, to: type.inputFields.map(\.name)))
        continue
      }
      if let child = member.value { value(child, of: field.type) }
    }
    let opening = node.range.lowerBound..<node.range.lowerBound + 1
    if type.isOneOf {
      let isNull = members.first.map { $0.value?.content == .null } ?? false
      if members.count != 1 || isNull {
        report("Exactly one field of \(type.name) must be given and not null", opening)
      }
      return
    }
    for field in type.inputFields where field.isRequired && !members.contains(where: { $0.name == field.name }) {
      report(
        "\(type.name).\(field.name) of type \(field.type) is required", opening,
        fixes: [
          VariablesFix.adding(
            field.name, of: field.type, toObjectAt: node.range.lowerBound, isEmpty: members.isEmpty)
        ])
    }
  }

  /// Checks a scalar of the specification. The server checks values of custom scalars.
  private mutating func scalar(_ node: VariablesNode, _ type: TypeReference) {
    switch (type.name, node.content) {
    case ("Int", .number(let text)):
      let isWhole = Double(text).map { $0 == $0.rounded() && abs($0) <= 2_147_483_648 } ?? false
      if !isWhole || Double(text) == 2_147_483_648 { report("An Int is a 32-bit integer", node.range) }
    case ("Float", .number), ("ID", .string), ("ID", .number), ("String", .string), ("Boolean", .bool): break
    case ("Int", _), ("Float", _), ("ID", _), ("String", _), ("Boolean", _): mismatch(node, type)
    default: break
    }
  }
}
