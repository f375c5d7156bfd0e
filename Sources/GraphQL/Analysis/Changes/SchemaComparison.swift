import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A comparison of two schemas, with the changes found so far.
struct SchemaComparison {
  let old: Schema
  let new: Schema
  let comparesAppliedDirectives: Bool
  var changes: [SchemaChange] = []

  mutating func add(
    _ kind: SchemaChangeKind, _ coordinate: SchemaCoordinate?, _ message: String, old: String? = nil,
    new: String? = nil
  ) {
    changes.append(SchemaChange(kind, coordinate, message, old: old, new: new))
  }

  // MARK: Types

  mutating func compareTypes() {
    for type in old.types where !type.isBuiltIn && new.type(named: type.name) == nil {
      add(.typeRemoved, .type(type.name), "\(type.name) was removed.", old: type.kind.words)
    }
    compareStandardScalars()
    for type in new.types where !type.isBuiltIn && old.type(named: type.name) == nil {
      add(.typeAdded, .type(type.name), "\(type.name) was added.", new: type.kind.words)
      guard type.kind == .object else { continue }
      for interface in type.interfaces where old.type(named: interface.name) != nil {
        add(
          .typeAddedToInterface, .type(interface.name), "\(type.name) was added to interface type \(interface.name).",
          new: type.name)
      }
    }
    for type in old.types where !type.isBuiltIn {
      if let now = new.type(named: type.name) { compare(type, now) }
    }
  }

  /// Compares the built-in scalars. An unreferenced one is not part of the schema, and no variable can have its type.
  private mutating func compareStandardScalars() {
    let (before, after) = (old.referencedStandardScalars, new.referencedStandardScalars)
    for name in ["Int", "Float", "ID"] where before.contains(name) && !after.contains(name) {
      add(
        .typeRemoved, .type(name), "Standard scalar \(name) was removed because it is not referenced anymore.",
        old: "scalar")
    }
  }

  private mutating func compare(_ old: TypeDefinition, _ new: TypeDefinition) {
    let coordinate = SchemaCoordinate.type(old.name)
    compareDescriptions(old.description, new.description, coordinate, old.name)
    guard old.kind == new.kind else {
      add(
        .typeChangedKind, coordinate,
        "\(old.name) changed from \(old.kind.wordsWithArticle) to \(new.kind.wordsWithArticle).",
        old: old.kind.words, new: new.kind.words)
      return
    }
    switch old.kind {
    case .enum: compareValues(old, new)
    case .union: compareMembers(old, new)
    case .inputObject:
      compareInputFields(old, new)
      compareOneOf(old, new)
    case .object, .interface:
      compareFields(old, new)
      compareInterfaces(old, new)
    case .scalar: compareSpecification(old, new)
    }
    compareAppliedDirectives(
      old.nodes.flatMap(\.directives), new.nodes.flatMap(\.directives), coordinate, old.name)
  }

  private mutating func compareValues(_ old: TypeDefinition, _ new: TypeDefinition) {
    let (before, after) = (old.enumValues.byName(\.name), new.enumValues.byName(\.name))
    for value in new.enumValues where before[value.name] == nil {
      let name = "\(old.name).\(value.name)"
      add(.valueAddedToEnum, .member(value.name, of: old.name), "Enum value \(name) was added.", new: value.name)
    }
    for value in old.enumValues {
      let coordinate = SchemaCoordinate.member(value.name, of: old.name)
      guard let now = after[value.name] else {
        add(.valueRemovedFromEnum, coordinate, "Enum value \(coordinate) was removed.", old: value.name)
        continue
      }
      compareDescriptions(value.description, now.description, coordinate, "enum value \(coordinate)")
      compareDeprecations(value.deprecationReason, now.deprecationReason, coordinate)
      compareAppliedDirectives(value.node.directives, now.node.directives, coordinate, "\(coordinate)")
    }
  }

  private mutating func compareMembers(_ old: TypeDefinition, _ new: TypeDefinition) {
    let coordinate = SchemaCoordinate.type(old.name)
    let (before, after) = (old.possibleTypes.map(\.name), new.possibleTypes.map(\.name))
    for name in after.without(before) {
      add(.typeAddedToUnion, coordinate, "\(name) was added to union type \(old.name).", new: name)
    }
    for name in before.without(after) {
      add(.typeRemovedFromUnion, coordinate, "\(name) was removed from union type \(old.name).", old: name)
    }
  }

  private mutating func compareInterfaces(_ old: TypeDefinition, _ new: TypeDefinition) {
    let coordinate = SchemaCoordinate.type(old.name)
    let (before, after) = (old.interfaces.map(\.name), new.interfaces.map(\.name))
    for name in after.without(before) {
      add(
        .implementedInterfaceAdded, coordinate, "\(name) added to interfaces implemented by \(old.name).", new: name)
    }
    for name in before.without(after) {
      add(
        .implementedInterfaceRemoved, coordinate, "\(old.name) no longer implements interface \(name).", old: name)
    }
  }

  private mutating func compareOneOf(_ old: TypeDefinition, _ new: TypeDefinition) {
    guard old.isOneOf != new.isOneOf else { return }
    let coordinate = SchemaCoordinate.type(old.name)
    if new.isOneOf {
      add(.oneOfAdded, coordinate, "\(old.name) now takes exactly one of its fields (@oneOf).", new: "@oneOf")
    } else {
      add(.oneOfRemoved, coordinate, "\(old.name) now takes more than one of its fields.", old: "@oneOf")
    }
  }

  private mutating func compareSpecification(_ old: TypeDefinition, _ new: TypeDefinition) {
    guard let before = old.specifiedByURL, before != new.specifiedByURL else { return }
    add(
      .specifiedByURLChanged, .type(old.name),
      "Scalar \(old.name) is specified by \(new.specifiedByURL ?? "nothing") and no longer by \(before).",
      old: before, new: new.specifiedByURL)
  }

  // MARK: Roots

  mutating func compareRoots() {
    for operation in OperationType.allCases {
      let word = operation.rawValue
      switch (old.rootType(operation)?.name, new.rootType(operation)?.name) {
      case (let before?, let after?) where before != after:
        add(
          .rootTypeChanged, .type(before), "The \(word) root type changed from \(before) to \(after).", old: before,
          new: after)
      case (let before?, nil):
        add(.rootTypeRemoved, .type(before), "The schema has no \(word) root type anymore.", old: before)
      case (nil, let after?):
        add(.rootTypeAdded, .type(after), "The schema has a \(word) root type now.", new: after)
      default: break
      }
    }
    compareDescriptions(old.description, new.description, nil, "the schema")
    compareAppliedDirectives(old.ownDirectives, new.ownDirectives, nil, "the schema")
  }

  // MARK: Common properties

  mutating func compareDescriptions(
    _ old: String?, _ new: String?, _ coordinate: SchemaCoordinate?, _ what: String
  ) {
    guard old != new else { return }
    let message =
      new.map { "Description of \(what) has changed to \"\($0)\"." } ?? "Description of \(what) was removed."
    add(.descriptionChanged, coordinate, message, old: old, new: new)
  }

  mutating func compareDeprecations(_ old: String?, _ new: String?, _ coordinate: SchemaCoordinate) {
    switch (old, new) {
    case (nil, let reason?):
      add(.deprecationAdded, coordinate, "\(coordinate) is deprecated: \(reason)", new: reason)
    case (let reason?, nil):
      add(.deprecationRemoved, coordinate, "\(coordinate) is no longer deprecated.", old: reason)
    case (let before?, let after?) where before != after:
      add(
        .deprecationReasonChanged, coordinate, "\(coordinate) has a new deprecation reason: \(after)",
        old: before, new: after)
    default: break
    }
  }

  /// Compares applied directives, except those whose effects have their own kinds.
  mutating func compareAppliedDirectives(
    _ old: [DirectiveNode], _ new: [DirectiveNode], _ coordinate: SchemaCoordinate?, _ what: String
  ) {
    guard comparesAppliedDirectives else { return }
    for directive in old.without(new, in: self.new, self.old) {
      add(.appliedDirectiveRemoved, coordinate, "\(directive) was removed from \(what).", old: directive)
    }
    for directive in new.without(old, in: self.old, self.new) {
      add(.appliedDirectiveAdded, coordinate, "\(directive) was added to \(what).", new: directive)
    }
  }
}

extension TypeKind {
  /// The kind of the type as in the messages of the reference implementation.
  fileprivate var wordsWithArticle: String {
    switch self {
    case .scalar: "a Scalar type"
    case .object: "an Object type"
    case .interface: "an Interface type"
    case .union: "a Union type"
    case .enum: "an Enum type"
    case .inputObject: "an Input type"
    }
  }
}

extension Schema {
  /// The directives on schema definitions and extensions.
  fileprivate var ownDirectives: [DirectiveNode] {
    documents.flatMap(\.definitions).flatMap { definition in
      if case .schema(let schema) = definition { schema.directives } else { [DirectiveNode]() }
    }
  }

  /// The built-in scalars that the schema's own definitions reference.
  fileprivate var referencedStandardScalars: Set<String> {
    var names: Set<String> = []
    for type in types where !type.isBuiltIn {
      for field in type.fields {
        names.insert(field.type.name)
        for argument in field.arguments { names.insert(argument.type.name) }
      }
      for field in type.inputFields { names.insert(field.type.name) }
    }
    for directive in directives where !directive.isImplied {
      for argument in directive.arguments { names.insert(argument.type.name) }
    }
    return names.intersection(["Int", "Float", "ID"])
  }
}

// A schema may have many members, so they are found by a table.
extension Array {
  func byName(_ name: (Element) -> String) -> [String: Element] {
    Dictionary(map { (name($0), $0) }) { first, _ in first }
  }
}

extension [DirectiveNode] {
  /// Returns the printed directives that `others` lacks. A repeated directive counts each time.
  fileprivate func without(_ others: [DirectiveNode], in otherSchema: Schema, _ schema: Schema) -> [String] {
    var left: [String: Int] = [:]
    for directive in others { left[directive.canonicalText(in: otherSchema), default: 0] += 1 }
    return compactMap { directive in
      guard !["deprecated", "specifiedBy", "oneOf"].contains(directive.name.value) else { return nil }
      let text = directive.canonicalText(in: schema)
      guard let count = left[text], count > 0 else { return Printer.print(directive) }
      left[text] = count - 1
      return nil
    }
  }
}

extension [String] {
  fileprivate func without(_ others: [String]) -> [String] {
    let others = Set(others)
    return filter { !others.contains($0) }
  }
}
