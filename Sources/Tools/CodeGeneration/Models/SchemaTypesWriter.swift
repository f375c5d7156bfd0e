import ApusGraphQLSchema

/// Writes the parts of the schema that models use: types as values, enums, input objects, scalars and metadata.
struct SchemaTypesWriter {
  let schema: Schema
  let names: ModelNames
  let settings: GenerationSettings
  let keyFields: KeyFields

  private var access: String { settings.access.rawValue }
  private var namespace: String { names.namespace }

  func sections() -> [FileSection] {
    // Writing an input object may add the types of its fields.
    var seen: Set<String> = []
    var enums: [Piece] = []
    var inputs: [Piece] = []
    while true {
      let fresh = names.uses.names.subtracting(seen).sorted()
      if fresh.isEmpty { break }
      seen.formUnion(fresh)
      for name in fresh {
        guard let type = schema.type(named: name), type.kind == .enum || type.kind == .inputObject else { continue }
        var writer = SwiftWriter()
        writer.block("extension \(namespace)") { writer in
          if type.kind == .enum { writeEnum(type, &writer) } else { writeInputObject(type, &writer) }
        }
        if type.kind == .enum {
          enums.append(Piece(name: name, text: writer.text, namesLibrary: settings.enumsNameLibrary))
        } else {
          inputs.append(Piece(name: name, text: writer.text))
        }
      }
    }
    var writer = SwiftWriter()
    writeSchema(&writer)
    return [
      FileSection(name: "Schema", pieces: [Piece(name: "", text: writer.text)]),
      FileSection(name: "Enums", pieces: enums.sorted { $0.name < $1.name }),
      FileSection(name: "InputObjects", pieces: inputs.sorted { $0.name < $1.name }),
    ].filter { !$0.pieces.isEmpty }
  }

  // MARK: The schema

  private func writeSchema(_ writer: inout SwiftWriter) {
    let used = names.uses.names.compactMap { schema.type(named: $0) }
    var objects: Set<TypeDefinition> = []
    var interfaces: Set<TypeDefinition> = []
    var unions: Set<TypeDefinition> = []
    for type in used where type.isComposite {
      objects.formUnion(type.possibleTypes)
      if type.kind == .interface { interfaces.insert(type) }
      if type.kind == .union { unions.insert(type) }
    }
    for object in objects { interfaces.formUnion(object.interfaces) }
    let sorted = { (types: Set<TypeDefinition>) in types.sorted { $0.name < $1.name } }

    writer.line("/// The types of the schema that the models use.")
    writer.block("\(access) enum \(namespace)") { writer in
      writer.line("\(access) typealias ID = String")
      for scalar in used.filter({ $0.kind == .scalar && !$0.isBuiltIn }).sorted(by: { $0.name < $1.name }) {
        writer.documentation(scalar.description)
        writer.line("\(access) typealias \(names.types.name(scalar.name)) = JSONValue")
      }
      writeMetadata(sorted(objects), &writer)
      writer.gap()
      writer.block("\(access) enum Objects") { writer in
        for type in sorted(objects) { writeObject(type, &writer) }
      }
      if !interfaces.isEmpty {
        writer.gap()
        writer.block("\(access) enum Interfaces") { writer in
          for type in sorted(interfaces) { writeAbstract(type, "InterfaceType", keyFields.declared(type), &writer) }
        }
      }
      if !unions.isEmpty {
        writer.gap()
        writer.block("\(access) enum Unions") { writer in
          for type in sorted(unions) { writeAbstract(type, "UnionType", nil, &writer) }
        }
      }
    }
    writeProtocols(&writer)
  }

  private func writeProtocols(_ writer: inout SwiftWriter) {
    writer.gap()
    for (name, base) in [
      ("SelectionSet", "RootSelectionSet"), ("InlineFragment", "InlineFragment"),
      ("Fragment", "Fragment, RootSelectionSet"),
    ] {
      writer.emptyBlock("\(access) protocol \(namespace)\(name): \(base) where Schema == \(namespace).Metadata")
    }
  }

  private func writeMetadata(_ objects: [TypeDefinition], _ writer: inout SwiftWriter) {
    writer.gap()
    writer.block("\(access) enum Metadata: SchemaMetadata") { writer in
      writer.line("\(access) static func objectType(named typename: String) -> ObjectType? { objectTypes[typename] }")
      writer.gap()
      // A table rather than a `switch`, which takes much longer to compile and execute with hundreds of cases.
      writer.line("private static let objectTypes: ObjectTypes = [")
      writer.indented { writer in
        for type in objects { writer.line("Objects.", names.types.name(type.name), ",") }
      }
      writer.line("]")
      writeRootTypes(&writer)
      writeFieldPolicies(&writer)
    }
  }

  private func writeRootTypes(_ writer: inout SwiftWriter) {
    guard let query = schema.queryType else { return }
    var parts = ["query: \(SwiftLiteral.string(query.name))"]
    if let type = schema.mutationType { parts.append("mutation: \(SwiftLiteral.string(type.name))") }
    if let type = schema.subscriptionType { parts.append("subscription: \(SwiftLiteral.string(type.name))") }
    writer.gap()
    writer.list("\(access) static let rootTypes: RootTypes? = RootTypes(", parts, ")")
  }

  /// Writes the schema's `@fieldPolicy` directives for the application's cache.
  private func writeFieldPolicies(_ writer: inout SwiftWriter) {
    let policies = schema.fieldPolicyDirectives
    guard !policies.isEmpty else { return }
    writer.gap()
    writer.line("\(access) static let fieldPolicies: [DeclaredFieldPolicy] = [")
    writer.indented { writer in
      for policy in policies {
        var parts = [SwiftLiteral.string(policy.type), SwiftLiteral.string(policy.field)]
        if let keys = policy.keyArguments { parts.append("keyArguments: \(SwiftLiteral.strings(keys))") }
        if let secrets = policy.secretArguments { parts.append("secretArguments: \(SwiftLiteral.strings(secrets))") }
        if let merge = policy.merge { parts.append("merge: \(literal(merge))") }
        writer.line(".init(", parts.joined(separator: ", "), "),")
      }
    }
    writer.line("]")
  }

  private func literal(_ merge: DeclaredFieldMerge) -> String {
    switch merge {
    case .connection: ".connection"
    case .append(let arguments): ".append(arguments: \(SwiftLiteral.strings(arguments)))"
    case .offset(let offset, let limit):
      ".offset(argument: \(SwiftLiteral.string(offset)), limit: \(SwiftLiteral.string(limit)))"
    }
  }

  private func writeObject(_ type: TypeDefinition, _ writer: inout SwiftWriter) {
    var parts = [SwiftLiteral.string(type.name)]
    let interfaces = type.interfaces.sorted { $0.name < $1.name }
    if !interfaces.isEmpty {
      parts.append(
        "implementedInterfaces: [\(interfaces.map { "Interfaces.\(names.types.name($0.name))" }.joined(separator: ", "))]"
      )
    }
    if let keys = keyFields.declared(type) { parts.append("keyFields: \(SwiftLiteral.strings(keys))") }
    writer.list("\(access) static let \(names.types.name(type.name)): ObjectType = .init(", parts, ")")
  }

  private func writeAbstract(
    _ type: TypeDefinition, _ kind: String, _ keys: [String]?, _ writer: inout SwiftWriter
  ) {
    let possible = type.possibleTypes.map(\.name).sorted()
    writer.line("\(access) static let \(names.types.name(type.name)): \(kind) = .init(")
    writer.indented { writer in
      writer.list(
        "\(SwiftLiteral.string(type.name)), possibleTypes: [", possible.map(SwiftLiteral.string),
        keys.map { "], keyFields: \(SwiftLiteral.strings($0)))" } ?? "])")
    }
  }

  // MARK: Enums and input objects

  private func writeEnum(_ type: TypeDefinition, _ writer: inout SwiftWriter) {
    writer.documentation(type.description)
    writer.block("\(access) enum \(names.types.name(type.name)): String, EnumType") { writer in
      for value in EnumCases(type, taken: []).values {
        writer.documentation(value.definition.description, note: value.definition.deprecationReason)
        writer.line("case \(SwiftName.member(value.name)) = \(SwiftLiteral.string(value.definition.name))")
      }
    }
  }

  private func writeOneOf(_ type: TypeDefinition, _ name: String, _ writer: inout SwiftWriter) {
    writer.block("\(access) indirect enum \(name): OneOfInputObject") { writer in
      for field in type.inputFields {
        writer.documentation(field.description, note: field.deprecationReason)
        writer.line("case \(SwiftName.member(field.name))(\(names.types.bare(field.type.nullable, names.output)))")
      }
      writer.gap()
      writer.block("\(access) var __data: InputDict") { writer in
        writer.line("switch self {")
        for field in type.inputFields {
          writer.line(
            "case .\(SwiftName.member(field.name))(let value): [\(SwiftLiteral.string(field.name)): value]")
        }
        writer.line("}")
      }
    }
  }

  private func writeInputObject(_ type: TypeDefinition, _ writer: inout SwiftWriter) {
    let name = names.types.name(type.name)
    writer.documentation(type.description)
    if type.isOneOf { return writeOneOf(type, name, &writer) }
    writer.block("\(access) struct \(name): InputObject") { writer in
      let fields = type.inputFields.map { field in
        (
          field: field, name: SwiftName.member(field.name),
          type: names.input(field.type, hasDefault: field.defaultValue != nil)
        )
      }
      writer.line("\(access) private(set) var __data: InputDict")
      writer.gap()
      writer.list(
        "\(access) init(", fields.map { "\($0.name): \($0.type)\($0.field.isRequired ? "" : " = nil")" }, ") {")
      writer.indented { writer in
        writer.list(
          "__data = [", fields.isEmpty ? [":"] : fields.map { "\(SwiftLiteral.string($0.field.name)): \($0.name)" }, "]"
        )
      }
      writer.line("}")
      for field in fields {
        writer.gap()
        writer.documentation(field.field.description, deprecation: field.field.deprecationReason)
        writer.block("\(access) var \(field.name): \(field.type)") { writer in
          writer.line("get { __data[\(SwiftLiteral.string(field.field.name))] }")
          writer.line("set { __data[\(SwiftLiteral.string(field.field.name))] = newValue }")
        }
      }
    }
  }
}
